//! Where the formats put their text. Each format is written once, over [`Sink`]; scanning takes the text alone (a
//! `String`), showing takes the spans as well (a [`Recorder`]), and both get the same text because it is the same
//! code.

use std::ops::Range;

use crate::spans::SpanMap;

/// Takes visible text in the order of the source.
pub(crate) trait Sink {
    /// Text that stands in the source at `at`, byte for byte.
    fn verbatim(&mut self, text: &str, at: usize);

    /// Text that the bytes `from` of the source stand for.
    fn decoded(&mut self, text: &str, from: Range<usize>);

    /// The words before and behind `from` are not one word: puts a line feed between them, unless there is one or
    /// nothing comes before.
    fn separate(&mut self, from: Range<usize>);
}

fn needs_line_feed(text: &str) -> bool {
    !text.is_empty() && !text.ends_with('\n')
}

impl Sink for String {
    fn verbatim(&mut self, text: &str, _at: usize) {
        self.push_str(text);
    }

    fn decoded(&mut self, text: &str, _from: Range<usize>) {
        self.push_str(text);
    }

    fn separate(&mut self, _from: Range<usize>) {
        if needs_line_feed(self) {
            self.push('\n');
        }
    }
}

/// Text together with the way back to its source.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    pub(crate) text: String,
    pub(crate) spans: SpanMap,
}

impl Sink for Recorder {
    fn verbatim(&mut self, text: &str, at: usize) {
        self.text.push_str(text);
        self.spans.push_verbatim(text.len(), at);
    }

    fn decoded(&mut self, text: &str, from: Range<usize>) {
        self.text.push_str(text);
        self.spans.push_unit(text.len(), from);
    }

    fn separate(&mut self, from: Range<usize>) {
        if needs_line_feed(&self.text) {
            self.text.push('\n');
            self.spans.push_unit(1, from);
        }
    }
}
