//! Shards as targets read them, and what must hold of their copies.

use lookalike_corpus::{Body, Corpus, Input, Item, Options};
use std::path::{Path, PathBuf};

/// A place for a file of this name, of this process.
pub fn place(name: &str) -> PathBuf {
    crate::folder().join(name)
}

/// Small documents and batches, and no threads: those cost more than what they would read.
pub fn options() -> Options {
    Options { max_size: 1 << 16, batch_bytes: 1 << 16, read_ahead: 0, ..Options::default() }
}

/// All that a file holds; what the file is called is not looked at.
pub fn read(path: &Path, options: &Options) -> Vec<Item<'static>> {
    let corpus = Corpus::open(vec![Input::Path(path.to_owned())], options.clone()).expect("it is there");
    let mut reader = corpus.reader();
    let mut items = Vec::new();
    let label = path.display().to_string();
    while let Some(batch) = reader.next() {
        batch.expect("a file can be read again").read(&mut |item| {
            let mut item = item.into_owned();
            match &mut item {
                Item::Document(document) => document.id = document.id.replace(&label, "").into(),
                Item::Skipped(skipped) => skipped.id = skipped.id.replace(&label, ""),
            }
            items.push(item);
        });
    }
    items
}

/// Whether some of it is broken.
pub fn is_damaged(items: &[Item<'_>]) -> bool {
    items.iter().any(|item| matches!(item, Item::Skipped(skipped) if skipped.reason.is_damage()))
}

/// What it holds without names and places: a copy has other rows. What was skipped is told by its kind.
pub fn contents(items: &[Item<'static>]) -> Vec<Result<Body<'static>, &'static str>> {
    let content = |item: &Item<'static>| match item {
        Item::Document(document) => Ok(document.body.clone()),
        Item::Skipped(skipped) => Err(skipped.reason.kind()),
    };
    items.iter().map(content).collect()
}

/// Decoders of columns panic on damage, and `columns::guard` makes errors of that. Such panics do not end the process; those in code of ours
/// do, and those that nobody catches.
pub fn allow_guarded_panics() {
    let abort = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let is_ours = |file: &str| !["/registry/src/", "/rustc/"].iter().any(|other| file.contains(other));
        if panic.location().is_none_or(|location| is_ours(location.file())) {
            abort(panic);
        }
    }));
}
