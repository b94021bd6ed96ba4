//! `lookalike compare`: two documents, side by side.

use crate::flags::LensFlags;
use crate::{output, page, sizes};
use anyhow::Result;
use clap::Args;
use lookalike::{CompareOptions, Policy};
use lookalike_report::{HtmlPage, write_comparison, write_comparison_json};
use std::path::PathBuf;

/// Compare two documents exactly and show where they differ
#[derive(Args)]
pub(crate) struct Compare {
    /// The first document; - is standard input
    a: PathBuf,
    /// The second document
    b: PathBuf,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// Also write a page that shows the two side by side
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Differences to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Largest document that is read
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = sizes::parse)]
    max_size: u64,
    /// From this resemblance on, from 0 to 1, the two are near
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    threshold: f64,
    /// From this containment on, from 0 to 1, one is inside the other
    #[arg(long, value_name = "SHARE", default_value_t = 0.9)]
    contained: f64,
    #[command(flatten)]
    lens: LensFlags,
}

impl Compare {
    pub(crate) fn run(&self) -> Result<u8> {
        let options = CompareOptions {
            recipe: self.lens.recipe(false),
            key: self.lens.key().to_owned(),
            policy: Policy { threshold: self.threshold, contained: Some(self.contained), ..Policy::default() },
            max_size: self.max_size,
        };
        self.html.as_deref().map_or(Ok(()), |path| output::check_target(path, false))?;
        let comparison = lookalike::compare(&self.a, &self.b, &options)?;
        if let Some(path) = &self.html {
            let page = HtmlPage::of_comparison(&comparison, page::now());
            output::to(Some(path), false, |out| page.write(out))?;
        }
        output::to(None, !self.json, |out| {
            if self.json {
                write_comparison_json(out, &comparison)
            } else {
                write_comparison(out, &comparison, self.top)
            }
        })?;
        Ok(crate::SUCCESS)
    }
}
