//! Writes a segment: from new documents, or from the segments that it replaces.

use crate::segment::layout::{DIRECTORY, DOCUMENTS, DocumentRecord, FEATURE, MOST_DOCUMENTS, NAMES, NameRecord, OBSERVATIONS, Observation, PLACES, POSTINGS, Packing, SIGHTINGS, SKETCHES, SOURCES, TEXTS, TOKENS, TOKEN_PLACES, spread, unpack};
use crate::segment::places::Sources;
use crate::Error;
use crate::simhash::tables::Gathered;
use lookalike_store::progress::Cancel;
use lookalike_store::{
    Error as StoreError, PARTS, Partitions, Parts, SegmentFile, SegmentWriter, Sequence, Spool, TempSpace,
};
use rayon::prelude::*;
use std::sync::Arc;

/// A name in a sweep, on its way into a segment.
pub(crate) struct Observed<'a> {
    pub(crate) fingerprint: u64,
    pub(crate) name: &'a str,
    pub(crate) sweep: u32,
    /// Number of the document in the new segment.
    pub(crate) document: u32,
    pub(crate) place: &'a [u8],
}

/// A document on its way into a segment.
pub(crate) struct Kept<'a> {
    pub(crate) record: DocumentRecord,
    pub(crate) level: u8,
    /// Its features, packed.
    pub(crate) packed: &'a [u8],
    /// Its tokens or its fingerprint, if the lens keeps them.
    pub(crate) tokens: &'a [u8],
}

impl Kept<'_> {
    /// One that only refers to a document of another segment.
    pub(crate) fn reference(content: u128) -> Self {
        Self { record: DocumentRecord::reference(content), level: 0, packed: &[], tokens: &[] }
    }
}

/// Takes a document.
pub(crate) type EachDocument<'a> = dyn FnMut(Kept<'_>) -> Result<(), Error> + 'a;

/// What a segment is made of.
pub(crate) trait Material {
    /// All documents by content id.
    fn documents(&mut self, each: &mut EachDocument<'_>) -> Result<(), Error>;

    /// All observations by fingerprint, name and sweep.
    fn observations(&mut self, each: &mut dyn FnMut(Observed<'_>) -> Result<(), Error>) -> Result<(), Error>;

    /// What the places count from; asked for last.
    fn sources(&self) -> &Sources;
}

/// Hears of the features of a new segment, in the order of spread features, part by part, on many threads.
pub(crate) trait Watch: Sync {
    /// Whether it matters that a single document of the segment has a feature.
    fn hears_of_single(&self) -> bool;

    /// The documents of the segment that have a feature.
    fn feature(&self, spread: u64, documents: &mut dyn ExactSizeIterator<Item = u32>) -> Result<(), Error>;
}

/// Room and patience while segments are written.
#[derive(Clone, Copy)]
pub(crate) struct Bench<'a> {
    pub(crate) space: &'a Arc<TempSpace>,
    /// Bytes of memory for what is sorted.
    pub(crate) budget: usize,
    pub(crate) cancel: &'a Cancel,
}

/// What a lens asks for beyond the documents themselves.
#[derive(Clone, Copy, Default)]
pub(crate) struct Also<'a> {
    /// Hears of the features.
    pub(crate) watch: Option<&'a dyn Watch>,
    /// Tables of fingerprints of so many bits.
    pub(crate) tables: Option<u32>,
}

pub(crate) fn write(
    bench: Bench<'_>,
    mut out: SegmentWriter,
    material: &mut dyn Material,
    also: Also<'_>,
) -> Result<SegmentFile, Error> {
    let mut records = Sequence::new(bench.space, "the documents of a segment", bench.budget / 8);
    let mut features = Partitions::new(bench.space, "the postings of a segment", bench.budget / 2);
    let mut tokens = Tokens { space: bench.space, spool: None, places: vec![0] };
    let mut fingerprints = also.tables.map(|bits| Gathered::new(bench, bits));
    let (mut document, mut count) = (0u32, 0u64);
    out.section(SKETCHES)?;
    material.documents(&mut |Kept { record, level, packed, tokens: of_document }| {
        for at in 0..packed.len() / FEATURE {
            let key = spread(unpack(packed, at));
            features.push((key >> 40) as usize, key << 24 | u64::from(document))?;
        }
        records.push(record.at(count, level, 0))?;
        out.write(packed)?;
        tokens.push(of_document)?;
        if let Some(fingerprints) = fingerprints.as_mut().filter(|_| !record.is_reference()) {
            fingerprints.push(of_document, document)?;
        }
        count += (packed.len() / FEATURE) as u64;
        document += 1;
        if document.is_multiple_of(1024) {
            bench.cancel.check()?;
        }
        Ok(())
    })?;
    if count >= u64::from(u32::MAX) {
        return Err(Error::Options("too many features for one segment; use a smaller --sketch".into()));
    }
    let directory = postings(bench, &mut out, &features.finish()?, Packing::new(count, document), also.watch)?;
    out.section(DIRECTORY)?;
    write_all(&mut out, &directory.finish()?)?;
    tokens.write(&mut out)?;
    if let Some(fingerprints) = fingerprints {
        fingerprints.write(bench, &mut out)?;
    }
    let sightings = observations(bench, &mut out, material)?;
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
    out.write(&serde_json::to_vec(material.sources()).expect("plain data"))?;
    Ok(out.finish()?)
}

/// The tokens of documents, until the section before theirs is done.
struct Tokens<'a> {
    space: &'a Arc<TempSpace>,
    /// None as long as no document has tokens: those of most lenses have not.
    spool: Option<Spool>,
    places: Vec<u64>,
}

