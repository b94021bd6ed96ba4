//! The passages lens in an index.

use crate::lens::index_lens::{DocumentFacts, IndexLens, IndexedDocument, IndexedDocuments, QueryDocument};
use crate::lens::passages::tokens;
use crate::search::{QueryOptions, SearchResult};
use crate::segment::layout::{DocumentRecord, FEATURE, pack, stored_fingerprint};
use crate::segment::snapshot::Snapshot;
use lookalike_core::recipe::PassageRecipe;
use lookalike_core::sets::into_set;
use lookalike_corpus::Corpus;
use lookalike_engine::lens::passages::base::Base;
use lookalike_engine::lens::passages::family::Method;
use lookalike_engine::lens::passages::reading::{Library, Purpose, Readers};
use lookalike_engine::lens::passages::tokenizer::Tokenizer;
use lookalike_engine::report::Skip;
use lookalike_engine::run::Session;
use lookalike_engine::run::catalogue::Catalogue;
use lookalike_engine::{Error, Unit};

/// Tokens of the documents of one segment at most, about: each may have a fingerprint.
const MAX_SEGMENT_TOKENS: u64 = 1 << 31;

/// The passages lens of an index.
pub(crate) struct PassagesLens {
    recipe: PassageRecipe,
    /// None where a key would be needed.
    reader: Option<Reader>,
}

/// Reads documents.
pub(super) struct Reader {
    pub(super) tokenizer: Tokenizer,
    pub(super) methods: [Method; 3],
}

impl PassagesLens {
    pub(crate) fn new(recipe: &PassageRecipe, key: Option<&str>) -> Result<Self, Error> {
        let reader = match key {
            Some(key) => Some(Reader { tokenizer: Tokenizer::new(recipe, key)?, methods: Method::all(recipe, key) }),
            None => None,
        };
        Ok(Self { recipe: recipe.clone(), reader })
    }

    fn reader(&self) -> Result<&Reader, Error> {
        self.reader.as_ref().ok_or_else(|| Error::WrongKey { recipe: self.recipe.to_string() })
    }
}

impl IndexLens for PassagesLens {
    fn read<'a>(&'a self, session: &Session<'_>, corpus: &Corpus) -> Result<Box<dyn IndexedDocuments + 'a>, Error> {
        let Reader { tokenizer, methods } = self.reader()?;
        let base = Base::default();
        let readers = Readers { tokenizer, methods, base: &base, purpose: Purpose::Index };
        let nothing = Corpus::open(Vec::new(), lookalike_corpus::Options::default())?;
        let library = session.phase("read", Unit::Bytes, corpus.total_bytes(), |_| {
            Library::read(session, [corpus, &nothing], &readers)
        })?;
        Ok(Box::new(TokenisedDocuments { library, methods }))
    }

    fn max_segment_size(&self) -> u64 {
        MAX_SEGMENT_TOKENS
    }

    fn search(
        &self,
        snapshot: &Snapshot,
        query: QueryDocument<'_>,
        options: &QueryOptions,
    ) -> Result<SearchResult, Error> {
        self.reader()?.search(snapshot, query, options)
    }
}

/// Documents by their tokens.
struct TokenisedDocuments<'a> {
    library: Library,
    methods: &'a [Method; 3],
}

impl IndexedDocuments for TokenisedDocuments<'_> {
    fn catalogue(&self) -> &Catalogue {
        &self.library.catalogue
    }

    fn document(&self, document: u32, facts: DocumentFacts) -> Result<IndexedDocument, Error> {
        let (mut record, mut ids, mut spellings) = (Vec::new(), Vec::new(), Vec::new());
        self.library.tokens(document, &mut record, &mut ids, &mut spellings)?;
        self.library.details_record(document, &mut record)?;
        let method = &self.methods[self.library.documents[document as usize].family as usize];
        tokens::check_build()?;
        let payload = tokens::encode(method.family, &ids, &spellings, &record);
        let payload = payload.map_err(|source| lookalike_store::Error::Write { what: "tokens".into(), source })?;
        let mut fingerprints = Vec::new();
        method.fingerprints(&ids, |fingerprint| {
            fingerprints.push(stored_fingerprint(fingerprint.hash));
        });
        into_set(&mut fingerprints);
        let mut packed = Vec::with_capacity(fingerprints.len() * FEATURE);
        pack(&fingerprints, &mut packed);
        let record = DocumentRecord::new(facts.content, 0, facts.bytes, ids.len() as u32);
        Ok(IndexedDocument { record, level: 0, packed, payload })
    }

    /// What nobody will find since it is too short is told too.
    fn take_skipped(&mut self) -> Result<Vec<Skip>, Error> {
        let mut skipped = std::mem::take(&mut self.library.catalogue.skipped);
        skipped.extend(self.library.too_short(self.methods)?);
        Ok(skipped)
    }
}
