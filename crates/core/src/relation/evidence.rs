//! What the lenses say of two documents: numbers that can be checked, and nothing that follows from them.

use serde::{Deserialize, Serialize};

/// What is known of two documents, lens by lens. Pairs of numbers are of the first document and of the second.
///
/// A lens that does not apply is absent: bytes without text have no shingles, and very large documents no passages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each with its name in the JSON")]
pub struct Evidence {
    /// They have the same bytes.
    pub identical: bool,
    /// They have the same words in the same order.
    pub same_words: bool,
    /// They are of two formats, such as HTML and plain text.
    pub other_format: bool,
    /// One of them has text, but too little to tell what it is like.
    pub too_little: bool,
    /// Bytes in common.
    pub chunks: ChunkEvidence,
    /// Shingles in common.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shingles: Option<ShingleEvidence>,
    /// Bits in which the fingerprints differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simhash: Option<SimhashEvidence>,
    /// Copied passages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passages: Option<PassageEvidence>,
    /// The words of both held against each other in their order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alignment: Option<AlignmentEvidence>,
}

/// Bytes that two documents have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChunkEvidence {
    /// Bytes of each.
    pub bytes: [u64; 2],
    /// Bytes in common.
    pub shared: u64,
}

/// Shingles that two documents have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShingleEvidence {
    /// Different shingles of each.
    pub shingles: [u32; 2],
    /// Shingles that both have.
    pub shared: u32,
}

/// How far two fingerprints are from each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimhashEvidence {
    /// Bits that differ.
    pub distance: u32,
    /// Bits of a fingerprint.
    pub bits: u32,
}

/// Passages that two documents share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PassageEvidence {
    /// Both are programs: tokens are those of a grammar, and names do not count.
    pub code: bool,
    /// Tokens of each.
    pub tokens: [u32; 2],
    /// Tokens of each that are in passages.
    pub shared: [u32; 2],
    /// Of these, tokens of each that stand beside the same neighbour in the other, in running text; of programs all.
    pub running: [u32; 2],
    /// The same in a frame: at the beginning or the end of both documents, or in short lines.
    pub frame: [u32; 2],
    /// Passages.
    pub passages: u32,
    /// Tokens of the longest passage.
    pub longest: u32,
}

/// The words of two documents, held against each other in their order. Counted in letters and digits: words may be split and joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AlignmentEvidence {
    /// Letters and digits of each.
    pub letters: [u64; 2],
    /// Letters of each in words that are equal, or that differ only in where words end.
    pub equal: [u64; 2],
    /// Letters of each in words that are spelt a little differently.
    pub respelled: [u64; 2],
    /// Letters in which these differ.
    pub errors: u64,
}

impl Evidence {
    /// The same of the second document and the first.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut other = self.clone();
        other.chunks.bytes.reverse();
        if let Some(shingles) = &mut other.shingles {
            shingles.shingles.reverse();
        }
        if let Some(passages) = &mut other.passages {
            passages.tokens.reverse();
            passages.shared.reverse();
            passages.running.reverse();
            passages.frame.reverse();
        }
        if let Some(alignment) = &mut other.alignment {
            alignment.letters.reverse();
            alignment.equal.reverse();
            alignment.respelled.reverse();
        }
        other
    }

    /// Whether any lens saw words.
    pub fn has_text(&self) -> bool {
        self.shingles.is_some()
    }

    /// The share of each document that the other has too: by the lens that finds most. Words in place count, words that moved, programs with other
    /// names; of documents without text, bytes.
    pub fn common(&self) -> [f64; 2] {
        let mut common = [0.0; 2];
        let mut take = |shares: [f64; 2]| {
            for (most, found) in common.iter_mut().zip(shares) {
                *most = found.max(*most);
            }
        };
        if !self.has_text() {
            take(self.chunks.shares());
        }
        if let Some(shingles) = self.shingles {
            take(shingles.shares());
        }
        if let Some(alignment) = self.alignment {
            take(alignment.shares());
        }
        if let Some(passages) = self.passages {
            take(passages.in_place());
        }
        common
    }
}

impl ChunkEvidence {
    /// The share of each that the other has.
    pub fn shares(&self) -> [f64; 2] {
        self.bytes.map(|all| share(self.shared, all))
    }
}

impl ShingleEvidence {
    /// The share of each that the other has.
    pub fn shares(&self) -> [f64; 2] {
        self.shingles.map(|all| share(u64::from(self.shared), u64::from(all)))
    }
}

impl PassageEvidence {
    /// The share of each that is in passages.
    pub fn shares(&self) -> [f64; 2] {
        [0, 1].map(|side| share(u64::from(self.shared[side]), u64::from(self.tokens[side])))
    }

    /// The share of each that stands beside the same neighbour in the other, in running text or in a frame.
    fn in_place(&self) -> [f64; 2] {
        [0, 1].map(|side| share(u64::from(self.running[side] + self.frame[side]), u64::from(self.tokens[side])))
    }
}

impl AlignmentEvidence {
    /// The share of each whose words the other has in place, some of them with errors.
    pub fn shares(&self) -> [f64; 2] {
        [0, 1].map(|side| share(self.in_place(side), self.letters[side]))
    }

    /// Errors for each letter of what is in place.
    pub fn error_rate(&self) -> f64 {
        share(self.errors, self.in_place(0).max(self.in_place(1)))
    }

    /// The share of what is in place whose words are spelt differently.
    pub fn respelled_share(&self) -> f64 {
        share(self.respelled[0].max(self.respelled[1]), self.in_place(0).max(self.in_place(1)))
    }

    /// Letters of each that have no counterpart.
    pub fn unmatched(&self) -> [u64; 2] {
        [0, 1].map(|side| self.letters[side].saturating_sub(self.in_place(side)))
    }

    fn in_place(&self, side: usize) -> u64 {
        self.equal[side] + self.respelled[side]
    }
}

fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { (part as f64 / all as f64).min(1.0) }
}
