//! Families of documents: code, prose, bytes. Each has its own tokens, its own k and t, and its own way to compare.

use crate::lens::passages::spelling::Spelling;
use crate::lens::passages::stream::Stream;
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::passage::{Family, Passage, exact, loose};
use lookalike_core::recipe::PassageRecipe;
use lookalike_core::winnow::{Gram, KgramFingerprint, Select, Winnower, Winnowing, for_each_gram};
use std::sync::OnceLock;

/// The least similarity of what is listed, and how many tokens of a passage are enough though it may be a small part of both; the latter
/// unless the user says what is listed.
pub fn least_listed(family: Family, asked: Option<f64>) -> (f64, u32) {
    match (asked, family) {
        (Some(min), _) => (min, u32::MAX),
        (None, Family::Code) => (0.1, 100),
        (None, _) => (0.01, 50),
    }
}

/// K-grams of different families are never equal.
fn family_mask(family: Family) -> u64 {
    (family as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// How documents of one family are fingerprinted and compared.
#[derive(Clone, Debug)]
pub struct Method {
    pub family: Family,
    pub winnowing: Winnowing,
    fp: FeatureHasher,
    rules: loose::Rules,
}

/// The room of a sequence of more tokens is not kept for the next: memory was asked for two sequences.
const MAX_KEPT: usize = 1 << 14;

/// Words in a row that must be of the base to be taken out of prose.
const MIN_BASE_WORDS: usize = 8;

impl Method {
    /// The three methods, in the order of [`Family::ALL`].
    pub fn all(recipe: &PassageRecipe, key: &str) -> [Self; 3] {
        let fp = FeatureHasher::with_key(key);
        Family::ALL.map(|family| {
            let winnowing = recipe.winnowing(family);
            let (key, guarantee) = (winnowing.k as usize, winnowing.t as usize);
            Self { family, winnowing, fp, rules: loose::Rules { key, guarantee, ..loose::Rules::default() } }
        })
    }

    /// The same with a larger guarantee: fewer fingerprints, each of them one of these (section 3.2 of the paper).
    pub fn with_guarantee(&self, t: u32) -> Self {
        Self { winnowing: Winnowing { t, ..self.winnowing }, ..self.clone() }
    }

    /// The fewest fingerprints that a passage of so many tokens has: one in each window. Of prose, where function words have none, one in
    /// five words.
    pub fn min_fingerprints(&self, tokens: u32) -> f64 {
        match self.family {
            Family::Prose => f64::from(tokens) / 5.0,
            _ => f64::from(tokens.saturating_sub(self.winnowing.k - 1)) / self.winnowing.w() as f64,
        }
    }

    /// Calls `each` with all k-grams of a sequence, as they are told apart from those of other families.
    pub fn for_each_gram(&self, tokens: &[u32], mut each: impl FnMut(Gram)) {
        let family_mask = family_mask(self.family);
        if self.family == Family::Prose {
            return loose::for_each_gram(tokens, &self.rules, |hash, position| {
                each(Gram { hash: hash ^ family_mask, position });
            });
        }
        let mask = |gram: Gram| Gram { hash: gram.hash ^ family_mask, ..gram };
        for_each_gram(tokens, self.winnowing.k as usize, &self.fp, |gram| each(mask(gram)));
    }

    /// Calls `each` with the hashes of the k-grams by which base code is known, and where each begins and ends. Spelling counts here:
    /// people leave what was given as it is, and short idioms would take much of their own code with it.
    pub fn for_each_base_gram(
        &self,
        tokens: &[u32],
        spellings: &[Spelling],
        mut each: impl FnMut(u64, std::ops::Range<usize>),
    ) {
        let plain: Vec<u32> = match self.family {
            // the same words, wherever sentences end
            Family::Prose => tokens.iter().map(|token| token & !loose::SENTENCE_END).collect(),
            _ => tokens.iter().zip(spellings).map(|(token, spelling)| spelling.join(*token)).collect(),
        };
        let k = if self.family == Family::Prose { MIN_BASE_WORDS } else { self.winnowing.k as usize };
        for_each_gram(&plain, k, &self.fp, |gram| each(gram.hash, gram.position as usize..gram.position as usize + k));
    }

    /// Calls `each` with the fingerprints of a sequence, in order. How many hashes there were.
    pub fn fingerprints(&self, tokens: &[u32], mut each: impl FnMut(KgramFingerprint)) -> u64 {
        let mut winnower = Winnower::new(self.winnowing.w(), Select::Robust, tokens.len());
        let mut grams = 0;
        self.for_each_gram(tokens, |gram| {
            grams += 1;
            // of prose some words have no gram, and a window reaches over them
            match self.family {
                Family::Prose => winnower.push(gram, &mut each),
                _ => winnower.push_neighbour(gram, &mut each),
            }
        });
        winnower.end_run(each);
        grams
    }

    /// A sequence, to be held against others.
    pub fn prepare<'a>(&self, stream: &'a Stream) -> Prepared<'a> {
        match self.family {
            Family::Prose => {
                Prepared::Loose(Box::new(loose::SeedIndex::new(&stream.tokens, &self.rules)), &stream.tokens)
            }
            _ => Prepared::Exact(OnceLock::new(), stream),
        }
    }

    fn exact<'a>(&self, stream: &'a Stream) -> &'a exact::GramHashes {
        stream.exact.get_or_init(|| exact::GramHashes::of(&stream.tokens, self.winnowing.k as usize))
    }

    pub fn matcher(&self) -> Matcher<'_> {
        Matcher {
            method: self,
            tiler: exact::Tiler::new(self.winnowing.k as usize),
            other: loose::SeedIndex::default(),
        }
    }
}

/// A sequence, ready to be held against others.
pub enum Prepared<'a> {
    /// With a table, if one of the others needs it.
    Exact(OnceLock<exact::GramTable<'a>>, &'a Stream),
    Loose(Box<loose::SeedIndex>, &'a [u32]),
}

/// Finds passages; has buffers of its own.
pub struct Matcher<'a> {
    method: &'a Method,
    tiler: exact::Tiler,
    /// What the other sequence is compared by, of prose.
    other: loose::SeedIndex,
}

impl Matcher<'_> {
    /// What two sequences share, in the order of the first. Passages of prose may overlap on one side: what is copied twice.
    pub fn passages(&mut self, a: &Prepared<'_>, b: &Stream) -> Vec<Passage> {
        match a {
            Prepared::Exact(table, a) => self.tiler.passages_by_ends(&a.tokens, &b.tokens).unwrap_or_else(|| {
                let table = table.get_or_init(|| exact::GramTable::new(&a.tokens, self.method.exact(a)));
                self.tiler.passages(table, &b.tokens, self.method.exact(b))
            }),
            Prepared::Loose(a, tokens) => {
                self.other.fill(&b.tokens, &self.method.rules);
                let passages = loose::passages(a, tokens, &self.other, &b.tokens, &self.method.rules);
                if b.tokens.len() > MAX_KEPT {
                    self.other = loose::SeedIndex::default();
                }
                passages
            }
        }
    }
}
