//! `lookalike lost`: where did the content of a URL go?

use crate::flags::IndexFlags;
use crate::{numbers, output};
use anyhow::{Result, bail};
use clap::Args;
use lookalike::index::{LostOptions, Status};
use lookalike_report::write_answer;

/// Find where the content of a dead or changed URL lives now
///
/// Takes what the URL had when it was last seen, or before it became something else, and looks for it in the last sweep: moved to
/// another URL, split over several, taken into a larger page, changed where it was, or gone.
#[derive(Args)]
#[command(after_help = "Example:
  lookalike lost pages.index https://a.example/faq.html

An index knows the past if its documents were added with dates, sweep by sweep:
  lookalike index add pages.index crawl.jsonl --id url --sweep 2026-05-08")]
pub(crate) struct Lost {
    #[command(flatten)]
    index: IndexFlags,
    /// The URL or id
    #[arg(value_name = "URL")]
    url: String,
    /// Look for what the URL had on this date, such as 2026-05-01
    #[arg(long, value_name = "DATE")]
    at: Option<String>,
    /// Least share of it that a place must hold to be listed, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = LostOptions::default().least)]
    least: f64,
    /// Places to list
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = numbers::at_least_one)]
    limit: usize,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Lost {
    pub(crate) fn run(&self) -> Result<u8> {
        let index = self.index.open()?;
        let options =
            LostOptions { least: self.least, at: self.at.clone(), limit: self.limit, ..LostOptions::default() };
        let lost = index.lost(&self.url, &options)?;
        if lost.status == Status::Unknown {
            let by_then = self.at.as_ref().map_or(String::new(), |date| format!(" by {date}"));
            bail!("{}: was never seen by {}{by_then}; check its spelling", self.url, self.index.path().display());
        }
        if index.sweeps().iter().all(|sweep| sweep.date.is_none()) {
            output::message(
                "note: this index has no dates, so all that it holds counts as there; add with --sweep DATE",
            );
        }
        output::to(None, !self.json, |out| write_answer(out, &lost, self.json))?;
        Ok(crate::SUCCESS)
    }
}
