//! Files documents into the catalogue, in the order of reading.

use crate::Error;
use crate::report::Skip;
use crate::report::shingles::Frame;
use crate::run::Session;
use crate::run::catalogue::{Catalogue, Entry};
use crate::run::memory::MemoryBudget;
use crate::run::origins::Origins;
use crate::run::read_log::ReadLog;
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_store::resources::MIN_MEMORY;
use lookalike_store::{ExternalSort, Spool};
use std::sync::Arc;

/// What documents may take beside half of the memory, of the 40 MB that a run may.
const SLACK: u64 = 24 << 20;

/// The spool of bodies in the folder of a run.
const BODIES: &str = "bodies";

pub struct Filing {
    entries: Spool,
    entry_places: Vec<u64>,
    sketches: Spool,
    sketch_places: Vec<u64>,
    bodies: Spool,
    sizes: Vec<u32>,
    tie_breaks: Vec<u32>,
    bytes: u64,
    memory: Arc<MemoryBudget>,
    skipped: Vec<Skip>,
    /// Hashes of all ids, to notice those that occur twice.
    ids: ExternalSort<u64>,
    hash: FeatureHasher,
    buffer: Vec<u8>,
}

impl Filing {
    pub fn new(session: &Session<'_>) -> Result<Self, Error> {
        Self::after(session, None)
    }

    /// For a run that goes on: the bodies of documents that are kept stay.
    pub fn after(session: &Session<'_>, log: Option<&ReadLog>) -> Result<Self, Error> {
        let bodies = match (&session.work, log) {
            (Some(work), Some(log)) => work.continue_spool(BODIES, log.bodies())?,
            _ => session.spool("the documents", BODIES)?,
        };
        Ok(Self {
            entries: session.spool("the catalogue", "entries")?,
            entry_places: Vec::new(),
            sketches: session.spool("the sketches", "sketches")?,
            sketch_places: Vec::new(),
            bodies,
            sizes: Vec::new(),
            tie_breaks: Vec::new(),
            bytes: 0,
            memory: Arc::clone(&session.memory),
            skipped: Vec::new(),
            ids: ExternalSort::new(&session.space, "the ids", session.share(32)),
            hash: FeatureHasher::default(),
            buffer: Vec::new(),
        })
    }

    /// The bodies so far.
    pub fn bodies(&mut self) -> &mut Spool {
        &mut self.bodies
    }

    /// Keeps the body of a document that cannot be read again; its place.
    pub fn keep_body(&mut self, body: &[u8]) -> Result<u64, Error> {
        Ok(self.bodies.append(body)?)
    }

    pub fn skip(&mut self, skip: Skip) {
        self.skipped.push(skip);
    }

    /// Files a document with its size, its sketch and (if it cannot be read again and is not kept yet) its body. Returns its number.
    pub fn add(
        &mut self,
        mut entry: Entry,
        (size, tie_break): (u32, u32),
        sketch: &[u8],
        body: Option<&[u8]>,
    ) -> Result<u32, Error> {
        let document = self.sizes.len();
        if document >= u32::MAX as usize - 1 {
            return Err(Error::TooManyDocuments { max: u64::from(u32::MAX) - 1 });
        }
        self.ids.push(self.hash.word(entry.id.as_bytes()))?;
        if let Some(body) = body {
            entry.body = Some(self.keep_body(body)?);
        }
        self.bytes += entry.bytes;
        entry.encode(&mut self.buffer);
        self.entry_places.push(self.entries.append(&self.buffer)?);
        self.sketch_places.push(self.sketches.append(sketch)?);
        self.sizes.push(size);
        self.tie_breaks.push(tie_break);
        Ok(document as u32)
    }

    /// All documents. Fails where they are so many that what is kept of each in memory, so many bytes, takes more than half of it and what is
    /// allowed beside it: the rest is for the work.
    pub fn finish(self, session: &Session<'_>, bytes_per_document: u64) -> Result<Catalogue, Error> {
        let (documents, allowed) = (self.sizes.len() as u64, session.options.resources.memory.max(MIN_MEMORY));
        let needed = 2 * (documents * bytes_per_document).saturating_sub(SLACK);
        if needed > allowed {
            return Err(Error::DocumentsMemory { documents, needed, allowed });
        }
        let bodies = self.bodies.finish()?;
        let (mut repeated_ids, mut last) = (0, None);
        for id in self.ids.finish()?.iter() {
            let id = id?;
            repeated_ids += u64::from(last == Some(id));
            last = Some(id);
        }
        Ok(Catalogue {
            entries: self.entries.finish()?,
            entry_places: self.entry_places,
            sketches: self.sketches.finish()?,
            sketch_places: self.sketch_places,
            bodies: (!bodies.is_empty()).then_some(bodies),
            features: None,
            sizes: self.sizes,
            tie_breaks: self.tie_breaks,
            bytes: self.bytes,
            memory: self.memory,
            repeated_ids,
            unsampled: 0,
            origins: Origins::default(),
            frame: Frame::default(),
            skipped: self.skipped,
        })
    }
}
