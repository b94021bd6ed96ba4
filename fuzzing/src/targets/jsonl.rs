//! Arbitrary bytes as JSONL, one line and a whole stream of them.

use lookalike_corpus::{Corpus, Document, Error, Input, Item, Options, Place, Skipped, parse_line};
use std::borrow::Cow;
use std::io::Cursor;

pub(crate) fn fuzz(bytes: &[u8]) {
    let features = Options { features_field: Some("features".into()), ..Options::default() };
    for options in [Options::default(), features] {
        let _ = parse_line(bytes, &options);
        let whole = read(bytes, &options);
        if let Some(whole) = whole.as_ref().filter(|_| !is_compressed(bytes)) {
            assert_eq!(*whole, naive(bytes, &options));
        }
        // where a stream is cut into batches must not be seen
        let batch_bytes = tiny(bytes);
        assert_eq!(read(bytes, &Options { batch_bytes, ..options.clone() }), whole, "batches of {batch_bytes}");
        // nor with lines that are too long, which the cutter reads over when they do not fit a block
        let short = Options { max_size: 48, ..options };
        let whole = read(bytes, &short);
        assert_eq!(read(bytes, &Options { batch_bytes, ..short }), whole, "batches of {batch_bytes}, short lines");
    }
}

/// Batches of a few bytes, so that short inputs are cut too; a decompressed bomb would make far too many of them.
fn tiny(bytes: &[u8]) -> usize {
    if is_compressed(bytes) { 4096 } else { 1 + bytes.last().map_or(0, |last| usize::from(last % 32)) }
}

/// Whether the reader unpacks it.
fn is_compressed(bytes: &[u8]) -> bool {
    matches!(bytes, [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// The items of a stream; none if a field that was named is missing.
fn read(bytes: &[u8], options: &Options) -> Option<Vec<Item<'static>>> {
    let stream = Input::Stream(Box::new(Cursor::new(bytes.to_vec())));
    let mut reader = Corpus::open(vec![stream], options.clone()).expect("a stream can be opened").reader();
    let mut items = Vec::new();
    while let Some(batch) = reader.next() {
        match batch {
            Ok(batch) => batch.read(&mut |item| items.push(item.into_owned())),
            Err(Error::MissingField(_)) => return None,
            Err(error) => panic!("{error}"),
        }
    }
    Some(items)
}

/// The definition: lines that are not blank, each parsed for itself, without the mark at the beginning.
fn naive(bytes: &[u8], options: &Options) -> Vec<Item<'static>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let lines = bytes.split(|byte| *byte == b'\n').zip(1..).filter(|(line, _)| !line.trim_ascii().is_empty());
    let item = |(line, number): (&[u8], u64)| {
        let record = parse_line(line, options);
        let id = record.id.map_or_else(|| format!("-:{number}"), Cow::into_owned);
        match record.body {
            Ok(body) => {
                let body = body.into_owned();
                Item::Document(Document { id: Cow::Owned(id), category: record.category.map(|c| Cow::Owned(c.into_owned())), rank: record.rank.map(|r| Cow::Owned(r.into_owned())), body, place: Place::Stream, known: None })
            }
            Err(reason) => Item::Skipped(Skipped { id, reason }),
        }
    };
    lines.map(item).collect()
}
