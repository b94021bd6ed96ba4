//! What two documents are to each other: one word that follows from the evidence of all lenses by few rules.
//!
//! The rules are tried in the order of [`classify`]; the first that holds decides. They see numbers only, so the answer for a pair of a
//! comparison, of a scan and of a test is the same. The fingerprint decides nothing: what it guesses, the other lenses know.

mod alignment;
mod disagreement;
mod evidence;
mod sentence;
#[cfg(test)]
mod tests;

pub use alignment::{LetterText, align_letters};
pub use disagreement::Disagreement;
pub use evidence::{AlignmentEvidence, ChunkEvidence, Evidence, PassageEvidence, ShingleEvidence, SimhashEvidence};
pub use sentence::sentence;

use serde::{Deserialize, Serialize};
use std::fmt;

/// What two documents are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// The same bytes.
    Identical,
    /// The same text in another form: other format, layout, capitals or signs.
    SameText,
    /// The same text with many small errors, as OCR and transcription make them.
    SmallErrors,
    /// One is an updated version of the other.
    Version,
    /// The first is inside the second.
    AInB,
    /// The second is inside the first.
    BInA,
    /// They share passages.
    Passages,
    /// They share only a template: markup, a head, a foot, short lines.
    Template,
    /// Nothing that tells.
    Unrelated,
    /// One of them has too little text to tell.
    TooLittle,
}

/// From which numbers on a rule holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Of what both have together, the share in common that makes them versions of each other.
    pub version: f64,
    /// The share of one that is in the other that makes it a part of it.
    pub inside: f64,
    /// The share of both in common that makes two formats the same text.
    pub same_text: f64,
    /// The share of the text in words with small errors that makes errors many.
    pub respelled: f64,
    /// Tokens of running text that make passages worth telling.
    pub passage: u32,
    /// Tokens of head, foot and short lines that make a template.
    pub frame: u32,
    /// The share of the bytes of one in common that makes a template, where the words differ.
    pub bytes: f64,
}

impl Default for Rules {
    fn default() -> Self {
        Self { version: 0.5, inside: 0.9, same_text: 0.95, respelled: 0.02, passage: 25, frame: 10, bytes: 0.2 }
    }
}

/// What two documents are to each other, by the evidence. The relation of the second to the first is the mirrored one.
pub fn classify(evidence: &Evidence, rules: &Rules) -> Relation {
    if evidence.identical {
        return Relation::Identical;
    }
    if evidence.too_little {
        return Relation::TooLittle;
    }
    if evidence.same_words {
        return Relation::SameText;
    }
    let common = evidence.common();
    let [a, b] = common;
    if let Some(alignment) = evidence.alignment {
        let is_whole = alignment.unmatched() == [0, 0] && alignment.errors == 0 && alignment.equal[0] > 0;
        if is_whole || evidence.other_format && a.min(b) >= rules.same_text && !has_errors(evidence, rules) {
            return Relation::SameText;
        }
        if has_errors(evidence, rules) && joint(alignment.shares()) >= rules.version {
            return Relation::SmallErrors;
        }
    }
    if joint(common) >= rules.version {
        return Relation::Version;
    }
    if a.max(b) >= rules.inside {
        return if a >= b { Relation::AInB } else { Relation::BInA };
    }
    // the smaller of the two: what stands twice in one and once in the other is there once
    let least = |of: fn(&PassageEvidence) -> [u32; 2]| {
        evidence.passages.as_ref().map_or(0, |found| of(found)[0].min(of(found)[1]))
    };
    if least(|found| found.running) >= rules.passage {
        return Relation::Passages;
    }
    let framed = least(|found| found.frame) >= rules.frame;
    let [bytes_a, bytes_b] = evidence.chunks.shares();
    match bytes_a.max(bytes_b) >= rules.bytes {
        _ if framed => Relation::Template,
        // documents without text have no template: they share bytes
        true if !evidence.has_text() => Relation::Passages,
        true => Relation::Template,
        false => Relation::Unrelated,
    }
}

/// Whether passages can make another relation of what the rest of the evidence says. They take longest to find, and only add to what two have
/// in common: a duplicate stays one, but a version in another format may be the same text.
pub fn can_change_by_passages(evidence: &Evidence, rules: &Rules) -> bool {
    match classify(evidence, rules) {
        Relation::Identical | Relation::TooLittle | Relation::SameText | Relation::SmallErrors => false,
        Relation::Version => evidence.other_format,
        _ => true,
    }
}

/// Whether what differs is errors for the most part, and many.
fn has_errors(evidence: &Evidence, rules: &Rules) -> bool {
    evidence.alignment.is_some_and(|alignment| {
        let most = alignment.unmatched()[0].max(alignment.unmatched()[1]);
        let respelled = alignment.respelled[0].max(alignment.respelled[1]);
        alignment.respelled_share() >= rules.respelled && respelled >= most
    })
}

/// What two shares of the same thing are of both together: its resemblance.
fn joint([a, b]: [f64; 2]) -> f64 {
    if a * b == 0.0 { 0.0 } else { a * b / (a + b - a * b) }
}

impl Relation {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Identical,
        Self::SameText,
        Self::SmallErrors,
        Self::Version,
        Self::AInB,
        Self::BInA,
        Self::Passages,
        Self::Template,
        Self::Unrelated,
        Self::TooLittle,
    ];

    /// Its name: lowercase words with hyphens.
    pub fn name(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::SameText => "same-text",
            Self::SmallErrors => "small-errors",
            Self::Version => "version",
            Self::AInB => "a-in-b",
            Self::BInA => "b-in-a",
            Self::Passages => "passages",
            Self::Template => "template",
            Self::Unrelated => "unrelated",
            Self::TooLittle => "too-little",
        }
    }

    /// The relation of the second document to the first.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::AInB => Self::BInA,
            Self::BInA => Self::AInB,
            same => same,
        }
    }

    /// Whether one could stand for the other: the same bytes, the same text, a version of it, or the same with small errors.
    pub fn is_duplicate(self) -> bool {
        matches!(self, Self::Identical | Self::SameText | Self::SmallErrors | Self::Version)
    }

    /// Whether text of one is in the other: anything but a template, nothing, or too little to tell.
    pub fn is_copy(self) -> bool {
        !matches!(self, Self::Template | Self::Unrelated | Self::TooLittle)
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
