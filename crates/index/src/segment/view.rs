//! One segment, read record by record.

use crate::segment::layout::{
    DIRECTORY, DOCUMENTS, DocumentRecord, FEATURE, NAMES, NameRecord, OBSERVATIONS, Observation, PAYLOAD_PLACES,
    PAYLOADS, PLACES, POSTINGS, Packing, SIGHTINGS, SKETCHES, SOURCES, TEXTS, unpack,
};
use crate::segment::sources::Sources;
use lookalike_core::sketch::Sketch;
use lookalike_store::{Error, Segment};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A segment of documents.
pub(crate) struct View {
    pub(crate) segment: Arc<Segment>,
    documents: u32,
    names: u32,
    observations: u32,
    packing: Packing,
    sources: OnceLock<Sources>,
}

/// A segment as far as it matters for merging.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weight {
    /// Documents and references.
    pub(crate) documents: u32,
    /// Observations that count no more.
    pub(crate) dead: u32,
    pub(crate) observations: u32,
    pub(crate) features: u64,
    /// Bytes of names, and of places.
    pub(crate) texts: u64,
    pub(crate) places: u64,
}

impl View {
    pub(crate) fn new(segment: Arc<Segment>) -> Result<Self, Error> {
        let count = |kind: u32, size: usize| {
            let records = segment.len_of(kind) / size as u64;
            records.checked_sub(1).and_then(|n| u32::try_from(n).ok()).ok_or_else(|| Error::Damaged {
                what: segment.path().display().to_string(),
                offset: 0,
                found: format!("{records} records in section {kind}, expected at least 1"),
            })
        };
        let documents = count(DOCUMENTS, size_of::<DocumentRecord>())?;
        let packing = Packing::new(segment.len_of(POSTINGS) / size_of::<u32>() as u64, documents);
        if u64::from(count(DIRECTORY, size_of::<u32>())?) != packing.buckets() {
            return Err(Error::Damaged {
                what: segment.path().display().to_string(),
                offset: 0,
                found: "a directory that does not fit the postings".into(),
            });
        }
        Ok(Self {
            documents,
            names: count(NAMES, size_of::<NameRecord>())?,
            observations: count(OBSERVATIONS, size_of::<Observation>())?,
            packing,
            sources: OnceLock::new(),
            segment,
        })
    }

    /// Documents and references to documents.
    pub(crate) fn len(&self) -> u32 {
        self.documents
    }

    pub(crate) fn names(&self) -> u32 {
        self.names
    }

    pub(crate) fn observations(&self) -> u32 {
        self.observations
    }

    /// How much it weighs for merging, whatever of it has gone.
    pub(crate) fn weight(&self) -> Weight {
        Weight {
            documents: self.documents,
            dead: 0,
            observations: self.observations,
            features: self.segment.len_of(SKETCHES) / FEATURE as u64,
            texts: self.segment.len_of(TEXTS),
            places: self.segment.len_of(PLACES),
        }
    }

    fn one<T: bytemuck::Pod>(&self, kind: u32, at: u32) -> Result<&T, Error> {
        let at = u64::from(at);
        Ok(&self.segment.slice(kind, at..at + 1)?[0])
    }

    pub(crate) fn record(&self, document: u32) -> Result<&DocumentRecord, Error> {
        self.one(DOCUMENTS, document)
    }

    /// The features of a document as they lie on disk.
    pub(crate) fn packed(&self, document: u32) -> Result<&[u8], Error> {
        let at = u64::from(document);
        let two: &[DocumentRecord] = self.segment.slice(DOCUMENTS, at..at + 2)?;
        let size = FEATURE as u64;
        self.segment.bytes(SKETCHES, two[0].features() * size..two[1].features() * size)
    }

    /// What the lens keeps of a document beside its features; nothing in an index of shingles.
    pub(crate) fn payload(&self, document: u32) -> Result<&[u8], Error> {
        if self.segment.len_of(PAYLOAD_PLACES) == 0 {
            return Ok(&[]);
        }
        let at = u64::from(document);
        let two: &[u64] = self.segment.slice(PAYLOAD_PLACES, at..at + 2)?;
        self.segment.bytes(PAYLOADS, two[0]..two[1])
    }

    /// The sketch of a document, into a buffer.
    pub(crate) fn sketch(&self, document: u32, sketch: &mut Sketch) -> Result<(), Error> {
        let packed = self.packed(document)?;
        sketch.level = self.record(document)?.level();
        sketch.features.clear();
        sketch.features.extend((0..packed.len() / FEATURE).map(|at| unpack(packed, at)));
        Ok(())
    }

    /// The document with a content id, or a reference to it. Content ids are spread evenly, so it is looked for where it should be.
    pub(crate) fn find_content(&self, content: u128) -> Result<Option<u32>, Error> {
        let wanted = (content >> 64) as u64;
        let (mut low, mut high) = (0u32, self.documents);
        let (mut least, mut most) = (0u64, u64::MAX);
        let mut guesses = 0;
        while low < high {
            let width = u128::from(most.saturating_sub(least)).max(1);
            // a bad guess costs little; after a few the middle is safer
            let middle = if guesses < 6 && most > least {
                low + (u128::from(wanted.clamp(least, most) - least) * u128::from(high - low - 1) / width) as u32
            } else {
                low + (high - low) / 2
            };
            guesses += 1;
            let record = self.record(middle)?;
            match record.content().cmp(&content) {
                std::cmp::Ordering::Equal => return Ok(Some(middle)),
                std::cmp::Ordering::Less => (low, least) = (middle + 1, record.content[0]),
                std::cmp::Ordering::Greater => (high, most) = (middle, record.content[0]),
            }
        }
        Ok(None)
    }

