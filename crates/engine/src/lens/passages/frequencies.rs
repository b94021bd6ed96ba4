//! Which submissions share a fingerprint, and which fingerprints so many share that they are ignored.

use crate::Error;
use crate::lens::passages::cohort::{CohortUnits, NO_SUBMISSION};
use crate::lens::passages::options::MaxDf;
use crate::lens::passages::reading::Library;
use rustc_hash::FxHashMap;

/// What is known of all fingerprints together.
pub struct Frequencies {
    /// Fingerprints that more submissions have than may, and how many have them.
    pub frequent: FxHashMap<u64, u32>,
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
    units.iter().copied().filter(|unit| cohort.units[*unit as usize].same_as.is_none())
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
        units.sort_unstable();
        units.dedup();
        let result = each(hash, units);
        units.clear();
        result
    };
    for posting in library.postings.iter() {
        let posting = posting?;
        if last != Some(posting.hash) {
            close(last, &mut units)?;
            last = Some(posting.hash);
        }
        let unit = cohort.unit_of[posting.document as usize];
        if unit != NO_SUBMISSION {
            units.push(unit);
        }
    }
    close(last, &mut units)
}
