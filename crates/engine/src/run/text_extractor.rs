//! The text of a document that a reader sees: what all lenses that look at words begin with.

use crate::Error;
use crate::run::parsers;
use lookalike_core::recipe::TextRecipe;
use lookalike_core::text::Fold;
use lookalike_corpus::Body;
use lookalike_extract::{self as extract, Canonical, Format, PageRules, Selectors, VisibleText};
use std::sync::Arc;

/// Reads bodies as one format, or each as its own.
#[derive(Clone, Debug, Default)]
pub struct TextExtractor {
    format: Option<Format>,
    pub(super) rules: Arc<PageRules>,
    /// What is done to the text before its words are taken.
    fold: Fold,
}

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
        Ok(Self { format: recipe.format.parse().ok(), rules: Arc::new(rules), fold: recipe.fold })
    }

    /// The format of a document: what the user says, else what the name says, else (none) what the content says.
    pub fn format(&self, id: &str, body: &Body<'_>) -> Option<Format> {
        self.format.or_else(|| matches!(body, Body::Bytes(_)).then(|| Format::from_name(id)).flatten())
    }

    /// The text of an office document, and its format; none of any other document.
    pub fn office_text(&self, id: &str, body: &Body<'_>) -> Option<Result<(String, Format), String>> {
        let Body::Bytes(bytes) = body else { return None };
        let format = extract::office_format(bytes, self.format(id, body))?;
        Some(parsers::office_text(bytes, format).map(|text| (text, format)))
    }

    /// Bytes that [`Self::text`] takes at most beside the body.
    pub fn text_bytes(&self, id: &str, body: &Body<'_>) -> u64 {
        let Some(bytes) = body.as_bytes() else { return 0 };
        if matches!(body, Body::Bytes(_)) && extract::office_format(bytes, self.format(id, body)).is_some() {
            return extract::max_office_text(bytes.len() as u64);
        }
        let is_plain = self.format(id, body).unwrap_or_else(|| Format::sniff(bytes)) == Format::Text;
        let copies = match (std::str::from_utf8(bytes).is_ok(), is_plain) {
            (true, true) => 0,
            (true, false) => 1,
            // a byte of another encoding may become three
            (false, true) => 3,
            (false, false) => 6,
        };
        (copies + self.fold.growth()) * bytes.len() as u64
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
        let format = self.format(id, body);
        match body {
            Body::Bytes(bytes) => extract::canonical(bytes, format, &self.rules).map_err(|e| e.to_string()),
            Body::Text(text) => Ok(extract::canonical_of_str(text, format, &self.rules)),
            Body::Features(items) => Ok(extract::canonical_of_str(&items.join("\n"), Some(Format::Text), &self.rules)),
        }
    }
}
