//! A scan held against an index: what is known, what is new, what of the new touches the known.

use crate::report::cluster::Class;
use lookalike_core::sketch::Estimate;
use serde::Serialize;

/// What a scan has to do with an index.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Against {
    /// The index's folder.
    pub index: String,
    /// Documents that the index has, byte for byte.
    pub known: u64,
    /// Which they are; by id.
    pub known_as: Vec<KnownDocument>,
    /// Documents that the index has not.
    pub new: u64,
    /// Of the new ones, those that resemble a document of the index, are inside one or hold one; by id.
    pub touching: Vec<Touching>,
}

/// A document that the index has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnownDocument {
    /// The document.
    pub id: String,
    /// Where it was seen last.
    pub url: String,
}

/// A new document, and the document of the index that is closest to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Touching {
    /// The new document.
    pub id: String,
    /// Where the other was seen last.
    pub url: String,
    /// When, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Its content id.
    pub content: String,
    /// How the two relate.
    pub class: Class,
    /// Resemblance, estimated from the sketches.
    pub resemblance: Estimate,
    /// Share of the new document that is in the other.
    pub new_in_known: Option<Estimate>,
    /// Share of the other that is in the new document.
    pub known_in_new: Option<Estimate>,
    /// The same counted on the originals, if they are still there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<CountedShares>,
    /// More documents of the index that it touches.
    pub more: u64,
}

/// Resemblance and containment of a query and a document, counted on the whole documents.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CountedShares {
    /// Resemblance.
    pub resemblance: f64,
    /// Share of the query that is in the document.
    pub query_in_document: f64,
    /// Share of the document that is in the query.
    pub document_in_query: f64,
}
