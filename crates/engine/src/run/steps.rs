//! Finished steps of a run in its folder: the catalogue with the duplicate groups, and links.

use crate::Error;
use crate::report::Skip;
use crate::report::cluster::Class;
use crate::report::shingles::Frame;
use crate::run::Session;
use crate::run::catalogue::Catalogue;
use crate::run::duplicates::DuplicateGroups;
use crate::run::link::{Evidence, Link};
use crate::run::origins::Origins;
use crate::run::read_log;
use bytemuck::{Pod, Zeroable};
use lookalike_core::sets::Overlap;
use lookalike_core::sketch::SampleOverlap;
use lookalike_corpus::{Corpus, Place, ShardRecords};
use lookalike_store::{Error as StoreError, WorkFolder};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

const READ: &str = "read";
const LINK: &str = "link";

/// What is kept of reading beside its files.
#[derive(Serialize, Deserialize)]
struct ReadStep {
    documents: u64,
    bodies: Option<u64>,
    bytes: u64,
    repeated_ids: u64,
    unsampled: u64,
    frame: Frame,
    /// With what is not told elsewhere: whether the input itself is broken.
    skipped: Vec<(Skip, bool)>,
    /// The shards that places count, encoded (not every path is text), with the records that were read of each.
    shards: Vec<(Vec<u8>, ShardRecords)>,
    source_names: Vec<String>,
    fixed_sources: Vec<bool>,
}

/// Keeps what reading made. Its spools are in the folder already.
pub fn save_read(
    work: &WorkFolder,
    corpus: &Corpus,
    catalogue: &Catalogue,
    duplicates: &DuplicateGroups,
) -> Result<(), Error> {
    let Origins { sources, names, fixed, ranks, .. } = &catalogue.origins;
    let places = catalogue.entry_places.iter().zip(&catalogue.sketch_places).map(|(entry, sketch)| [*entry, *sketch]);
    work.save("places", places.map(Ok))?;
    let sizes = catalogue.sizes.iter().zip(&catalogue.tie_breaks).map(|(size, tie_break)| [*size, *tie_break]);
    work.save("sizes", sizes.map(Ok))?;
    let duplicate = |(canonical, other, class): &(u32, u32, Class)| [*canonical, *other, class.number()];
    work.save("duplicates", duplicates.all().iter().map(duplicate).map(Ok))?;
    work.save("sources", sources.iter().copied().map(Ok))?;
    work.save("ranks", ranks.iter().copied().map(Ok))?;
    let step = ReadStep {
        documents: catalogue.len() as u64,
        bodies: catalogue.bodies.as_ref().map(lookalike_store::SpoolReader::len),
        bytes: catalogue.bytes,
        repeated_ids: catalogue.repeated_ids,
        unsampled: catalogue.unsampled,
        frame: catalogue.frame,
        skipped: catalogue.skipped.iter().map(|skip| (skip.clone(), skip.damage)).collect(),
        shards: corpus.sources().into_iter().map(encode_path).zip(corpus.records()).collect(),
        source_names: names.clone(),
        fixed_sources: fixed.clone(),
    };
    work.finish_step(READ, step)?;
    read_log::remove(work)
}

/// Whether reading is finished.
pub fn has_read(work: &WorkFolder) -> bool {
    work.has_step(READ)
}

/// What reading made, if it is finished.
pub fn load_read(
    session: &Session<'_>,
    work: &WorkFolder,
    corpus: &Corpus,
) -> Result<Option<(Catalogue, DuplicateGroups)>, Error> {
    let Some(step) = work.finished_step::<ReadStep>(READ)? else { return Ok(None) };
    let shards = step.shards.iter().map(|(bytes, records)| {
        decode_path(bytes).map(|path| (path, *records)).ok_or_else(|| damaged(work, "read.step"))
    });
    corpus.number_sources(&shards.collect::<Result<Vec<(PathBuf, ShardRecords)>, StoreError>>()?);
    let (entry_places, sketch_places) = collect(work, "places", |[entry, sketch]: [u64; 2]| (entry, sketch))?;
    let (sizes, tie_breaks) = collect(work, "sizes", |[size, tie_break]: [u32; 2]| (size, tie_break))?;
    let mut duplicates = Vec::new();
    for record in work.load::<[u32; 3]>("duplicates")?.iter() {
        let [canonical, other, class] = record?;
        duplicates.push((canonical, other, Class::of_number(class).ok_or_else(|| damaged(work, "duplicates"))?));
    }
    let sources = work.load::<u32>("sources")?.iter().collect::<Result<Vec<u32>, StoreError>>()?;
    let ranks = work.load::<u64>("ranks")?.iter().collect::<Result<Vec<u64>, StoreError>>()?;
    let documents = step.documents;
    let is_whole = |len: usize| len as u64 == documents;
    let is_known = |document: u32| u64::from(document) < documents;
    if !is_whole(entry_places.len())
        || !is_whole(sizes.len())
        || !(sources.is_empty() || is_whole(sources.len()))
        || !(ranks.is_empty() || is_whole(ranks.len()))
        || !duplicates.iter().all(|(a, b, _)| is_known(*a) && is_known(*b))
    {
        return Err(damaged(work, "sizes").into());
    }
    let catalogue = Catalogue {
        entries: work.open_spool("entries", documents)?,
        entry_places,
        sketches: work.open_spool("sketches", documents)?,
        sketch_places,
        bodies: step.bodies.map(|len| work.open_spool("bodies", len)).transpose()?,
        features: None,
        sizes,
        tie_breaks,
        bytes: step.bytes,
        memory: Arc::clone(&session.memory),
        repeated_ids: step.repeated_ids,
        unsampled: step.unsampled,
        origins: Origins::new(sources, step.source_names, step.fixed_sources, ranks),
        frame: step.frame,
        skipped: step.skipped.into_iter().map(|(skip, damage)| Skip { damage, ..skip }).collect(),
    };
    let duplicates = DuplicateGroups::new(catalogue.len(), duplicates);
    Ok(Some((catalogue, duplicates)))
}

