//! Which pairs become links, and how links become clusters.

use crate::Error;
use crate::error::OptionName;
use lookalike_core::cluster::Linkage;
use lookalike_core::sketch::Banding;
use serde::{Deserialize, Serialize};

/// Which pairs become links, and how links become clusters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Policy {
    /// Least resemblance of a link.
    pub threshold: f64,
    /// Least containment of a link, if documents inside others are wanted.
    pub contained: Option<f64>,
    /// Least shared bytes of a link; only files that are compared by their bytes have them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub min_shared: u64,
    /// How links make clusters.
    pub linkage: Linkage,
    /// Of pairs that resemble enough only as many are links as a pipeline with these bands would find.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banding: Option<Banding>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl Default for Policy {
    fn default() -> Self {
        Self { threshold: 0.5, contained: None, min_shared: 0, linkage: Linkage::Star, banding: None }
    }
}

impl Policy {
    /// Shares are more than 0 and at most 1.
    pub fn check(&self) -> Result<(), Error> {
        OptionName::Threshold.check_share(self.threshold)?;
        self.contained.map_or(Ok(()), |share| OptionName::Contained.check_share(share))
    }
}
