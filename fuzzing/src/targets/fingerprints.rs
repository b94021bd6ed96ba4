//! Arbitrary bytes as a file of fingerprints, in every layout.

use lookalike_hamming::{Digits, FileOptions, FingerprintBits, FingerprintReader, FingerprintWriter, Layout};
use crate::folder;
use std::fs;
use std::io::Cursor;

pub(crate) fn fuzz(bytes: &[u8]) {
    for layout in [Layout::Raw, Layout::RawIds, Layout::Text] {
        for digits in [None, Some(Digits::Hex), Some(Digits::Decimal)] {
            let options = FileOptions { layout: Some(layout), digits, ..FileOptions::default() };
            stream::<u64>(bytes, &options);
            stream::<u128>(bytes, &options);
        }
    }
    let path = folder().join("fingerprints.parquet");
    fs::write(&path, bytes).expect("the folder is ours");
    if let Ok(fingerprints) = FingerprintReader::<u64>::open(&path, &FileOptions::default()) {
        read(fingerprints);
    }
}

/// What is read can be written, and reads the same again.
fn stream<P: FingerprintBits>(bytes: &[u8], options: &FileOptions) {
    let open = |bytes: Vec<u8>, options: &FileOptions| FingerprintReader::<P>::from_reader(Cursor::new(bytes), "-", options);
    let Ok(fingerprints) = open(bytes.to_vec(), options) else { return };
    let Some((fingerprints, ids)) = read(fingerprints) else { return };
    let mut writer = FingerprintWriter::text(Vec::new(), Digits::Hex);
    writer.write(&fingerprints, &ids).expect("a Vec takes anything");
    let text = writer.finish().expect("a Vec takes anything");
    let again = open(text, &FileOptions::default()).ok().and_then(read);
    assert_eq!(again, Some((fingerprints, ids)));
}

/// All fingerprints and ids, unless something is wrong with them.
fn read<P: FingerprintBits>(mut source: FingerprintReader<P>) -> Option<(Vec<P>, Vec<u64>)> {
    let (mut fingerprints, mut ids) = (Vec::new(), Vec::new());
    let (mut batch, mut batch_ids) = (Vec::new(), Vec::new());
    while source.next_batch(&mut batch, &mut batch_ids).ok()? > 0 {
        assert_eq!(batch_ids.len(), if source.has_ids() { batch.len() } else { 0 });
        fingerprints.extend_from_slice(&batch);
        ids.extend_from_slice(&batch_ids);
    }
    Some((fingerprints, ids))
}
