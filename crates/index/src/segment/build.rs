//! Writes a segment: from new documents, or from the segments that it replaces.

use crate::segment::layout::{
    DIRECTORY, DOCUMENTS, DocumentRecord, FEATURE, MAX_DOCUMENTS, NAMES, NameRecord, OBSERVATIONS, Observation,
    PAYLOAD_PLACES, PAYLOADS, PLACES, POSTINGS, Packing, SIGHTINGS, SKETCHES, SOURCES, TEXTS, spread, unpack,
};
use crate::segment::sources::Sources;
use lookalike_engine::Error;
use lookalike_store::progress::Cancel;
use lookalike_store::{
    Error as StoreError, PARTS, Partitions, Parts, SegmentFile, SegmentWriter, Sequence, Spool, TempSpace,
};
use rayon::prelude::*;
use std::sync::Arc;

/// A name in a sweep, on its way into a segment.
pub(crate) struct NewObservation<'a> {
    pub(crate) fingerprint: u64,
    pub(crate) name: &'a str,
    pub(crate) sweep: u32,
    /// Number of the document in the new segment.
    pub(crate) document: u32,
    pub(crate) place: &'a [u8],
}

/// A document on its way into a segment.
pub(crate) struct SegmentDocument<'a> {
    pub(crate) record: DocumentRecord,
    pub(crate) level: u8,
    /// Its features, packed.
    pub(crate) packed: &'a [u8],
    /// What the lens keeps of it beside its features.
    pub(crate) payload: &'a [u8],
}

impl SegmentDocument<'_> {
    /// One that only refers to a document of another segment.
    pub(crate) fn reference(content: u128) -> Self {
        Self { record: DocumentRecord::reference(content), level: 0, packed: &[], payload: &[] }
    }
}

/// Takes a document.
pub(crate) type EachDocument<'a> = dyn FnMut(SegmentDocument<'_>) -> Result<(), Error> + 'a;

