//! Text that is no larger than the document it comes from could honestly hold.

use crate::error::ExtractError;
use crate::format::Format;
use crate::sink::Sink;

/// Text may be so many times as large as the document. Prose shrinks to a third, tables to a tenth.
pub(crate) const MAX_TEXT_RATIO: u64 = 8;
/// And so many bytes more, so that small documents may be odd.
pub(crate) const FREE_TEXT_BYTES: u64 = 4 << 20;

/// The text of a document while it is taken out.
pub(super) struct BoundedText {
    text: String,
    limit: usize,
    format: Format,
}

impl BoundedText {
    /// For a document of so many bytes.
    pub(super) fn new(bytes: usize, format: Format) -> Self {
        let limit = (bytes as u64).saturating_mul(MAX_TEXT_RATIO).saturating_add(FREE_TEXT_BYTES);
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

    /// Fails if so many bytes are more than there may be.
    pub(super) fn admit(&self, bytes: usize) -> Result<(), ExtractError> {
        if bytes > self.limit {
            return Err(ExtractError::TooMuchText { format: self.format, limit: self.limit });
        }
        Ok(())
    }

    /// What comes next stands on a line of its own.
    pub(super) fn separate(&mut self) {
        self.text.separate(0..0);
    }

    /// What is there so far.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Takes the last character away.
    pub(super) fn pop(&mut self) -> Option<char> {
        self.text.pop()
    }

    pub(super) fn into_string(self) -> String {
        self.text
    }
}
