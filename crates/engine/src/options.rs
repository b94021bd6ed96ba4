//! What a scan is asked to do.

use crate::{Decision, Error};
pub use lookalike_core::cluster::Linkage;
use lookalike_core::recipe::ShingleRecipe;
use lookalike_corpus as corpus;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How pairs worth comparing are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Candidates {
    /// By counting common features of the sketches.
    #[default]
    Shingles,
    /// By one common super shingle: less work, blind to containment and to short documents.
    Super,
    /// By common chunks.
    Chunks,
    /// By fingerprints that differ in few bits.
    Simhash,
}

/// Which pairs become links, and how links become clusters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Policy {
    /// Least resemblance of a link.
    pub threshold: f64,
    /// Least containment of a link, if documents inside others are wanted.
    pub contained: Option<f64>,
    /// Least bytes in common of a link; only files that are compared by their bytes have them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub min_common: u64,
    /// How links make clusters.
    pub linkage: Linkage,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl Default for Policy {
    fn default() -> Self {
        Self { threshold: 0.5, contained: None, min_common: 0, linkage: Linkage::Star }
    }
}

impl Policy {
    /// Shares are more than 0 and at most 1.
    pub fn check(&self) -> Result<(), Error> {
        for (name, share) in [("--threshold", Some(self.threshold)), ("--contained", self.contained)] {
            if let Some(share) = share.filter(|share| !(*share > 0.0 && *share <= 1.0)) {
                return Err(Error::Options(format!(
                    "{name}: expected a share of more than 0 and at most 1, found {share}"
                )));
            }
        }
        Ok(())
    }
}

/// Everything that decides what a scan does. What is in `recipe`, `policy`, `candidates`, `common`, `whole` and `estimate`
/// decides the answer; the rest only how it is reached.
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "switches that do not depend on each other")]
pub struct ScanOptions {
    /// Which of them are read, and how.
    pub corpus: corpus::Options,
    /// How documents become sketches.
    pub recipe: ShingleRecipe,
    /// The secret behind the fingerprints; empty for none.
    pub key: String,
    /// Which pairs become links.
    pub policy: Policy,
    /// How pairs are found.
    pub candidates: Candidates,
    /// A feature in more documents than this is common, and ignored.
    pub common: u32,
    /// Common features count like any other; they are only not used to find pairs.
    pub whole: bool,
    /// Report estimates instead of verified numbers.
    pub estimate: bool,
    /// Verify every candidate, not only those that decide a cluster: for [`crate::Scan::pairs`] and [`crate::Scan::save`].
    pub all_pairs: bool,
    /// Also look for pairs of less resemblance than a link has, down to this: for [`crate::Viewed::compared`]. What is reported does not
    /// change. Without effect beside `whole` and super shingles, whose pairs cannot be listed below the threshold.
    pub explore: Option<f64>,
    /// What people decided before.
    pub decisions: Vec<Decision>,
    /// Bytes of memory to stay within.
    pub memory: u64,
    /// Threads; 0 for one per core.
    pub threads: usize,
    /// Folder for spill files.
    pub tmp: Option<PathBuf>,
    /// Tell how long the phases took and what they used. Without it two reports of the same corpus are equal byte for byte.
    pub stats: bool,
}

impl Default for ScanOptions {
    fn default() -> Self {
        Self {
            corpus: corpus::Options::default(),
            recipe: ShingleRecipe::words(10),
            key: String::new(),
            policy: Policy::default(),
            candidates: Candidates::default(),
            common: 1000,
            whole: false,
            estimate: false,
            all_pairs: false,
            explore: None,
            decisions: Vec::new(),
            memory: crate::resources::default_memory(),
            threads: 0,
            tmp: None,
            stats: false,
        }
    }
}
