//! What becomes of documents, for who writes the corpus again.

use crate::Error;
use crate::removal::{Kept, Removal, Removals};
use lookalike_core::date::utc;
use lookalike_corpus::{Annotation, Original, Ruling};
use lookalike_engine::run::documents::Documents;
use std::ops::Range;

/// Documents that do not stay as they are, in their order, with what becomes of each.
pub(crate) type VerdictIter<'a> = Box<dyn Iterator<Item = Result<(u32, Ruling), Error>> + 'a>;

/// Knows what becomes of documents.
pub(crate) trait Verdicts: Sync {
    /// The verdicts on some documents that follow each other.
    fn of(&self, documents: Range<u32>) -> VerdictIter<'_>;

    /// Whether all of them stay as they are.
    fn is_empty(&self, documents: Range<u32>) -> bool {
        self.of(documents).next().is_none()
    }
}

/// Whole documents go, or are marked.
pub(crate) struct RemovalVerdicts<'a> {
    pub(crate) documents: &'a Documents,
    pub(crate) removals: &'a Removals,
    pub(crate) annotate: bool,
    /// A record of a web archive that goes names the one that stays.
    pub(crate) has_web_archives: bool,
}

impl Verdicts for RemovalVerdicts<'_> {
    fn of(&self, documents: Range<u32>) -> VerdictIter<'_> {
        Box::new(self.removals.of(documents).iter().map(|removal| {
            let annotation = if self.annotate { self.annotation(removal)? } else { Annotation::default() };
            let original = if self.has_web_archives && !self.annotate { self.original(removal)? } else { None };
            Ok((removal.document, Ruling { keep: self.annotate, annotation, original, ..Ruling::KEEP }))
        }))
    }

    fn is_empty(&self, documents: Range<u32>) -> bool {
        self.removals.of(documents).is_empty()
    }
}

impl RemovalVerdicts<'_> {
    /// The record of a web archive that stays.
    fn original(&self, removal: &Removal) -> Result<Option<Original>, Error> {
        Ok(match removal.kept {
            Kept::Document(document) => {
                let date = self.documents.catalogue.origins.rank_value(document);
                let date = date.map(|seconds| format!("{}Z", utc(seconds as i64)));
                Some(Original { uri: self.documents.catalogue.id(document)?, date, ..Original::default() })
            }
            Kept::Known(at) => {
                let known = self.removals.known().get(at as usize);
                known.map(|copy| Original { uri: copy.id.clone(), ..Original::default() })
            }
        })
    }

    /// What is said of a record that goes.
    fn annotation(&self, removal: &Removal) -> Result<Annotation, Error> {
        let shares = self.removals.shares(removal);
        let kept = match removal.kept {
            Kept::Document(document) => Some(self.documents.catalogue.id(document)?),
            Kept::Known(at) => self.removals.known().get(at as usize).map(|copy| copy.id.clone()),
        };
        Ok(Annotation {
            duplicate_of: kept,
            resemblance: shares.map(|shares| shares.resemblance),
            containment: shares.and_then(|shares| shares.containment),
            class: Some(removal.class.name()),
            cluster: Some(u64::from(removal.cluster)).filter(|cluster| *cluster > 0),
        })
    }
}
