//! The visible text of a document with the way back to its bytes.

use std::ops::Range;

use crate::format::Format;
use crate::spans::SpanMap;

/// The visible text of a document, and for every part of it the bytes it came from.
#[derive(Clone, Debug)]
pub struct Canonical {
    /// The visible text: exactly what [`visible_text`](crate::visible_text) gives.
    pub text: String,
    pub(crate) format: Format,
    pub(crate) encoding: &'static str,
    pub(crate) had_errors: bool,
    /// From `text` to the decoded document.
    pub(crate) spans: SpanMap,
    /// From the decoded document to its bytes, if it had to be decoded.
    pub(crate) decoded: Option<SpanMap>,
    /// The bytes of byte order mark before all that.
    pub(crate) skipped: usize,
}

impl Canonical {
    /// The smallest range of the original bytes that made the bytes `range` of [`text`](Self::text).
    ///
    /// The original bytes are those of the file, before decoding: a byte order mark counts, and a letter in UTF-16 is
    /// two. For text made of something else, such as a character reference, it is the whole of that; for the line feed
    /// between two blocks, the tag that made it. The answer always lies inside the document, and later ranges have
    /// later answers.
    pub fn source_span(&self, range: Range<usize>) -> Range<usize> {
        let mut span = self.spans.source(range);
        if let Some(decoded) = &self.decoded {
            span = decoded.source(span);
        }
        span.start + self.skipped..span.end + self.skipped
    }

    /// The stretches of [`text`](Self::text) that stand in the decoded document as they are, in order: where each begins in the text,
    /// where in the decoded document, and its length.
    pub fn verbatim(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        self.spans.verbatim()
    }

    /// The name of the encoding the document was decoded from, such as `UTF-8` or `windows-1252`.
    pub fn encoding(&self) -> &'static str {
        self.encoding
    }

    /// The format the document was read as.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Whether some bytes meant nothing in the encoding and became U+FFFD.
    pub fn had_errors(&self) -> bool {
        self.had_errors
    }
}
