//! Flags of the chunks lens that verbs share.

use crate::{numbers, sizes};
use clap::Args;
use lookalike::Policy;
use lookalike::chunks::{MAX_MEAN, MIN_MEAN};

/// Mean length of chunks where none is given.
pub(crate) const MEAN: u32 = 1000;

/// How files are cut.
#[derive(Args)]
#[command(next_help_heading = "Chunks")]
pub(crate) struct MeanFlag {
    /// Mean length of a chunk, from 64 to 1M: smaller ones find shorter common passages, and take more time and space [default: 1000]
    #[arg(long, value_name = "BYTES", value_parser = mean)]
    avg_chunk: Option<u32>,
}

impl MeanFlag {
    pub(crate) fn mean(&self) -> u32 {
        self.avg_chunk.unwrap_or(MEAN)
    }

    /// Which of them were given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 1] {
        [("--avg-chunk", self.avg_chunk.is_some())]
    }
}

/// A mean length of chunks.
pub(crate) fn mean(text: &str) -> Result<u32, String> {
    let range = u64::from(MIN_MEAN)..=u64::from(MAX_MEAN);
    let bytes = sizes::parse(text)?;
    let mean = u32::try_from(bytes).ok().filter(|_| range.contains(&bytes));
    mean.ok_or_else(|| format!("expected a mean from {MIN_MEAN} to {MAX_MEAN} bytes, found {text:?}"))
}

/// Which pairs are links.
#[derive(Args)]
#[command(next_help_heading = "Chunks")]
pub(crate) struct ShareFlags {
    /// Least bytes that two files in a cluster have in common [default: 0]
    #[arg(long, value_name = "SIZE", value_parser = sizes::parse)]
    min_common: Option<u64>,
    /// Least share of the smaller of two files in a cluster that they have in common, in percent [default: 50]
    #[arg(long, value_name = "PERCENT", value_parser = numbers::percent)]
    min_share: Option<f64>,
}

impl ShareFlags {
    /// The policy, where a flag is not given as in `base`.
    pub(crate) fn policy(&self, base: Policy) -> Policy {
        let share = self.min_share.unwrap_or(base.threshold);
        let min_common = self.min_common.unwrap_or(base.min_common);
        Policy { threshold: share, contained: Some(share), min_common, ..base }
    }

    /// Which of them were given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 2] {
        [("--min-common", self.min_common.is_some()), ("--min-share", self.min_share.is_some())]
    }
}

#[cfg(test)]
mod tests {
    use super::mean;

    #[test]
    fn means() {
        assert_eq!(["64", "1000", "1K", "1M"].map(mean), [Ok(64), Ok(1000), Ok(1024), Ok(1 << 20)]);
        for wrong in ["63", "10", "0", "1048577", "2M", "1T", "", "much"] {
            assert!(mean(wrong).is_err(), "{wrong}");
        }
    }
}
