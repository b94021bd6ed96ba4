//! Text that is no larger than a document of its size can contain without being a bomb.

use lookalike_extract::{ExtractError, Format, max_office_text};
/// The text of a document while it is taken out.
pub(super) struct BoundedText {
    text: String,
    limit: usize,
    format: Format,
}

impl BoundedText {
    /// For a document of this many bytes.
    pub(super) fn new(bytes: usize, format: Format) -> Self {
        let limit = max_office_text(bytes as u64);
        Self { text: String::new(), limit: usize::try_from(limit).unwrap_or(usize::MAX), format }
    }

    pub(super) fn format(&self) -> Format {
        self.format
    }

    pub(super) fn push(&mut self, text: &str) -> Result<(), ExtractError> {
        self.admit(self.text.len() + text.len())?;
        self.text.push_str(text);
        Ok(())
    }

    /// Fails if this many bytes of text are too many.
    pub(super) fn admit(&self, bytes: usize) -> Result<(), ExtractError> {
        if bytes > self.limit {
            return Err(ExtractError::TooMuchText { format: self.format, limit: self.limit });
        }
        Ok(())
    }

    /// Begins a new line, unless the text is at the beginning of one.
    pub(super) fn separate(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// The text so far.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Removes the last character.
    pub(super) fn pop(&mut self) -> Option<char> {
        self.text.pop()
    }

    pub(super) fn into_string(self) -> String {
        self.text
    }
}