    /// The postings of a spread feature, and perhaps a few of others.
    pub(crate) fn postings(&self, spread: u64) -> Result<&[u32], Error> {
        self.postings_in(self.bucket(spread)?, spread)
    }

    /// The document of a posting.
    #[inline]
    pub(crate) fn document_of(&self, posting: u32) -> u32 {
        self.packing.document_of(posting)
    }

    /// Where the bucket of a spread feature begins and ends.
    #[inline]
    pub(crate) fn bucket(&self, spread: u64) -> Result<[u32; 2], Error> {
        let at = self.packing.bucket(spread);
        let ends: &[u32] = self.segment.slice(DIRECTORY, at..at + 2)?;
        Ok([ends[0], ends[1]])
    }

    /// The postings of a spread feature in its bucket. Buckets are short, but for those with a frequent feature.
    #[inline]
    pub(crate) fn postings_in(&self, [from, to]: [u32; 2], spread: u64) -> Result<&[u32], Error> {
        let postings: &[u32] = self.segment.slice(POSTINGS, u64::from(from)..u64::from(to))?;
        let tag = self.packing.tag(spread);
        let below = |posting: &&u32| self.packing.tag_of(**posting) < tag;
        let same = |posting: &&u32| self.packing.tag_of(**posting) == tag;
        if postings.len() <= 32 {
            let from = postings.iter().filter(below).count();
            let length = postings.iter().filter(same).count();
            return Ok(&postings[from..from + length]);
        }
        let from = postings.partition_point(|posting| below(&posting));
        let length = postings[from..].partition_point(|posting| same(&posting));
        Ok(&postings[from..from + length])
    }

    /// A name's fingerprint, its observations and its text.
    pub(crate) fn name(&self, name: u32) -> Result<(u64, Range<u32>, &str), Error> {
        let at = u64::from(name);
        let two: &[NameRecord] = self.segment.slice(NAMES, at..at + 2)?;
        if two[1].observations > self.observations {
            return Err(self.corrupt("a name with observations that are not there"));
        }
        let text = self.segment.bytes(TEXTS, u64::from(two[0].text)..u64::from(two[1].text))?;
        let text = std::str::from_utf8(text).map_err(|_| self.corrupt("a name that is not UTF-8"))?;
        Ok((two[0].fingerprint, two[0].observations..two[1].observations, text))
    }

    /// The observations of a name.
    pub(crate) fn find_name(&self, fingerprint: u64, name: &str) -> Result<Option<Range<u32>>, Error> {
        let (mut low, mut high) = (0, self.names);
        while low < high {
            let middle = low + (high - low) / 2;
            let record: &NameRecord = self.one(NAMES, middle)?;
            if record.fingerprint < fingerprint { low = middle + 1 } else { high = middle }
        }
        while low < self.names {
            let (found, observations, text) = self.name(low)?;
            if found != fingerprint {
                break;
            }
            if text == name {
                return Ok(Some(observations));
            }
            low += 1;
        }
        Ok(None)
    }

    pub(crate) fn observation(&self, observation: u32) -> Result<&Observation, Error> {
        self.one(OBSERVATIONS, observation)
    }

    /// Where an observed document can be read again, as [`Sources`] encodes it.
    pub(crate) fn place(&self, observation: u32) -> Result<&[u8], Error> {
        let at = u64::from(observation);
        let two: &[Observation] = self.segment.slice(OBSERVATIONS, at..at + 2)?;
        self.segment.bytes(PLACES, u64::from(two[0].place)..u64::from(two[1].place))
    }

    /// The name that an observation is of.
    pub(crate) fn name_of(&self, observation: u32) -> Result<u32, Error> {
        let (mut low, mut high) = (0, self.names);
        while low < high {
            let middle = low + (high - low) / 2;
            let record: &NameRecord = self.one(NAMES, middle)?;
            if record.observations <= observation { low = middle + 1 } else { high = middle }
        }
        low.checked_sub(1).ok_or_else(|| self.corrupt("an observation of no name"))
    }

    /// The observations of a document.
    pub(crate) fn sightings(&self, document: u32) -> Result<&[u32], Error> {
        let at = u64::from(document);
        let two: &[DocumentRecord] = self.segment.slice(DOCUMENTS, at..at + 2)?;
        self.segment.slice(SIGHTINGS, u64::from(two[0].sightings)..u64::from(two[1].sightings))
    }

    /// What the places count from; read when it is first asked for.
    pub(crate) fn sources(&self) -> Result<&Sources, Error> {
        if let Some(sources) = self.sources.get() {
            return Ok(sources);
        }
        let json = self.segment.bytes(SOURCES, 0..self.segment.len_of(SOURCES))?;
        let sources = serde_json::from_slice(json).map_err(|_| self.corrupt("sources that make no sense"))?;
        Ok(self.sources.get_or_init(|| sources))
    }

    /// A file may have been forged: its checksums fit, its numbers need not.
    #[cold]
    pub(crate) fn corrupt(&self, found: &str) -> Error {
        Error::Damaged { what: self.segment.path().display().to_string(), offset: 0, found: found.to_owned() }
    }
}
