//! What a page shows of a scan beyond its report: every pair that was compared, and the documents themselves.

use crate::Error;
use crate::pipeline::filter::as_overlap;
use crate::report::{Class, Report};
use crate::scan::Scan;
use crate::text::Text;
use lookalike_core::sets::Overlap;
use lookalike_corpus::{Place, content_name};
use lookalike_store::Records;
use std::time::UNIX_EPOCH;

/// A document of a scan.
#[derive(Clone, Debug)]
pub struct Described {
    /// Its id.
    pub id: String,
    /// Its bytes.
    pub bytes: u64,
    /// About how many shingles count: the size by which documents are ranked.
    pub size: u32,
    /// Its shingles, repeats included.
    pub shingles: u32,
    /// Its content id, equal for identical documents: the first half of its BLAKE3 hash.
    pub content: String,
    /// When the file was changed last, in seconds since 1970; none for what is no file.
    pub modified: Option<u64>,
    /// Decides the order of documents with the same id.
    pub salt: u32,
    /// The document that stood for this one when pairs were made, and how the two relate.
    pub stood_for_by: Option<(u32, Class)>,
}

/// Two documents that were compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The first.
    pub a: u32,
    /// The second.
    pub b: u32,
    /// Features of the first that count, of the second, and of both. Of the samples, where the numbers are estimates.
    pub features: [u32; 3],
    /// The same of the samples.
    pub sample: [u32; 3],
    /// The samples are whole.
    pub whole: bool,
}

impl Compared {
    /// Their resemblance.
    pub fn resemblance(&self) -> f64 {
        self.overlap().resemblance()
    }

    /// The larger of both containments.
    pub fn containment(&self) -> f64 {
        self.overlap().a_in_b().max(self.overlap().b_in_a())
    }

    fn overlap(&self) -> Overlap {
        let [a, b, common] = self.features;
        Overlap { a, b, shared: common }
    }
}

/// A finished scan of any lens, as a page sees it.
pub trait Viewed: Sync {
    /// What was found.
    fn report(&self) -> &Report;

    /// The least resemblance (of the chunks lens: the least share of the smaller) of which every pair was looked for:
    /// [`crate::ScanOptions::explore`], or the threshold.
    fn explored(&self) -> f64;

    /// What is known of a document, by its place in the catalogue.
    fn describe(&self, document: u32) -> Result<Described, Error>;

    /// The text of a document; none if it is no longer what it was.
    fn text(&self, document: u32) -> Result<Option<Text>, Error>;

    /// Calls `each` with every pair that was compared, links or not, but for those that people told apart. Needs `all_pairs`. A pair
    /// that was found in two ways comes twice, with either sample.
    fn compared(&self, each: &mut dyn FnMut(Compared) -> Result<(), Error>) -> Result<(), Error>;
}

impl Viewed for Scan {
    fn report(&self) -> &Report {
        &self.report
    }

    fn explored(&self) -> f64 {
        self.explored
    }

    fn describe(&self, document: u32) -> Result<Described, Error> {
        let entry = self.catalogue.entry(document)?;
        let modified = modified(&entry.place);
        Ok(Described {
            id: entry.id,
            bytes: entry.bytes,
            size: self.sizes[document as usize],
            shingles: self.catalogue.sizes[document as usize],
            content: content_name(entry.content),
            modified,
            salt: self.catalogue.salts[document as usize],
            // what was found to be no duplicate of its stand-in is alone
            stood_for_by: self
                .equivalents
                .stood_for_by(document)
                .filter(|first| !self.decisions.forbid(first.0, document)),
        })
    }

    fn text(&self, document: u32) -> Result<Option<Text>, Error> {
        Ok(self.loader().body(document)?.and_then(|(id, body)| self.front.shown(&id, &body).ok()))
    }

    fn compared(&self, each: &mut dyn FnMut(Compared) -> Result<(), Error>) -> Result<(), Error> {
        for judged in self.judged.iter().flat_map(Records::iter) {
            let judged = judged?;
            let sample = judged.pair.sample();
            let document = |rank: u32| self.ranking.documents[rank as usize];
            if self.decisions.forbid(document(judged.pair.a), document(judged.pair.b)) {
                continue;
            }
            let exact = judged.evidence().overlap().unwrap_or_else(|| as_overlap(sample));
            each(Compared {
                a: document(judged.pair.a),
                b: document(judged.pair.b),
                features: [exact.a, exact.b, exact.shared],
                sample: [sample.a, sample.b, sample.shared],
                whole: sample.is_exhaustive,
            })?;
        }
        Ok(())
    }
}

/// When a file was changed last, in seconds since 1970; none for what is no file.
pub(crate) fn modified(place: &Place) -> Option<u64> {
    let Place::File(path) = place else { return None };
    let time = path.metadata().and_then(|m| m.modified()).ok()?;
    time.duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs())
}