impl Tokens<'_> {
    fn push(&mut self, tokens: &[u8]) -> Result<(), StoreError> {
        self.places.push(self.places[self.places.len() - 1] + tokens.len() as u64);
        if tokens.is_empty() {
            return Ok(());
        }
        let spool = match &mut self.spool {
            Some(spool) => spool,
            none => none.insert(Spool::spill(self.space, "the tokens of a segment")?),
        };
        spool.append(tokens).map(|_| ())
    }

    /// Writes both sections; none if no document has tokens.
    fn write(self, out: &mut SegmentWriter) -> Result<(), StoreError> {
        let Some(spool) = self.spool else { return Ok(()) };
        out.section(TOKENS)?;
        spool.finish()?.for_each(|tokens| out.write(tokens))?;
        out.section(TOKEN_PLACES)?;
        out.write_pod(&self.places)
    }
}

/// Writes the postings, part by part, and gives where each bucket begins.
fn postings(
    bench: Bench<'_>,
    out: &mut SegmentWriter,
    features: &Parts<u64>,
    packing: Packing,
    watch: Option<&dyn Watch>,
) -> Result<Sequence<u32>, Error> {
    let mut directory = Sequence::new(bench.space, "the directory of a segment", bench.budget / 8);
    out.section(POSTINGS)?;
    let mut written = 0u32;
    let mut begun = 0u64;
    let together = rayon::current_num_threads();
    for parts in (0..PARTS).collect::<Vec<_>>().chunks(together) {
        bench.cancel.check()?;
        let sorted = parts.par_iter().map(|part| {
            let mut keys = features.all(*part)?;
            keys.sort_unstable();
            if let Some(watch) = watch {
                let single = watch.hears_of_single();
                for group in keys.chunk_by(|a, b| a >> 24 == b >> 24).filter(|group| single || group.len() > 1) {
                    let spread = (*part as u64) << 40 | group[0] >> 24;
                    watch.feature(spread, &mut group.iter().map(|key| document_of(*key)))?;
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
    key as u32 & (MOST_DOCUMENTS as u32 - 1)
}

/// Writes names, their texts, observations and places; gives the observations of each document, sorted.
fn observations(
    bench: Bench<'_>,
    out: &mut SegmentWriter,
    material: &mut dyn Material,
) -> Result<Vec<(u32, u32)>, Error> {
    let mut names = Sequence::new(bench.space, "the names of a segment", bench.budget / 8);
    let mut observations = Sequence::new(bench.space, "the observations of a segment", bench.budget / 8);
    let (mut places, mut sightings) = (Vec::new(), Vec::new());
    let mut last: Option<(u64, String)> = None;
    out.section(TEXTS)?;
    let full = || Error::Options("too many names for one segment; add fewer documents at once".into());
    let position = |at: u64| u32::try_from(at).map_err(|_| full());
    material.observations(&mut |observed| {
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
            bench.cancel.check()?;
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
