//! The text of a document that a reader sees: what all lenses that look at words begin with.

use crate::Error;
use crate::run::parsers;
use lookalike_core::recipe::TextRecipe;
use lookalike_core::text::Fold;
use lookalike_corpus::Body;
use lookalike_extract::{self as extract, Canonical, Format, PageRules, Selectors, VisibleText};
use lookalike_process::Permit;
use std::sync::Arc;

/// Reads bodies as one format, or each as its own.
#[derive(Clone, Debug, Default)]
pub struct TextExtractor {
    format: Option<Format>,
    pub(super) rules: Arc<PageRules>,
    /// What is done to the text before its words are taken.
    fold: Fold,
    /// Bytes of memory that a byte of the text is going to take.
    weight: u64,
}

/// Documents of at most this many bytes are parsed without counting their memory.
const SMALL_DOCUMENT: usize = 16 << 10;

impl TextExtractor {
    /// As a recipe says.
    pub fn new(recipe: &TextRecipe) -> Result<Self, Error> {
        let selectors =
            |text: &str| if text.is_empty() { Ok(Selectors::NONE) } else { text.parse().map_err(Error::Selector) };
        let rules = PageRules {
            keep_boilerplate: recipe.keep_boilerplate,
            select: selectors(&recipe.select)?,
            drop: selectors(&recipe.drop)?,
        };
        Ok(Self { format: recipe.format.parse().ok(), rules: Arc::new(rules), fold: recipe.fold, weight: 0 })
    }

    /// The same for a caller that takes this many bytes of memory for each byte of a text.
    #[must_use]
    pub fn with_weight(self, weight: u64) -> Self {
        Self { weight, ..self }
    }

    /// The format of a document: what the user says, else what the name says, else (none) what the content says.
    pub fn format(&self, id: &str, body: &Body<'_>) -> Option<Format> {
        self.format.or_else(|| matches!(body, Body::Bytes(_)).then(|| Format::from_name(id)).flatten())
    }

    /// The text of an office document, and its format; none of any other document.
    pub fn office_text(&self, id: &str, body: &Body<'_>) -> Option<Result<(String, Format), String>> {
        let Body::Bytes(bytes) = body else { return None };
        let format = extract::office_format(bytes, self.format(id, body))?;
        Some(parsers::office_text(bytes, format, self.weight).map(|text| (text, format)))
    }

    /// Bytes of memory that [`Self::text`] takes at most beside the body, with the text: the one estimate that all readers use.
    pub fn memory(&self, id: &str, body: &Body<'_>) -> u64 {
        let Some(bytes) = body.as_bytes() else { return 0 };
        let format = self.format_of_parts(id, body);
        let length = bytes.len() as u64;
        // a text that came from another process is there twice for a moment
        let parsed =
            extract::visible_memory(bytes, format).unwrap_or_else(|| 2 * parsers::max_text(length, self.weight));
        parsed.saturating_add(self.fold.growth().saturating_mul(length))
    }

    /// Bytes of memory that [`Self::shown`] takes at most beside the body, with the text.
    pub fn shown_memory(&self, id: &str, body: &Body<'_>) -> u64 {
        let Some(bytes) = body.as_bytes() else { return 0 };
        let length = bytes.len() as u64;
        let parsed = extract::canonical_memory(bytes, self.format_of_parts(id, body));
        parsed.map_or_else(|| 2 * parsers::max_text(length, self.weight), |parsed| parsed.saturating_add(length))
    }

    /// The format as which [`extract`] reads a document: a text that was decoded is no office document, whatever it looks like.
    fn format_of_parts(&self, id: &str, body: &Body<'_>) -> Option<Format> {
        let format = self.format(id, body);
        match body {
            Body::Bytes(_) => format,
            _ => Some(
                format
                    .or_else(|| body.as_bytes().map(Format::sniff))
                    .filter(|f| !f.is_office())
                    .unwrap_or(Format::Text),
            ),
        }
    }

    /// Waits until there is memory to parse a document that takes `needed`.
    pub(super) fn admit(body: &Body<'_>, needed: impl FnOnce() -> u64) -> Result<Option<Permit>, String> {
        if body.as_bytes().is_none_or(|bytes| bytes.len() <= SMALL_DOCUMENT) {
            Ok(None)
        } else {
            parsers::admit(needed())
        }
    }

    /// The text whose words are taken, in the buffer if it has to be made.
    pub fn text<'a>(&self, id: &str, body: &'a Body<'_>, buffer: &'a mut String) -> Result<VisibleText<'a>, String> {
        if self.fold == Fold::None {
            return self.visible(id, body, buffer);
        }
        let visible = self.visible(id, body, buffer)?;
        let folded = self.fold.apply(visible.text).unwrap_or_default();
        let about = visible.with_text("");
        *buffer = folded;
        Ok(about.with_text(buffer))
    }

    fn visible<'a>(&self, id: &str, body: &'a Body<'_>, buffer: &'a mut String) -> Result<VisibleText<'a>, String> {
        let (format, rules) = (self.format(id, body), &*self.rules);
        if let Some(read) = self.office_text(id, body) {
            let (text, format) = read?;
            // what was in the buffer is no longer needed, and may be large
            *buffer = text;
            return Ok(VisibleText::of_office(buffer, format));
        }
        let _permit = Self::admit(body, || self.memory(id, body))?;
        match body {
            Body::Bytes(bytes) => extract::visible(bytes, format, rules, buffer).map_err(|e| e.to_string()),
            Body::Text(text) => Ok(extract::visible_of_str(text, format, rules, buffer)),
            Body::Features(_) => Ok(extract::visible_of_str("", Some(Format::Text), rules, buffer)),
        }
    }

    /// The document in canonical form with the way back to its bytes, for showing.
    pub fn canonical(&self, id: &str, body: &Body<'_>) -> Result<Canonical, String> {
        if let Some(read) = self.office_text(id, body) {
            return read.map(|(text, format)| extract::canonical_of_str(&text, Some(format), &self.rules));
        }
        let _permit = Self::admit(body, || self.shown_memory(id, body))?;
        let format = self.format(id, body);
        match body {
            Body::Bytes(bytes) => extract::canonical(bytes, format, &self.rules).map_err(|e| e.to_string()),
            Body::Text(text) => Ok(extract::canonical_of_str(text, format, &self.rules)),
            Body::Features(items) => Ok(extract::canonical_of_str(&items.join("\n"), Some(Format::Text), &self.rules)),
        }
    }
}
