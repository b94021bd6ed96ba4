//! Where the formats put their text. Each format is written once, over [`Sink`]; scanning takes the text alone (a
//! `String`), showing takes the spans as well (a [`Recorder`]), and both get the same text because it is the same
//! code.

use std::ops::Range;

use crate::spans::SpanMap;

/// Takes visible text in the order of the source.
pub(crate) trait Sink {
    /// Text that stands in the source at `at`, byte for byte.
    fn verbatim(&mut self, text: &str, at: usize);

    /// The same for a stretch of the source.
    #[inline]
    fn stretch(&mut self, source: &str, range: Range<usize>) {
        self.verbatim(&source[range.clone()], range.start);
    }

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

/// The text alone, in bytes that are there already: a short stretch is copied together with what follows it, for so many bytes as one
/// instruction copies.
#[derive(Debug, Default)]
pub(crate) struct TextBuffer {
    bytes: Vec<u8>,
    /// How many of them are text.
    len: usize,
}

/// Bytes that are copied at once.
const SHORT: usize = 16;
/// So much room is made at first, whatever the document is.
const FIRST_ROOM: usize = 64 * 1024;

impl TextBuffer {
    /// For the text of a document of so many bytes, in the place of another.
    pub(crate) fn new(former: String, source_bytes: usize) -> Self {
        let mut bytes = former.into_bytes();
        let room = (source_bytes + SHORT).min(bytes.capacity().max(FIRST_ROOM));
        bytes.resize(room, 0);
        Self { bytes, len: 0 }
    }

    /// The text.
    pub(crate) fn finish(mut self) -> String {
        self.bytes.truncate(self.len);
        String::from_utf8(self.bytes).expect("pieces of text are text")
    }

    fn push(&mut self, text: &str) {
        let end = self.len + text.len();
        self.make_room(end);
        self.bytes[self.len..end].copy_from_slice(text.as_bytes());
        self.len = end;
    }

    #[inline]
    fn make_room(&mut self, end: usize) {
        if end > self.bytes.len() {
            self.bytes.resize((end + SHORT).max(2 * self.bytes.len()), 0);
        }
    }
}

impl Sink for TextBuffer {
    fn verbatim(&mut self, text: &str, _at: usize) {
        self.push(text);
    }

    #[inline]
    fn stretch(&mut self, source: &str, range: Range<usize>) {
        let from = source.as_bytes().get(range.start..range.start + SHORT);
        let to = self.bytes.get_mut(self.len..self.len + SHORT);
        if let (Some(from), Some(to), true) = (from, to, range.len() <= SHORT) {
            to.copy_from_slice(from);
            self.len += range.len();
        } else {
            self.push(&source[range]);
        }
    }

    #[inline]
    fn decoded(&mut self, text: &str, _from: Range<usize>) {
        self.push(text);
    }

    #[inline]
    fn separate(&mut self, _from: Range<usize>) {
        self.make_room(self.len + 1);
        let is_needed = self.len > 0 && self.bytes[self.len - 1] != b'\n';
        self.bytes[self.len] = b'\n';
        self.len += usize::from(is_needed);
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What is put into a sink.
    #[derive(Clone, Debug)]
    enum Step {
        Stretch(usize, usize),
        Decoded(&'static str),
        Separate,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![
            (0..80_usize, 0..40_usize).prop_map(|(at, length)| Step::Stretch(at, length)),
            prop::sample::select(vec!["&", "é", "\u{FFFD}", ""]).prop_map(Step::Decoded),
            Just(Step::Separate),
        ];
        prop::collection::vec(step, 0..50)
    }

    fn put(sink: &mut impl Sink, source: &str, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Stretch(at, length) => {
                    let at = source.floor_char_boundary(*at);
                    sink.stretch(source, at..source.floor_char_boundary(at + length));
                }
                Step::Decoded(text) => sink.decoded(text, 0..0),
                Step::Separate => sink.separate(0..0),
            }
        }
    }

    proptest! {
        #[test]
        fn a_buffer_takes_what_a_string_takes(source in "[a-z\nöß日]{0,80}", steps in steps(), former in "[a-z]{0,40}", bytes in 0..100_usize) {
            let mut text = String::new();
            put(&mut text, &source, &steps);
            let mut buffer = TextBuffer::new(former, bytes);
            put(&mut buffer, &source, &steps);
            prop_assert_eq!(buffer.finish(), text);
        }
    }
}
