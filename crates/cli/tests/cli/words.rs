//! Texts out of a seed, and the naive twin of what the command computes on them.

use std::collections::HashSet;

const WORDS: [&str; 120] = [
    "amber", "anchor", "apple", "arrow", "autumn", "badger", "ballad", "barley", "basket", "beacon", "birch",
    "blanket", "bottle", "branch", "bridge", "bucket", "butter", "button", "cabin", "candle", "canyon", "carpet",
    "castle", "cedar", "cellar", "chapel", "cherry", "clover", "cobalt", "copper", "coral", "cotton", "cradle",
    "crystal", "dagger", "desert", "diary", "dragon", "drawer", "eagle", "ember", "engine", "falcon", "feather",
    "fiddle", "flannel", "forest", "fossil", "garden", "ginger", "glacier", "goblet", "granite", "hammer", "harbour",
    "harvest", "hazel", "hollow", "honey", "island", "ivory", "jacket", "jasmine", "kettle", "ladder", "lantern",
    "lemon", "linen", "lobster", "lumber", "magnet", "marble", "meadow", "mirror", "mountain", "mustard", "needle",
    "nettle", "oasis", "orchard", "otter", "oyster", "paddle", "palace", "paper", "pebble", "pepper", "pigeon",
    "pillow", "planet", "pocket", "prairie", "quarry", "quilt", "rabbit", "ribbon", "river", "saddle", "salmon",
    "shadow", "silver", "spider", "spruce", "stable", "summer", "tavern", "temple", "thistle", "timber", "tunnel",
    "turnip", "valley", "velvet", "violet", "walnut", "whistle", "willow", "window", "winter", "yarrow",
];

/// Random numbers (splitmix64) and what can be made of them.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// True once in `times`.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn word(&mut self) -> &'static str {
        WORDS[self.below(WORDS.len())]
    }

    pub(crate) fn words(&mut self, count: usize) -> Vec<&'static str> {
        (0..count).map(|_| self.word()).collect()
    }

    /// Words as sentences.
    pub(crate) fn text(&mut self, count: usize) -> String {
        sentences(&self.words(count))
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }

    /// A copy with `changes` words replaced, inserted or left out.
    pub(crate) fn mutate(&mut self, words: &[&'static str], changes: usize) -> Vec<&'static str> {
        let mut copy = words.to_vec();
        for _ in 0..changes {
            let at = self.below(copy.len());
            match self.below(3) {
                0 => copy[at] = self.word(),
                1 => copy.insert(at, self.word()),
                _ if copy.len() > 1 => drop(copy.remove(at)),
                _ => {}
            }
        }
        copy
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

/// Plain ASCII text: a full stop and a line end after every twelfth word.
pub(crate) fn sentences(words: &[&str]) -> String {
    let lines: Vec<String> = words.chunks(12).map(|line| line.join(" ") + ".\n").collect();
    lines.concat()
}

/// A JSON line with id and text.
pub(crate) fn line(id: &str, text: &str) -> String {
    serde_json::json!({ "id": id, "text": text }).to_string() + "\n"
}

/// The naive twin: the set of w-word shingles of a plain ASCII text.
pub(crate) fn shingles(text: &str, w: usize) -> HashSet<Vec<String>> {
    let words: Vec<String> = text
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    if words.len() < w { HashSet::from([words]) } else { words.windows(w).map(<[String]>::to_vec).collect() }
}

/// Resemblance, and how much of `a` is in `b` and of `b` in `a`.
pub(crate) fn overlap<T: Eq + std::hash::Hash>(a: &HashSet<T>, b: &HashSet<T>) -> [f64; 3] {
    let common = a.intersection(b).count() as f64;
    let (a, b) = (a.len() as f64, b.len() as f64);
    [common / (a + b - common), common / a, common / b]
}
