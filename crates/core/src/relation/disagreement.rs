//! Where lenses disagree on two documents: what one calls near and another far.

use super::{Evidence, Relation, Rules, joint};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Bits in which the fingerprints of 64 bits of near documents differ at most, as the simhash lens asks by default.
const NEAR_BITS: u32 = 3;
/// The share of the bytes of the smaller document that makes two near by bytes, as the chunks lens asks by default.
const NEAR_BYTES: f64 = 0.5;

/// A way in which lenses disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Disagreement {
    /// Near by words, far by bytes: the same text, written differently.
    Reformatted,
    /// Near by bytes, far by words: the same markup around another text.
    Template,
    /// Near by fingerprint, far by words: what the simhash lens would report by mistake.
    FalseAlarm,
    /// Passages only: near by nothing else.
    Quotation,
}

impl Disagreement {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Reformatted, Self::Template, Self::FalseAlarm, Self::Quotation];

    /// Its name: lowercase words with hyphens.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reformatted => "reformatted",
            Self::Template => "template",
            Self::FalseAlarm => "false-alarm",
            Self::Quotation => "quotation",
        }
    }

    /// Who says near and who says far.
    pub fn about(self) -> &'static str {
        match self {
            Self::Reformatted => "near by words, far by bytes",
            Self::Template => "near by bytes, far by words",
            Self::FalseAlarm => "near by fingerprint, far by words",
            Self::Quotation => "passages only",
        }
    }

    /// How the lenses disagree on two documents, if they do: the first that holds. Documents without text are seen by one lens.
    pub fn of(evidence: &Evidence, relation: Relation, rules: &Rules) -> Option<Self> {
        let shingles = evidence.shingles.filter(|_| !evidence.too_little && !evidence.identical)?;
        let by_words = evidence.same_words || joint(shingles.shares()) >= rules.version;
        let [a, b] = evidence.chunks.shares();
        let by_bytes = a.max(b) >= NEAR_BYTES;
        let is_near = |found: super::SimhashEvidence| found.distance * 64 <= NEAR_BITS * found.bits;
        let by_fingerprint = evidence.simhash.is_some_and(is_near);
        match relation {
            _ if by_words && !by_bytes => Some(Self::Reformatted),
            Relation::SameText | Relation::SmallErrors | Relation::Version | Relation::AInB | Relation::BInA => None,
            _ if by_bytes && !by_words => Some(Self::Template),
            _ if by_fingerprint && !by_words => Some(Self::FalseAlarm),
            Relation::Passages if !by_bytes && !by_words => Some(Self::Quotation),
            _ => None,
        }
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ChunkEvidence, ShingleEvidence, SimhashEvidence};
    use super::*;

    fn evidence(words: u32, bytes: u64, distance: u32) -> Evidence {
        Evidence {
            chunks: ChunkEvidence { bytes: [100, 100], shared: bytes },
            shingles: Some(ShingleEvidence { shingles: [100, 100], shared: words }),
            simhash: Some(SimhashEvidence { distance, bits: 64 }),
            ..Evidence::default()
        }
    }

    #[test]
    fn who_says_near_and_who_says_far() {
        let of = |words, bytes, distance, relation| {
            Disagreement::of(&evidence(words, bytes, distance), relation, &Rules::default())
        };
        assert_eq!(of(90, 10, 2, Relation::SameText), Some(Disagreement::Reformatted));
        assert_eq!(of(90, 90, 2, Relation::Version), None, "all of them say near");
        assert_eq!(of(5, 80, 20, Relation::Template), Some(Disagreement::Template));
        assert_eq!(of(5, 10, 3, Relation::Unrelated), Some(Disagreement::FalseAlarm));
        assert_eq!(of(5, 10, 4, Relation::Passages), Some(Disagreement::Quotation));
        assert_eq!(of(5, 10, 20, Relation::Unrelated), None, "all of them say far");
        assert_eq!(of(20, 10, 30, Relation::SmallErrors), None, "errors are what letters tell");
        let no_text = Evidence { shingles: None, ..evidence(0, 80, 0) };
        assert_eq!(Disagreement::of(&no_text, Relation::Version, &Rules::default()), None);
    }
}
