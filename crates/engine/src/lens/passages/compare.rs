//! Two documents by the passages that they share, and which of these are only a frame.

use crate::Error;
use crate::lens::passages::family::Method;
use crate::lens::passages::stream::Stream;
use crate::lens::passages::tokenizer::{Tokenised, Tokenizer, TokenizerScratch};
use lookalike_core::passage::loose::SENTENCE_END;
use lookalike_core::passage::{Family, Passage};
use lookalike_core::recipe::{PassageRecipe, Reading};
use lookalike_core::relation::PassageEvidence;
use lookalike_core::sets::advance;
use lookalike_corpus::Body;
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::ops::Range;

/// A passage that begins at most so many tokens after the beginning of both documents, or ends so many before the end of both, is a head or a
/// foot; so is one that follows a head as closely.
const EDGE: u32 = 15;
/// A longer head or foot is text, and so is one that is more than one part in so many of the shorter document.
const MAX_EDGE_TOKENS: u32 = 250;
const MAX_EDGE_PART: u32 = 5;
/// Lines of fewer words are headings, labels and entries of menus.
const MIN_LINE_WORDS: usize = 6;

/// Bytes of memory that a byte of text takes at most while two are compared: its tokens, their seeds, the points of the pair.
pub const MEMORY_PER_BYTE: u64 = 48;

/// Reads documents, then finds what two of them share.
pub struct PassageComparer {
    of_file: Tokenizer,
    of_text: Tokenizer,
    methods: [Method; 3],
    pub recipe: PassageRecipe,
}

/// A document that was read.
pub struct TokenSide {
    stream: Stream,
    /// Which tokens stand in short lines.
    in_short_line: Vec<bool>,
    /// These lines, by the hash of their words, as places of tokens; of prose only.
    short_lines: Vec<ShortLine>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ShortLine {
    hash: u64,
    from: u32,
    to: u32,
}

/// What a token is found to be.
const SHARED: u8 = 1;
const RUNNING: u8 = 2;
const FRAME: u8 = 4;

impl PassageComparer {
    pub fn new(key: &str) -> Result<Self, Error> {
        let recipe = PassageRecipe::default().with_key(key);
        let prose = PassageRecipe::new(&Reading::Prose, None, None)?.with_key(key);
        Ok(Self {
            of_file: Tokenizer::new(&recipe, key)?,
            of_text: Tokenizer::new(&prose, key)?,
            methods: Method::all(&recipe, key),
            recipe,
        })
    }

