//! What the tests share.
#![allow(dead_code, reason = "each test file uses its own part")]

pub(crate) mod packing;
pub(crate) mod tables;
pub(crate) mod warcs;

use std::fs;
use std::io::Write;
use std::path::Path;

use lookalike_corpus::{Body, Corpus, Document, Input, Item, Options, Skipped};

/// Everything a corpus holds, in order.
pub(crate) fn read(corpus: &Corpus) -> Vec<Item<'static>> {
    let mut reader = corpus.reader();
    let mut items = Vec::new();
    while let Some(batch) = reader.next() {
        batch.unwrap().read(&mut |item| items.push(item.into_owned()));
    }
    items
}

pub(crate) fn open(inputs: Vec<Input>, options: Options) -> Corpus {
    Corpus::open(inputs, options).unwrap()
}

pub(crate) fn items(inputs: Vec<Input>, options: Options) -> Vec<Item<'static>> {
    read(&open(inputs, options))
}

/// The items of one path.
pub(crate) fn items_of(path: &Path, options: Options) -> Vec<Item<'static>> {
    items(vec![Input::Path(path.into())], options)
}

/// The items of JSONL on a stream.
pub(crate) fn items_in(jsonl: &[u8], options: Options) -> Vec<Item<'static>> {
    items(vec![Input::Stream(Box::new(std::io::Cursor::new(jsonl.to_vec())))], options)
}

pub(crate) fn documents(items: &[Item<'static>]) -> Vec<Document<'static>> {
    let document = |item: &Item<'static>| match item {
        Item::Document(document) => Some(document.clone()),
        Item::Skipped(_) => None,
    };
    items.iter().filter_map(document).collect()
}

pub(crate) fn skipped(items: &[Item<'static>]) -> Vec<Skipped> {
    let skipped = |item: &Item<'static>| match item {
        Item::Document(_) => None,
        Item::Skipped(skipped) => Some(skipped.clone()),
    };
    items.iter().filter_map(skipped).collect()
}

/// The ids of the documents, with `root/` removed.
pub(crate) fn ids(items: &[Item<'static>], root: &Path) -> Vec<String> {
    documents(items).iter().map(|document| below(&document.id, root)).collect()
}

/// The ids and kinds of what was skipped, with `root/` removed.
pub(crate) fn kinds(items: &[Item<'static>], root: &Path) -> Vec<(String, &'static str)> {
    skipped(items).iter().map(|skipped| (below(&skipped.id, root), skipped.reason.kind())).collect()
}

fn below(id: &str, root: &Path) -> String {
    let prefix = format!("{}/", root.display());
    id.strip_prefix(&prefix).unwrap_or(id).to_owned()
}

/// Ids and texts, for JSONL.
pub(crate) fn texts(items: &[Item<'static>]) -> Vec<(String, String)> {
    let text = |document: Document<'static>| match document.body {
        Body::Text(text) => (document.id.into_owned(), text.into_owned()),
        other => panic!("{other:?}"),
    };
    documents(items).into_iter().map(text).collect()
}

/// The bytes of a file.
pub(crate) fn bytes<'a>(document: &'a Document<'static>) -> &'a [u8] {
    match &document.body {
        Body::Bytes(bytes) => bytes,
        other => panic!("{other:?}"),
    }
}

/// Writes files, making folders as needed; each holds its own name.
pub(crate) fn make(root: &Path, names: &[&str]) {
    for name in names {
        write(&root.join(name), name.as_bytes());
    }
}

pub(crate) fn write(path: &Path, content: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

pub(crate) fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// With a checksum, as the command `zstd` writes it.
pub(crate) fn zstd(content: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}
