//! What becomes of documents that lose some of their text.

use crate::Error;
use crate::cut::cuts::{Cuts, DocumentCuts};
use crate::verdicts::{VerdictIter, Verdicts};
use lookalike_corpus::{Annotation, Ruling};
use lookalike_engine::run::documents::Documents;
use std::collections::BTreeMap;
use std::ops::Range;

/// Texts are cut; a document without a word left goes. If records are annotated, all stay as they are and it is said what would go.
pub(crate) struct CutVerdicts<'a> {
    pub(crate) documents: &'a Documents,
    pub(crate) cuts: &'a Cuts,
    pub(crate) annotate: bool,
    /// What a piece is called.
    pub(crate) class: &'static str,
}

impl Verdicts for CutVerdicts<'_> {
    fn of(&self, documents: Range<u32>) -> VerdictIter<'_> {
        Box::new(self.cuts.of(documents).map(|cuts| {
            let cuts = cuts?;
            Ok((cuts.document, self.ruling(&cuts)?))
        }))
    }
}

impl CutVerdicts<'_> {
    fn ruling(&self, cuts: &DocumentCuts) -> Result<Ruling, Error> {
        let words = self.documents.catalogue.sizes[cuts.document as usize];
        if self.annotate {
            let annotation = Annotation {
                duplicate_of: main_origin(cuts).map(|kept| self.documents.catalogue.id(kept)).transpose()?,
                containment: Some(f64::from(cuts.words) / f64::from(words.max(1))),
                class: Some(self.class),
                ..Annotation::default()
            };
            return Ok(Ruling { annotation, ..Ruling::KEEP });
        }
        if cuts.words == words {
            return Ok(Ruling { keep: false, ..Ruling::KEEP });
        }
        let ranges = cuts.ranges.iter().map(|range| range.start as usize..range.end as usize).collect();
        Ok(Ruling { cuts: ranges, ..Ruling::KEEP })
    }
}

/// The document that has most of what goes; of those with as much the first.
fn main_origin(cuts: &DocumentCuts) -> Option<u32> {
    let mut words: BTreeMap<u32, u64> = BTreeMap::new();
    for piece in &cuts.pieces {
        *words.entry(piece.kept).or_default() += u64::from(piece.words);
    }
    words.into_iter().rev().max_by_key(|(_, words)| *words).map(|(kept, _)| kept)
}
