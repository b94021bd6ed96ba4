//! The words of a text, for holding them against those of another.

use lookalike_core::text::Walker;
use std::ops::Range;

/// Stands after each word; it is in no UTF-8, so that equal bytes are equal words.
const END_OF_WORD: u8 = 0xff;

/// Canonical words, and where each stands in the text.
#[derive(Debug, Default)]
pub(super) struct WordList {
    canonical: Vec<u8>,
    /// Where each word ends in `canonical`.
    ends: Vec<usize>,
    spans: Vec<(u32, u32)>,
}

impl WordList {
    pub(super) fn new(text: &str) -> Self {
        let Self { mut canonical, mut ends, mut spans } = Self::default();
        Walker::default().walk_by(
            text,
            |bytes, length| {
                canonical.extend_from_slice(&bytes[..length]);
                canonical.push(END_OF_WORD);
                ends.push(canonical.len());
                0
            },
            |span, _| spans.push((span.start as u32, span.end as u32)),
        );
        Self { canonical, ends, spans }
    }

    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    /// Bytes of memory that it takes.
    pub(super) fn size(&self) -> usize {
        self.canonical.capacity() + self.ends.capacity() * size_of::<usize>() + self.spans.capacity() * 8
    }

    fn begin(&self, word: usize) -> usize {
        if word == 0 { 0 } else { self.ends[word - 1] }
    }

    /// Words one after the other, without what ends them.
    pub(super) fn words(&self, range: Range<usize>) -> impl Iterator<Item = &[u8]> {
        range.map(|word| &self.canonical[self.begin(word)..self.ends[word] - 1])
    }

    /// Some words as bytes: equal if the words are. None if there are not so many.
    pub(super) fn stretch(&self, range: Range<usize>) -> Option<&[u8]> {
        let last = range.end.checked_sub(1)?;
        self.canonical.get(self.begin(range.start)..*self.ends.get(last)?)
    }

    /// The bytes of the text from the first byte of the first to the last of the last word.
    pub(super) fn bytes(&self, range: &Range<usize>) -> Range<u32> {
        self.spans[range.start].0..self.spans[range.end - 1].1
    }

    /// The words among these that share no character with a word outside: a character may stand for several words, and goes only with all.
    pub(super) fn whole_characters(&self, mut range: Range<usize>) -> Range<usize> {
        let joined = |word: usize| word > 0 && word < self.len() && self.spans[word].0 < self.spans[word - 1].1;
        while !range.is_empty() && joined(range.start) {
            range.start += 1;
        }
        while !range.is_empty() && joined(range.end) {
            range.end -= 1;
        }
        range
    }
}
