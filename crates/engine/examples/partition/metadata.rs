//! Metadata of files that do not exist: which chunks each has. Everything follows from the number of a file, so that any number of files
//! can be streamed, and it is known without memory which of them belong together.
//!
//! All files have one header. One in a hundred is of a crowd that shares a single chunk. Three in ten are of families of 2 to 33 files: in every second
//! family all members share two fifths of their chunks, in the others each shares some with the one before and the one after, so that only a chain holds them together. All other
//! files are alone, and some of them have a chunk twice. Members of a family are far apart.

/// Places of a block of families, and where in it each family begins.
const BLOCK: u32 = 50;
const FAMILIES: [u32; 5] = [0, 2, 5, 9, 17];

/// What a chunk is of: a part of what its hash is made of.
#[derive(Clone, Copy)]
enum Kind {
    Header,
    Crowd,
    Family,
    Chain,
    Own,
}

/// With whom a file shares chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Alone,
    /// Of the crowd.
    Crowd,
    /// A member: the number of the family, the place of its first member, the member's rank in it, and how many there are.
    Family {
        family: u32,
        first: u32,
        rank: u32,
        size: u32,
    },
}

/// So many files with so many chunks each.
pub(crate) struct Metadata {
    files: u32,
    chunks: u32,
    seed: u64,
    /// A file's place is its number times this, modulo the number of files; and the way back.
    step: u64,
    back: u64,
    crowd: u32,
    blocks: u32,
}

/// What a partition is worth.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Checked {
    /// Components of more than one file.
    pub(crate) found: u64,
    /// Files that are not together with their family, or are with others.
    pub(crate) wrong: u64,
}

impl Metadata {
    pub(crate) fn new(files: u32, chunks: u32, seed: u64) -> Result<Self, String> {
        if files < 1000 || chunks < 10 {
            return Err(format!("expected at least 1000 files of 10 chunks, found {files} of {chunks}"));
        }
        // near the golden section, where steps are spread best
        let mut step = (f64::from(files) * 0.618_034) as u32;
        while gcd(step, files) != 1 {
            step += 1;
        }
        let blocks = (u64::from(files) * 3 / 10 / u64::from(BLOCK)) as u32;
        Ok(Self { files, chunks, seed, step: step.into(), back: inverse(step, files), crowd: files / 100, blocks })
    }

    fn place(&self, file: u32) -> u32 {
        (u64::from(file) * self.step % u64::from(self.files)) as u32
    }

    fn file(&self, place: u32) -> u32 {
        (u64::from(place) * self.back % u64::from(self.files)) as u32
    }

    pub(crate) fn role(&self, file: u32) -> Role {
        let place = self.place(file);
        let Some(behind) = place.checked_sub(self.crowd) else { return Role::Crowd };
        let (block, at) = (behind / BLOCK, behind % BLOCK);
        if block >= self.blocks {
            return Role::Alone;
        }
        let which = FAMILIES.partition_point(|begin| *begin <= at) - 1;
        let end = FAMILIES.get(which + 1).copied().unwrap_or(BLOCK);
        let rank = at - FAMILIES[which];
        Role::Family { family: block * 5 + which as u32, first: place - rank, rank, size: end - FAMILIES[which] }
    }

    /// The first file with which a file belongs together; itself if it is alone.
    fn leader(&self, file: u32) -> u32 {
        match self.role(file) {
            Role::Alone => file,
            Role::Crowd => self.file(0),
            Role::Family { first, .. } => self.file(first),
        }
    }

    /// Components of more than one file.
    pub(crate) fn components(&self) -> u64 {
        u64::from(self.crowd > 1) + u64::from(self.blocks) * FAMILIES.len() as u64
    }

    /// Calls `each` with the hashes of a file's chunks, in order.
    pub(crate) fn chunks<E>(&self, file: u32, mut each: impl FnMut(u128) -> Result<(), E>) -> Result<(), E> {
        let mut own = 0..u64::from(self.chunks);
        let mut some = |count: u32, kind: Kind, of: u64| {
            // each takes the place of one of the file's own
            own.by_ref().take(count as usize).zip(0..).try_for_each(|(_, at)| each(self.hash(kind, of, at)))
        };
        some(1, Kind::Header, 0)?;
        match self.role(file) {
            Role::Alone if file.is_multiple_of(10) => {
                some(1, Kind::Own, file.into())?;
                some(1, Kind::Own, file.into())?;
            }
            Role::Alone => {}
            Role::Crowd => some(1, Kind::Crowd, 0)?,
            Role::Family { family, .. } if family.is_multiple_of(2) => {
                some(self.chunks * 2 / 5, Kind::Family, family.into())?;
            }
            Role::Family { family, rank, size, .. } => {
                let link = |rank: u32| u64::from(family) << 8 | u64::from(rank);
                if rank > 0 {
                    some(self.chunks / 10, Kind::Chain, link(rank))?;
                }
                if rank + 1 < size {
                    some(self.chunks / 10, Kind::Chain, link(rank + 1))?;
                }
            }
        }
        own.try_for_each(|at| each(self.hash(Kind::Own, file.into(), at)))
    }

