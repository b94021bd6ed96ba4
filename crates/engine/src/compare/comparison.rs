//! What a comparison by all lenses tells.

use crate::lens::shingles::compare::ShingleComparison;
use crate::report::SCHEMA;
use lookalike_core::lens::Lens;
use lookalike_core::relation::{Evidence, Relation};
use serde::Serialize;

/// Two documents by every lens that applies.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// What they are to each other.
    pub relation: Relation,
    /// The same as a sentence.
    pub sentence: String,
    /// What each lens says.
    pub evidence: Evidence,
    /// Lenses that do not apply, and why.
    pub left_out: Vec<LeftOut>,
    /// Their shingles, and where they differ; none without text.
    #[serde(flatten)]
    pub shingles: Option<ShingleComparison>,
    /// The two, where they have no text.
    #[serde(flatten)]
    pub bytes: Option<ByteSides>,
}

/// A lens that was not looked through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeftOut {
    /// Which.
    pub lens: Lens,
    /// Why.
    pub reason: String,
}

impl LeftOut {
    pub fn new(lens: Lens, reason: &str) -> Self {
        Self { lens, reason: reason.to_owned() }
    }
}

/// Two documents without text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ByteSides {
    /// Version of this form.
    pub schema: u32,
    /// Version of the program.
    pub lookalike: &'static str,
    /// The first document.
    pub a: ByteSide,
    /// The second document.
    pub b: ByteSide,
}

impl ByteSides {
    pub fn new(a: ByteSide, b: ByteSide) -> Self {
        Self { schema: SCHEMA, lookalike: env!("CARGO_PKG_VERSION"), a, b }
    }
}

/// A document without text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ByteSide {
    /// Its name.
    pub id: String,
    /// Its bytes.
    pub bytes: u64,
}
