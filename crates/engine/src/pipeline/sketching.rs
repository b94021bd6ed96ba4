//! Phase one: every document is read once and sketched.

use super::catalogue::{Catalogue, Entry, encode_body, encode_sketch};
use super::equivalents::{Equivalents, Identity};
use super::filing::Filing;
use super::reading::{Outcome, read_all};
use super::{Session, equivalents};
use crate::Error;
use crate::exchange;
use crate::front::{FrontEnd, Scratch, Sketched};
use crate::report::Skip;
use lookalike_corpus::{Corpus, Document, Item, Place, hash128};
use lookalike_store::ExternalSort;
use std::path::PathBuf;

/// What the first phase leaves.
pub(crate) struct SketchPhase {
    pub(crate) catalogue: Catalogue,
    pub(crate) equivalents: Equivalents,
}

/// A document or a skip, on its way from a worker to the catalogue.
pub(crate) enum Read {
    Sketched { id: String, place: Place, sketched: Sketched, body: Option<Vec<u8>> },
    Skipped(Skip),
}

impl Outcome for Read {
    fn id(&self) -> &str {
        match self {
            Self::Sketched { id, .. } => id,
            Self::Skipped(skip) => &skip.id,
        }
    }

    fn skipped(skip: Skip) -> Self {
        Self::Skipped(skip)
    }
}

/// Reads and sketches everything; what others have sketched before (exchange files) comes after.
pub(crate) fn sketch_all(session: &Session<'_>, corpus: &Corpus, exchanged: &[PathBuf]) -> Result<SketchPhase, Error> {
    let mut collector = Collector::new(session)?;
    let key = &session.options.key;
    for_each_sketched(session, corpus, |mut read| {
        if let Read::Sketched { sketched, .. } = &mut read {
            sketched.identity = conceal(sketched.content, key);
        }
        collector.take(read)
    })?;
    for path in exchanged {
        exchange::shingles::read(path, &session.options.recipe, session.cancel, &mut collector)?;
    }
    let catalogue = Catalogue { unsampled: collector.unsampled, ..collector.filing.finish()? };
    let equivalents = equivalents::find(&catalogue, &collector.identities.finish()?)?;
    Ok(SketchPhase { catalogue, equivalents })
}

/// Calls `each` with what becomes of every document, in the order of reading.
pub(crate) fn for_each_sketched(
    session: &Session<'_>,
    corpus: &Corpus,
    each: impl FnMut(Read) -> Result<(), Error>,
) -> Result<(), Error> {
    let (front, keep_bodies) = (&session.front, !session.options.estimate);
    let worker = || {
        let mut scratch = front.scratch();
        move |item: Item<'_>| sketch_item(front, keep_bodies, &mut scratch, item)
    };
    read_all(session, corpus, worker, each)
}

/// What tells identical documents of several owners: with a key, nothing that could be found by guessing the content.
pub(crate) fn conceal(content: u128, key: &str) -> u128 {
    if key.is_empty() {
        return content;
    }
    let key = blake3::derive_key("lookalike 2026 concealed content ids v1", key.as_bytes());
    hash128(&blake3::keyed_hash(&key, &content.to_le_bytes()))
}

/// Collects what is read.
pub(crate) struct Collector {
    filing: Filing,
    identities: ExternalSort<Identity>,
    buffer: Vec<u8>,
    unsampled: u64,
}

impl Collector {
    fn new(session: &Session<'_>) -> Result<Self, Error> {
        let identities = ExternalSort::new(&session.space, "the identities", session.share(8));
        Ok(Self { filing: Filing::new(session)?, identities, buffer: Vec::new(), unsampled: 0 })
    }

    pub(crate) fn take(&mut self, read: Read) -> Result<(), Error> {
        let (id, place, sketched, body) = match read {
            Read::Skipped(skip) => {
                self.filing.skip(skip);
                return Ok(());
            }
            Read::Sketched { id, place, sketched, body } => (id, place, sketched, body),
        };
        let Sketched { bytes, content, lexical, shingles, ref sketch, .. } = sketched;
        encode_sketch(sketch, &mut self.buffer);
        self.unsampled += u64::from(sketch.features.is_empty());
        let entry = Entry { id, bytes, content, lexical, place, body: None };
        let document = self.filing.add(entry, (shingles, content as u32), &self.buffer, body.as_deref())?;
        Ok(self.identities.push(Identity::new(&sketched, document))?)
    }
}

fn sketch_item(front: &FrontEnd, keep_bodies: bool, scratch: &mut Scratch, item: Item<'_>) -> Read {
    let Document { id, body, place, .. } = match item {
        Item::Document(document) => document,
        Item::Skipped(skipped) => return Read::Skipped(skipped.into()),
    };
    match front.sketch(&id, &body, scratch) {
        Ok(sketched) => {
            let body = (keep_bodies && place == Place::Stream).then(|| encode_body(&body));
            Read::Sketched { id: id.into_owned(), place, sketched, body }
        }
        Err(reason) => Read::Skipped(Skip::because(id.into_owned(), reason)),
    }
}
