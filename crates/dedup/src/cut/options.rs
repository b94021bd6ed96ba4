//! How large what goes is: whole documents, paragraphs, stretches of words.

use crate::Error;
use lookalike_core::recipe::MAX_GUARANTEE;
use serde::Serialize;

/// What is removed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Granularity {
    /// Whole documents that are nearly the same.
    #[default]
    Documents,
    /// Repeated paragraphs or lines, out of the documents that hold them.
    Paragraphs(ParagraphOptions),
    /// Repeated stretches of words, wherever they begin and end.
    Substrings(SubstringOptions),
}

/// What is compared as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PieceUnit {
    /// Lines with no blank line between them.
    #[default]
    Paragraph,
    /// A line.
    Line,
}

/// Which paragraphs go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ParagraphOptions {
    /// Paragraphs or lines.
    pub unit: PieceUnit,
    /// Pieces of fewer words always stay.
    pub min_words: u32,
    /// So many of the same stay: the first ones.
    pub max_copies: u32,
}

impl Default for ParagraphOptions {
    fn default() -> Self {
        Self { unit: PieceUnit::Paragraph, min_words: 10, max_copies: 1 }
    }
}

/// Which stretches of words go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SubstringOptions {
    /// Words of the shortest stretch that goes.
    pub min_tokens: u32,
}

impl Default for SubstringOptions {
    fn default() -> Self {
        Self { min_tokens: 50 }
    }
}

impl Granularity {
    /// Fails where a number has no meaning.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let check = |what, least: u32, most: u32, found: u32| {
            let is_in = (least..=most).contains(&found);
            let wrong =
                || Error::WrongOption { what, expected: format!("{least} to {most}"), found: found.to_string() };
            is_in.then_some(()).ok_or_else(wrong)
        };
        match self {
            Self::Documents => Ok(()),
            Self::Paragraphs(ParagraphOptions { min_words, max_copies, .. }) => {
                check("the least words of a piece", 1, u32::MAX, *min_words)?;
                check("the copies that stay", 1, u32::MAX, *max_copies)
            }
            Self::Substrings(SubstringOptions { min_tokens }) => {
                check("the least words of a stretch", 1, MAX_GUARANTEE, *min_tokens)
            }
        }
    }

    /// What a piece is called.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Documents => "document",
            Self::Paragraphs(ParagraphOptions { unit: PieceUnit::Paragraph, .. }) => "paragraph",
            Self::Paragraphs(ParagraphOptions { unit: PieceUnit::Line, .. }) => "line",
            Self::Substrings(_) => "substring",
        }
    }

    /// How many of the same stay.
    pub(crate) fn copies(&self) -> u32 {
        match self {
            Self::Paragraphs(options) => options.max_copies,
            Self::Documents | Self::Substrings(_) => 1,
        }
    }
}
