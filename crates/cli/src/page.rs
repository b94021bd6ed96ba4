//! Flags of the report page.

use crate::{output, sizes};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;
use std::time::SystemTime;

/// The page, and what goes into it.
#[derive(Args)]
#[command(next_help_heading = "Page")]
pub(crate) struct PageFlags {
    /// Also write a page to look at: one file, no network, opens in any browser
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Bytes of the page that the texts of documents may take; without its text a document cannot be shown side by side
    #[arg(long, value_name = "SIZE", default_value = "32M", value_parser = sizes::parse, requires = "html")]
    pub(crate) embed_limit: u64,
    /// Also list pairs of less resemblance than --threshold, down to this, so that the page's threshold can be moved there
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, requires = "html")]
    pub(crate) explore: f64,
}

impl PageFlags {
    /// Fails early if the page could not be written.
    pub(crate) fn check(&self) -> Result<()> {
        self.html.as_deref().map_or(Ok(()), |path| output::check_target(path, false))
    }
}

/// Seconds since 1970; builds that must be equal byte for byte set SOURCE_DATE_EPOCH.
pub(crate) fn now() -> u64 {
    let told = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    let clock = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    told.unwrap_or_else(clock)
}
