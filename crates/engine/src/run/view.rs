//! What a page shows of a scan beyond its report: every pair that was compared, and the documents themselves.

use crate::report::cluster::Class;
use lookalike_core::sets::Overlap;
use lookalike_corpus::Place;
use std::time::UNIX_EPOCH;

/// A document of a scan.
#[derive(Clone, Debug)]
pub struct DocumentView {
    /// Its id.
    pub id: String,
    /// Its bytes.
    pub bytes: u64,
    /// About how many shingles count: the size by which documents are ranked.
    pub size: u32,
    /// Its length as it was read: shingles, repeats included; words; or bytes.
    pub length: u32,
    /// Its content id, equal for identical documents: the first half of its BLAKE3 hash.
    pub content: u128,
    /// When the file was changed last, in seconds since 1970; none for what is no file.
    pub modified: Option<u64>,
    /// Decides the order of documents with the same id.
    pub tie_break: u32,
    /// The canonical document of its duplicate group if it is another one, and how the two relate.
    pub duplicate_of: Option<(u32, Class)>,
}

/// Two documents that were compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparedPair {
    /// The first.
    pub a: u32,
    /// The second.
    pub b: u32,
    /// Features of the first that count, of the second, and of both. Of the samples, where the numbers are estimates.
    pub features: [u32; 3],
    /// The same of the samples.
    pub sample: [u32; 3],
    /// The samples are whole sets.
    pub is_exhaustive: bool,
}

impl ComparedPair {
    /// Their resemblance.
    pub fn resemblance(&self) -> f64 {
        self.overlap().resemblance()
    }

    /// The larger of both containments.
    pub fn containment(&self) -> f64 {
        self.overlap().a_in_b().max(self.overlap().b_in_a())
    }

    fn overlap(&self) -> Overlap {
        let [a, b, shared] = self.features;
        Overlap { a, b, shared }
    }
}

/// When a file was changed last, in seconds since 1970; none for what is no file.
pub fn modified(place: &Place) -> Option<u64> {
    let Place::File(path) = place else { return None };
    let time = path.metadata().and_then(|m| m.modified()).ok()?;
    time.duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs())
}
