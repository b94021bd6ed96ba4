//! The corpus: which document is a copy of which, and what each says. Nothing is stored: all follows from the seed and the index.

use super::edits::{KINDS, Kind, edit};
use super::random::Random;
use super::text;
use super::vocabulary::Vocabulary;

/// What the random numbers of an index are for.
const PLAN: u64 = 1;
const TEXT: u64 = 2;
const EDITS: u64 = 3;

/// Which documents there are.
pub(crate) struct Corpus {
    seed: u64,
    /// Mean number of words of an original.
    words: u32,
    /// Share of copies, in millionths.
    copies: u32,
    vocabulary: Vocabulary,
}

/// Where a document comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// What was done; nothing to an original.
    pub(crate) kind: Option<Kind>,
    /// The sources, all of them originals with a lower index; the second only for a kind that has two.
    sources: [u64; 2],
}

impl Plan {
    pub(crate) fn sources(&self) -> &[u64] {
        &self.sources[..self.kind.map_or(0, Kind::sources)]
    }
}

impl Corpus {
    pub(crate) fn new(seed: u64, words: u32, copies: f64) -> Self {
        Self { seed, words: words.max(1), copies: (copies * 1e6) as u32, vocabulary: Vocabulary::new(seed) }
    }

    /// The id of a document.
    pub(crate) fn id(index: u64) -> String {
        format!("d{index}")
    }

    fn is_original(&self, index: u64) -> bool {
        index == 0 || !Random::at(self.seed, PLAN, index).chance(self.copies)
    }

    /// Where a document comes from.
    pub(crate) fn plan(&self, index: u64) -> Plan {
        if self.is_original(index) {
            return Plan { kind: None, sources: [0; 2] };
        }
        let mut random = Random::at(self.seed, EDITS, index);
        let kind = KINDS[random.below(KINDS.len() as u32) as usize];
        let mut source = || {
            let mut at = ((u128::from(random.next()) * u128::from(index)) >> 64) as u64;
            // an original is never far below: document 0 is one, and most are
            while !self.is_original(at) {
                at -= 1;
            }
            at
        };
        Plan { kind: Some(kind), sources: [source(), source()] }
    }

    /// What a document says, as tokens.
    fn tokens(&self, index: u64) -> Vec<u16> {
        let plan = self.plan(index);
        let (Some(kind), [first, further @ ..]) = (plan.kind, plan.sources()) else { return self.original(index) };
        let mut random = Random::at(self.seed, EDITS, u64::MAX - index);
        let mut tokens = edit(kind, &self.vocabulary, &mut random, &self.original(*first));
        for source in further {
            tokens.push(text::PARAGRAPH);
            tokens.extend(self.original(*source));
        }
        tokens
    }

    /// Sizes are skewed as in real corpora: from a quarter of the mean to about three times the mean.
    fn original(&self, index: u64) -> Vec<u16> {
        let mut random = Random::at(self.seed, TEXT, index);
        let (mean, a, b) = (u64::from(self.words), random.next() >> 48, random.next() >> 48);
        let words = (mean / 4 + ((3 * mean * a) >> 16) * b / (1 << 16)).max(1) as u32;
        let mut tokens = Vec::with_capacity(words as usize * 5 / 4);
        text::compose(&self.vocabulary, &mut random, words, &mut tokens);
        tokens
    }

    /// The text of a document.
    pub(crate) fn text(&self, index: u64) -> String {
        let mut out = Vec::new();
        text::render(&self.vocabulary, &self.tokens(index), "\n\n", &mut out);
        String::from_utf8(out).expect("words are UTF-8")
    }

    /// Appends the document as a line of JSON.
    pub(crate) fn line(&self, index: u64, out: &mut Vec<u8>) {
        out.extend_from_slice(br#"{"id":""#);
        out.extend_from_slice(Self::id(index).as_bytes());
        out.extend_from_slice(br#"","text":""#);
        // letters and marks need no escape; only paragraphs do
        text::render(&self.vocabulary, &self.tokens(index), r"\n\n", out);
        out.extend_from_slice(b"\"}\n");
    }
}
