//! Similar folders: how much of one stands in another too.
//!
//! Chunks are counted by the set of folders that have them, so that a folder of a thousand files costs no more than one of two. What lies below a
//! folder belongs to it, and no folder is compared with one that it lies in.

use crate::report::chunks::FolderPair;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A chunk in more folders than this tells nothing of any two of them.
const MAX_FOLDERS: usize = 100;
/// Folders that lie deeper are one with the last that does not.
const MAX_DEPTH: usize = 64;
/// Pairs that a report lists.
const MAX_LISTED_PAIRS: usize = 1000;
/// How much less of a folder may be in another for the statement on the two folders around them to say it all.
const MAX_DIFFERENCE: f64 = 0.05;

const ROOT: u32 = u32::MAX;

/// The folders of all documents.
#[derive(Default)]
pub struct Folders {
    names: Vec<String>,
    above: Vec<u32>,
    numbers: FxHashMap<String, u32>,
    files: Vec<u64>,
    bytes: Vec<u64>,
}

/// What folders share.
#[derive(Default)]
pub struct SharedFolders {
    /// By set of folders: bytes that are in all of them, as often as each has them.
    sums: FxHashMap<Box<[u32]>, Vec<u64>>,
    found: Vec<(u32, u64)>,
    key: Vec<u32>,
}

impl SharedFolders {
    /// Some bytes are in these folders, so often in each.
    pub fn add(&mut self, bytes: u64, folders: impl Iterator<Item = (u32, u64)>) {
        self.found.clear();
        self.found.extend(folders);
        if self.found.len() < 2 {
            return;
        }
        self.found.sort_unstable();
        self.found.dedup_by(|next, first| {
            let same = next.0 == first.0;
            first.1 += if same { next.1 } else { 0 };
            same
        });
        if !(2..=MAX_FOLDERS).contains(&self.found.len()) {
            return;
        }
        self.key.clear();
        self.key.extend(self.found.iter().map(|(folder, _)| *folder));
        if !self.sums.contains_key(self.key.as_slice()) {
            self.sums.insert(self.key.as_slice().into(), vec![0; self.key.len()]);
        }
        let sums = self.sums.get_mut(self.key.as_slice()).expect("made above");
        for (sum, (_, times)) in sums.iter_mut().zip(&self.found) {
            *sum += bytes * times;
        }
    }

    /// Takes over what another thread counted.
    pub fn merge(&mut self, other: Self) {
        other.sums.into_iter().for_each(|(key, sums)| {
            let mine = self.sums.entry(key).or_insert_with(|| vec![0; sums.len()]);
            mine.iter_mut().zip(sums).for_each(|(a, b)| *a += b);
        });
    }
}

impl Folders {
    /// The folder of a document; none for a document in no folder.
    pub fn of(&mut self, id: &str) -> Option<u32> {
        let name = &id[..id.rfind('/').filter(|at| *at > 0)?];
        if let Some(number) = self.numbers.get(name) {
            return Some(*number);
        }
        let mut above = ROOT;
        let ends = name.match_indices('/').map(|(at, _)| at).chain([name.len()]).filter(|end| *end > 0);
        for end in ends.take(MAX_DEPTH) {
            above = self.number(&name[..end], above);
        }
        Some(above)
    }

    fn number(&mut self, name: &str, above: u32) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.above.push(above);
        self.files.push(0);
        self.bytes.push(0);
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// A document of so many bytes is in a folder.
    pub fn add(&mut self, folder: u32, bytes: u64) {
        self.files[folder as usize] += 1;
        self.bytes[folder as usize] += bytes;
    }

    /// The pairs of which the one has at least this share of the other, most shared bytes first.
    pub fn pairs(mut self, shared: SharedFolders, least: f64) -> Vec<FolderPair> {
        // from the leaves up: a folder is numbered after the one that it lies in
        for folder in (0..self.names.len()).rev() {
            let above = self.above[folder];
            if above != ROOT {
                self.files[above as usize] += self.files[folder];
                self.bytes[above as usize] += self.bytes[folder];
            }
        }
        let mut inside: BTreeMap<(u32, u32), [u64; 2]> = BTreeMap::new();
        // sums in any order are the same
        let sets: Vec<(Box<[u32]>, Vec<u64>)> = shared.sums.into_iter().collect();
        for (folders, sums) in sets {
            let mut sum: BTreeMap<u32, u64> = BTreeMap::new();
            for (folder, bytes) in folders.iter().zip(sums) {
                self.up(*folder).for_each(|above| *sum.entry(above).or_default() += bytes);
            }
            let all: Vec<(u32, u64)> = sum.into_iter().collect();
            for (at, (a, of_a)) in all.iter().enumerate() {
                for (b, of_b) in &all[at + 1..] {
                    if !self.up(*b).any(|above| above == *a) {
                        let both = inside.entry((*a, *b)).or_default();
                        both[0] += of_a;
                        both[1] += of_b;
                    }
                }
            }
        }
        let mut below: Vec<Vec<u32>> = vec![Vec::new(); self.names.len()];
        for folder in 0..self.names.len() as u32 {
            self.up(folder).skip(1).for_each(|above| below[above as usize].push(folder));
        }
        let share = |folder: u32, bytes: u64| bytes as f64 / self.bytes[folder as usize].max(1) as f64;
        let at_least = |a: u32, b: u32, least: f64| {
            let (key, at) = if a < b { ((a, b), 0) } else { ((b, a), 1) };
            inside.get(&key).is_some_and(|both| share(a, both[at]) >= least)
        };
        // of a folder that is inside another, the widest is told of, and the narrowest that it is inside
        let said = |a: u32, b: u32, least: f64| {
            let wider = || self.up(a).skip(1).any(|x| self.up(b).any(|y| at_least(x, y, least)));
            let narrower = || below[b as usize].iter().any(|y| at_least(a, *y, least));
            wider() || narrower()
        };
        let mut pairs: Vec<FolderPair> = Vec::new();
        for ((a, b), [of_a, of_b]) in &inside {
            let (in_b, in_a) = (share(*a, *of_a), share(*b, *of_b));
            let (first, second) = ((*a, *of_a, in_b), (*b, *of_b, in_a));
            let name = |folder: u32| &self.names[folder as usize];
            let swap = in_b.total_cmp(&in_a).then(of_a.cmp(of_b)).then_with(|| name(*b).cmp(name(*a))).is_lt();
            let (first, second) = if swap { (second, first) } else { (first, second) };
            if first.2 < least || said(first.0, second.0, (first.2 - MAX_DIFFERENCE).max(least)) {
                continue;
            }
            pairs.push(FolderPair {
                folder: self.names[first.0 as usize].clone(),
                files: self.files[first.0 as usize],
                bytes: self.bytes[first.0 as usize],
                inside: first.1,
                share: first.2,
                other: self.names[second.0 as usize].clone(),
                other_files: self.files[second.0 as usize],
                other_bytes: self.bytes[second.0 as usize],
                other_inside: second.1,
                other_share: second.2,
            });
        }
        pairs.sort_by(|x, y| y.inside.cmp(&x.inside).then_with(|| (&x.folder, &x.other).cmp(&(&y.folder, &y.other))));
        pairs.truncate(MAX_LISTED_PAIRS);
        pairs
    }

    /// A folder and those around it.
    fn up(&self, folder: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(folder), |folder| Some(self.above[*folder as usize]).filter(|above| *above != ROOT))
    }
}