    /// Reads one of the two, given its visible text, and whether it is plain. A program is read as it is written, anything else by its visible
    /// text; only what is plain text may be a program.
    pub fn read(
        &self,
        document: (&str, &Body<'_>),
        text: (&str, bool),
        scratch: &mut TokenizerScratch,
    ) -> Result<TokenSide, String> {
        self.tokens(document, text, scratch, TokenSide::new)
    }

    /// Calls `each` with the k-gram fingerprints that winnowing selects of a document, which is read as by [`Self::read`].
    pub fn fingerprints(
        &self,
        document: (&str, &Body<'_>),
        text: (&str, bool),
        scratch: &mut TokenizerScratch,
        mut each: impl FnMut(u64),
    ) -> Result<(), String> {
        self.tokens(document, text, scratch, |read| {
            let method = &self.methods[read.family as usize];
            method.fingerprints(&read.ids, |fingerprint| each(fingerprint.hash));
        })
    }

    fn tokens<T>(
        &self,
        (id, body): (&str, &Body<'_>),
        (visible, is_plain): (&str, bool),
        scratch: &mut TokenizerScratch,
        take: impl FnOnce(Tokenised<'_>) -> T,
    ) -> Result<T, String> {
        if is_plain && self.of_file.may_read_code(id, body) {
            let read = self.of_file.read(id, body, scratch)?;
            if read.family == Family::Code {
                return Ok(take(read));
            }
        }
        let text = Body::Text(Cow::Borrowed(visible));
        Ok(take(self.of_text.read(id, &text, scratch)?))
    }

    /// What two share; none if one is a program and the other is not. Exchanging the documents exchanges the sides and nothing else.
    pub fn compare(&self, a: &TokenSide, b: &TokenSide) -> Option<PassageEvidence> {
        if a.stream.family != b.stream.family {
            return None;
        }
        // ties among equal passages may depend on which document is the first: it is always the same one
        if (b.len(), &b.stream.tokens) < (a.len(), &a.stream.tokens) {
            let mut found = self.compare_in_order(b, a);
            found.tokens.reverse();
            found.shared.reverse();
            found.running.reverse();
            found.frame.reverse();
            return Some(found);
        }
        Some(self.compare_in_order(a, b))
    }

    fn compare_in_order(&self, a: &TokenSide, b: &TokenSide) -> PassageEvidence {
        let method = &self.methods[a.stream.family as usize];
        let passages = method.matcher().passages(&method.prepare(&a.stream), &b.stream);
        let is_code = a.stream.family == Family::Code;
        let frames = if is_code { vec![false; passages.len()] } else { frames(&passages, a.len(), b.len()) };
        let tokens = [&a.stream.tokens, &b.stream.tokens];
        let count = |side: usize| {
            let (own, other) = if side == 0 { (a, b) } else { (b, a) };
            let mut found = vec![0u8; tokens[side].len()];
            // where anything is marked: of a long document mostly little
            let mut marked = Vec::new();
            for (passage, is_frame) in passages.iter().zip(&frames) {
                let ranges = [&passage.a, &passage.b].map(|range| range.start as usize..range.end as usize);
                let in_place =
                    in_place(&tokens[side][ranges[side].clone()], &tokens[1 - side][ranges[1 - side].clone()]);
                for (token, equal) in ranges[side].clone().zip(in_place) {
                    let framed = !is_code && (*is_frame || own.in_short_line[token]);
                    let running = u8::from((equal || is_code) && !framed) * RUNNING;
                    let frame = u8::from(equal && framed) * FRAME;
                    found[token] |= SHARED | running | frame;
                }
                marked.push(ranges[side].clone());
            }
            // forms and menus: the same lines, whatever stands between them
            own.for_each_short_line_of(other, |line| {
                found[line.clone()].iter_mut().for_each(|marks| *marks |= SHARED | FRAME);
                marked.push(line);
            });
            let mut counts = [0u32; 3];
            for range in marked {
                for marks in &mut found[range] {
                    let marks = std::mem::take(marks);
                    for (count, mark) in counts.iter_mut().zip([SHARED, RUNNING, FRAME]) {
                        *count += u32::from(marks & mark != 0);
                    }
                }
            }
            counts
        };
        let ([shared_a, running_a, frame_a], [shared_b, running_b, frame_b]) = (count(0), count(1));
        PassageEvidence {
            code: is_code,
            tokens: [a.len(), b.len()],
            shared: [shared_a, shared_b],
            running: [running_a, running_b],
            frame: [frame_a, frame_b],
            passages: passages.len() as u32,
            longest: passages.iter().map(|passage| passage.a.len().min(passage.b.len()) as u32).max().unwrap_or(0),
        }
    }
}

impl TokenSide {
    fn new(read: Tokenised<'_>) -> Self {
        let mut in_short_line = vec![false; read.ids.len()];
        let mut short_lines = Vec::new();
        for line in self::short_lines(&read.text, &read.details.spans) {
            in_short_line[line.clone()].fill(true);
            if read.family != Family::Code {
                let hash = hash(&read.ids[line.clone()]);
                short_lines.push(ShortLine { hash, from: line.start as u32, to: line.end as u32 });
            }
        }
        short_lines.sort_unstable();
        let stream = Stream::of(read.family, read.ids, read.spellings);
        Self { stream, in_short_line, short_lines }
    }

    /// Calls `each` with the short lines that another document has too.
    fn for_each_short_line_of(&self, other: &Self, mut each: impl FnMut(Range<usize>)) {
        let (own, others) = (&self.short_lines, &other.short_lines);
        let (mut i, mut j) = (0, 0);
        while let (Some(x), Some(y)) = (own.get(i), others.get(j)) {
            if x.hash == y.hash {
                each(x.from as usize..x.to as usize);
                i += 1;
            } else {
                i = advance(own, i, others.len(), |line| line.hash < y.hash);
                j = advance(others, j, own.len(), |line| line.hash < x.hash);
            }
        }
    }

    pub fn is_code(&self) -> bool {
        self.stream.family == Family::Code
    }

    fn len(&self) -> u32 {
        self.stream.tokens.len() as u32
    }
}

/// Which passages are a head or a foot of both documents. Each makes room for the next, until there is none.
fn frames(passages: &[Passage], tokens_a: u32, tokens_b: u32) -> Vec<bool> {
    let mut frames = vec![false; passages.len()];
    let longest = MAX_EDGE_TOKENS.min(tokens_a.min(tokens_b) / MAX_EDGE_PART);
    let (mut head, mut foot) = ([0, 0], [0, 0]);
    loop {
        let before = (head, foot);
        for (passage, is_frame) in passages.iter().zip(&mut frames) {
            let Passage { a, b, .. } = passage;
            let is_near = |[at_a, at_b]: [u32; 2], [end_a, end_b]: [u32; 2], edge: [u32; 2]| {
                at_a <= edge[0] + EDGE && at_b <= edge[1] + EDGE && end_a.max(end_b) <= longest
            };
            // the same places, counted from the end
            let (last_a, last_b) = ([tokens_a - a.end, tokens_a - a.start], [tokens_b - b.end, tokens_b - b.start]);
            if is_near([a.start, b.start], [a.end, b.end], head) {
                *is_frame = true;
                head = [head[0].max(a.end), head[1].max(b.end)];
            }
            if is_near([last_a[0], last_b[0]], [last_a[1], last_b[1]], foot) {
                *is_frame = true;
                foot = [foot[0].max(last_a[1]), foot[1].max(last_b[1])];
            }
        }
        if (head, foot) == before {
            return frames;
        }
    }
}

/// Which of some tokens stand beside the same neighbour, before or after, among others.
fn in_place(tokens: &[u32], others: &[u32]) -> Vec<bool> {
    if tokens.len() > 1 && tokens.iter().map(|token| word(*token)).eq(others.iter().map(|token| word(*token))) {
        return vec![true; tokens.len()];
    }
    let pairs: FxHashSet<(u32, u32)> = others.windows(2).map(|pair| (word(pair[0]), word(pair[1]))).collect();
    let mut equal = vec![false; tokens.len()];
    for (at, pair) in tokens.windows(2).enumerate() {
        if pairs.contains(&(word(pair[0]), word(pair[1]))) {
            equal[at..at + 2].fill(true);
        }
    }
    equal
}

/// A token of prose, wherever sentences end.
fn word(token: u32) -> u32 {
    token & !SENTENCE_END
}

/// The words of a line as one number. (A word is a hash of half as many bits.)
fn hash(tokens: &[u32]) -> u64 {
    let mix =
        |sum: u64, token: &u32| (sum ^ u64::from(word(*token))).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    tokens.iter().fold(tokens.len() as u64, mix)
}

/// Lines of few words, as places of tokens.
fn short_lines(text: &str, spans: &[(u32, u32)]) -> Vec<Range<usize>> {
    let mut short = Vec::new();
    let mut from = 0;
    for at in 1..=spans.len() {
        let is_end = spans.get(at).is_none_or(|next| {
            let between = text.get(spans[at - 1].1 as usize..next.0 as usize);
            between.is_some_and(|between| between.contains('\n'))
        });
        if is_end {
            if at - from < MIN_LINE_WORDS {
                short.push(from..at);
            }
            from = at;
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage(a: Range<u32>, b: Range<u32>) -> Passage {
        Passage { equal: a.len() as u32, a, b }
    }

    #[test]
    fn heads_and_feet_stand_at_the_ends_of_both() {
        let found =
            [passage(0..30, 2..32), passage(40..60, 45..65), passage(200..240, 300..340), passage(480..500, 970..1000)];
        assert_eq!(frames(&found, 500, 1000), [true, true, false, true]);
        assert_eq!(
            frames(&[passage(0..30, 500..530)], 500, 1000),
            [false],
            "the head of one is in the middle of the other"
        );
        assert_eq!(frames(&[passage(0..300, 0..300)], 500, 1000), [false], "that much is text");
    }

    #[test]
    fn words_in_place_have_the_same_neighbour() {
        assert_eq!(
            in_place(&[1 << 2, 2 << 2, 9 << 2, 4 << 2], &[7 << 2, 1 << 2, 2 << 2, 4 << 2]),
            [true, true, false, false]
        );
        assert_eq!(in_place(&[], &[4]), [false; 0]);
    }

    #[test]
    fn short_lines_are_no_running_text() {
        let text = "Home\nAbout us\nThis line has words enough to be running text.\n";
        let tokens =
            lookalike_core::passage::prose::tokens(text, &lookalike_core::feature_hash::FeatureHasher::default());
        let spans: Vec<(u32, u32)> = tokens.into_iter().map(|(_, span)| (span.start as u32, span.end as u32)).collect();
        assert_eq!(short_lines(text, &spans), [0..1, 1..3]);
    }
}
