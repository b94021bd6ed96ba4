//! Documents that were made up, the same for ever.

use std::collections::BTreeMap;

/// A small generator with a seed.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % sides.max(1) as u64) as usize
    }

    fn words(&mut self, n: usize) -> Vec<String> {
        (0..n).map(|_| format!("w{}", self.roll(5000))).collect()
    }

    fn change(&mut self, words: &mut [String], changes: usize) {
        for _ in 0..changes {
            let place = self.roll(words.len());
            if let Some(word) = words.get_mut(place) {
                *word = format!("y{}", self.roll(100_000));
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    New,
    NearCopy,
    SameBytes,
    SameWords,
    SameShingles,
    Excerpt,
    Template,
    OnlyTemplate,
    Long,
    Short,
    Empty,
}

impl Kind {
    pub(crate) const ALL: [Kind; 11] = [
        Kind::New,
        Kind::NearCopy,
        Kind::SameBytes,
        Kind::SameWords,
        Kind::SameShingles,
        Kind::Excerpt,
        Kind::Template,
        Kind::OnlyTemplate,
        Kind::Long,
        Kind::Short,
        Kind::Empty,
    ];
}

/// Texts by id, and what ranks them.
#[derive(Default)]
pub(crate) struct Corpus {
    pub(crate) texts: BTreeMap<String, String>,
    pub(crate) preferences: BTreeMap<String, u32>,
}

impl Corpus {
    fn push(&mut self, text: String) {
        // neither the order of ids nor that of their hashes is that of the documents
        let at = self.texts.len();
        self.texts.insert(format!("d{:03}-{at}", at * 7919 % 1000), text);
    }

    pub(crate) fn mixed(dice: &mut Dice, documents: usize, kinds: &[Kind]) -> Self {
        let mut corpus = Self::default();
        let template = dice.words(120);
        let length = 10 + dice.roll(150);
        let mut texts: Vec<Vec<String>> = vec![dice.words(length)];
        for _ in 0..documents {
            let before = texts[dice.roll(texts.len())].clone();
            let mut words = before.clone();
            let text = match kinds[dice.roll(kinds.len())] {
                Kind::New => {
                    let length = 5 + dice.roll(400);
                    words = dice.words(length);
                    words.join(" ")
                }
                Kind::NearCopy => {
                    let changes = dice.roll(words.len() / 40 + 2);
                    dice.change(&mut words, changes);
                    words.join(" ")
                }
                Kind::SameBytes => words.join(" "),
                Kind::SameWords => words.join("  ").to_uppercase(),
                Kind::SameShingles => {
                    // round and round: how often does not show in the shingles
                    words.truncate(20);
                    vec![words.join(" "); 2 + dice.roll(3)].join(" ")
                }
                Kind::Excerpt => {
                    words = words[words.len() / 4..].to_vec();
                    words.join(" ")
                }
                Kind::Template => {
                    let body = 10 + dice.roll(80);
                    words = [template.clone(), dice.words(body)].concat();
                    words.join(" ")
                }
                Kind::OnlyTemplate => {
                    words.clone_from(&template);
                    let changes = dice.roll(6);
                    dice.change(&mut words, changes);
                    words.join(" ")
                }
                Kind::Long => {
                    let length = 1000 + dice.roll(4000);
                    words = [words, dice.words(length)].concat();
                    words.join(" ")
                }
                Kind::Short => dice.words(4).join(" "),
                Kind::Empty => ["", " ", "... !"][dice.roll(3)].to_owned(),
            };
            corpus.push(text);
            texts.push(words);
            if texts.len() > 60 {
                let forgotten = dice.roll(texts.len());
                texts.swap_remove(forgotten);
            }
        }
        corpus
    }

    /// Near-copies of pages that share a header and are twice as long from one to the next.
    pub(crate) fn families(dice: &mut Dice, families: usize, copies: usize) -> Self {
        let mut corpus = Self::default();
        let header = dice.words(60);
        for family in 0..families {
            let page = [header.clone(), dice.words(40 << family)].concat();
            for _ in 0..copies {
                let mut copy = page.clone();
                dice.change(&mut copy, page.len() / 80);
                corpus.push(copy.join(" "));
            }
        }
        corpus
    }

    /// Beginnings of a few long texts, of any length.
    pub(crate) fn lengths(dice: &mut Dice, documents: usize) -> Self {
        let mut corpus = Self::default();
        let longest: Vec<Vec<String>> = (0..3).map(|_| dice.words(20_000)).collect();
        for at in 0..documents {
            let mut length = 20.0f64;
            (0..dice.roll(40)).for_each(|_| length *= 1.19);
            let mut words = longest[at % 3][..(length as usize).min(20_000)].to_vec();
            dice.change(&mut words, at % 4);
            corpus.push(words.join(" "));
        }
        corpus
    }

    /// Each version of a text changes a piece of the one before.
    pub(crate) fn chains(dice: &mut Dice, chains: usize, versions: usize) -> Self {
        let mut corpus = Self::default();
        for chain in 0..chains {
            let mut words = dice.words(100 + 60 * chain);
            for version in 0..versions {
                corpus.push(words.join(" "));
                let piece = words.len() / 12;
                let from = version * piece % (words.len() - piece);
                let new = dice.words(piece);
                words[from..from + piece].clone_from_slice(&new);
            }
        }
        corpus
    }

    /// Gives each document a preference.
    pub(crate) fn rank(&mut self, dice: &mut Dice) {
        self.preferences = self.texts.keys().map(|id| (id.clone(), dice.roll(5) as u32)).collect();
    }
}
