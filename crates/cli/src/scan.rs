//! `lookalike scan`: which of these are nearly the same, and which sit inside others?

use crate::flags::{InputFlags, LensFlags, PolicyFlags, RunFlags};
use crate::output::{self, OutputFlags};
use crate::page::{self, PageFlags};
use crate::progress::{self, Bars, cancel_on_signal};
use anyhow::Result;
use clap::Args;
use lookalike::index::Index;
use lookalike::{Decision, Policy, ScanOptions, StoreError};
use lookalike_report::{HtmlOptions, HtmlPage, PairForm, PairWriter};
use std::path::{Path, PathBuf};

/// Find documents that are nearly the same, and documents inside others
///
/// Reads folders, files or JSONL and reports clusters of documents that resemble each other. Every number is verified on the whole
/// documents unless --estimate is given.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike scan docs/                              clusters in a folder
  lookalike scan docs/ --contained 0.9              also pages inside bigger pages
  lookalike scan docs/ --html report.html           a page to look at, and to decide on
  lookalike scan corpus.jsonl.zst -w 5 --threshold 0.7 --json > report.json
  zcat crawl.gz | lookalike scan - --id url --estimate --csv > clusters.csv
  lookalike scan new/ --against old.index           what of this is not in the index yet
  find . -name '*.md' -print0 | lookalike scan --stdin -0")]
pub(crate) struct Scan {
    #[command(flatten)]
    input: InputFlags,
    #[command(flatten)]
    policy: PolicyFlags,
    #[command(flatten)]
    lens: LensFlags,
    #[command(flatten)]
    running: RunFlags,
    #[command(flatten)]
    output: OutputFlags,
    /// Write every pair that the policy accepts to this file (.csv, .tsv, else NDJSON)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pairs: Option<PathBuf>,
    #[command(flatten)]
    page: PageFlags,
    /// Hold this decisions file, which the page exports (JSON or CSV), against what is found
    #[arg(long, value_name = "FILE", help_heading = "Policy", conflicts_with = "save")]
    decisions: Option<PathBuf>,
    /// Hold the documents against this index: tell what is known, and report only what is new or touches the new
    #[arg(long, value_name = "INDEX", help_heading = "Policy", conflicts_with_all = ["save", "html", "decisions"])]
    against: Option<PathBuf>,
    /// Time, CPU and counts by phase, spilled bytes and peak memory
    #[arg(long, help_heading = "Output")]
    stats: bool,
}

impl Scan {
    pub(crate) fn run(&self) -> Result<u8> {
        let decisions = self.decisions.as_deref().map(Decision::read).transpose()?.unwrap_or_default();
        let options = self.running.machine.limit(ScanOptions {
            corpus: self.input.options(),
            recipe: self.lens.recipe(self.input.brings_features()),
            key: self.lens.key().to_owned(),
            policy: self.policy.policy(Policy::default())?,
            candidates: self.running.candidates(),
            common: self.running.common(),
            whole: self.running.whole,
            estimate: self.running.estimate,
            all_pairs: self.pairs.is_some() || self.running.save.is_some() || self.page.html.is_some(),
            explore: self.page.html.is_some().then_some(self.page.explore),
            decisions,
            stats: self.stats,
            ..ScanOptions::default()
        });
        self.output.check()?;
        self.pairs.as_deref().map_or(Ok(()), |path| output::check_target(path, false))?;
        self.running.save.as_deref().map_or(Ok(()), |path| output::check_target(path, true))?;
        self.page.check()?;
        output::check_different(&[self.output.file(), self.pairs.as_deref(), self.page.html.as_deref()])?;
        let against = self.against.as_deref().map(|path| Index::open_for(path, &options)).transpose()?;
        let cancel = cancel_on_signal();
        let mut scan = lookalike::scan(self.input.inputs(), &options, &Bars::new(self.output.quiet), &cancel)?;
        if let Some(index) = &against {
            scan.hold_against(index)?;
        }
        progress::writing();
        if let Some(path) = &self.running.save {
            scan.save(path)?;
        }
        if let Some(path) = &self.pairs {
            write_pairs(path, &scan)?;
        }
        if let Some(path) = &self.page.html {
            self.write_page(path, &scan, &options)?;
        }
        self.output.report(&scan.report, &|a, b| scan.differences(a, b).ok().flatten())?;
        if scan.report.documents == 0 && !self.output.quiet {
            output::message("no documents were found; check the paths, and --hidden, --no-ignore, --include");
        }
        if output::is_damaged(&scan.report.skipped, "the rest was scanned") {
            return Ok(crate::WRONG);
        }
        Ok(self.output.found(&scan.report))
    }

    fn write_page(&self, path: &Path, scan: &lookalike::Scan, options: &ScanOptions) -> Result<()> {
        let page = HtmlPage::of_scan(
            scan,
            &HtmlOptions {
                inputs: self.input.names(),
                place: self.input.place(),
                command: page::command(std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned())),
                made: page::now(),
                embed_limit: self.page.embed_limit,
                decisions: &options.decisions,
            },
        )?;
        output::to(Some(path), false, |out| page.write(out))
    }
}

fn write_pairs(path: &Path, scan: &lookalike::Scan) -> Result<()> {
    Ok(lookalike::atomic::write(path, |out| {
        let failed = |source| StoreError::Write { what: path.display().to_string(), source };
        let mut rows = PairWriter::new(out, PairForm::of(path), scan.report.estimate).map_err(failed)?;
        scan.pairs(|pair| rows.write(&pair).map_err(|e| lookalike::Error::from(failed(e))))?;
        rows.finish().map_err(failed)?;
        Ok::<_, lookalike::Error>(())
    })?)
}
