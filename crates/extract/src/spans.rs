//! The way back: from a range of the visible text to the bytes it was made of.
//!
//! Text is made in *units*: some bytes of text out of some bytes of source. A letter of plain UTF-8 is a unit of one
//! byte out of one, an `ä` in windows-1252 two out of one, an ASCII letter in UTF-16 one out of two, `&amp;` one out
//! of five. Units of the same shape that follow one another, on both sides, are one run, so a map grows with the
//! number of changes of shape and not with the length of the document.

use std::ops::Range;

/// Units of one shape that follow one another.
#[derive(Clone, Debug)]
struct Run {
    /// Where the run begins in the text.
    text: usize,
    /// Where the run begins in the source.
    source: usize,
    /// Bytes of text a unit makes; never 0.
    text_unit: u32,
    /// Bytes of source a unit takes; 0 for text that no byte stands for.
    source_unit: u32,
}

/// A monotone map from the bytes of a text to the bytes of its source.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpanMap {
    runs: Vec<Run>,
    text_len: usize,
    /// Where the source that was used so far ends; every later unit lies behind it.
    source_end: usize,
}

impl SpanMap {
    /// Text that is the source, byte for byte, from `at` on.
    pub(crate) fn push_verbatim(&mut self, text_len: usize, at: usize) {
        if at < self.source_end {
            // Cannot be exact without going backwards, and going backwards would break the order of spans.
            return self.push_unit(text_len, at..at + text_len);
        }
        self.push(text_len, at, 1, 1, text_len);
    }

    /// Text that is made of the whole of `from`: all of it stands for each of its bytes.
    pub(crate) fn push_unit(&mut self, text_len: usize, from: Range<usize>) {
        let start = from.start.max(self.source_end);
        let source_len = from.end.max(start) - start;
        let text_unit = u32::try_from(text_len).unwrap_or(u32::MAX);
        let source_unit = u32::try_from(source_len).unwrap_or(u32::MAX);
        self.push(text_len, start, text_unit, source_unit, source_len);
    }

    fn push(&mut self, text_len: usize, source: usize, text_unit: u32, source_unit: u32, source_len: usize) {
        if text_len == 0 {
            return;
        }
        let continues = self.source_end == source
            && self.runs.last().is_some_and(|run| run.text_unit == text_unit && run.source_unit == source_unit);
        if !continues {
            self.runs.push(Run { text: self.text_len, source, text_unit, source_unit });
        }
        self.text_len += text_len;
        self.source_end = source + source_len;
    }

    /// The smallest range of the source that made the bytes `range` of the text. Whatever is asked, the answer lies in
    /// the source: positions behind the text are its end, and an empty or reversed range is an empty one.
    pub(crate) fn source(&self, range: Range<usize>) -> Range<usize> {
        let start = self.unit_at(range.start).start;
        if range.start >= range.end || range.start >= self.text_len {
            return start..start;
        }
        start..self.unit_at(range.end.min(self.text_len) - 1).end
    }

    /// The stretches of the text that are the source, byte for byte: where each begins in the text and in the source, and its length.
    pub(crate) fn verbatim(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let ends = self.runs.iter().skip(1).map(|run| run.text).chain([self.text_len]);
        let runs = self.runs.iter().zip(ends).filter(|(run, _)| run.text_unit == 1 && run.source_unit == 1);
        runs.map(|(run, end)| (run.text, run.source, end - run.text))
    }

    /// The source of the unit that holds the byte `text` of the text.
    fn unit_at(&self, text: usize) -> Range<usize> {
        if text >= self.text_len {
            return self.source_end..self.source_end;
        }
        // The first run begins at 0, so there is always one that begins at or before `text`.
        let run = &self.runs[self.runs.partition_point(|run| run.text <= text) - 1];
        let unit = (text - run.text) / run.text_unit as usize;
        let start = run.source + unit * run.source_unit as usize;
        start..start + run.source_unit as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbatim_is_exact() {
        let mut map = SpanMap::default();
        map.push_verbatim(5, 10);
        map.push_verbatim(3, 20);
        assert_eq!(map.source(0..5), 10..15);
        assert_eq!(map.source(1..2), 11..12);
        assert_eq!(map.source(4..6), 14..21);
        assert_eq!(map.source(7..8), 22..23);
        map.push_unit(2, 23..28);
        map.push_verbatim(4, 28);
        assert_eq!(map.verbatim().collect::<Vec<_>>(), [(0, 10, 5), (5, 20, 3), (10, 28, 4)]);
    }

    #[test]
    fn units_are_whole() {
        let mut map = SpanMap::default();
        map.push_verbatim(1, 0);
        map.push_unit(2, 1..7);
        map.push_verbatim(1, 7);
        assert_eq!(map.source(1..2), 1..7);
        assert_eq!(map.source(2..3), 1..7);
        assert_eq!(map.source(0..4), 0..8);
    }

    #[test]
    fn equal_shapes_are_one_run() {
        let mut map = SpanMap::default();
        for i in 0..1000 {
            map.push_unit(1, 2 * i..2 * i + 2);
        }
        assert_eq!(map.runs.len(), 1);
        assert_eq!(map.source(10..12), 20..24);
    }

    #[test]
    fn never_outside_never_backwards() {
        let mut map = SpanMap::default();
        assert_eq!(map.source(0..9), 0..0);
        map.push_verbatim(4, 4);
        map.push_verbatim(4, 2);
        map.push_unit(1, 3..3);
        assert_eq!(map.source(4..8), 8..8);
        assert_eq!(map.source(8..9), 8..8);
        assert_eq!(map.source(100..200), 8..8);
        #[allow(clippy::reversed_empty_ranges)]
        let reversed = 3..1;
        assert_eq!(map.source(reversed), 7..7);
    }
}
