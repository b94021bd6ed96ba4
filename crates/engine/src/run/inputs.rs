//! Which inputs gave a document: one that was named, and of which nothing could be read, is missing as what is damaged is.

use crate::report::Skip;
use lookalike_corpus::{Corpus, Document, Place};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// The inputs of a corpus while it is read.
pub struct Inputs<'a> {
    corpus: &'a Corpus,
    /// Those with a document.
    read: Mutex<BTreeSet<String>>,
    /// The first in each that could not be read.
    unread: Mutex<BTreeMap<String, Skip>>,
}

impl<'a> Inputs<'a> {
    pub fn new(corpus: &'a Corpus) -> Self {
        Self { corpus, read: Mutex::default(), unread: Mutex::default() }
    }

    /// The input that a file was found in; lines are counted by the reader.
    pub fn of(&self, document: &Document<'_>) -> Option<String> {
        let is_file = matches!(document.place, Place::File(_) | Place::Member { .. });
        is_file.then(|| self.corpus.input_of(&document.id)).flatten().map(str::to_owned)
    }

    /// A document of this input was read.
    pub fn mark(&self, input: String) {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).insert(input);
    }

    /// A document that was kept, as if it were read.
    pub fn mark_kept(&self, id: &str, place: &Place) {
        if matches!(place, Place::File(_) | Place::Member { .. })
            && let Some(input) = self.corpus.input_of(id)
        {
            self.mark(input.to_owned());
        }
    }

    /// Notes what could not be read. What was named itself is missing; what lies in a folder may be somebody else's business.
    pub fn skip(&self, skip: Skip) -> Skip {
        if !skip.is_unreadable() {
            return skip;
        }
        if let Some(input) = self.corpus.input_of(&skip.id) {
            let mut unread = self.unread.lock().unwrap_or_else(PoisonError::into_inner);
            unread.entry(input.to_owned()).or_insert_with(|| skip.clone());
        }
        Skip { damage: skip.damage || self.corpus.is_named(&skip.id), ..skip }
    }

    /// What has no document at all, when everything was read.
    pub fn finish(self) -> Vec<Skip> {
        let mut read = self.read.into_inner().unwrap_or_else(PoisonError::into_inner);
        read.extend(
            self.corpus.with_documents().iter().filter_map(|label| self.corpus.input_of(label)).map(str::to_owned),
        );
        let lines = self.corpus.without_documents().into_iter().map(|skipped| {
            let damage = self.corpus.input_of(&skipped.id).is_some_and(|input| !read.contains(input));
            Skip { damage, ..Skip::from(skipped) }
        });
        let unread = self.unread.into_inner().unwrap_or_else(PoisonError::into_inner);
        let files = unread.into_iter().filter(|(input, first)| !read.contains(input) && *input != first.id);
        let files = files.map(|(input, first)| {
            let reason = format!("nothing read: no document in it; {}: {}", first.id, first.reason);
            Skip { damage: true, ..Skip::because(input, reason) }
        });
        lines.chain(files).collect()
    }
}
