//! The trait that a lens implements once for an index: what is kept of a document, what that adds to a segment, how a query is answered.
//! Documents are read by the same code as in a scan.

use crate::search::{QueryOptions, SearchResult};
use crate::segment::build::{LensSections, WriteBudget};
use crate::segment::layout::DocumentRecord;
use crate::segment::segment_set::SegmentSet;
use crate::segment::snapshot::Snapshot;
use lookalike_core::sketch::Sampling;
use lookalike_corpus::{Body, Corpus};
use lookalike_engine::Error;
use lookalike_engine::report::Skip;
use lookalike_engine::run::Session;
use lookalike_engine::run::catalogue::Catalogue;
use std::collections::BTreeSet;

/// A lens in an index.
pub(crate) trait IndexLens: Send + Sync {
    /// Reads every document of a corpus.
    fn read<'a>(&'a self, session: &Session<'_>, corpus: &Corpus) -> Result<Box<dyn IndexedDocuments + 'a>, Error>;

    /// The sections that it adds to a segment.
    fn sections(&self, _: WriteBudget<'_>) -> Option<Box<dyn LensSections>> {
        None
    }

    /// How documents are sampled, if clusters are kept. Of the others it is asked, not kept, what documents share.
    fn cluster_sampling(&self) -> Option<Sampling> {
        None
    }

    /// Features of a segment at most, about: the sizes of its documents together.
    fn max_segment_size(&self) -> u64 {
        u64::MAX
    }

    /// Opens what queries need.
    fn prepare(&mut self, _: &SegmentSet) -> Result<(), Error> {
        Ok(())
    }

    /// Answers a query.
    fn search(
        &self,
        snapshot: &Snapshot,
        query: QueryDocument<'_>,
        options: &QueryOptions,
    ) -> Result<SearchResult, Error>;
}

/// The document that is asked for.
#[derive(Clone, Copy)]
pub(crate) enum QueryDocument<'a> {
    /// One that was read.
    Body { id: &'a str, body: &'a Body<'a> },
    /// One of the index, under the name by which it was asked for.
    Stored { id: &'a str, document: u32 },
}

/// Documents that were read, on their way into segments.
pub(crate) trait IndexedDocuments: Sync {
    fn catalogue(&self) -> &Catalogue;

    /// What a segment keeps of a document.
    fn document(&self, document: u32, facts: DocumentFacts) -> Result<IndexedDocument, Error>;

    /// Ids of what was skipped and is not in the catalogue, so that the index does not get it. Documents that are too short to be compared
    /// are skipped too, and the index gets them.
    fn left_out(&self) -> Result<BTreeSet<String>, Error> {
        let catalogue = self.catalogue();
        let mut ids: BTreeSet<String> = catalogue.skipped.iter().map(|skip| skip.id.clone()).collect();
        if !ids.is_empty() {
            catalogue.for_each_entry(|entry| {
                ids.remove(&entry.id);
                Ok::<_, Error>(())
            })?;
        }
        Ok(ids)
    }

    /// What was not read, or nobody will find; taken out.
    fn take_skipped(&mut self) -> Result<Vec<Skip>, Error>;
}

/// What is remembered of each document, so that its entry need not be read again and again.
#[derive(Clone, Copy)]
pub(crate) struct DocumentFacts {
    pub(crate) content: u128,
    pub(crate) lexical: u128,
    pub(crate) bytes: u64,
}

/// What a segment keeps of a document.
pub(crate) struct IndexedDocument {
    pub(crate) record: DocumentRecord,
    pub(crate) level: u8,
    /// Its features, packed.
    pub(crate) packed: Vec<u8>,
    /// What the lens keeps beside them.
    pub(crate) payload: Vec<u8>,
}
