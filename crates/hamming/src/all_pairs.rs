//! All pairs of one file that are near each other, and the clusters that they make.

use crate::distinct::Distinct;
use crate::error::Error;
use crate::file::{FingerprintFile, FingerprintReader, IdKind, IdNames, RecordBatch};
use crate::options::{SearchOptions, check_distance};
use crate::representatives::{Link, choose_representatives};
use lookalike_core::bits::FingerprintBits;
use lookalike_core::cluster::Linkage;
use lookalike_store::{Cancel, Progress, Records, Unit};
use rayon::prelude::*;

/// Bytes that a fingerprint takes while pairs are looked for: itself, its id, its cluster.
const BYTES_PER_FINGERPRINT: u64 = 56;

/// What is near in a file.
#[derive(Debug)]
pub struct AllPairs {
    /// Fingerprints that were read.
    pub fingerprints: u64,
    /// Distinct ones.
    pub distinct: u64,
    /// Pairs of distinct fingerprints that are near each other.
    pub pairs: u64,
    /// Clusters of more than one fingerprint, by the first of each.
    pub clusters: u64,
    /// Fingerprints that could go: all but the representative of each cluster.
    pub redundant: u64,
    /// Pairs of distinct fingerprints that were looked at to find them.
    pub compared: u64,
    /// If they were to be kept.
    links: Option<Records<Link>>,
    /// The representative of each distinct fingerprint, by its number, and the distance from it.
    representatives: Vec<(u32, u32)>,
    /// Where the ids of each distinct fingerprint begin.
    starts: Vec<u64>,
    ids: Vec<u64>,
    names: IdNames,
}

/// A cluster.
#[derive(Clone, Debug, serde::Serialize)]
pub struct FingerprintCluster {
    /// What the others are near: the first in the file.
    pub representative: String,
    /// How many there are, the representative included.
    pub size: u64,
    /// The others, by distance and order, as many as the limit allows.
    pub members: Vec<FingerprintMember>,
}

/// A member of a cluster.
#[derive(Clone, Debug, serde::Serialize)]
pub struct FingerprintMember {
    /// Its id.
    pub id: String,
    /// In how many bits it differs from the representative; with connected components, from the nearest of the cluster.
    pub distance: u32,
}

/// Finds all near pairs, and clusters: stars around the first of each, or connected components.
pub fn all_pairs<F: FingerprintBits>(
    file: &FingerprintFile,
    linkage: Linkage,
    options: &SearchOptions,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<AllPairs, Error> {
    check_distance(options.distance)?;
    options.resources.pool()?.install(|| {
        let mut fingerprints = file.open::<F>()?;
        let ids_are = fingerprints.ids();
        let mut entries = read(&mut fingerprints, file, options, progress, cancel)?;
        entries.par_sort_unstable();
        let distinct = Distinct::new(&entries);
        drop(entries);
        progress.begin("near", Unit::Documents, Some(distinct.fingerprints.len() as u64));
        let chosen = choose_representatives(&distinct, linkage, options, progress, cancel);
        progress.end();
        let chosen = chosen?;
        let (starts, ids) = (distinct.starts, distinct.ids);
        let mut near = AllPairs {
            fingerprints: ids.len() as u64,
            distinct: starts.len() as u64 - 1,
            pairs: chosen.pairs,
            clusters: 0,
            redundant: 0,
            compared: chosen.compared,
            links: chosen.links.filter(|_| options.keep_pairs),
            representatives: chosen.chosen,
            starts,
            ids,
            names: IdNames::default(),
        };
        let (mut clusters, mut redundant) = (0, 0);
        near.for_each_group(|ids| {
            clusters += 1;
            redundant += ids.len() as u64 - 1;
        });
        (near.clusters, near.redundant) = (clusters, redundant);
        // all of them may be named in the output; a file has names for all or for none
        let rows = if ids_are == IdKind::Names { near.ids.clone() } else { Vec::new() };
        near.names = file.id_names::<F>(ids_are, fingerprints.into_names(), rows)?;
        Ok(near)
    })
}

/// All fingerprints and their ids.
fn read<F: FingerprintBits>(
    fingerprints: &mut FingerprintReader<F>,
    file: &FingerprintFile,
    options: &SearchOptions,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Vec<(F, u64)>, Error> {
    let most = options.resources.memory / BYTES_PER_FINGERPRINT;
    let too_many =
        |count: u64| Err(Error::TooMany { file: file.path.clone(), count, bytes: count * BYTES_PER_FINGERPRINT });
    if let Some(len) = fingerprints.len().filter(|len| *len > most) {
        return too_many(len);
    }
    progress.begin("read", Unit::Bytes, fingerprints.len().map(|len| len * size_of::<F>() as u64));
    let (mut entries, mut some) = (Vec::new(), RecordBatch::default());
    loop {
        cancel.check()?;
        let read = some.next(fingerprints)? as u64;
        if read == 0 {
            break;
        }
        if entries.len() as u64 + read > most {
            return too_many(entries.len() as u64 + read);
        }
        entries.extend(some.entries());
        progress.advance(read * size_of::<F>() as u64);
    }
    progress.end();
    Ok(entries)
}

impl AllPairs {
    /// Calls `each` with the ids of every cluster of more than one, the representative first, and the distance of each.
    fn for_each_group(&self, mut each: impl FnMut(&[(u64, u32)])) {
        let n = self.representatives.len();
        let mut members: Vec<(u32, u32, u32)> = (0..n as u32)
            .filter(|at| self.representatives[*at as usize].0 != *at)
            .map(|at| (self.representatives[at as usize].0, self.representatives[at as usize].1, at))
            .collect();
        members.sort_unstable();
        let mut next = 0;
        for representative in 0..n as u32 {
            if self.representatives[representative as usize].0 != representative {
                continue;
            }
            let mut ids: Vec<(u64, u32)> = self.ids_of(representative).iter().map(|id| (*id, 0)).collect();
            while let Some((_, distance, at)) = members.get(next).filter(|member| member.0 == representative) {
                ids.extend(self.ids_of(*at).iter().map(|id| (*id, *distance)));
                next += 1;
            }
            if ids.len() > 1 {
                each(&ids);
            }
        }
    }

    fn ids_of(&self, number: u32) -> &[u64] {
        let at = number as usize;
        &self.ids[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Calls `each` with every cluster, in the order of the file; at most `limit` members are listed.
    pub fn for_each_cluster<E>(
        &self,
        limit: Option<u64>,
        mut each: impl FnMut(FingerprintCluster) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut result = Ok(());
        self.for_each_group(|ids| {
            if result.is_ok() {
                let most = limit.map_or(usize::MAX, |limit| limit as usize);
                let member =
                    |(id, distance): &(u64, u32)| FingerprintMember { id: self.names.name(*id), distance: *distance };
                let members = ids[1..].iter().take(most).map(member).collect();
                result = each(FingerprintCluster {
                    representative: self.names.name(ids[0].0),
                    size: ids.len() as u64,
                    members,
                });
            }
        });
        result
    }

    /// Calls `each` with every pair of distinct fingerprints, each by the first id that has it, and the distance. Needs `keep_pairs` of the
    /// options.
    pub fn for_each_pair<E: From<Error>>(
        &self,
        mut each: impl FnMut(String, String, u32) -> Result<(), E>,
    ) -> Result<(), E> {
        for link in self.links.iter().flat_map(Records::iter) {
            let link = link.map_err(Error::from)?;
            let first = |number: u32| self.names.name(self.ids_of(number)[0]);
            each(first(link.earlier), first(link.later), link.distance)?;
        }
        Ok(())
    }
}
