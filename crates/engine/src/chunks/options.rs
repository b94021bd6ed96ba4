//! What a scan by chunks is asked to do.

use super::TemplateList;
use crate::{Error, Policy, ScanOptions};
use lookalike_core::chunk::Parameters;

/// Everything that decides what a scan by chunks does.
#[derive(Clone)]
pub struct Options {
    /// Which documents, which policy, which machine. Recipe, key, candidates, `whole` and `estimate` are of the shingles lens and not looked at.
    ///
    /// The policy's `threshold` and `contained` are set to the least share, see [`Options::with_share`].
    pub scan: ScanOptions,
    /// Mean length of a chunk in bytes.
    pub mean: u32,
    /// The secret behind cuts and hashes; empty for none.
    pub key: String,
    /// A chunk in more than this share of all documents does not connect them.
    pub common_share: f64,
    /// Also count the true bytes in common of each member and its representative, by aligning the two.
    pub exact: bool,
    /// Mean length of a second pass over what the first left in doubt.
    pub refine: Option<u32>,
    /// Chunks to ignore.
    pub templates: TemplateList,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            scan: ScanOptions::default(),
            mean: 1000,
            key: String::new(),
            common_share: 0.5,
            exact: false,
            refine: None,
            templates: TemplateList::default(),
        }
        .with_share(0.5, 0)
    }
}

impl Options {
    /// A pair is a link if it shares at least `bytes` bytes, and at least this share of the smaller of the two.
    #[must_use]
    pub fn with_share(mut self, share: f64, bytes: u64) -> Self {
        self.scan.policy = Policy { threshold: share, contained: Some(share), min_common: bytes, ..self.scan.policy };
        self
    }

    /// Fails if the options make no sense, or the templates are of another recipe.
    pub(crate) fn check(&self, recipe: &str) -> Result<(), Error> {
        let wrong = |message: String| Err(Error::Options(message));
        let share = self.scan.policy.threshold;
        if !(share > 0.0 && share <= 1.0) {
            return wrong(format!("--min-share: expected more than 0 and at most 100 %, found {} %", share * 100.0));
        }
        if !(self.common_share > 0.0 && self.common_share <= 1.0) {
            let found = self.common_share * 100.0;
            return wrong(format!("--common-share: expected more than 0 and at most 100 %, found {found} %"));
        }
        if let Some(finer) = self.refine {
            Parameters::for_mean(finer).map_err(|reason| Error::Options(format!("--refine: {reason}")))?;
            if finer >= self.mean {
                return wrong(format!("--refine: expected less than --avg-chunk {}, found {finer}", self.mean));
            }
        }
        if self.scan.memory < 16 << 20 {
            return wrong(format!("--memory of at least 16M is needed, found {} bytes", self.scan.memory));
        }
        self.templates.check(recipe)
    }
}
