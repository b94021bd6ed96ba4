//! Makes a store of a file of fingerprints, whatever its size: sorted outside of memory, and written as one level.

use super::Online;
use super::level::Making;
use super::meta::Meta;
use crate::hamming::input::Taken;
use crate::hamming::kept::Room;
use crate::hamming::{Print, PrintFile, possible};
use crate::progress::{Cancel, Progress, Unit};
use crate::{Error, resources};
use bytemuck::{Pod, Zeroable};
use lookalike_core::hamming::Design;
use lookalike_core::hamming::plan::{Candidate, Wanted, candidate, candidates};
use lookalike_store::{ExternalSort, Folder, RealDisk, SegmentWriter, TempSpace};
use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

/// How a store is made.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// The greatest distance that will be asked for.
    pub k: u32,
    /// The design; by default the fastest whose tables take no more than `memory`.
    pub design: Option<Design>,
    /// Bytes of memory to stay within.
    pub memory: u64,
    /// Threads; 0 for one per core.
    pub threads: usize,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self { k: 3, design: None, memory: crate::default_memory(), threads: 0 }
    }
}

/// What was made.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Built {
    /// Fingerprints that were read.
    pub prints: u64,
    /// Those that came a second time with the same id, and were left out.
    pub repeated: u64,
    /// The design.
    pub design: String,
    /// Bytes of the tables, with their ids and checksums.
    pub bytes: u64,
    /// Bytes that the paper's code (§3.2) would take for the same tables, without ids.
    pub paper_bytes: u64,
    /// Bytes of the tables without ids and checksums.
    pub table_bytes: u64,
}

/// A fingerprint and whose it is, as it is sorted.
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, packed)]
struct Entry<F> {
    print: F,
    id: u64,
}

impl<F: Print> Ord for Entry<F> {
    #[inline]
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let (a, b) = ((self.print, self.id), (other.print, other.id));
        a.cmp(&b)
    }
}

impl<F: Print> PartialOrd for Entry<F> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<F: Print> Online<F> {
    /// Makes a new folder of all fingerprints of a file. Ids are those of the file, or row numbers.
    pub fn build(
        path: &Path,
        file: &PrintFile,
        options: &BuildOptions,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Built, Error> {
        possible(options.k)?;
        let mut folder = Folder::create(path, Arc::new(RealDisk))?;
        let space = Arc::new(TempSpace::new(Some(path))?);
        resources::pool(options.threads)?.install(|| {
            let memory = usize::try_from(options.memory).unwrap_or(usize::MAX);
            let mut sort: ExternalSort<Entry<F>> = ExternalSort::new(&space, "fingerprints", memory / 4 * 3);
            let prints = read(file, &mut sort, progress, cancel)?;
            let design = chosen::<F>(prints, options)?;
            let (mut repeated, mut last) = (0, None);
            progress.begin("tables", Unit::Documents, Some(prints));
            let entries = sort.merged()?.filter_map(|entry| {
                let (print, id) = match entry {
                    Ok(entry) => (entry.print, entry.id),
                    Err(error) => return Some(Err(error)),
                };
                progress.advance(1);
                if last.replace((print, id)) == Some((print, id)) {
                    repeated += 1;
                    return None;
                }
                Some(Ok((print, id, 1)))
            });
            let shelf = RefCell::new(&mut folder);
            let segment = || -> Result<SegmentWriter, lookalike_store::Error> { shelf.borrow_mut().segment() };
            let room = Room { space: Arc::clone(&space), memory: memory / 2 };
            let making = Making { folder: path, k: options.k, design: Some(design), room: &room, segment: &segment };
            let level = making.write(entries, prints)?;
            progress.end();
            cancel.check()?;
            let levels: Vec<_> = level.iter().map(|level| level.meta.clone()).collect();
            let files: Vec<_> = level.iter().flat_map(|level| level.files().collect::<Vec<_>>()).collect();
            let bytes = files.iter().map(|file| file.bytes).sum();
            folder.commit(files, &Meta::new(F::WIDTH, options.k, 0, levels))?;
            let (table_bytes, paper_bytes) =
                level.map_or((0, 0), |level| (level.meta.added.table_bytes(), level.meta.added.paper_bytes));
            Ok(Built { prints, repeated, design: design.to_string(), bytes, paper_bytes, table_bytes })
        })
    }
}

/// The design that was asked for, or the fastest that fits.
fn chosen<F: Print>(prints: u64, options: &BuildOptions) -> Result<Design, Error> {
    let wanted = Wanted { width: F::WIDTH, prints: prints.max(1), k: options.k, id_bits: 32, memory: options.memory };
    let Some(design) = options.design else {
        return Ok(candidates(&wanted)[0].design);
    };
    let found: Option<Candidate> = candidate(design, &wanted);
    found.map(|_| design).ok_or_else(|| {
        Error::Options(format!("the design {design} does not reach a distance of {}; choose another", options.k))
    })
}

/// All fingerprints of a file.
fn read<F: Print>(
    file: &PrintFile,
    sort: &mut ExternalSort<Entry<F>>,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<u64, Error> {
    let mut from = file.open::<F>()?;
    progress.begin("read", Unit::Bytes, from.len().map(|len| len * size_of::<F>() as u64));
    let (mut some, mut read) = (Taken::default(), 0);
    loop {
        cancel.check()?;
        let count = some.next(&mut from)? as u64;
        if count == 0 {
            break;
        }
        some.entries().try_for_each(|(print, id)| sort.push(Entry { print, id }))?;
        read += count;
        progress.advance(count * size_of::<F>() as u64);
    }
    progress.end();
    Ok(read)
}
