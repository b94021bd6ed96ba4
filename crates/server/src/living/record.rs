//! The records of the journal.

use serde::{Deserialize, Serialize};

/// A change of an index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub(crate) enum Record {
    /// A document, or a new version of it.
    Put { id: String, text: String, sweep: Option<String> },
    /// A name that is to be known no more: in one sweep, or in all.
    Delete { id: String, sweep: Option<String> },
}

impl Record {
    pub(crate) fn id(&self) -> &str {
        match self {
            Self::Put { id, .. } | Self::Delete { id, .. } => id,
        }
    }

    pub(super) fn verb(&self) -> &'static str {
        match self {
            Self::Put { .. } => "put",
            Self::Delete { .. } => "delete",
        }
    }
}
