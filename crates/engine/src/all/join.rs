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
/// Points that shared shingles make at least, and k-gram fingerprints. A passage of 25 words has about five of these.
const LEAST_SHINGLES: u64 = 8;
const LEAST_GRAMS: u64 = 12;

/// A pair that lenses found, by rank: `a` is before `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct FoundPair {
    pub a: u32,
    pub b: u32,
    /// A bit for each lens, by its place in [`Lens::ALL`].
    pub lenses: u32,
}

impl FoundPair {
    /// The lenses that found it.
    pub fn lenses(self) -> Vec<Lens> {
        Lens::ALL.into_iter().filter(|lens| self.lenses & 1 << *lens as u32 != 0).collect()
    }
}

/// A pair shares a feature.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
struct Hit {
    a: u32,
    b: u32,
    lens: u32,
    /// Of chunks bytes; else points.
    weight: u32,
}

/// The pairs by rank, sorted, and what their ranks stand for.
pub struct Found {
    pub pairs: Records<FoundPair>,
    /// By rank: the document.
    pub ranked: Vec<u32>,
    /// Features of many documents.
    pub frequent: u64,
}

/// Finds the pairs.
pub fn find(session: &Session<'_>, documents: &Documents, features: &AllFeatures) -> Result<Found, Error> {
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
    let mut pairs = Sequence::new(&session.space, "the candidates", session.share(8));
    let forbids = documents.decisions.forbids();
    let mut sums = Sums::default();
    let mut close = |sums: &mut Sums| {
        let pair = FoundPair { a: sums.a, b: sums.b, lenses: sums.lenses(bytes(sums.a).min(bytes(sums.b))) };
        let [a, b] = [sums.a, sums.b].map(|rank| ranked[rank as usize]);
        let is_forbidden = forbids && documents.decisions.forbid_all(a, b, &documents.duplicates);
        if pair.lenses != 0 && !is_forbidden { pairs.push(pair) } else { Ok(()) }
    };
    for hit in hits.merged()? {
        let hit = hit?;
        if (hit.a, hit.b) != (sums.a, sums.b) {
            if sums.b > 0 {
                close(&mut sums)?;
            }
            sums = Sums { a: hit.a, b: hit.b, by_lens: [0; 4] };
        }
        sums.by_lens[hit.lens as usize] += u64::from(hit.weight);
    }
    if sums.b > 0 {
        close(&mut sums)?;
    }
    Ok(Found { pairs: pairs.finish()?, ranked, frequent })
}

/// What a pair shares.
#[derive(Default)]
struct Sums {
    a: u32,
    b: u32,
    by_lens: [u64; 4],
}

impl Sums {
    /// The lenses to which it is enough.
    fn lenses(&self, smaller: u32) -> u32 {
        let of = |lens: Lens| self.by_lens[lens as usize];
        let enough = |lens: Lens| match lens {
            Lens::Shingles => of(lens) >= LEAST_SHINGLES,
            Lens::Chunks => of(lens) > 0 && 2 * of(lens) >= u64::from(smaller),
            Lens::Simhash => of(lens) > 0,
            Lens::Passages => of(lens) >= LEAST_GRAMS,
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
