//! Pairs that any lens finds: documents that share enough of its features, or whose fingerprints are near.
//!
//! A feature of few documents pairs all of them. One of many pairs each with the first of them in the order of representatives only: pairs
//! grow with the features and not with the square of the documents, and the members of a large cluster meet its representative.

use crate::Error;
use crate::all::reading::AllFeatures;
use crate::lens::simhash::guards::Guards;
use crate::lens::simhash::nodes::{Limits, Nodes};
use crate::lens::simhash::options::SimhashOptions;
use crate::lens::simhash::verify;
use crate::run::Session;
use crate::run::documents::Documents;
use bytemuck::{Pod, Zeroable};
use lookalike_core::lens::Lens;
use lookalike_store::{ExternalSort, Records, Sequence};

/// Documents that all meet each other if they share a feature.
const MAX_ALL: usize = 6;
/// Documents that the others meet if more share it.
const FIRSTS: usize = 3;
/// What a feature of at most [`MAX_ALL`] documents tells, one of at most [`MANY`], and one of more.
const POINTS: [u32; 3] = [4, 2, 1];
const MANY: usize = 64;
/// Features of few documents that a pair shares at least, by their points: a passage of 25 words has about five k-gram fingerprints.
const LEAST_SHINGLES: u64 = 8;
const LEAST_GRAMS: u64 = 12;
/// Where the features are those of many, a pair shares so many that a part of the shorter document in them can be its half: a sketch has about
/// a hundred shingles, and one word in four begins a k-gram fingerprint.
const MANY_SHINGLES: u64 = 32;
const WORDS_PER_POINT: u64 = 8;

/// A pair that lenses found, by rank: `a` is before `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(super) struct FoundPair {
    pub(super) a: u32,
    pub(super) b: u32,
    /// A bit for each lens, by its place in [`Lens::ALL`].
    pub(super) lenses: u32,
}

impl FoundPair {
    /// The lenses that found it.
    pub(super) fn lenses(self) -> Vec<Lens> {
        Lens::ALL.into_iter().filter(|lens| self.lenses & 1 << *lens as u32 != 0).collect()
    }
}

/// A pair shares a feature.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
struct Hit {
    a: u32,
    b: u32,
    /// The lens, by its place in [`Lens::ALL`]; four more if many documents have the feature.
    lens: u32,
    /// Of chunks bytes; else points.
    weight: u32,
}

/// The pairs by rank, sorted, and what their ranks stand for.
pub(super) struct Found {
    pub(super) pairs: Records<FoundPair>,
    /// By rank: the document.
    pub(super) ranked: Vec<u32>,
    /// By rank: the pairs in which it is the first.
    pub(super) degrees: Vec<u32>,
    /// Features of many documents.
    pub(super) frequent: u64,
}

/// Finds the pairs.
pub(super) fn find(session: &Session<'_>, documents: &Documents, features: &AllFeatures) -> Result<Found, Error> {
    let catalogue = &documents.catalogue;
    let canonical = (0..catalogue.len() as u32).filter(|document| documents.duplicates.is_canonical(*document));
    let ranked = session.order.sorted(catalogue, canonical, &catalogue.sizes)?;
    let mut ranks = vec![u32::MAX; catalogue.len()];
    for (rank, document) in (0..).zip(&ranked) {
        ranks[*document as usize] = rank;
    }
    let mut hits = ExternalSort::new(&session.space, "the pairs", session.share(4));
    let frequent = share(session, features, &ranks, &mut hits)?;
    near(session, documents, features, &ranks, &mut hits)?;
    let bytes = |rank: u32| features.bytes[ranked[rank as usize] as usize];
    let words = |rank: u32| catalogue.sizes[ranked[rank as usize] as usize];
    let mut pairs = Sequence::new(&session.space, "the candidates", session.share(8));
    let forbids = documents.decisions.forbids();
    let mut degrees = vec![0; ranked.len()];
    let mut sums = Sums::default();
    let mut close = |sums: &mut Sums| {
        let (a, b) = (sums.a, sums.b);
        let pair = FoundPair { a, b, lenses: sums.lenses(bytes(a).min(bytes(b)), words(a).min(words(b))) };
        let [a, b] = [sums.a, sums.b].map(|rank| ranked[rank as usize]);
        let is_forbidden = forbids && documents.decisions.forbid_all(a, b, &documents.duplicates);
        if pair.lenses == 0 || is_forbidden {
            return Ok(());
        }
        degrees[pair.a as usize] += 1;
        pairs.push(pair)
    };
    for hit in hits.merged()? {
        let hit = hit?;
        if (hit.a, hit.b) != (sums.a, sums.b) {
            if sums.b > 0 {
                close(&mut sums)?;
            }
            sums = Sums { a: hit.a, b: hit.b, by_lens: [0; 8] };
        }
        sums.by_lens[hit.lens as usize] += u64::from(hit.weight);
    }
    if sums.b > 0 {
        close(&mut sums)?;
    }
    Ok(Found { pairs: pairs.finish()?, ranked, degrees, frequent })
}

