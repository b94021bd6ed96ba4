//! Tables that tests write: the same seed makes the same table.

use std::fs::{self, File};

use lookalike_corpus::{Copied, CopyError, CopyOptions, Ruling, copy_shard};

/// Numbers that look random (splitmix).
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub(crate) fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    /// Some words; texts repeat now and then.
    pub(crate) fn text(&mut self) -> String {
        let count = self.below(9);
        (0..count).map(|_| ["one", "two, \"three\"", "fünf", "six\nseven", "\t"][self.below(5) as usize]).collect()
    }
}

/// Writes a shard of this name again; what it says, and its bytes.
pub(crate) fn copy(
    name: &str,
    content: &[u8],
    annotate: bool,
    mut rule: impl FnMut(u64) -> Ruling,
) -> (Result<Copied, CopyError>, Vec<u8>) {
    let dir = tempfile::tempdir().unwrap();
    let (from, to) = (dir.path().join(name), dir.path().join("out"));
    fs::write(&from, content).unwrap();
    let options = CopyOptions { text_field: "text".into(), annotate };
    let copied = copy_shard(&from, File::create(&to).unwrap(), &options, &mut |row| Ok(rule(row)));
    (copied, fs::read(to).unwrap())
}

/// Which of so many rows stay; sometimes all or none of some hundred.
pub(crate) fn kept(rows: u64, rng: &mut Rng) -> Vec<bool> {
    let mut share = 0;
    let keep = |row: u64| {
        if row.is_multiple_of(50) {
            share = [0, 1, 2, 4, 4][rng.below(5) as usize];
        }
        rng.below(4) < share
    };
    (0..rows).map(keep).collect()
}

/// Keeps those rows.
pub(crate) fn keeping(kept: &[bool]) -> impl Fn(u64) -> Ruling {
    move |row| Ruling { keep: kept[row as usize], ..Ruling::KEEP }
}
