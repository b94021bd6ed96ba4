//! Families of documents: code, prose, bytes. Each has tokens of its own, and its own k and t.

use super::loose;
use crate::winnow::Winnowing;

/// A family of documents. Documents of different families are never compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Family {
    /// Source code: the leaves of its syntax tree.
    Code,
    /// Words.
    Prose,
    /// Bytes.
    Bytes,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Code, Self::Prose, Self::Bytes];

    /// Its name: one lowercase word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Prose => "prose",
            Self::Bytes => "bytes",
        }
    }

    /// Chosen on labelled data (`eval copies`); bytes as in the paper's experiments. Of prose only content words count.
    pub fn default_winnowing(self) -> Winnowing {
        match self {
            Self::Code => Winnowing { k: 9, t: 11 },
            Self::Prose => {
                let rules = loose::Rules::default();
                Winnowing { k: rules.key as u32, t: rules.guarantee as u32 }
            }
            Self::Bytes => Winnowing { k: 50, t: 149 },
        }
    }
}