fn encode_path(path: PathBuf) -> Vec<u8> {
    let mut bytes = Vec::new();
    Place::File(path).encode(&mut bytes);
    bytes
}

fn decode_path(bytes: &[u8]) -> Option<PathBuf> {
    match Place::decode(bytes)? {
        Place::File(path) => Some(path),
        _ => None,
    }
}

fn collect<T: Pod, A, B>(
    work: &WorkFolder,
    name: &str,
    split: impl Fn(T) -> (A, B),
) -> Result<(Vec<A>, Vec<B>), Error> {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for record in work.load::<T>(name)?.iter() {
        let (a, b) = split(record?);
        first.push(a);
        second.push(b);
    }
    Ok((first, second))
}

fn damaged(work: &WorkFolder, file: &str) -> StoreError {
    let what = work.path().join(file).display().to_string();
    StoreError::Damaged { what, offset: 0, found: "numbers that do not fit the other files".into() }
}

/// A link in a file.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct LinkRecord {
    representative: u32,
    member: u32,
    counts: [u32; 3],
    evidence: u32,
}

const EXACT: u32 = 0;
const ESTIMATE: u32 = 1;
const WHOLE_SAMPLES: u32 = 2;
const UNKNOWN: u32 = 3;

impl From<&Link> for LinkRecord {
    fn from(link: &Link) -> Self {
        let (counts, evidence) = match link.evidence {
            Evidence::Exact(Overlap { a, b, shared }) => ([a, b, shared], EXACT),
            Evidence::Estimate(SampleOverlap { a, b, shared, is_exhaustive }) => {
                ([a, b, shared], if is_exhaustive { WHOLE_SAMPLES } else { ESTIMATE })
            }
            Evidence::Unknown => ([0; 3], UNKNOWN),
        };
        Self { representative: link.representative, member: link.member, counts, evidence }
    }
}

impl From<LinkRecord> for Link {
    fn from(LinkRecord { representative, member, counts: [a, b, shared], evidence }: LinkRecord) -> Self {
        let evidence = match evidence {
            EXACT => Evidence::Exact(Overlap { a, b, shared }),
            UNKNOWN => Evidence::Unknown,
            kind => Evidence::Estimate(SampleOverlap { a, b, shared, is_exhaustive: kind == WHOLE_SAMPLES }),
        };
        Self { representative, member, evidence }
    }
}

/// Links, and the documents that were lost meanwhile.
pub struct StoredLinks {
    pub links: Vec<Link>,
    pub lost: Vec<u32>,
}

/// Keeps links.
pub fn save_links(work: &WorkFolder, StoredLinks { links, lost }: &StoredLinks) -> Result<(), Error> {
    work.save("links", links.iter().map(|link| Ok(LinkRecord::from(link))))?;
    Ok(work.finish_step(LINK, lost.clone())?)
}

/// The links, if they are known.
pub fn load_links(work: &WorkFolder) -> Result<Option<StoredLinks>, Error> {
    let Some(lost) = work.finished_step::<Vec<u32>>(LINK)? else { return Ok(None) };
    let links = work.load::<LinkRecord>("links")?;
    let links = links.iter().map(|link| link.map(Link::from)).collect::<Result<Vec<Link>, StoreError>>()?;
    Ok(Some(StoredLinks { links, lost }))
}
