//! What is kept of a document beside its tokens: where each stands in the text, where lines begin, what it was read as.

use lookalike_corpus::{put_varint, take_varint};
use std::ops::Range;

/// What is kept of a document beside its tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details {
    /// Name of the language, `text` or `bytes`.
    pub language: &'static str,
    /// Why the grammar of the language was not used.
    pub degraded: Option<String>,
    /// Where each token stands in the shown text.
    pub spans: Vec<(u32, u32)>,
    /// Where lines begin, the first left out.
    pub lines: Vec<u32>,
}

impl Details {
    pub fn lines_of(text: &str) -> Vec<u32> {
        memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1).collect()
    }

    /// The bytes of the text that some tokens in a row stand for, and the lines, from 1. A token may reach further than the next.
    pub fn stretch(&self, tokens: Range<usize>) -> (Range<u32>, [u32; 2]) {
        let spans = &self.spans[tokens];
        let start = spans.first().map_or(0, |span| span.0);
        let end = spans.iter().map(|span| span.1).max().unwrap_or(start);
        let line = |at: u32| self.lines.partition_point(|begin| *begin <= at) as u32 + 1;
        (start..end, [line(start), line(end.saturating_sub(1).max(start))])
    }

    pub fn encode(&self, out: &mut Vec<u8>) {
        out.clear();
        for text in [self.language, self.degraded.as_deref().unwrap_or_default()] {
            put_varint(text.len() as u64, out);
            out.extend_from_slice(text.as_bytes());
        }
        put_varint(self.spans.len() as u64, out);
        out.reserve(2 * self.spans.len() + self.lines.len());
        let mut last = 0;
        for (start, end) in &self.spans {
            match (start - last, end - start) {
                // nearly all are one byte each
                (step @ ..0x80, length @ ..0x80) => out.extend([step as u8, length as u8]),
                (step, length) => [step, length].iter().for_each(|number| put_varint(u64::from(*number), out)),
            }
            last = *start;
        }
        last = 0;
        for line in &self.lines {
            put_varint(u64::from(line - last), out);
            last = *line;
        }
    }

    /// Reads what [`Self::encode`] wrote; `language` finds the name that lasts.
    pub fn decode(mut record: &[u8], language: impl Fn(&str) -> Option<&'static str>) -> Option<Self> {
        let rest = &mut record;
        let language = language(&text(rest)?)?;
        let degraded = Some(text(rest)?).filter(|reason| !reason.is_empty());
        let count = take_varint(rest)?;
        let mut at = 0u32;
        let mut spans = Vec::with_capacity(usize::try_from(count).ok()?.min(rest.len()));
        for _ in 0..count {
            at = at.checked_add(u32::try_from(take_varint(rest)?).ok()?)?;
            spans.push((at, at.checked_add(u32::try_from(take_varint(rest)?).ok()?)?));
        }
        at = 0;
        let mut lines = Vec::new();
        while !rest.is_empty() {
            at = at.checked_add(u32::try_from(take_varint(rest)?).ok()?)?;
            lines.push(at);
        }
        Some(Self { language, degraded, spans, lines })
    }
}

fn text(rest: &mut &[u8]) -> Option<String> {
    let length = usize::try_from(take_varint(rest)?).ok()?;
    let (text, after) = rest.split_at_checked(length)?;
    *rest = after;
    String::from_utf8(text.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn stretches_have_lines() {
        let text = "one two\nthree\n\nfour";
        let spans = vec![(0, 3), (4, 7), (8, 13), (15, 19)];
        let details = Details { language: "text", degraded: None, spans, lines: Details::lines_of(text) };
        assert_eq!(details.stretch(0..2), (0..7, [1, 1]));
        assert_eq!(details.stretch(1..3), (4..13, [1, 2]));
        assert_eq!(details.stretch(2..4), (8..19, [2, 4]));
    }

    proptest! {
        #[test]
        fn details_come_back(steps in prop::collection::vec((0u32..300, 0u32..300), 0..40), lines in prop::collection::vec(0u32..200, 0..20), degraded in prop::option::of("\\PC{1,20}")) {
            let mut at = 0;
            let spans = steps.iter().map(|(step, length)| { at += step; (at, at + length) }).collect();
            let mut at = 0;
            let lines = lines.iter().map(|step| { at += step; at }).collect();
            let details = Details { language: "text", degraded, spans, lines };
            let mut record = Vec::new();
            details.encode(&mut record);
            prop_assert_eq!(Details::decode(&record, |_| Some("text")), Some(details));
        }

        #[test]
        fn broken_records_are_refused(record: Vec<u8>) {
            let _ = Details::decode(&record, |_| Some("text"));
        }
    }
}