/// What a segment is made of.
pub(crate) trait SegmentContents {
    /// All documents by content id.
    fn documents(&mut self, each: &mut EachDocument<'_>) -> Result<(), Error>;

    /// All observations by fingerprint, name and sweep.
    fn observations(&mut self, each: &mut dyn FnMut(NewObservation<'_>) -> Result<(), Error>) -> Result<(), Error>;

    /// What the places count from; asked for last.
    fn sources(&self) -> &Sources;
}

/// Hears of the features of a new segment, in the order of spread features, part by part, on many threads.
pub(crate) trait FeatureObserver: Sync {
    /// Whether it matters that a single document of the segment has a feature.
    fn hears_of_single(&self) -> bool;

    /// The documents of the segment that have a feature.
    fn feature(&self, spread: u64, documents: &mut dyn ExactSizeIterator<Item = u32>) -> Result<(), Error>;
}

/// What writing a segment may use.
#[derive(Clone, Copy)]
pub(crate) struct WriteBudget<'a> {
    pub(crate) space: &'a Arc<TempSpace>,
    /// Bytes of memory for what is sorted.
    pub(crate) memory: usize,
    pub(crate) cancel: &'a Cancel,
}

/// The sections that a lens adds to a segment, until all of its documents are there.
pub(crate) trait LensSections {
    /// Takes what the lens keeps of a document beside its features.
    fn push(&mut self, payload: &[u8], document: u32) -> Result<(), StoreError>;

    /// Writes them.
    fn write(self: Box<Self>, budget: WriteBudget<'_>, out: &mut SegmentWriter) -> Result<(), StoreError>;
}

pub(crate) fn write(
    budget: WriteBudget<'_>,
    mut out: SegmentWriter,
    contents: &mut dyn SegmentContents,
    observer: Option<&dyn FeatureObserver>,
    mut sections: Option<Box<dyn LensSections>>,
) -> Result<SegmentFile, Error> {
    let mut records = Sequence::new(budget.space, "the documents of a segment", budget.memory / 8);
    let mut features = Partitions::new(budget.space, "the postings of a segment", budget.memory / 2);
    let mut payloads = Payloads { space: budget.space, spool: None, places: vec![0] };
    let (mut document, mut count) = (0u32, 0u64);
    out.section(SKETCHES)?;
    contents.documents(&mut |SegmentDocument { record, level, packed, payload }| {
        for at in 0..packed.len() / FEATURE {
            let key = spread(unpack(packed, at));
            features.push((key >> 40) as usize, key << 24 | u64::from(document))?;
        }
        records.push(record.at(count, level, 0))?;
        out.write(packed)?;
        payloads.push(payload)?;
        if let Some(sections) = sections.as_mut().filter(|_| !record.is_reference()) {
            sections.push(payload, document)?;
        }
        count += (packed.len() / FEATURE) as u64;
        document += 1;
        if document.is_multiple_of(1024) {
            budget.cancel.check()?;
        }
        Ok(())
    })?;
    if count >= u64::from(u32::MAX) {
        return Err(Error::SegmentFull { what: "features" });
    }
    let directory = postings(budget, &mut out, &features.finish()?, Packing::new(count, document), observer)?;
    out.section(DIRECTORY)?;
    write_all(&mut out, &directory.finish()?)?;
    payloads.write(&mut out)?;
    if let Some(sections) = sections {
        sections.write(budget, &mut out)?;
    }
    let sightings = observations(budget, &mut out, contents)?;
    out.section(DOCUMENTS)?;
    let (mut at, mut next) = (0u32, 0usize);
    let mut block = Vec::new();
    for record in records.finish()?.iter() {
        let record = record?;
        while next < sightings.len() && sightings[next].0 < at {
            next += 1;
        }
        block.push(record.seen_from(next as u32));
        at += 1;
        if block.len() == 4096 {
            out.write_pod(&block)?;
            block.clear();
        }
    }
    block.push(DocumentRecord::new(u128::MAX, 0, 0, 0).at(count, 0, sightings.len() as u32));
    out.write_pod(&block)?;
    out.section(SOURCES)?;
    out.write(&serde_json::to_vec(contents.sources()).expect("plain data"))?;
    Ok(out.finish()?)
}

/// What the lens keeps of documents, until the section before theirs is done.
struct Payloads<'a> {
    space: &'a Arc<TempSpace>,
    /// None as long as no document has any.
    spool: Option<Spool>,
    places: Vec<u64>,
}

impl Payloads<'_> {
    fn push(&mut self, payload: &[u8]) -> Result<(), StoreError> {
        self.places.push(self.places[self.places.len() - 1] + payload.len() as u64);
        if payload.is_empty() {
            return Ok(());
        }
        let spool = match &mut self.spool {
            Some(spool) => spool,
            none => none.insert(Spool::spill(self.space, "the payloads of a segment")?),
        };
        spool.append(payload).map(|_| ())
    }

    /// Writes both sections; none if no document has a payload.
    fn write(self, out: &mut SegmentWriter) -> Result<(), StoreError> {
        let Some(spool) = self.spool else { return Ok(()) };
        out.section(PAYLOADS)?;
        spool.finish()?.for_each(|payload| out.write(payload))?;
        out.section(PAYLOAD_PLACES)?;
        out.write_pod(&self.places)
    }
}

/// Writes the postings, part by part, and gives where each bucket begins.
fn postings(
    budget: WriteBudget<'_>,
    out: &mut SegmentWriter,
    features: &Parts<u64>,
    packing: Packing,
    observer: Option<&dyn FeatureObserver>,
) -> Result<Sequence<u32>, Error> {
    let mut directory = Sequence::new(budget.space, "the directory of a segment", budget.memory / 8);
    out.section(POSTINGS)?;
    let mut written = 0u32;
    let mut begun = 0u64;
    let together = rayon::current_num_threads();
    for parts in (0..PARTS).collect::<Vec<_>>().chunks(together) {
        budget.cancel.check()?;
        let sorted = parts.par_iter().map(|part| {
            let mut keys = features.all(*part)?;
            keys.sort_unstable();
            if let Some(observer) = observer {
                let single = observer.hears_of_single();
                for group in keys.chunk_by(|a, b| a >> 24 == b >> 24).filter(|group| single || group.len() > 1) {
                    let spread = (*part as u64) << 40 | group[0] >> 24;
                    observer.feature(spread, &mut group.iter().map(|key| document_of(*key)))?;
                }
            }
            Ok::<_, Error>(keys)
        });
        let sorted: Vec<Vec<u64>> = sorted.collect::<Result<_, _>>()?;
        let mut block: Vec<u32> = Vec::new();
        for (part, keys) in parts.iter().zip(sorted) {
            for key in keys {
                let spread = (*part as u64) << 40 | key >> 24;
                while begun <= packing.bucket(spread) {
                    directory.push(written)?;
                    begun += 1;
                }
                block.push(packing.posting(spread, document_of(key)));
                written += 1;
            }
            out.write_pod(&block)?;
            block.clear();
        }
    }
    while begun <= packing.buckets() {
        directory.push(written)?;
        begun += 1;
    }
    Ok(directory)
}

/// The document of a key.
fn document_of(key: u64) -> u32 {
    key as u32 & (MAX_DOCUMENTS as u32 - 1)
}

/// Writes names, their texts, observations and places; gives the observations of each document, sorted.
fn observations(
    budget: WriteBudget<'_>,
    out: &mut SegmentWriter,
    contents: &mut dyn SegmentContents,
) -> Result<Vec<(u32, u32)>, Error> {
    let mut names = Sequence::new(budget.space, "the names of a segment", budget.memory / 8);
    let mut observations = Sequence::new(budget.space, "the observations of a segment", budget.memory / 8);
    let (mut places, mut sightings) = (Vec::new(), Vec::new());
    let mut last: Option<(u64, String)> = None;
    out.section(TEXTS)?;
    let full = || Error::SegmentFull { what: "names" };
    let position = |at: u64| u32::try_from(at).map_err(|_| full());
    contents.observations(&mut |observed| {
        let number = u32::try_from(sightings.len()).map_err(|_| full())?;
        if last.as_ref().is_none_or(|last| (last.0, last.1.as_str()) != (observed.fingerprint, observed.name)) {
            let text = position(out.position())?;
            names.push(NameRecord { fingerprint: observed.fingerprint, text, observations: number })?;
            out.write(observed.name.as_bytes())?;
            last = Some((observed.fingerprint, observed.name.to_owned()));
        }
        let place = position(places.len() as u64)?;
        observations.push(Observation { sweep: observed.sweep, document: observed.document, place })?;
        places.extend_from_slice(observed.place);
        sightings.push((observed.document, number));
        if number.is_multiple_of(1024) {
            budget.cancel.check()?;
        }
        Ok(())
    })?;
    names.push(NameRecord {
        fingerprint: u64::MAX,
        text: position(out.position())?,
        observations: sightings.len() as u32,
    })?;
    observations.push(Observation { sweep: 0, document: 0, place: position(places.len() as u64)? })?;
    out.section(NAMES)?;
    write_all(out, &names.finish()?)?;
    out.section(OBSERVATIONS)?;
    write_all(out, &observations.finish()?)?;
    out.section(PLACES)?;
    out.write(&places)?;
    sightings.par_sort_unstable();
    out.section(SIGHTINGS)?;
    for block in sightings.chunks(4096) {
        out.write_pod(&block.iter().map(|sighting| sighting.1).collect::<Vec<u32>>())?;
    }
    Ok(sightings)
}

fn write_all<T: bytemuck::Pod>(
    out: &mut SegmentWriter,
    records: &lookalike_store::Records<T>,
) -> Result<(), StoreError> {
    let mut block = Vec::with_capacity(4096);
    for record in records.iter() {
        block.push(record?);
        if block.len() == 4096 {
            out.write_pod(&block)?;
            block.clear();
        }
    }
    out.write_pod(&block)
}
