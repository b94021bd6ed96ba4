//! A look at the first records of every file, before anything is read: sources that were named, and numbers or dates that rank documents.

use crate::Error;
use crate::options::DedupOptions;
use lookalike_corpus::{Corpus, Input, Item, Listed, id_of};
use lookalike_engine::run::origins::{check_sources, rank_number};
use lookalike_engine::run::session::reading;
use lookalike_engine::{CorpusOptions, Keep};
use lookalike_store::Progress;
use std::path::PathBuf;

/// The field that ranks records of web archives, whether or not other formats have it.
pub(crate) const WARC_DATE: &str = "WARC-Date";

/// The field by which the user ranks documents.
pub(crate) fn ranked_by(options: &DedupOptions) -> Option<&str> {
    let is_ranked = matches!(options.scan.keep, Keep::Best | Keep::Newest);
    options.scan.corpus.rank_field.as_deref().filter(|field| is_ranked && *field != WARC_DATE)
}

/// Fails if no document is of a source that was named, or if no document has a rank and the user ranks them. Where files have more records
/// than were looked at, later ones may have it: then it is a note, and what is read tells.
pub(crate) fn check(options: &DedupOptions, corpus: &Corpus, progress: &dyn Progress) -> Result<(), Error> {
    let has_sources = matches!(options.scan.keep, Keep::Sources(_)) || !options.scan.drop_only_from.is_empty();
    let is_named = has_sources && options.scan.corpus.category_field.is_some();
    let ranked_by = ranked_by(options);
    if !is_named && ranked_by.is_none() {
        return Ok(());
    }
    let mut files: Vec<PathBuf> = Vec::new();
    corpus.list(|listed| {
        if let Listed::File(path) | Listed::Archive(path) = listed {
            files.push(path);
        }
    });
    let mut sources: Vec<String> = Vec::new();
    let (mut is_whole, mut has_rank) = (true, false);
    for path in files {
        let id = id_of(&path).into_owned();
        let read = CorpusOptions { read_ahead: 0, own: Vec::new(), ..reading(&options.scan) };
        let file = Corpus::open(vec![Input::Path(path)], read).map_err(lookalike_engine::Error::from)?;
        let mut reader = file.reader();
        let Some(first) = reader.next() else { continue };
        first.map_err(lookalike_engine::Error::from)?.read(&mut |item| {
            if let Item::Document(document) = item {
                has_rank |= document.rank.is_some_and(|rank| rank_number(&rank) > 0);
                // a document without the field is of the input that it is in
                let source = document.category.as_deref().or(corpus.input_of(&id)).unwrap_or(&id);
                if !sources.iter().any(|known| known == source) {
                    sources.push(source.to_owned());
                }
            }
        });
        is_whole &= reader.next().is_none();
    }
    let tell = |error: Error| {
        if is_whole {
            return Err(error);
        }
        progress.note(&format!("in the first records of every file: {error}"));
        Ok(())
    };
    if let Some(field) = ranked_by.filter(|_| !has_rank) {
        tell(Error::NoRank { field: field.to_owned() })?;
    }
    match check_sources(&options.scan, &sources) {
        Err(error) if is_named => tell(error.into()),
        _ => Ok(()),
    }
}
