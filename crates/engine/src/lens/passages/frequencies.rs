//! Which submissions share a fingerprint, and which fingerprints so many share that they are ignored.

use crate::Error;
use crate::lens::passages::cohort::{CohortUnits, NO_SUBMISSION};
use crate::lens::passages::options::MaxDf;
use crate::lens::passages::reading::{Library, TokenPosting};
use lookalike_core::sets;
use rustc_hash::FxHashMap;

/// What is known of all fingerprints together.
pub struct Frequencies {
    /// Fingerprints that more submissions have than may, and how many have them.
    pub frequent: FxHashMap<u64, u32>,
    /// By submission: whether it has any of them.
    pub having_frequent: Vec<bool>,
    /// Fingerprints that more than two have and not too many, and how many.
    shared: FxHashMap<u64, u32>,
    /// Submissions that may have a fingerprint.
    pub limit: Option<u32>,
    /// By submission: its distinct fingerprints that count.
    pub fingerprints: Vec<u32>,
    /// The same, each weighed by how few have it.
    pub weights: Vec<f64>,
    /// Places in lists of two and more.
    pub places: u64,
}

/// So many submissions may share something if the user does not say otherwise. On labelled data it is best to ignore nothing, since what
/// many share weighs little anyway; but the work grows with the square of this.
const DEFAULT_MAX_DF: u32 = 1000;

impl MaxDf {
    /// How many submissions of `all` may share something.
    pub fn limit(self, all: usize) -> Option<u32> {
        match self {
            Self::Off => None,
            Self::Auto => (all > DEFAULT_MAX_DF as usize).then_some(DEFAULT_MAX_DF),
            Self::Submissions(n) => Some(n),
            // what two share is never frequent
            Self::Share(share) => Some(((share * all as f64) as u32).max(2)),
        }
    }
}

impl Frequencies {
    pub fn new(library: &Library, cohort: &CohortUnits, max_df: MaxDf) -> Result<Self, Error> {
        let limit = max_df.limit(cohort.units.len());
        let all = cohort.units.len();
        let mut frequencies = Self {
            frequent: FxHashMap::default(),
            having_frequent: vec![false; all],
            shared: FxHashMap::default(),
            limit,
            fingerprints: vec![0; all],
            weights: vec![0.0; all],
            places: 0,
        };
        for_each_list(library, cohort, |hash, units| {
            let different = different(cohort, units).count();
            if limit.is_some_and(|limit| different > limit as usize) {
                frequencies.frequent.insert(hash, units.len() as u32);
                for unit in units {
                    frequencies.having_frequent[*unit as usize] = true;
                }
                return Ok(());
            }
            for unit in units {
                frequencies.fingerprints[*unit as usize] += 1;
                frequencies.weights[*unit as usize] += weight(different as u64);
            }
            if different > 2 {
                frequencies.shared.insert(hash, different as u32);
            }
            if different > 1 {
                frequencies.places += different as u64;
            }
            Ok(())
        })?;
        Ok(frequencies)
    }

    /// How much a fingerprint tells.
    pub fn weight(&self, hash: u64) -> f64 {
        self.shared.get(&hash).map_or(1.0, |having| weight(u64::from(*having)))
    }
}

/// The submissions of a list without those that have the same tokens as another: copies of a whole do not make it frequent.
pub fn different<'a>(cohort: &'a CohortUnits, units: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    units.iter().copied().filter(|unit| cohort.is_different(*unit))
}

/// How much a fingerprint tells that so many submissions have: 1 if only two do, a half if eight do, a quarter if 32 do. Chosen on
/// labelled data; it does not depend on the size of the cohort.
pub fn weight(having: u64) -> f64 {
    (2.0 / having.max(2) as f64).sqrt()
}

/// Calls `each` with every fingerprint and the submissions that have it, in order.
pub fn for_each_list(
    library: &Library,
    cohort: &CohortUnits,
    mut each: impl FnMut(u64, &[u32]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut units: Vec<u32> = Vec::new();
    let mut last = None;
    let mut close = |hash: Option<u64>, units: &mut Vec<u32>| {
        let Some(hash) = hash.filter(|_| !units.is_empty()) else { return Ok(()) };
        into_set_of_units(units);
        let result = each(hash, units);
        units.clear();
        result
    };
    library.postings.for_each_block(|postings| {
        for posting in postings {
            if last != Some(posting.hash) {
                close(last.replace(posting.hash), &mut units)?;
            }
            let unit = cohort.unit_of[posting.document as usize];
            if unit != NO_SUBMISSION {
                units.push(unit);
            }
        }
        Ok::<_, Error>(())
    })?;
    close(last, &mut units)
}

/// How many submissions have each of some fingerprints, which are in order. They are searched for: they are few of very many.
pub fn how_many_have(library: &Library, cohort: &CohortUnits, wanted: &[u64]) -> Result<Vec<u64>, Error> {
    let mut having = Vec::with_capacity(wanted.len());
    let mut units: Vec<u32> = Vec::new();
    let close = |units: &mut Vec<u32>| {
        into_set_of_units(units);
        let many = units.len() as u64;
        units.clear();
        many
    };
    library.postings.for_each_block(|mut postings| {
        while let Some(hash) = wanted.get(having.len()) {
            postings = &postings[sets::search_from(postings, 0, |posting| posting.hash < *hash)..];
            let (equal, behind) = postings.split_at(sets::search_from(postings, 0, |posting| posting.hash == *hash));
            let unit_of = |posting: &TokenPosting| cohort.unit_of[posting.document as usize];
            units.extend(equal.iter().map(unit_of).filter(|unit| *unit != NO_SUBMISSION));
            if behind.is_empty() {
                // it may go on in the next block
                break;
            }
            having.push(close(&mut units));
            postings = behind;
        }
        Ok::<_, Error>(())
    })?;
    while having.len() < wanted.len() {
        having.push(close(&mut units));
    }
    Ok(having)
}

fn into_set_of_units(units: &mut Vec<u32>) {
    // most fingerprints are of one submission
    if units.len() > 1 {
        units.sort_unstable();
        units.dedup();
    }
}