/// What a pair shares.
#[derive(Default)]
struct Sums {
    a: u32,
    b: u32,
    /// What few documents have, then what many have.
    by_lens: [u64; 8],
}

impl Sums {
    /// The lenses to which it is enough: of documents of which the smaller has so many bytes, and the shorter so many words.
    fn lenses(&self, bytes: u32, words: u32) -> u32 {
        let few = |lens: Lens| self.by_lens[lens as usize];
        let all = |lens: Lens| few(lens) + self.by_lens[4 + lens as usize];
        let words = u64::from(words);
        let enough = |lens: Lens| match lens {
            Lens::Shingles => {
                few(lens) >= LEAST_SHINGLES || all(lens) >= (words / 4).clamp(LEAST_SHINGLES, MANY_SHINGLES)
            }
            Lens::Chunks => all(lens) > 0 && 2 * all(lens) >= u64::from(bytes),
            Lens::Simhash => few(lens) > 0,
            Lens::Passages => few(lens) >= LEAST_GRAMS || all(lens) >= (words / WORDS_PER_POINT).max(LEAST_GRAMS),
        };
        Lens::ALL.into_iter().filter(|lens| enough(*lens)).map(|lens| 1 << lens as u32).sum()
    }
}

/// Pairs the documents of every feature. How many features have many.
fn share(
    session: &Session<'_>,
    features: &AllFeatures,
    ranks: &[u32],
    hits: &mut ExternalSort<Hit>,
) -> Result<u64, Error> {
    let mut frequent = 0;
    let mut list: Vec<u32> = Vec::new();
    let (mut feature, mut lens, mut length) = (0, 0, 0);
    let mut close = |list: &mut Vec<u32>, lens: u32, length: u32| {
        list.sort_unstable();
        let many = list.len();
        let points = POINTS[usize::from(many > MAX_ALL) + usize::from(many > MANY)];
        let weight = if lens == Lens::Chunks as u32 { length } else { points };
        let lens = lens + 4 * u32::from(many > MAX_ALL);
        let firsts = if many > MAX_ALL { FIRSTS } else { many };
        frequent += u64::from(many > MAX_ALL);
        for (at, a) in list.iter().take(firsts).enumerate() {
            for b in &list[at + 1..] {
                hits.push(Hit { a: *a, b: *b, lens, weight })?;
            }
        }
        list.clear();
        Ok::<_, Error>(())
    };
    for (at, posting) in features.postings.iter().enumerate() {
        let posting = posting?;
        if at % (1 << 16) == 0 {
            session.cancel.check()?;
        }
        if posting.feature != feature {
            close(&mut list, lens, length)?;
            (feature, lens, length) = (posting.feature, u32::from(posting.lens), u32::from(posting.length));
        }
        let rank = ranks[posting.document as usize];
        if rank != u32::MAX {
            list.push(rank);
        }
    }
    close(&mut list, lens, length)?;
    Ok(frequent)
}

/// Pairs documents whose fingerprints are near.
fn near(
    session: &Session<'_>,
    documents: &Documents,
    features: &AllFeatures,
    ranks: &[u32],
    hits: &mut ExternalSort<Hit>,
) -> Result<(), Error> {
    let SimhashOptions { distance, min_words, length_ratio, .. } = SimhashOptions::default();
    let limits = Limits { distance, min_words };
    let mut nodes = Nodes::find(session, limits, documents, &features.fingerprints, Guards::new(length_ratio))?;
    nodes.rank(session, &documents.catalogue)?;
    for pair in verify::candidates(session, &nodes)?.iter() {
        let pair = pair?;
        let (a, b) = (ranks[pair.a as usize], ranks[pair.b as usize]);
        hits.push(Hit { a: a.min(b), b: a.max(b), lens: Lens::Simhash as u32, weight: 1 })?;
    }
    Ok(())
}
