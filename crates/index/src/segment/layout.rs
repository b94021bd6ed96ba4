//! How a segment lies on disk: its sections and the records in them.
//!
//! Documents are numbered by their content id, so a segment is the same whatever the order of reading, and the table of documents is also
//! the way from a content id to its document. A feature is kept by 48 of its 64 bits: among the 75 million features of a million
//! documents a query meets a false one once in fifty thousand times.

use bytemuck::{Pod, Zeroable};
use lookalike_core::sketch::{Sampling, Sketch};

/// [`DocumentRecord`]s by content id, and one more that ends the last.
pub(crate) const DOCUMENTS: u32 = 1;
/// The features of each document, sorted, [`FEATURE`] bytes each.
pub(crate) const SKETCHES: u32 = 2;
/// Where each bucket of the postings begins: u32.
pub(crate) const DIRECTORY: u32 = 3;
/// Postings by [`spread`] feature and document: u32, as [`Packing`] makes them.
pub(crate) const POSTINGS: u32 = 4;
/// [`NameRecord`]s by fingerprint, and one more that ends the last.
pub(crate) const NAMES: u32 = 5;
/// The names themselves, end to end.
pub(crate) const TEXTS: u32 = 6;
/// [`Observation`]s by name and sweep.
pub(crate) const OBSERVATIONS: u32 = 7;
/// The observations of each document: u32.
pub(crate) const SIGHTINGS: u32 = 8;
/// Where observations can be read again; each ends where the next begins.
pub(crate) const PLACES: u32 = 9;
/// The folder that relative paths of places count from, then the JSONL files that places count, as JSON.
pub(crate) const SOURCES: u32 = 10;
/// What the lens keeps of each document beside its features (tokens, a fingerprint, a list of chunks); there is none in an index of shingles.
pub(crate) const PAYLOADS: u32 = 11;
/// Where the payload of each document begins, and where the last ends: u64.
pub(crate) const PAYLOAD_PLACES: u32 = 12;
/// What describes the Hamming tables of an index of fingerprints, as JSON.
pub(crate) const TABLES: u32 = 13;
/// The first of their sections; there are at most two for each of 64 tables, and one more.
pub(crate) const FIRST_TABLE: u32 = 32;

/// Bytes of a feature.
pub(crate) const FEATURE: usize = 6;
/// Documents of a segment at most: a posting keeps some bits for its tag.
pub(crate) const MAX_DOCUMENTS: usize = 1 << 24;
/// Postings of a bucket, about.
const BUCKET: u64 = 8;
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
const MASK: u64 = (1 << 48) - 1;

/// A document, or a reference to one that another segment has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct DocumentRecord {
    /// The content id, its high half first.
    pub(crate) content: [u64; 2],
    /// The hash of its words, in the same way.
    lexical: [u64; 2],
    pub(crate) bytes: u64,
    /// Where its features begin; above, whether it is a reference, and its level.
    packed: u64,
    /// Shingles (words, tokens, chunks of other lenses), repeats included.
    pub(crate) shingles: u32,
    /// Where its sightings begin.
    pub(crate) sightings: u32,
}

const REFERENCE: u64 = 1 << 55;

impl DocumentRecord {
    pub(crate) fn new(content: u128, lexical: u128, bytes: u64, shingles: u32) -> Self {
        Self { content: split(content), lexical: split(lexical), bytes, packed: 0, shingles, sightings: 0 }
    }

    /// One that only refers to a document of another segment.
    pub(crate) fn reference(content: u128) -> Self {
        Self { packed: REFERENCE, ..Self::new(content, 0, 0, 0) }
    }

    pub(crate) fn at(self, features: u64, level: u8, sightings: u32) -> Self {
        Self { packed: self.packed & REFERENCE | features | u64::from(level) << 56, sightings, ..self }
    }

    pub(crate) fn seen_from(self, sightings: u32) -> Self {
        Self { sightings, ..self }
    }

    pub(crate) fn is_reference(&self) -> bool {
        self.packed & REFERENCE != 0
    }

    pub(crate) fn features(&self) -> u64 {
        self.packed & (REFERENCE - 1)
    }

    pub(crate) fn level(&self) -> u8 {
        (self.packed >> 56) as u8
    }

    pub(crate) fn content(&self) -> u128 {
        join(self.content)
    }

    pub(crate) fn lexical(&self) -> u128 {
        join(self.lexical)
    }
}

fn split(hash: u128) -> [u64; 2] {
    [(hash >> 64) as u64, hash as u64]
}

fn join([high, low]: [u64; 2]) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

/// A URL or id, by the fingerprint of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct NameRecord {
    pub(crate) fingerprint: u64,
    /// Where its text begins.
    pub(crate) text: u32,
    /// Where its observations begin.
    pub(crate) observations: u32,
}

/// A name had a document in a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Observation {
    /// Number of the sweep, in the order in which they were added.
    pub(crate) sweep: u32,
    /// Number of the document in its segment.
    pub(crate) document: u32,
    /// Where its place begins.
    pub(crate) place: u32,
}

/// What the index keeps of a feature. `MIN` samples are the smallest: their high bits tell them apart and keep their order. The others
/// are multiples: their low bits tell the level.
pub(crate) fn stored_feature(feature: u64, sampling: Sampling) -> u64 {
    match sampling {
        Sampling::Min(_) => feature >> 16,
        Sampling::Mod(_) | Sampling::Nested(_) => feature & MASK,
    }
}

/// A winnowed fingerprint as the index keeps it. The least of a window have few high bits, so those go.
pub(crate) fn stored_fingerprint(hash: u64) -> u64 {
    hash & MASK
}

