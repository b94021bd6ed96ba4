//! `lookalike compare`: two documents, side by side.

use crate::flags::LensFlags;
use crate::lens::{CompareLens, LensName};
use crate::simhash::flags::{TermFlags, WeightFlags};
use crate::{output, page, sizes};
use anyhow::{Result, bail};
use clap::Args;
use lookalike::{CompareOptions, Policy, ScanOptions, simhash};
use lookalike_report::{ComparisonView, HtmlOptions, HtmlPage, PageSubject, write_answer};
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
    /// Differences to show [default: 20]
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// Largest document that is read
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = sizes::parse)]
    max_size: u64,
    /// From this resemblance on, from 0 to 1, the two are near [default: 0.5]
    #[arg(long, value_name = "SHARE")]
    threshold: Option<f64>,
    /// From this containment on, from 0 to 1, one is inside the other [default: 0.9]
    #[arg(long, value_name = "SHARE")]
    contained: Option<f64>,
    /// How the two are compared
    #[arg(long = "lens", value_name = "LENS", value_enum, default_value_t = CompareLens::Shingles, help_heading = "Lens")]
    kind: CompareLens,
    #[command(flatten)]
    lens: LensFlags,
    /// Fingerprints that differ in at most so many bits are near [default: 3]
    #[arg(short, value_name = "BITS", help_heading = "Simhash")]
    k: Option<u32>,
    #[command(flatten)]
    terms: TermFlags,
    #[command(flatten)]
    weights: WeightFlags,
}

impl Compare {
    pub(crate) fn run(&self) -> Result<u8> {
        match self.kind {
            CompareLens::Shingles => self.by_shingles(),
            CompareLens::Simhash => self.by_simhash(),
        }
    }

    /// The distance of two fingerprints.
    fn by_simhash(&self) -> Result<u8> {
        let [words, sketch, _] = self.lens.given();
        let own = [
            words,
            sketch,
            ("--html", self.html.is_some()),
            ("--top", self.top.is_some()),
            ("--threshold", self.threshold.is_some()),
            ("--contained", self.contained.is_some()),
        ];
        if let Some((flag, _)) = own.iter().find(|(_, given)| *given) {
            bail!(
                "{flag} is a flag of the shingles lens, which is not in use; leave it out, or leave out --lens simhash"
            );
        }
        let features = self.terms.options(ScanOptions::default(), self.lens.format(), self.lens.key());
        let options = self.weights.options(features)?;
        let compared = simhash::compare(&self.a, &self.b, &options, self.k.unwrap_or(3), self.max_size)?;
        output::to(None, !self.json, |out| write_answer(out, &compared, self.json))?;
        Ok(crate::SUCCESS)
    }

    fn by_shingles(&self) -> Result<u8> {
        let given = [&[("-k", self.k.is_some())][..], &self.terms.given(), &self.weights.given()].concat();
        LensName::Simhash.refuse(&given)?;
        let (threshold, contained) = (self.threshold.unwrap_or(0.5), self.contained.unwrap_or(0.9));
        let options = CompareOptions {
            recipe: self.lens.recipe(false),
            key: self.lens.key().to_owned(),
            policy: Policy { threshold, contained: Some(contained), ..Policy::default() },
            max_size: self.max_size,
        };
        self.html.as_deref().map_or(Ok(()), |path| output::check_target(path, false))?;
        let comparison = lookalike::compare(&self.a, &self.b, &options)?;
        if let Some(path) = &self.html {
            let options = HtmlOptions { made: page::now(), ..HtmlOptions::default() };
            let page = HtmlPage::new(PageSubject::Comparison(&comparison), &options)?;
            output::to(Some(path), false, |out| page.write(out))?;
        }
        let answer = ComparisonView { comparison: &comparison, top: self.top.unwrap_or(20) };
        output::to(None, !self.json, |out| write_answer(out, &answer, self.json))?;
        Ok(crate::SUCCESS)
    }
}
