//! Phase one: every document is read once and sketched.

use super::catalogue::{Catalogue, Entry, encode_body, encode_sketch};
use super::equivalents::{Equivalents, Identity};
use super::filing::Filing;
use super::reading::{Outcome, read_all};
use super::{Session, equivalents};
use crate::Error;
use crate::front::{FrontEnd, Scratch, Sketched};
use crate::report::Skip;
use lookalike_corpus::{Corpus, Document, Item, Place};
use lookalike_store::ExternalSort;

/// What the first phase leaves.
pub(crate) struct SketchPhase {
    pub(crate) catalogue: Catalogue,
    pub(crate) equivalents: Equivalents,
}

/// A document or a skip, on its way from a worker to the catalogue.
enum Read {
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

pub(crate) fn sketch_all(session: &Session<'_>, corpus: &Corpus) -> Result<SketchPhase, Error> {
    let (front, keep_bodies) = (&session.front, !session.options.estimate);
    let worker = || {
        let mut scratch = front.scratch();
        move |item: Item<'_>| sketch_item(front, keep_bodies, &mut scratch, item)
    };
    let mut filing = Filing::new(session)?;
    let mut identities = ExternalSort::new(&session.space, "the identities", session.share(8));
    let (mut buffer, mut unsampled) = (Vec::new(), 0);
    read_all(session, corpus, worker, |outcome| {
        let (id, place, sketched, body) = match outcome {
            Read::Skipped(skip) => {
                filing.skip(skip);
                return Ok(());
            }
            Read::Sketched { id, place, sketched, body } => (id, place, sketched, body),
        };
        let Sketched { bytes, content, lexical, shingles, ref sketch, .. } = sketched;
        encode_sketch(sketch, &mut buffer);
        unsampled += u64::from(sketch.features.is_empty());
        let entry = Entry { id, bytes, content, lexical, place, body: None };
        let document = filing.add(entry, (shingles, content as u32), &buffer, body.as_deref())?;
        Ok(identities.push(Identity::new(&sketched, document))?)
    })?;
    let catalogue = Catalogue { unsampled, ..filing.finish()? };
    let equivalents = equivalents::find(&catalogue, &identities.finish()?)?;
    Ok(SketchPhase { catalogue, equivalents })
}

fn sketch_item(front: &FrontEnd, keep_bodies: bool, scratch: &mut Scratch, item: Item<'_>) -> Read {
    let Document { id, body, place } = match item {
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
