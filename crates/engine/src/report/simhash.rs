//! What only the simhash lens reports.

use serde::Serialize;

/// What a scan by fingerprints tells beside its clusters.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Simhash {
    /// The greatest distance of a link.
    pub distance: u32,
    /// Bits of a fingerprint.
    pub bits: u32,
    /// The least length of the shorter of two documents as a share of the longer, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length_ratio: Option<f64>,
    /// Only documents with the same value of this field were paired; those without it make one category.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Documents of fewer words have too little text; they are listed, and only their bytes were compared.
    pub min_words: u32,
    /// Features that more different documents than this have did not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_df: Option<u64>,
    /// Documents without a word that counts; they have no fingerprint and are listed as skipped.
    pub empty: u64,
    /// Different fingerprints.
    pub fingerprints: u64,
    /// Pairs of documents within the distance that length and category allow; of identical documents one counts.
    pub pairs: u64,
    /// What was measured elsewhere of such pairs, where nothing was verified; none where nobody measured what was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
    /// What the shingles said of these pairs, if they were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<Verified>,
}

/// How many pairs the shingles confirmed on pages that are not these: what may be expected of pairs that are not verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Measured {
    /// Pages of documentation.
    pub pages: u64,
    /// Pairs within the same distance.
    pub pairs: u64,
    /// Of them, those that resemble each other by half or more.
    pub confirmed: u64,
}

/// How many pairs the shingles confirm.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Verified {
    /// How documents became shingles.
    pub recipe: String,
    /// Pairs that were compared. Fewer than all within the distance where a document is near very many others, or where people told documents apart.
    pub compared: u64,
    /// Of them, those that the policy accepts.
    pub confirmed: u64,
    /// Confirmed as a share of compared: the precision at that distance. None if there was nothing to compare.
    pub precision: Option<f64>,
    /// Pairs that were not compared: a document that is near very many others is compared with the first representatives that it may have.
    pub not_compared: u64,
}
