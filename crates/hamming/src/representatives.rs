//! Who represents whom among the fingerprints of a file.
//!
//! A star needs the pairs of its representative only. Where so many fingerprints are near each other that their pairs are not kept, it is
//! decided first who represents, in rounds, and then only the pairs of those are kept.

use crate::distinct::Distinct;
use crate::error::Error;
use crate::near_pairs::for_each_near_pair;
use crate::options::SearchOptions;
use bytemuck::{Pod, Zeroable};
use lookalike_core::bits::FingerprintBits;
use lookalike_core::cluster::{Linkage, StarClustering, UnionFind};
use lookalike_store::{Cancel, ExternalSort, Progress, Records, Silent, TempSpace};
use std::cmp::Reverse;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Pairs that are kept for each fingerprint, unless all are wanted. (Tests have few.)
const MAX_PAIRS_PER_FINGERPRINT: u64 = if cfg!(test) { 1 } else { 32 };
/// Rounds in which it is decided who represents. Each decides on all whose neighbours before them are decided; for those that are left,
/// all pairs are kept.
const MAX_ROUNDS: usize = if cfg!(test) { 2 } else { 16 };

/// Two fingerprints, by their numbers among the distinct ones, in the order in which they first come in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Link {
    pub(crate) later: u32,
    pub(crate) distance: u32,
    pub(crate) earlier: u32,
}

/// Who represents whom, and what was looked at.
pub(crate) struct Representatives {
    /// By number: the representative of each, and the distance from it.
    pub(crate) chosen: Vec<(u32, u32)>,
    /// Pairs that are near.
    pub(crate) pairs: u64,
    /// Pairs that were looked at.
    pub(crate) compared: u64,
    /// All that are near, by the later of the two, if they were kept.
    pub(crate) links: Option<Records<Link>>,
}

