//! The first step: every document is read and winnowed.

use super::SubstringFinder;
use crate::Error;
use crate::cut::reading::{KeptText, TextReader, keep_catalogue, known_catalogue, read_texts};
use crate::cut::step_files::StepRecords;
use bytemuck::{Pod, Zeroable};
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::shingle::Batches;
use lookalike_core::winnow::{KgramFingerprint, Select, Winnower, Winnowing, for_each_gram};
use lookalike_corpus::{Corpus, put_varint, take_varint};
use lookalike_engine::run::catalogue::Catalogue;
use lookalike_store::ExternalSort;

pub(super) const FINGERPRINTS: &str = "fingerprints";

/// The shortest word and its space are two bytes, and a word takes twelve: its token and the hash of its k-gram. Scripts without spaces take
/// less.
const COST: u64 = 6;

/// A k-gram fingerprint and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Fingerprint {
    pub(super) hash: u64,
    pub(super) document: u32,
    /// Its first word.
    pub(super) position: u32,
}

/// A word as a token for winnowing. Two words may have the same: what is found is compared word for word later.
pub(super) fn high_token(word: u64) -> u32 {
    // 0 equals nothing
    ((word >> 32) as u32).max(1)
}

impl KeptText for Vec<KgramFingerprint> {
    fn encode(&self, out: &mut Vec<u8>) {
        put_varint(self.len() as u64, out);
        for KgramFingerprint { hash, position } in self {
            out.extend(hash.to_le_bytes());
            put_varint(u64::from(*position), out);
        }
    }

    fn decode(from: &mut &[u8]) -> Option<Self> {
        let mut fingerprints = Vec::new();
        for _ in 0..take_varint(from)? {
            let (hash, rest) = from.split_first_chunk()?;
            *from = rest;
            let position = u32::try_from(take_varint(from)?).ok()?;
            fingerprints.push(KgramFingerprint { hash: u64::from_le_bytes(*hash), position });
        }
        Some(fingerprints)
    }
}

/// Reads a corpus.
pub(super) fn read(
    finder: &SubstringFinder<'_>,
    corpus: &Corpus,
) -> Result<(Catalogue, StepRecords<Fingerprint>), Error> {
    let (session, hasher, winnowing) = (finder.session, finder.hasher, finder.winnowing);
    if let Some(catalogue) = known_catalogue(session, corpus)?
        && let Some((fingerprints, ())) = StepRecords::finished(session, FINGERPRINTS)?
    {
        return Ok((catalogue, fingerprints));
    }
    let worker = || {
        let mut buffers = Buffers::default();
        move |text: &str| fingerprints_of(text, &hasher, winnowing, &mut buffers)
    };
    let reader = TextReader { worker, cost: COST };
    let mut sort = ExternalSort::new(&session.space, "the fingerprints", session.share(4));
    let catalogue = read_texts(session, corpus, &reader, |rank, fingerprints| {
        fingerprints.into_iter().try_for_each(|KgramFingerprint { hash, position }| {
            sort.push(Fingerprint { hash, document: rank.document, position })
        })
    })?;
    let fingerprints = StepRecords::sorted(session, FINGERPRINTS, sort, ())?;
    keep_catalogue(session, corpus, &catalogue)?;
    Ok((catalogue, fingerprints))
}

/// What texts are winnowed in.
#[derive(Default)]
struct Buffers {
    batches: Batches,
    tokens: Vec<u32>,
}

/// The words of a text, and its fingerprints. A text that is shorter than the shortest stretch has none.
fn fingerprints_of(
    text: &str,
    hasher: &FeatureHasher,
    winnowing: Winnowing,
    Buffers { batches, tokens }: &mut Buffers,
) -> (u64, Vec<KgramFingerprint>) {
    tokens.clear();
    batches.for_each(text, hasher, |words| tokens.extend(words.iter().map(|word| high_token(*word))));
    let mut fingerprints = Vec::new();
    if tokens.len() >= winnowing.t as usize {
        let mut winnower = Winnower::new(winnowing.w(), Select::Robust, tokens.len());
        for_each_gram(tokens, winnowing.k as usize, hasher, |gram| {
            winnower.push(gram, |found| fingerprints.push(found));
        });
        winnower.end_run(|found| fingerprints.push(found));
    }
    (tokens.len() as u64, fingerprints)
}
