//! How a copy is made of its source: the kinds of copies, and the edits behind them.

use super::random::Random;
use super::text::{PARAGRAPH, is_word};
use super::vocabulary::Vocabulary;

/// What was done to the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Identical,
    /// This share of the words, in percent, was substituted, deleted or got a new word before it.
    Mutated(u8),
    /// One part in this many of the words, in one piece.
    Excerpt(u8),
    /// Two sources, one after the other.
    Joined,
    /// The same paragraphs in another order.
    Reordered,
}

/// All kinds; a copy is of each with the same chance.
pub(crate) const KINDS: [Kind; 9] = [
    Kind::Identical,
    Kind::Mutated(1),
    Kind::Mutated(5),
    Kind::Mutated(20),
    Kind::Mutated(40),
    Kind::Excerpt(2),
    Kind::Excerpt(10),
    Kind::Joined,
    Kind::Reordered,
];

impl Kind {
    /// The name in the ground truth.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Identical => "identical".into(),
            Self::Mutated(percent) => format!("mutated-{percent}"),
            Self::Excerpt(part) => format!("excerpt-{part}"),
            Self::Joined => "joined".into(),
            Self::Reordered => "reordered".into(),
        }
    }

    /// How many sources a copy of this kind has.
    pub(crate) fn sources(self) -> usize {
        if self == Self::Joined { 2 } else { 1 }
    }
}

/// Makes the copy of a source; what a further source brings to [`Kind::Joined`] is for the caller to append.
pub(crate) fn edit(kind: Kind, vocabulary: &Vocabulary, random: &mut Random, source: &[u16]) -> Vec<u16> {
    match kind {
        Kind::Identical | Kind::Joined => source.to_vec(),
        Kind::Mutated(percent) => mutate(u32::from(percent) * 10_000, vocabulary, random, source),
        Kind::Excerpt(part) => excerpt(usize::from(part), random, source),
        Kind::Reordered => reorder(random, source),
    }
}

/// Touches each word with this chance: a third are substituted, a third deleted, a third get a new word before them.
fn mutate(millionths: u32, vocabulary: &Vocabulary, random: &mut Random, source: &[u16]) -> Vec<u16> {
    let mut copy = Vec::with_capacity(source.len() + source.len() / 4);
    for &token in source {
        if !is_word(token) || !random.chance(millionths) {
            copy.push(token);
            continue;
        }
        match random.below(3) {
            0 => copy.push(vocabulary.draw(random)),
            1 => {}
            _ => copy.extend([vocabulary.draw(random), token]),
        }
    }
    copy
}

fn excerpt(part: usize, random: &mut Random, source: &[u16]) -> Vec<u16> {
    let length = (source.len() / part).max(1).min(source.len());
    let from = random.below((source.len() - length + 1) as u32) as usize;
    source[from..from + length].to_vec()
}

/// Shuffles paragraphs (Fisher and Yates).
fn reorder(random: &mut Random, source: &[u16]) -> Vec<u16> {
    let mut paragraphs: Vec<&[u16]> = source.split(|&token| token == PARAGRAPH).collect();
    for at in (1..paragraphs.len()).rev() {
        paragraphs.swap(at, random.below(at as u32 + 1) as usize);
    }
    paragraphs.join(&PARAGRAPH)
}

#[cfg(test)]
mod tests {
    use super::super::text::{compose, words};
    use super::*;

    fn source(vocabulary: &Vocabulary) -> Vec<u16> {
        let mut tokens = Vec::new();
        compose(vocabulary, &mut Random::at(3, 1, 0), 20_000, &mut tokens);
        tokens
    }

    #[test]
    fn mutated_shares_are_what_was_asked() {
        let vocabulary = Vocabulary::new(3);
        let source = source(&vocabulary);
        for percent in [1, 5, 20, 40] {
            let copy = edit(Kind::Mutated(percent), &vocabulary, &mut Random::at(3, 2, 0), &source);
            // edits leave the rest in order, so what is left is the longest common subsequence, here found greedily
            // within a window that edits seldom fill
            let mut at = 0;
            let kept = source.iter().filter(|&&token| {
                let found = copy[at..].iter().take(8).position(|&other| other == token);
                at += found.map_or(0, |skip| skip + 1);
                found.is_some()
            });
            let touched = 1.0 - kept.count() as f64 / source.len() as f64;
            // insertions keep the source's word; the rest of the words lose it
            let expected = f64::from(percent) / 100.0 * 2.0 / 3.0 * words(&source) as f64 / source.len() as f64;
            assert!((touched / expected - 1.0).abs() < 0.25, "{percent} %: {touched} lost, {expected} expected");
        }
    }

    #[test]
    fn excerpts_are_pieces_and_reordering_keeps_all() {
        let vocabulary = Vocabulary::new(3);
        let source = source(&vocabulary);
        for part in [2, 10] {
            let copy = edit(Kind::Excerpt(part), &vocabulary, &mut Random::at(3, 2, 1), &source);
            assert_eq!(copy.len(), source.len() / usize::from(part));
            assert!(source.windows(copy.len()).any(|window| window == copy));
        }
        let mut copy = edit(Kind::Reordered, &vocabulary, &mut Random::at(3, 2, 1), &source);
        assert_ne!(copy, source);
        let mut sorted = source.clone();
        copy.sort_unstable();
        sorted.sort_unstable();
        assert_eq!(copy, sorted);
    }

    #[test]
    fn nothing_stays_nothing_much() {
        let vocabulary = Vocabulary::new(3);
        for kind in KINDS {
            let copy = edit(kind, &vocabulary, &mut Random::at(3, 2, 2), &[5]);
            assert!(copy.len() <= 2, "{kind:?}: {copy:?}");
        }
    }
}