/// The representative of each, by stars around the first in the file or by connected components.
pub(crate) fn choose_representatives<F: FingerprintBits>(
    distinct: &Distinct<F>,
    linkage: Linkage,
    options: &SearchOptions,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Representatives, Error> {
    let n = distinct.fingerprints.len();
    let most = match linkage {
        _ if options.keep_pairs => u64::MAX,
        Linkage::Star => MAX_PAIRS_PER_FINGERPRINT * n as u64,
        Linkage::Single => 0,
    };
    let space = Arc::new(options.resources.temp_space()?);
    let sorted = || ExternalSort::new(&space, "pairs", (options.resources.memory / 8) as usize);
    let first = FirstPass { links: Some(sorted()), pairs: 0, waits: vec![false; n], components: Components::new(n) };
    let first = Mutex::new(first);
    let mut compared = for_each_link(distinct, options.distance, progress, cancel, &|links| {
        let mut first = lock(&first);
        first.pairs += links.len() as u64;
        if first.pairs > most {
            first.links = None;
        }
        if let Some(kept) = &mut first.links {
            links.iter().try_for_each(|link| kept.push(*link))?;
        }
        match linkage {
            Linkage::Single => links.iter().for_each(|link| first.components.join(link)),
            Linkage::Star => links.iter().for_each(|link| first.waits[link.later as usize] = true),
        }
        Ok(())
    })?;
    let FirstPass { links, pairs, waits, components } = first.into_inner().unwrap_or_else(PoisonError::into_inner);
    let links = links.map(ExternalSort::finish).transpose()?;
    let representatives = match (linkage, &links) {
        (Linkage::Single, _) => components.representatives(),
        (Linkage::Star, Some(links)) => stars(n, links)?,
        (Linkage::Star, None) => {
            let (links, more) = links_of_representatives(distinct, &waits, options, cancel, &space)?;
            compared += more;
            stars(n, &links)?
        }
    };
    Ok(Representatives { chosen: representatives, pairs, compared, links })
}

/// What the first look at all pairs leaves.
struct FirstPass {
    links: Option<ExternalSort<Link>>,
    pairs: u64,
    /// By number: whether any before it is near.
    waits: Vec<bool>,
    components: Components,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `each` with all pairs that are near, by number. How many were looked at.
fn for_each_link<F: FingerprintBits>(
    distinct: &Distinct<F>,
    distance: u32,
    progress: &dyn Progress,
    cancel: &Cancel,
    each: &(dyn Fn(&[Link]) -> Result<(), Error> + Sync),
) -> Result<u64, Error> {
    for_each_near_pair(&distinct.fingerprints, distance, progress, cancel, &|near| {
        let number = |place: u32| distinct.numbers[place as usize];
        let link = |(a, b, distance): &(u32, u32, u32)| {
            let (a, b) = (number(*a), number(*b));
            Link { later: a.max(b), distance: *distance, earlier: a.min(b) }
        };
        each(&near.iter().map(link).collect::<Vec<Link>>())
    })
}

/// In the order of the file, for fingerprints have no length.
fn stars(n: usize, links: &Records<Link>) -> Result<Vec<(u32, u32)>, Error> {
    let mut stars = StarClustering::new(n);
    for link in links.iter() {
        let Link { later, distance, earlier } = link?;
        stars.offer(earlier, later, Reverse(distance));
    }
    let mut representatives: Vec<(u32, u32)> = (0..n as u32).map(|at| (at, 0)).collect();
    for (member, representative, Reverse(distance)) in stars.members() {
        representatives[member as usize] = (representative, distance);
    }
    Ok(representatives)
}

/// What is known of a fingerprint while it is decided who represents.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Undecided,
    Representative,
    Member,
}

/// The links with representatives, and with those of whom nothing was decided. How many pairs were looked at.
fn links_of_representatives<F: FingerprintBits>(
    distinct: &Distinct<F>,
    waits: &[bool],
    options: &SearchOptions,
    cancel: &Cancel,
    space: &Arc<TempSpace>,
) -> Result<(Records<Link>, u64), Error> {
    let n = distinct.fingerprints.len();
    let first = |waits: &bool| if *waits { Role::Undecided } else { Role::Representative };
    let mut roles: Vec<Role> = waits.iter().map(first).collect();
    let mut compared = 0;
    for _ in 0..MAX_ROUNDS {
        if !roles.contains(&Role::Undecided) {
            break;
        }
        // members are near nobody any more
        let rest = distinct.without(|number| roles[number as usize] == Role::Member);
        let seen = Mutex::new((vec![false; n], vec![false; n]));
        compared += for_each_link(&rest, options.distance, &Silent, cancel, &|links| {
            let (waits, joins) = &mut *lock(&seen);
            for link in links {
                match roles[link.earlier as usize] {
                    Role::Representative => joins[link.later as usize] = true,
                    _ => waits[link.later as usize] = true,
                }
            }
            Ok(())
        })?;
        let (waits, joins) = seen.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (role, (waits, joins)) in roles.iter_mut().zip(waits.into_iter().zip(joins)) {
            if *role == Role::Undecided && (joins || !waits) {
                *role = if joins { Role::Member } else { Role::Representative };
            }
        }
    }
    let kept = Mutex::new(ExternalSort::new(space, "pairs", (options.resources.memory / 8) as usize));
    compared += for_each_link(distinct, options.distance, &Silent, cancel, &|links| {
        let mut kept = lock(&kept);
        let wanted = |link: &&Link| roles[link.earlier as usize] != Role::Member;
        Ok(links.iter().filter(wanted).try_for_each(|link| kept.push(*link))?)
    })?;
    Ok((kept.into_inner().unwrap_or_else(PoisonError::into_inner).finish()?, compared))
}

/// Connected components, as pairs come.
struct Components {
    sets: UnionFind,
    nearest: Vec<u8>,
}

impl Components {
    fn new(n: usize) -> Self {
        Self { sets: UnionFind::new(n), nearest: vec![u8::MAX; n] }
    }

    fn join(&mut self, link: &Link) {
        self.sets.union(link.later, link.earlier);
        for at in [link.later, link.earlier] {
            self.nearest[at as usize] = self.nearest[at as usize].min(link.distance as u8);
        }
    }

    /// A representative may never have been compared with a member: what is known is the distance from the nearest of the cluster.
    fn representatives(mut self) -> Vec<(u32, u32)> {
        let of = |at: u32| {
            let root = self.sets.find(at);
            (root, if root == at { 0 } else { self.nearest[at as usize].into() })
        };
        (0..self.nearest.len() as u32).map(of).collect()
    }
}
