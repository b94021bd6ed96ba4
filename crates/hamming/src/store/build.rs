//! Makes a store of a file of fingerprints, whatever its size: sorted outside of memory, and written as one level.

use super::level::{LevelWriter, StoreManifest};
use super::names::StoreNames;
use super::online::OnlineStore;
use crate::error::Error;
use crate::file::{FileOptions, FingerprintFile, FingerprintReader, IdKind, NameSelection, RecordBatch};
use crate::options::check_distance;
use crate::segment::ScratchBudget;
use bytemuck::{Pod, Zeroable};
use lookalike_core::bits::FingerprintBits;
use lookalike_core::hamming::Design;
use lookalike_core::hamming::plan::{Candidate, PlanRequest, candidate, candidates};
use lookalike_store::{Cancel, ExternalSort, Folder, Progress, RealDisk, Resources, SegmentWriter, TempSpace, Unit};
use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

/// How a store is made.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// The greatest distance that will be asked for.
    pub distance: u32,
    /// The design; by default the fastest whose tables take no more than `memory`.
    pub design: Option<Design>,
    /// Memory and threads. Spill files lie in the new folder.
    pub resources: Resources,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self { distance: 3, design: None, resources: Resources::default() }
    }
}

/// What was made.
#[derive(Clone, Debug, serde::Serialize)]
pub struct BuildSummary {
    /// Fingerprints that were read.
    pub fingerprints: u64,
    /// Those that came a second time with the same id, and were left out.
    pub repeated: u64,
    /// The design.
    pub design: String,
    /// Bytes of the tables, with their ids and checksums.
    pub bytes: u64,
    /// Bytes of the tables without ids and checksums.
    pub table_bytes: u64,
}

/// A fingerprint and whose it is, as it is sorted.
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, packed)]
struct SortEntry<F> {
    fingerprint: F,
    id: u64,
}

impl<F: FingerprintBits> Ord for SortEntry<F> {
    #[inline]
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let (a, b) = ((self.fingerprint, self.id), (other.fingerprint, other.id));
        a.cmp(&b)
    }
}

impl<F: FingerprintBits> PartialOrd for SortEntry<F> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<F: FingerprintBits> OnlineStore<F> {
    /// Makes a new folder of all fingerprints of a file. Ids are those of the file, names too, or row numbers.
    pub fn build(
        path: &Path,
        file: &FingerprintFile,
        options: &BuildOptions,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<BuildSummary, Error> {
        check_distance(options.distance)?;
        let mut folder = Folder::create(path, Arc::new(RealDisk))?;
        let space = Arc::new(TempSpace::new(Some(path))?);
        options.resources.pool()?.install(|| {
            let memory = usize::try_from(options.resources.memory).unwrap_or(usize::MAX);
            let mut sort: ExternalSort<SortEntry<F>> = ExternalSort::new(&space, "fingerprints", memory / 4 * 3);
            let fingerprints = read(path, file, &mut sort, progress, cancel)?;
            let design = chosen::<F>(fingerprints, options)?;
            let (mut repeated, mut last) = (0, None);
            progress.begin("tables", Unit::Documents, Some(fingerprints));
            let entries = sort.merged()?.filter_map(|entry| {
                let (fingerprint, id) = match entry {
                    Ok(entry) => (entry.fingerprint, entry.id),
                    Err(error) => return Some(Err(error)),
                };
                progress.advance(1);
                if last.replace((fingerprint, id)) == Some((fingerprint, id)) {
                    repeated += 1;
                    return None;
                }
                Some(Ok((fingerprint, id, 1)))
            });
            let folder_state = RefCell::new(&mut folder);
            let segment = || -> Result<SegmentWriter, lookalike_store::Error> { folder_state.borrow_mut().segment() };
            let scratch = ScratchBudget { space: Arc::clone(&space), memory: memory / 2 };
            let level_writer = LevelWriter {
                folder: path,
                k: options.distance,
                design: Some(design),
                scratch: &scratch,
                segment: &segment,
            };
            let level = level_writer.write(entries, fingerprints)?;
            progress.end();
            cancel.check()?;
            let levels: Vec<_> = level.iter().map(|level| level.meta.clone()).collect();
            let files: Vec<_> = level.iter().flat_map(|level| level.files().collect::<Vec<_>>()).collect();
            let bytes = files.iter().map(|file| file.bytes).sum();
            folder.commit(files, &StoreManifest::new(F::WIDTH, options.distance, 0, levels))?;
            let table_bytes = level.map_or(0, |level| level.meta.added.table_bytes());
            Ok(BuildSummary { fingerprints, repeated, design: design.to_string(), bytes, table_bytes })
        })
    }
}

/// The design that was asked for, or the fastest that fits.
fn chosen<F: FingerprintBits>(fingerprints: u64, options: &BuildOptions) -> Result<Design, Error> {
    let request = PlanRequest {
        width: F::WIDTH,
        fingerprints: fingerprints.max(1),
        k: options.distance,
        id_bits: 32,
        memory: options.resources.memory,
    };
    let Some(design) = options.design else {
        return Ok(candidates(&request)[0].design);
    };
    let found: Option<Candidate> = candidate(design, &request);
    found.map(|_| design).ok_or(Error::Design { design, distance: options.distance })
}

/// All fingerprints of a file; its names go to the store, a batch at a time.
fn read<F: FingerprintBits>(
    store: &Path,
    file: &FingerprintFile,
    sort: &mut ExternalSort<SortEntry<F>>,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<u64, Error> {
    let options = FileOptions { keep: NameSelection::All, ..file.options.clone() };
    let mut from = FingerprintReader::<F>::open(&file.path, &options)?;
    let mut names = match from.ids() {
        IdKind::Names => Some(StoreNames::create(store, "")?),
        IdKind::Numbers | IdKind::Rows => None,
    };
    progress.begin("read", Unit::Bytes, from.len().map(|len| len * size_of::<F>() as u64));
    let (mut some, mut read) = (RecordBatch::default(), 0);
    loop {
        cancel.check()?;
        let count = some.next(&mut from)? as u64;
        if count == 0 {
            break;
        }
        for (fingerprint, id) in some.entries() {
            let id = match (&mut names, from.names().and_then(|read| read.text(id))) {
                (Some(names), Some(name)) => names.add(&name)?,
                _ => id,
            };
            sort.push(SortEntry { fingerprint, id })?;
        }
        from.forget_names();
        read += count;
        progress.advance(count * size_of::<F>() as u64);
    }
    progress.end();
    if let Some(names) = &mut names {
        names.sync(true)?;
    }
    Ok(read)
}