    /// Both halves are one-to-one, so that no two chunks look alike by chance.
    fn hash(&self, kind: Kind, of: u64, at: u64) -> u128 {
        let what = (kind as u64) << 60 | of << 16 | at;
        let half = |salt: u64| u128::from(mix(what ^ salt));
        half(self.seed) << 64 | half(!self.seed)
    }

    /// Holds a partition, told by the first file of each file's component (or any other name that all of it have), against the truth.
    pub(crate) fn check(&self, component: impl Fn(u32) -> u32) -> Checked {
        let together = |file: u32| component(file) == component(self.leader(file));
        let apart = (0..self.files).filter(|file| !together(*file)).count() as u64;
        // whoever is together as they should be can still be with others: then there are too few components
        let mut names: Vec<u32> = (0..self.files).map(component).collect();
        names.sort_unstable();
        let (mut all, mut found) = (0, 0);
        for same in names.chunk_by(|a, b| a == b) {
            all += 1;
            found += u64::from(same.len() > 1);
        }
        let clustered = u64::from(if self.crowd > 1 { self.crowd } else { 0 }) + u64::from(self.blocks * BLOCK);
        let expected = u64::from(self.files) - clustered + self.components();
        Checked { found, wrong: apart + expected.saturating_sub(all) }
    }
}

/// The finalizer of `SplitMix64`.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The number that times `a` leaves 1 modulo `n`, by Euclid's algorithm.
fn inverse(a: u32, n: u32) -> u64 {
    let n = i64::from(n);
    let (mut old, mut new) = ((i64::from(a), 1), (n, 0));
    while new.0 != 0 {
        let times = old.0 / new.0;
        (old, new) = (new, (old.0 - times * new.0, old.1 - times * new.1));
    }
    old.1.rem_euclid(n).unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::cluster::UnionFind;
    use std::collections::BTreeMap;

    fn hashes(metadata: &Metadata, file: u32) -> Vec<u128> {
        let mut found = Vec::new();
        let mut keep = |hash| {
            found.push(hash);
            Ok::<(), ()>(())
        };
        metadata.chunks(file, &mut keep).unwrap();
        found
    }

    /// Components by flooding: the truth that was not thought out, but counted.
    fn flooded(metadata: &Metadata) -> Vec<u32> {
        let mut holders: BTreeMap<u128, Vec<u32>> = BTreeMap::new();
        for file in 0..metadata.files {
            for hash in hashes(metadata, file) {
                holders.entry(hash).or_default().push(file);
            }
        }
        let mut sets = UnionFind::new(metadata.files as usize);
        for files in holders.values().filter(|files| files.len() < metadata.files as usize) {
            for pair in files.windows(2) {
                sets.union(pair[0], pair[1]);
            }
        }
        (0..metadata.files).map(|file| sets.find(file)).collect()
    }

    #[test]
    fn what_is_told_is_what_the_chunks_say() {
        let metadata = Metadata::new(2_000, 20, 7).unwrap();
        let first = flooded(&metadata);
        let checked = metadata.check(|file| first[file as usize]);
        assert_eq!(checked, Checked { found: metadata.components(), wrong: 0 });
        assert_eq!(metadata.components(), 1 + 12 * 5);
    }

    #[test]
    fn mistakes_are_seen() {
        let metadata = Metadata::new(2_000, 20, 7).unwrap();
        let first = flooded(&metadata);
        // one member leaves its family
        let member = (0..2_000).find(|file| matches!(metadata.role(*file), Role::Family { rank: 1, .. })).unwrap();
        assert_eq!(metadata.check(|file| if file == member { member + 10_000 } else { first[file as usize] }).wrong, 1);
        // two files that are alone come together
        let alone: Vec<u32> = (0..2_000).filter(|file| metadata.role(*file) == Role::Alone).collect();
        let merged = |file: u32| if file == alone[1] { first[alone[0] as usize] } else { first[file as usize] };
        assert_eq!(metadata.check(merged), Checked { found: metadata.components() + 1, wrong: 1 });
        // the header would bring all together
        assert_eq!(metadata.check(|_| 0).found, 1);
        assert!(metadata.check(|_| 0).wrong > 1_000);
    }

    #[test]
    fn files_have_all_their_chunks_and_a_header() {
        let metadata = Metadata::new(1_000, 100, 1).unwrap();
        let header = hashes(&metadata, 0)[0];
        let mut distinct = 0;
        for file in 0..1_000 {
            let mut own = hashes(&metadata, file);
            assert_eq!((own.len(), own[0]), (100, header));
            own.sort_unstable();
            own.dedup();
            assert!(own.len() >= 99);
            distinct += usize::from(own.len() == 100);
            assert_eq!(metadata.file(metadata.place(file)), file);
        }
        assert!((800..1_000).contains(&distinct), "some have a chunk twice: {distinct}");
    }

    #[test]
    fn members_of_a_family_are_far_apart() {
        let metadata = Metadata::new(1_000_000, 100, 1).unwrap();
        let members: Vec<u32> = (10_000..10_002).map(|place| metadata.file(place)).collect();
        assert!(members[0].abs_diff(members[1]) > 10_000, "{members:?}");
    }
}
