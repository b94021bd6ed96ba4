//! The first phase: every document is read once and becomes tokens; winnowing selects its fingerprints.

use crate::Error;
use crate::lens::passages::base::Base;
use crate::lens::passages::details::Details;
use crate::lens::passages::family::Method;
use crate::lens::passages::spelling::Spelling;
use crate::lens::passages::tally::Tally;
use crate::lens::passages::tokenizer::{MAX_MEMORY_PER_BYTE, Tokenizer, TokenizerScratch};
use crate::report::Skip;
use crate::run::Session;
use crate::run::catalogue::{Catalogue, Entry, encode_body};
use crate::run::filing::Filing;
use crate::run::memory::ReadCost;
use crate::run::reading::{Outcome, read_all};
use bytemuck::{Pod, Zeroable};
use lookalike_core::passage::Family;
use lookalike_core::sets::into_set;
use lookalike_corpus::{Corpus, Document};
use lookalike_store::{ExternalSort, Records, Spool, SpoolReader};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// A document has a fingerprint. Documents are numbered in the order of reading, so equal fingerprints are in that order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct TokenPosting {
    pub hash: u64,
    pub document: u32,
    pad: u32,
}

/// What is known of a document, in memory.
#[derive(Clone, Debug)]
pub struct LibraryDocument {
    pub family: Family,
    /// Of an earlier year.
    pub archive: bool,
    /// Its tokens.
    pub tokens: u32,
    /// Of them, those that are base code.
    pub excluded: u32,
    /// Equal for documents with the same tokens, spelt the same way.
    pub identity: u64,
    /// What it was read as.
    pub language: &'static str,
    /// Lines of the shown text.
    pub lines: u32,
    /// Why the grammar of the language was not used.
    pub degraded: Option<Box<str>>,
}

/// What the first phase leaves. In the catalogue, the sketch of a document is its tokens, those of the base replaced by 0, and how
/// each is spelt.
pub struct Library {
    pub catalogue: Catalogue,
    pub documents: Vec<LibraryDocument>,
    details: SpoolReader,
    detail_places: Vec<u64>,
    pub postings: Records<TokenPosting>,
    pub tally: Tally,
}

/// A document on its way to the catalogue.
struct TokenizedDocument {
    entry: Entry,
    summary: LibraryDocument,
    /// Tokens, then how each is spelt.
    tokens: Vec<u8>,
    details: Vec<u8>,
    fingerprints: Vec<u64>,
    tally: Tally,
    body: Option<Vec<u8>>,
}

/// How documents are read.
pub struct Readers<'a> {
    pub tokenizer: &'a Tokenizer,
    pub methods: &'a [Method; 3],
    pub base: &'a Base,
    pub purpose: Purpose,
}

/// What documents are read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To be compared with each other.
    Pairs,
    /// The same, and to be told what winnowing selects.
    Statistics,
    /// For an index, which makes its own postings and takes documents of one content and one language for the same.
    Index,
}

/// The content id of a document that was read as a language. Twice gives the content id again.
pub fn read_as(content: u128, language: &str) -> u128 {
    content ^ xxh3_128(language.as_bytes())
}

impl Library {
    /// Reads the corpora of the cohort and of the archive.
    pub fn read(session: &Session<'_>, [cohort, archive]: [&Corpus; 2], readers: &Readers<'_>) -> Result<Self, Error> {
        let mut filing = Filing::new(session)?;
        let mut details = Spool::spill(&session.space, "the places of tokens")?;
        let mut detail_places = Vec::new();
        let mut documents = Vec::new();
        let mut postings = ExternalSort::new(&session.space, "the fingerprints", session.share(4));
        let mut tally = Tally::default();
        let of = |document: &Document<'_>| readers.tokenizer.memory(document, session.options.resources.memory);
        let cost = ReadCost { most: MAX_MEMORY_PER_BYTE, of: &of };
        for (corpus, archive) in [(cohort, false), (archive, true)] {
            let worker = || readers.worker(archive);
            read_all(session, corpus, &cost, worker, |outcome| {
                let read = match outcome {
                    Outcome::Document(read) => *read,
                    Outcome::Skipped(skip) => {
                        filing.skip(skip);
                        return Ok(());
                    }
                };
                let size = (read.summary.tokens, read.summary.identity as u32);
                let document = filing.add(read.entry, size, &read.tokens, read.body.as_deref())?;
                detail_places.push(details.append(&read.details)?);
                documents.push(read.summary);
                tally.add(&read.tally);
                read.fingerprints
                    .iter()
                    .try_for_each(|hash| postings.push(TokenPosting { hash: *hash, document, pad: 0 }))?;
                Ok(())
            })?;
        }
        let (catalogue, details) = (filing.finish(session, readers.memory_per_document())?, details.finish()?);
        Ok(Self { catalogue, documents, details, detail_places, postings: postings.finish()?, tally })
    }

