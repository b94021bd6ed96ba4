//! Documents on their way into an index of passages.

use crate::passages::tokens;
use crate::Error;
use crate::ScanOptions;
use lookalike_engine::lens::passages::base::Base;
use lookalike_engine::lens::passages::family::{Buffers, Method};
use lookalike_engine::lens::passages::tokenizer::Front;
use lookalike_engine::lens::passages::reading::{Library, Purpose, Readers};
use lookalike_engine::lens::passages::{CopiesOptions, Reading};
use crate::writer::batch::{Contents, Fact, Made};
use crate::segment::layout::{DocumentRecord, FEATURE, pack, stored_fingerprint};
use crate::pipeline::Session;
use crate::pipeline::catalogue::Catalogue;
use lookalike_engine::report::Skip;
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::sets::into_set;
use lookalike_corpus::Corpus;
use serde::{Deserialize, Serialize};

/// How an index of passages reads documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PassageMeta {
    reading: String,
    k: Option<u32>,
    t: Option<u32>,
    identifiers: bool,
    literals: bool,
    comments: bool,
    /// Name of the secret, never the secret.
    pub(crate) key: Option<String>,
}

impl PassageMeta {
    pub(crate) fn new(options: &CopiesOptions) -> Self {
        let reading = match &options.reading {
            Reading::Auto => "auto",
            Reading::Prose => "text",
            Reading::Bytes => "bytes",
            Reading::Language(name) => name,
        };
        let key = &options.scan.key;
        Self {
            reading: reading.to_owned(),
            k: options.k,
            t: options.t,
            identifiers: options.identifiers,
            literals: options.literals,
            comments: options.comments,
            key: (!key.is_empty()).then(|| FeatureHasher::key_name(key)),
        }
    }

    fn options(&self, key: &str) -> CopiesOptions {
        CopiesOptions {
            scan: ScanOptions { key: key.to_owned(), ..ScanOptions::default() },
            reading: match &*self.reading {
                "auto" => Reading::Auto,
                "text" => Reading::Prose,
                "bytes" => Reading::Bytes,
                name => Reading::Language(name.to_owned()),
            },
            k: self.k,
            t: self.t,
            identifiers: self.identifiers,
            literals: self.literals,
            comments: self.comments,
            ..CopiesOptions::default()
        }
    }
}

/// Reads documents for an index of passages, and those that are asked for.
pub(crate) struct PassageReader {
    pub(super) front: Front,
    pub(super) methods: [Method; 3],
    reading: String,
}

impl PassageReader {
    pub(crate) fn new(meta: &PassageMeta, key: &str) -> Result<Self, Error> {
        let options = meta.options(key);
        Ok(Self { front: Front::new(&options)?, methods: Method::all(&options)?, reading: meta.reading.clone() })
    }

    /// How documents become fingerprints, in one line: what they are read as, then how each family is read.
    pub(crate) fn recipe(&self) -> String {
        let families: Vec<String> = self.methods.iter().map(|method| self.front.recipe(method)).collect();
        format!("{}: {}", self.reading, families.join("; "))
    }

    /// Reads a corpus.
    pub(crate) fn read(&self, session: &Session<'_>, corpus: &Corpus) -> Result<ReadPassages<'_>, Error> {
        let base = Base::default();
        let readers = Readers { front: &self.front, methods: &self.methods, base: &base, purpose: Purpose::Index };
        let nothing = Corpus::open(Vec::new(), lookalike_corpus::Options::default())?;
        Ok(ReadPassages { library: Library::read(session, [corpus, &nothing], &readers)?, methods: &self.methods })
    }
}

/// Documents that were read.
pub(crate) struct ReadPassages<'a> {
    library: Library,
    methods: &'a [Method; 3],
}

impl ReadPassages<'_> {
    /// What was not read, and what nobody will find since it is too short.
    pub(crate) fn skipped(mut self) -> Result<Vec<Skip>, Error> {
        let mut skipped = std::mem::take(&mut self.library.catalogue.skipped);
        skipped.extend(self.library.too_short(self.methods)?);
        Ok(skipped)
    }
}

impl Contents for ReadPassages<'_> {
    fn catalogue(&self) -> &Catalogue {
        &self.library.catalogue
    }

    fn document(&self, document: u32, fact: Fact) -> Result<Made, Error> {
        let (mut record, mut ids, mut spellings) = (Vec::new(), Vec::new(), Vec::new());
        self.library.tokens(document, &mut record, &mut ids, &mut spellings)?;
        self.library.details_record(document, &mut record)?;
        let method = &self.methods[self.library.known[document as usize].family as usize];
        let tokens = tokens::encode(method.family, &ids, &spellings, &record);
        let tokens = tokens.map_err(|source| lookalike_store::Error::Write { what: "tokens".into(), source })?;
        let mut fingerprints = Vec::new();
        method.fingerprints(&mut Buffers::default(), &ids, |fingerprint| {
            fingerprints.push(stored_fingerprint(fingerprint.hash))
        });
        into_set(&mut fingerprints);
        let mut packed = Vec::with_capacity(fingerprints.len() * FEATURE);
        pack(&fingerprints, &mut packed);
        let record = DocumentRecord::new(fact.content, 0, fact.bytes, ids.len() as u32);
        Ok(Made { record, level: 0, packed, tokens })
    }
}
