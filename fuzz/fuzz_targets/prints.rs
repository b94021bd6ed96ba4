//! Arbitrary bytes as a file of fingerprints, in every layout.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_corpus::prints::{Digits, Layout, Options, Print, Prints, PrintsWriter};
use lookalike_fuzz::folder;
use std::fs;
use std::io::Cursor;

fuzz_target!(|bytes: &[u8]| {
    for layout in [Layout::Raw, Layout::RawIds, Layout::Text] {
        for digits in [None, Some(Digits::Hex), Some(Digits::Decimal)] {
            let options = Options { layout: Some(layout), digits, ..Options::default() };
            stream::<u64>(bytes, &options);
            stream::<u128>(bytes, &options);
        }
    }
    let path = folder().join("prints.parquet");
    fs::write(&path, bytes).expect("the folder is ours");
    if let Ok(prints) = Prints::<u64>::open(&path, &Options::default()) {
        read(prints);
    }
});

/// What is read can be written, and reads the same again.
fn stream<P: Print>(bytes: &[u8], options: &Options) {
    let open = |bytes: Vec<u8>, options: &Options| Prints::<P>::from_reader(Cursor::new(bytes), "-", options);
    let Ok(prints) = open(bytes.to_vec(), options) else { return };
    let Some((prints, ids)) = read(prints) else { return };
    let mut writer = PrintsWriter::text(Vec::new(), Digits::Hex);
    writer.write(&prints, &ids).expect("a Vec takes anything");
    let text = writer.finish().expect("a Vec takes anything");
    let again = open(text, &Options::default()).ok().and_then(read);
    assert_eq!(again, Some((prints, ids)));
}

/// All fingerprints and ids, unless something is wrong with them.
fn read<P: Print>(mut source: Prints<P>) -> Option<(Vec<P>, Vec<u64>)> {
    let (mut prints, mut ids) = (Vec::new(), Vec::new());
    let (mut batch, mut batch_ids) = (Vec::new(), Vec::new());
    while source.next_batch(&mut batch, &mut batch_ids).ok()? > 0 {
        assert_eq!(batch_ids.len(), if source.has_ids() { batch.len() } else { 0 });
        prints.extend_from_slice(&batch);
        ids.extend_from_slice(&batch_ids);
    }
    Some((prints, ids))
}
