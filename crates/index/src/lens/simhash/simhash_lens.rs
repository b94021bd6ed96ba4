//! The simhash lens in an index.

use crate::lens::index_lens::{DocumentFacts, IndexLens, IndexedDocument, IndexedDocuments, QueryDocument};
use crate::lens::simhash::tables::{OpenTables, TableBuilder, encode};
use crate::search::{QueryOptions, SearchResult};
use crate::segment::build::{LensSections, WriteBudget};
use crate::segment::layout::DocumentRecord;
use crate::segment::segment_set::SegmentSet;
use crate::segment::snapshot::Snapshot;
use lookalike_core::bits::FingerprintBits;
use lookalike_core::simhash::{Idf, SimhashRecipe};
use lookalike_corpus::Corpus;
use lookalike_engine::lens::simhash::fingerprinter::Fingerprinter;
use lookalike_engine::lens::simhash::reading::{FingerprintCollector, read};
use lookalike_engine::report::Skip;
use lookalike_engine::run::Session;
use lookalike_engine::run::catalogue::Catalogue;
use lookalike_engine::{Error, Unit};
use std::sync::Arc;

/// The simhash lens of an index.
pub(crate) struct SimhashLens {
    recipe: SimhashRecipe,
    /// None where a key or document frequencies would be needed.
    fingerprinter: Option<Fingerprinter>,
    fits_key: bool,
    /// None until queries are prepared for.
    tables: Option<OpenTables>,
}

impl SimhashLens {
    /// Refuses document frequencies that the recipe does not name.
    pub(crate) fn new(recipe: &SimhashRecipe, key: Option<&str>, idf: Option<Arc<Idf>>) -> Result<Self, Error> {
        let wrong = || lookalike_core::Error::WrongIdf { recipe: recipe.to_string() };
        let fits = recipe.idf.as_deref() == idf.as_ref().map(|idf| idf.name());
        if idf.is_some() && !fits {
            return Err(wrong().into());
        }
        let fingerprinter = match key.filter(|_| fits) {
            Some(key) => Some(Fingerprinter::new(recipe, key, idf)?),
            None => None,
        };
        Ok(Self { recipe: recipe.clone(), fingerprinter, fits_key: key.is_some(), tables: None })
    }

    pub(super) fn fingerprinter(&self) -> Result<&Fingerprinter, Error> {
        let recipe = || self.recipe.to_string();
        self.fingerprinter.as_ref().ok_or_else(|| {
            if self.fits_key {
                lookalike_core::Error::WrongIdf { recipe: recipe() }.into()
            } else {
                Error::WrongKey { recipe: recipe() }
            }
        })
    }

    fn read_as<F: FingerprintBits>(&self, session: &Session<'_>, corpus: &Corpus) -> Result<Fingerprints, Error> {
        let fingerprinter = self.fingerprinter()?;
        let read = session.phase("fingerprint", Unit::Bytes, corpus.total_bytes(), |_| {
            // what an index keeps can be asked for, however short it is
            let mut collector = FingerprintCollector::<F>::new(session, 0)?;
            read(session, corpus, fingerprinter, false, &mut collector)?;
            collector.finish(session)
        })?;
        let halves = read.features.fingerprints.into_iter().map(FingerprintBits::halves).collect();
        Ok(Fingerprints { catalogue: read.catalogue, halves, bits: self.recipe.bits })
    }
}

impl IndexLens for SimhashLens {
    fn read<'a>(&'a self, session: &Session<'_>, corpus: &Corpus) -> Result<Box<dyn IndexedDocuments + 'a>, Error> {
        Ok(Box::new(match self.recipe.bits {
            128 => self.read_as::<u128>(session, corpus),
            _ => self.read_as::<u64>(session, corpus),
        }?))
    }

    fn sections(&self, budget: WriteBudget<'_>) -> Option<Box<dyn LensSections>> {
        Some(Box::new(TableBuilder::new(budget, self.recipe.bits)))
    }

    fn prepare(&mut self, segments: &SegmentSet) -> Result<(), Error> {
        self.tables = Some(OpenTables::open(segments, self.recipe.bits)?);
        Ok(())
    }

    fn search(
        &self,
        snapshot: &Snapshot,
        query: QueryDocument<'_>,
        options: &QueryOptions,
    ) -> Result<SearchResult, Error> {
        if let Some(tables) = &self.tables {
            return self.search_in(tables, snapshot, query, options);
        }
        let tables = OpenTables::open(&snapshot.segments, self.recipe.bits)?;
        self.search_in(&tables, snapshot, query, options)
    }
}

/// Documents by their fingerprints.
struct Fingerprints {
    catalogue: Catalogue,
    /// By document: high half, low half.
    halves: Vec<[u64; 2]>,
    bits: u32,
}

impl IndexedDocuments for Fingerprints {
    fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    fn document(&self, document: u32, facts: DocumentFacts) -> Result<IndexedDocument, Error> {
        let halves = self.halves[document as usize];
        let payload = match self.bits {
            128 => encode(u128::from_halves(halves)),
            _ => encode(u64::from_halves(halves)),
        };
        let words = self.catalogue.sizes[document as usize];
        let record = DocumentRecord::new(facts.content, 0, facts.bytes, words);
        Ok(IndexedDocument { record, level: 0, packed: Vec::new(), payload })
    }

    fn take_skipped(&mut self) -> Result<Vec<Skip>, Error> {
        Ok(std::mem::take(&mut self.catalogue.skipped))
    }
}