    /// The tokens of a document and how they are spelt, appended.
    pub fn tokens(
        &self,
        document: u32,
        record: &mut Vec<u8>,
        tokens: &mut Vec<u32>,
        spellings: &mut Vec<Spelling>,
    ) -> Result<(), Error> {
        self.catalogue.sketches.read(self.catalogue.sketch_places[document as usize], record)?;
        let (ids, spelt) = record.split_at(4 * self.documents[document as usize].tokens as usize);
        tokens.extend(ids.as_chunks().0.iter().map(|id| u32::from_le_bytes(*id)));
        spellings.extend(spelt.as_chunks::<2>().0.iter().map(|two| bytemuck::pod_read_unaligned::<Spelling>(two)));
        Ok(())
    }

    /// The documents that are too short to be compared.
    pub fn too_short(&self, methods: &[Method; 3]) -> Result<Vec<Skip>, Error> {
        let mut short = Vec::new();
        for (document, summary) in self.documents.iter().enumerate() {
            let k = methods[summary.family as usize].winnowing.k;
            if summary.tokens < k {
                let reason = format!("too short: {} tokens, at least {k} are compared", summary.tokens);
                short.push(Skip::because(self.catalogue.id(document as u32)?, reason));
            }
        }
        Ok(short)
    }

    /// What is kept of a document beside its tokens, as it was written.
    pub fn details_record(&self, document: u32, record: &mut Vec<u8>) -> Result<(), Error> {
        Ok(self.details.read(self.detail_places[document as usize], record)?)
    }

    pub fn details(&self, document: u32) -> Result<Details, Error> {
        let mut record = Vec::new();
        let place = self.detail_places[document as usize];
        self.details_record(document, &mut record)?;
        Details::decode(&record, crate::lens::passages::tokenizer::language_name).ok_or_else(|| {
            let found = "places that make no sense".into();
            lookalike_store::Error::Damaged { what: "the places of tokens".into(), offset: place, found }.into()
        })
    }
}

impl Readers<'_> {
    /// Bytes that are kept in memory of each document: as a submission it stands in the report, with its names. An index has no report.
    fn memory_per_document(&self) -> u64 {
        if self.purpose == Purpose::Index { 176 } else { 1536 }
    }

    fn worker(&self, archive: bool) -> impl FnMut(Document<'_>) -> Outcome<Box<TokenizedDocument>> {
        let mut scratch = TokenizerScratch::default();
        let mut found = Vec::new();
        move |Document { id, body, place, .. }| {
            let mut read = match self.tokenizer.read(&id, &body, &mut scratch) {
                Ok(read) => read,
                Err(reason) => return Outcome::Skipped(Skip::because(id.into_owned(), reason)),
            };
            // where tokens stand takes more than the tokens, and is not needed any more
            let mut details = Vec::new();
            read.details.encode(&mut details);
            let lines = read.details.lines.len() as u32 + u32::from(!read.text.ends_with('\n'));
            (read.details.spans, read.details.lines) = (Vec::new(), Vec::new());
            let method = &self.methods[read.family as usize];
            let excluded = self.base.mask(method, &mut read.ids, &read.spellings);
            let for_index = self.purpose == Purpose::Index;
            let (mut fingerprints, mut tally) = (Vec::new(), Tally::default());
            match self.purpose {
                Purpose::Index => {}
                Purpose::Pairs => {
                    fingerprints.reserve(read.ids.len() / 2);
                    method.fingerprints(&read.ids, |fingerprint| fingerprints.push(fingerprint.hash));
                    // how often a document has a fingerprint matters only for statistics
                    into_set(&mut fingerprints);
                }
                Purpose::Statistics => {
                    found.clear();
                    let hashes = method.fingerprints(&read.ids, |fingerprint| found.push(fingerprint));
                    tally = Tally::of(method, &read.ids, &found, hashes);
                    fingerprints.extend(found.iter().map(|fingerprint| fingerprint.hash));
                }
            }
            let (bytes, content) = (body.len(), body.content_id());
            let content = if for_index { read_as(content, read.details.language) } else { content };
            let tokens = [bytemuck::cast_slice::<u32, u8>(&read.ids), bytemuck::cast_slice(&read.spellings)].concat();
            Outcome::Document(Box::new(TokenizedDocument {
                summary: LibraryDocument {
                    family: read.family,
                    archive,
                    tokens: read.ids.len() as u32,
                    excluded,
                    identity: xxh3_64(&tokens),
                    language: read.details.language,
                    lines,
                    degraded: read.details.degraded.map(String::into_boxed_str),
                },
                tokens,
                details,
                fingerprints,
                tally,
                body: (!place.is_readable() && !for_index).then(|| encode_body(&body)),
                entry: Entry { id: id.into_owned(), bytes, content, lexical: 0, place, body: None },
            }))
        }
    }
}
