//! All pairs of one file that are near each other, and the clusters that they make.

use crate::error::Error;
use crate::file::{FingerprintFile, FingerprintReader, IdKind, IdNames, RecordBatch};
use crate::options::{SearchOptions, check_distance};
use bytemuck::{Pod, Zeroable};
use lookalike_core::bits::FingerprintBits;
use lookalike_core::cluster::{Linkage, StarClustering, UnionFind};
use lookalike_core::hamming::{Design, Order, Tables};
use lookalike_store::{Cancel, Cancelled, ExternalSort, Progress, Records, Unit};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

/// Bytes that a fingerprint takes while pairs are looked for: itself, its id, its cluster.
const BYTES_PER_FINGERPRINT: u64 = 56;
/// Groups that a thread takes at a time.
const GROUPS_PER_TASK: usize = 1 << 12;
/// Fingerprints of a group that are compared all with all.
const MAX_ALL_WITH_ALL: usize = 1 << 10;

/// Two fingerprints, by their numbers among the distinct ones, in the order in which they first come in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
struct Link {
    later: u32,
    distance: u32,
    earlier: u32,
}

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
    links: Records<Link>,
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
        let links = pairs(&distinct, options, progress, cancel);
        progress.end();
        let links = links?;
        let representatives = choose_representatives(&links, distinct.fingerprints.len(), linkage)?;
        let (starts, ids) = (distinct.starts, distinct.ids);
        let mut near = AllPairs {
            fingerprints: ids.len() as u64,
            distinct: starts.len() as u64 - 1,
            pairs: links.len(),
            clusters: 0,
            redundant: 0,
            links,
            representatives,
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

/// Fingerprints, each once, in the order of their first ids.
struct Distinct<F> {
    /// Sorted, with the number of each in the order of first ids.
    fingerprints: Vec<F>,
    numbers: Vec<u32>,
    /// In the order of first ids: where the ids of each begin, and the ids.
    starts: Vec<u64>,
    ids: Vec<u64>,
}

impl<F: FingerprintBits> Distinct<F> {
    fn new(entries: &[(F, u64)]) -> Self {
        let groups: Vec<&[(F, u64)]> = entries.chunk_by(|a, b| a.0 == b.0).collect();
        let mut order: Vec<u32> = (0..groups.len() as u32).collect();
        order.sort_unstable_by_key(|at| (groups[*at as usize][0].1, *at));
        let mut numbers = vec![0; groups.len()];
        let (mut starts, mut ids) = (Vec::with_capacity(groups.len() + 1), Vec::with_capacity(entries.len()));
        for (number, at) in (0..).zip(&order) {
            numbers[*at as usize] = number;
            starts.push(ids.len() as u64);
            ids.extend(groups[*at as usize].iter().map(|(_, id)| *id));
        }
        starts.push(ids.len() as u64);
        Self { fingerprints: groups.iter().map(|group| group[0].0).collect(), numbers, starts, ids }
    }
}

/// Every pair once, by the later of the two.
fn pairs<F: FingerprintBits>(
    distinct: &Distinct<F>,
    options: &SearchOptions,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Records<Link>, Error> {
    let space = Arc::new(options.resources.temp_space()?);
    let found = Mutex::new(ExternalSort::new(&space, "pairs", (options.resources.memory / 8) as usize));
    for_each_near_pair(&distinct.fingerprints, options.distance, progress, cancel, &|near: &[NearPair]| {
        let mut found = found.lock().expect("no panic with the lock");
        near.iter().try_for_each(|(a, b, distance)| {
            let (a, b) = (distinct.numbers[*a as usize], distinct.numbers[*b as usize]);
            found.push(Link { later: a.max(b), distance: *distance, earlier: a.min(b) })
        })?;
        Ok::<_, Error>(())
    })?;
    Ok(found.into_inner().expect("no panic with the lock").finish()?)
}

/// The places of two fingerprints, and the distance.
pub type NearPair = (u32, u32, u32);

/// Calls `each`, on any thread and in any order, with every pair of these fingerprints (sorted, each once) that is near: the places of the
/// two, the first first, and the distance.
///
/// For each table of a design whose leads must be equal, fingerprints are sorted by its order, and those with the same lead are compared.
pub fn for_each_near_pair<F: FingerprintBits, E: From<Cancelled> + Send>(
    fingerprints: &[F],
    distance: u32,
    progress: &dyn Progress,
    cancel: &Cancel,
    each: &(dyn Fn(&[NearPair]) -> Result<(), E> + Sync),
) -> Result<(), E> {
    let n = fingerprints.len() as u64;
    let design = design::<F>(n, distance);
    let orders = design.orders(F::WIDTH);
    let leads: Vec<F> = orders.iter().map(Order::lead_mask).collect();
    let mut rows: Vec<(F, u32)> = Vec::with_capacity(fingerprints.len());
    for (table, order) in orders.iter().enumerate() {
        cancel.check()?;
        rows.clear();
        rows.extend(fingerprints.iter().zip(0..).map(|(fingerprint, place)| (order.permute(*fingerprint), place)));
        rows.par_sort_unstable();
        let below = F::WIDTH - order.lead;
        let groups: Vec<&[(F, u32)]> =
            rows.chunk_by(|a, b| (a.0 ^ b.0) >> below == F::ZERO).filter(|group| group.len() > 1).collect();
        groups.par_chunks(GROUPS_PER_TASK).try_for_each(|groups| {
            cancel.check()?;
            let mut near = Vec::new();
            for group in groups {
                within(group, distance, |a, b| {
                    let apart = order.restore(a.0 ^ b.0);
                    // the first table in which the leads are equal reports a pair
                    if !leads[..table].iter().any(|lead| apart & *lead == F::ZERO) {
                        near.push((a.1.min(b.1), a.1.max(b.1), apart.ones()));
                    }
                });
            }
            each(&near)
        })?;
        progress.advance(n / orders.len() as u64);
    }
    Ok(())
}

/// The design with the fewest tables in whose groups a fingerprint meets few others by chance.
fn design<F: FingerprintBits>(n: u64, k: u32) -> Design {
    let all = (k + 1..=k + 4).flat_map(|blocks| (1..=blocks - k).map(move |lead| Design::Choose { blocks, lead }));
    let cost = |design: &Design| {
        let met = |order: &Order| n as f64 / 2f64.powi(order.lead.cast_signed());
        // to sort a row takes as long as to compare it with some forty others
        design.orders(F::WIDTH).iter().map(|order| 40.0 + met(order)).sum::<f64>()
    };
    let fastest = all.filter(|design| design.tables() <= 64).min_by(|a, b| cost(a).total_cmp(&cost(b)));
    fastest.unwrap_or(Design::Choose { blocks: k + 1, lead: 1 })
}

/// Calls `each` with every pair of a group that is near.
fn within<F: FingerprintBits>(group: &[(F, u32)], k: u32, mut each: impl FnMut(&(F, u32), &(F, u32))) {
    if group.len() <= MAX_ALL_WITH_ALL {
        for (at, a) in group.iter().enumerate() {
            group[at + 1..].iter().filter(|b| a.0.distance(b.0) <= k).for_each(|b| each(a, b));
        }
        return;
    }
    // a dense neighbourhood: not all with all
    let tables = Tables::build(Design::Choose { blocks: 2, lead: 1 }, group.iter().map(|row| row.0).zip(0..).collect());
    for (at, a) in group.iter().enumerate() {
        tables.near_in_memory(a.0, k, |hit| {
            // rows are in the order of the group, which is sorted and has each once
            if hit.rows.start as usize > at {
                each(a, &group[hit.rows.start as usize]);
            }
            ControlFlow::Continue(())
        });
    }
}

/// The representative of each, and the distance from it.
fn choose_representatives(links: &Records<Link>, n: usize, linkage: Linkage) -> Result<Vec<(u32, u32)>, Error> {
    let mut representatives: Vec<(u32, u32)> = (0..n as u32).map(|at| (at, 0)).collect();
    match linkage {
        Linkage::Star => {
            // in the order of the file, for fingerprints have no length
            let mut stars = StarClustering::new(n);
            for link in links.iter() {
                let Link { later, distance, earlier } = link?;
                stars.offer(earlier, later, Reverse(distance));
            }
            for (member, representative, Reverse(distance)) in stars.members() {
                representatives[member as usize] = (representative, distance);
            }
        }
        Linkage::Single => {
            let mut sets = UnionFind::new(n);
            let mut nearest = vec![u8::MAX; n];
            for link in links.iter() {
                let Link { later, distance, earlier } = link?;
                sets.union(later, earlier);
                for at in [later, earlier] {
                    nearest[at as usize] = nearest[at as usize].min(distance as u8);
                }
            }
            // a representative may never have been compared with a member: what is known is the distance from the nearest of the cluster
            for at in 0..n as u32 {
                let root = sets.find(at);
                representatives[at as usize] = (root, if root == at { 0 } else { nearest[at as usize].into() });
            }
        }
    }
    Ok(representatives)
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

    /// Calls `each` with every pair of distinct fingerprints, each by the first id that has it, and the distance.
    pub fn for_each_pair<E: From<Error>>(
        &self,
        mut each: impl FnMut(String, String, u32) -> Result<(), E>,
    ) -> Result<(), E> {
        for link in self.links.iter() {
            let link = link.map_err(Error::from)?;
            let first = |number: u32| self.names.name(self.ids_of(number)[0]);
            each(first(link.earlier), first(link.later), link.distance)?;
        }
        Ok(())
    }
}
