//! What a place has of a document.

use crate::search::ShingleMatch;
use lookalike_core::sketch::Estimate;
use lookalike_engine::report::cluster::Class;
use serde::Serialize;

/// What a place has of a document that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The same bytes, or the same words.
    Copy,
    /// A document that resembles it.
    Near,
    /// A larger document with all or nearly all of it inside.
    Whole,
    /// A part of it.
    Part,
}

impl Role {
    pub(crate) fn of(same: bool, resemblance: f64, held: f64, near: f64, contained: f64) -> Self {
        if same {
            Self::Copy
        } else if resemblance >= near {
            Self::Near
        } else if held >= contained {
            Self::Whole
        } else {
            Self::Part
        }
    }
}

/// The same bytes or the same words.
pub(crate) fn is_same(found: &ShingleMatch) -> bool {
    matches!(found.class, Some(Class::Identical | Class::Lexical))
}

/// The numbers of a match: counted, if they were, as estimates without doubt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scores {
    pub(crate) resemblance: Estimate,
    pub(crate) query_in_document: Option<Estimate>,
    pub(crate) document_in_query: Option<Estimate>,
}

impl Scores {
    pub(crate) fn of(found: &ShingleMatch) -> Self {
        match found.verified {
            Some(v) => Self {
                resemblance: Estimate::exact(v.resemblance),
                query_in_document: Some(Estimate::exact(v.query_in_document)),
                document_in_query: Some(Estimate::exact(v.document_in_query)),
            },
            None => Self {
                resemblance: found.resemblance,
                query_in_document: found.query_in_document,
                document_in_query: found.document_in_query,
            },
        }
    }

    /// Share of the query that the document has. Where sketches cannot tell, it is at least the resemblance.
    pub(crate) fn held(&self) -> Estimate {
        self.query_in_document.unwrap_or(self.resemblance)
    }

    /// Halfway between resemblance and the share that is held: a page that moved resembles what it was, but may have grown.
    pub(crate) fn middle(&self) -> Estimate {
        let (r, q) = (self.resemblance, self.held());
        let half = |a: f64, b: f64| f64::midpoint(a, b);
        Estimate { value: half(r.value, q.value), low: half(r.low, q.low), high: half(r.high, q.high) }
    }
}
