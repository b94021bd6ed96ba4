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
}

impl PageFlags {
    /// Fails early if the page could not be written.
    pub(crate) fn check(&self) -> Result<()> {
        self.html.as_deref().map_or(Ok(()), |path| output::check_target(path, false))
    }
}

/// Flags whose value a page does not repeat: secrets, what only this run needed, and decisions, which will be others.
const DROPPED_WITH_VALUE: [&str; 11] =
    ["--key", "--decisions", "--memory", "--threads", "-j", "--tmp", "--output", "-o", "--save", "--pairs", "--xlsx"];
/// The same without a value.
const DROPPED: [&str; 8] = ["--json", "--ndjson", "--csv", "--sarif", "--stats", "--quiet", "-q", "--exit-code"];

/// The arguments of a scan that would make this page again.
pub(crate) fn command(arguments: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept = Vec::new();
    let (mut skip, mut flags) = (false, true);
    for argument in arguments {
        let dropped = flags && DROPPED.contains(&argument.as_str());
        let named = flags && DROPPED_WITH_VALUE.contains(&argument.as_str());
        let joined = |flag: &&str| {
            let rest = argument.strip_prefix(*flag);
            rest.is_some_and(|rest| if flag.starts_with("--") { rest.starts_with('=') } else { !rest.is_empty() })
        };
        let joined = flags && DROPPED_WITH_VALUE.iter().any(joined);
        if std::mem::replace(&mut skip, named) || dropped || named || joined {
            continue;
        }
        flags &= argument != "--";
        kept.push(argument);
    }
    kept
}

/// Seconds since 1970; builds that must be equal byte for byte set SOURCE_DATE_EPOCH.
pub(crate) fn now() -> u64 {
    let told = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    let clock = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    told.unwrap_or_else(clock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_repeats_what_decides_the_answer() {
        let given = "scan docs -w 5 --key secret --key=secret -j2 -j 3 --memory=1G --json -q --xlsx r.xlsx --decisions d.json --html r.html -oout -- -j";
        let kept = command(given.split(' ').map(str::to_owned)).join(" ");
        assert_eq!(kept, "scan docs -w 5 --html r.html -- -j");
    }
}
