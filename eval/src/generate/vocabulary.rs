//! A made-up language: words of seeded syllables, drawn as often as Zipf's law says.

use super::random::Random;
use std::collections::HashSet;

/// Different words of the language.
pub(crate) const WORDS: usize = 30_000;
/// Bytes of a slot: a word and the space behind it.
const SLOT: usize = 16;

const ONSETS: [&str; 28] = [
    "b", "br", "c", "ch", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "l", "m", "n", "p", "pl", "r", "s", "sh",
    "st", "t", "th", "tr", "v", "w", "z",
];
const NUCLEI: [&str; 12] = ["a", "e", "i", "o", "u", "a", "e", "o", "ai", "ea", "ou", "ie"];
const ACCENTED: [&str; 6] = ["é", "ö", "á", "ü", "è", "å"];
const CODAS: [&str; 12] = ["", "", "", "", "n", "r", "s", "t", "l", "nd", "m", "ck"];

/// The words, with a table to draw them from.
pub(crate) struct Vocabulary {
    slots: Vec<[u8; SLOT]>,
    lengths: Vec<u8>,
    /// Walker's alias table: below the threshold the word itself, else its alias.
    alias: Vec<(u32, u16)>,
}

impl Vocabulary {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random::at(seed, 0, 0);
        let (mut seen, mut slots, mut lengths) = (HashSet::new(), Vec::new(), Vec::new());
        while slots.len() < WORDS {
            let word = word(&mut random, slots.len());
            if word.len() < SLOT && seen.insert(word.clone()) {
                let mut slot = [b' '; SLOT];
                slot[..word.len()].copy_from_slice(word.as_bytes());
                slots.push(slot);
                lengths.push(word.len() as u8);
            }
        }
        Self { slots, lengths, alias: alias(WORDS) }
    }

    /// A word by its share in the language.
    #[inline]
    pub(crate) fn draw(&self, random: &mut Random) -> u16 {
        let number = random.next();
        let at = (((number >> 32) * WORDS as u64) >> 32) as usize;
        let (threshold, alias) = self.alias[at];
        if (number as u32) < threshold { at as u16 } else { alias }
    }

    /// The word's bytes with spaces behind, and how many are of the word.
    #[inline]
    pub(crate) fn word(&self, at: u16) -> (&[u8; SLOT], usize) {
        (&self.slots[usize::from(at)], usize::from(self.lengths[usize::from(at)]))
    }
}

/// A word for a rank. Frequent words are short, as in every language; a few of the rarer ones have a letter that is not ASCII.
fn word(random: &mut Random, rank: usize) -> String {
    let syllables = match rank {
        0..120 => 1,
        120..2_000 => 1 + random.below(2),
        2_000..10_000 => 2 + random.below(2),
        _ => 2 + random.below(3),
    };
    let accented = rank >= 200 && random.below(32) == 0;
    let mut pick = |from: &[&'static str]| from[random.below(from.len() as u32) as usize];
    let mut word = String::new();
    for syllable in 0..syllables {
        word += pick(&ONSETS);
        word += if accented && syllable == 0 { pick(&ACCENTED) } else { pick(&NUCLEI) };
        word += pick(&CODAS);
    }
    word
}

/// The alias table of the Zipf-Mandelbrot shares 1 / (rank + 2.7). Only additions, divisions and comparisons: exact everywhere.
fn alias(n: usize) -> Vec<(u32, u16)> {
    let shares: Vec<f64> = (0..n).map(|rank| 1.0 / (rank as f64 + 2.7)).collect();
    let mean = shares.iter().sum::<f64>() / n as f64;
    let mut weights: Vec<f64> = shares.iter().map(|share| share / mean).collect();
    let mut table: Vec<(u32, u16)> = (0..n).map(|at| (u32::MAX, at as u16)).collect();
    let (mut small, mut large): (Vec<usize>, Vec<usize>) = (0..n).partition(|&at| weights[at] < 1.0);
    while let (Some(poor), Some(&rich)) = (small.pop(), large.last()) {
        table[poor] = ((weights[poor] * f64::from(u32::MAX)) as u32, rich as u16);
        weights[rich] -= 1.0 - weights[poor];
        if weights[rich] < 1.0 {
            small.push(rich);
            large.pop();
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_drawn_as_zipf_says() {
        let (vocabulary, mut random) = (Vocabulary::new(7), Random::at(7, 9, 0));
        let (draws, mut counts, mut letters) = (400_000, vec![0u32; WORDS], 0);
        for _ in 0..draws {
            let at = vocabulary.draw(&mut random);
            counts[usize::from(at)] += 1;
            letters += vocabulary.word(at).1;
        }
        let total: f64 = (0..WORDS).map(|rank| 1.0 / (rank as f64 + 2.7)).sum();
        for rank in [0, 1, 10, 100] {
            let expected = f64::from(draws) / (rank as f64 + 2.7) / total;
            assert!((f64::from(counts[rank]) / expected - 1.0).abs() < 0.2, "{rank}: {} of {expected}", counts[rank]);
        }
        let mean = letters as f64 / f64::from(draws);
        assert!((3.5..6.5).contains(&mean), "letters of a running word: {mean}");
        assert!(counts.iter().filter(|&&n| n > 0).count() > WORDS / 2, "rare words are drawn too");
    }

    #[test]
    fn words_are_words() {
        let vocabulary = Vocabulary::new(1);
        let text = |at| {
            let (slot, length) = vocabulary.word(at);
            std::str::from_utf8(&slot[..length]).expect("UTF-8").to_owned()
        };
        let words: Vec<String> = (0..WORDS as u16).map(text).collect();
        assert!(words.iter().all(|word| word.chars().all(char::is_alphabetic)));
        assert!(
            words.iter().all(|word| word.as_bytes()[0].is_ascii_lowercase()),
            "the first letter can be made a capital"
        );
        let mean = words.iter().map(|word| word.chars().count()).sum::<usize>() as f64 / WORDS as f64;
        assert!((6.0..10.0).contains(&mean), "letters of a word in the dictionary: {mean}");
        assert!(words.iter().any(|word| !word.is_ascii()));
    }
}
