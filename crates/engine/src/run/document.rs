//! Reads one document by its path.

use crate::Error;
use lookalike_corpus::{Body, Corpus, Input, Item, Options as CorpusOptions, Place, Reason, Skipped};
use std::borrow::Cow;
use std::path::Path;

/// Reads one document of at most `max_size` bytes, and of at most `memory`; `-` is standard input.
pub fn read_document(path: &Path, max_size: u64, memory: u64) -> Result<(String, Body<'static>), Error> {
    let id = lookalike_corpus::id_of(path).into_owned();
    let limit = max_size.min(memory);
    let too_much = |bytes| Error::DocumentMemory { id: id.clone(), bytes, needed: bytes, allowed: memory };
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        let read = std::io::Read::read_to_end(&mut std::io::Read::take(std::io::stdin().lock(), limit + 1), &mut bytes);
        let wrong = |reason: String| Error::Document { id: "standard input".into(), reason };
        read.map_err(|e| wrong(e.to_string()))?;
        if bytes.len() as u64 > memory {
            return Err(too_much(bytes.len() as u64));
        }
        if bytes.len() as u64 > limit {
            return Err(wrong(format!("too large: more than {limit} bytes")));
        }
        return Ok((id, Body::Bytes(Cow::Owned(bytes))));
    }
    if path.is_dir() {
        return Err(Error::Document { id, reason: "is a folder; expected a file".into() });
    }
    let corpus_options = CorpusOptions { max_size: limit, ..CorpusOptions::default() };
    let corpus = Corpus::open(vec![Input::Path(path.to_owned())], corpus_options)?;
    let mut found = Err(Error::Document { id: id.clone(), reason: "cannot be read".into() });
    corpus.fetch(&Place::File(path.to_owned()), &mut |item| {
        found = match item {
            Item::Document(document) => Ok((id.clone(), document.body.into_owned())),
            Item::Skipped(Skipped { reason: Reason::TooLarge { bytes, .. }, .. }) if bytes <= max_size => {
                Err(too_much(bytes))
            }
            Item::Skipped(skipped) => Err(Error::Document { id: id.clone(), reason: skipped.reason.to_string() }),
        };
    });
    found
}