/// The hash of a chunk as postings keep it; whole hashes decide what two documents share.
pub(crate) fn stored_chunk(hash: u128) -> u64 {
    hash as u64 & MASK
}

/// A sketch as the index keeps it.
pub(crate) fn stored_sketch(sketch: &mut Sketch, sampling: Sampling) {
    sketch.features.iter_mut().for_each(|feature| *feature = stored_feature(*feature, sampling));
    lookalike_core::sets::into_set(&mut sketch.features);
}

/// Samples are multiples of 2^i or the smallest of all; the product spreads both evenly over 48 bits, one to one.
pub(crate) fn spread(feature: u64) -> u64 {
    feature.wrapping_mul(SPREAD) & MASK
}

/// The feature that was spread.
pub(crate) fn unspread(spread: u64) -> u64 {
    spread.wrapping_mul(INVERSE) & MASK
}

/// What undoes the product: each step of Newton's doubles the bits that are right.
const INVERSE: u64 = {
    let mut inverse = 1u64;
    let mut step = 0;
    while step < 6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(SPREAD.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
};

/// How the 48 bits of a spread feature and the number of a document become a bucket and a posting of 32 bits: the highest bits choose the
/// bucket, the next are the posting's tag, and below it is the document. The fewer the documents, the longer the tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packing {
    bucket: u32,
    tag: u32,
    document: u32,
}

impl Packing {
    pub(crate) fn new(postings: u64, documents: u32) -> Self {
        let bucket = (postings / BUCKET).max(1).ilog2().min(30);
        let document = (32 - documents.saturating_sub(1).leading_zeros()).clamp(1, MAX_DOCUMENTS.ilog2());
        Self { bucket, tag: (32 - document).min(48 - bucket), document }
    }

    pub(crate) fn buckets(self) -> u64 {
        1 << self.bucket
    }

    /// The bucket of a spread feature.
    #[inline]
    pub(crate) fn bucket(self, spread: u64) -> u64 {
        spread >> (48 - self.bucket)
    }

    /// The bits that tell features of a bucket apart, mostly.
    #[inline]
    pub(crate) fn tag(self, spread: u64) -> u32 {
        (spread >> (48 - self.bucket - self.tag)) as u32 & ((1u64 << self.tag) - 1) as u32
    }

    pub(crate) fn posting(self, spread: u64, document: u32) -> u32 {
        ((u64::from(self.tag(spread)) << self.document) as u32) | document
    }

    #[inline]
    pub(crate) fn tag_of(self, posting: u32) -> u32 {
        (u64::from(posting) >> self.document) as u32
    }

    #[inline]
    pub(crate) fn document_of(self, posting: u32) -> u32 {
        posting & ((1 << self.document) - 1)
    }
}

/// Appends the features of a sketch as they lie on disk.
pub(crate) fn pack(features: &[u64], out: &mut Vec<u8>) {
    for feature in features {
        out.extend_from_slice(&feature.to_le_bytes()[..FEATURE]);
    }
}

/// The feature that lies at a place among packed ones.
pub(crate) fn unpack(packed: &[u8], at: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes[..FEATURE].copy_from_slice(&packed[at * FEATURE..][..FEATURE]);
    u64::from_le_bytes(bytes)
}

/// Whether sorted packed features have this one.
pub(crate) fn has(packed: &[u8], feature: u64) -> bool {
    let (mut low, mut high) = (0, packed.len() / FEATURE);
    while low < high {
        let middle = usize::midpoint(low, high);
        match unpack(packed, middle).cmp(&feature) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Equal => return true,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn records_have_their_sizes() {
        let sizes = [size_of::<DocumentRecord>(), size_of::<NameRecord>(), size_of::<Observation>()];
        assert_eq!(sizes, [56, 16, 12]);
        let record = DocumentRecord::reference(7).at(12345, 63, 9);
        assert_eq!((record.is_reference(), record.features(), record.level(), record.content()), (true, 12345, 63, 7));
    }

    proptest! {
        #[test]
        fn features_come_back(features: Vec<u64>, absent: u64) {
            let mut sketch = Sketch { level: 0, features };
            stored_sketch(&mut sketch, Sampling::Nested(100));
            let mut packed = Vec::new();
            pack(&sketch.features, &mut packed);
            let absent = stored_feature(absent, Sampling::Nested(100));
            for (at, feature) in sketch.features.iter().enumerate() {
                prop_assert_eq!(unpack(&packed, at), *feature);
                prop_assert!(has(&packed, *feature));
            }
            prop_assert_eq!(has(&packed, absent), sketch.features.contains(&absent));
        }

        #[test]
        fn spreading_is_one_to_one_and_in_bounds(a in 0..MASK, b in 0..MASK, postings in 0u64..1 << 40, document in 0..MAX_DOCUMENTS as u32) {
            prop_assert_eq!(a == b, spread(a) == spread(b));
            prop_assert_eq!(unspread(spread(a)), a);
            let packing = Packing::new(postings, document + 1);
            prop_assert!(packing.bucket(spread(a)) < packing.buckets());
            let posting = packing.posting(spread(a), document);
            prop_assert_eq!((packing.tag_of(posting), packing.document_of(posting)), (packing.tag(spread(a)), document));
            let (key_a, key_b) = [a, b].map(|f| (packing.bucket(spread(f)), packing.tag(spread(f)))).into();
            prop_assert!((spread(a) < spread(b)) <= (key_a <= key_b), "postings are sorted by tag");
        }
    }
}
