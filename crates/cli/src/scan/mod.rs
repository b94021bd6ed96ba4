//! `lookalike scan`: which of these are nearly the same, and which sit inside others? One file for each lens.

mod chunks;
mod shingles;
mod simhash;

use crate::flags::{FormatFlag, InputFlags, KeyFlag, PolicyFlags, RunFlags, ShingleFlags};
use crate::lens::LensName;
use crate::output::{self, OutputFlags};
use crate::page::{self, PageFlags};
use crate::progress;
use crate::templates::of_run;
use anyhow::{Result, bail};
use chunks::ChunkFlags;
use clap::{Args, ValueEnum};
use lookalike::chunks::TemplateList;
use lookalike::exchange::lens_of;
use lookalike::{Decision, Differences, Error, PairRow, ScanOptions, StoreError, Viewed};
use lookalike_report::{HtmlOptions, HtmlPage, PageSubject, PairForm, PairWriter};
use simhash::SimhashFlags;
use std::path::{Path, PathBuf};

/// Find documents that are nearly the same, and documents inside others
///
/// Reads folders, files or JSONL and reports clusters of documents that resemble each other. Every number is verified on the whole
/// documents unless --estimate is given. With --lens chunks it compares the bytes of files, text or not, and also reports identical files
/// and similar folders. With --lens simhash each document becomes one fingerprint, and those that differ in few bits are linked; --verify
/// compares them by their words.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike scan docs/                              clusters in a folder
  lookalike scan docs/ --contained 0.9              also pages inside bigger pages
  lookalike scan docs/ --html report.html           a page to look at, and to decide on
  lookalike scan corpus.jsonl.zst -w 5 --threshold 0.7 --json > report.json
  zcat crawl.gz | lookalike scan - --id url --estimate --csv > clusters.csv
  lookalike scan new/ --against old.index           what of this is not in the index yet
  find . -name '*.md' -print0 | lookalike scan --stdin -0
  lookalike scan --lens chunks files/ --xlsx files.xlsx   any files, by the bytes that they share
  lookalike scan --lens simhash crawl.jsonl.zst --category site --verify   fingerprints within 3 bits, verified
  lookalike scan ours/ theirs.lka                   and what another owner has sketched")]
#[command(mut_arg("key", |flag| flag.help("Secret behind what is sampled and how chunks are hashed: without it nobody can craft text to evade it, or guess what a hash stands for; also LOOKALIKE_KEY")))]
pub(crate) struct Scan {
    #[command(flatten)]
    input: InputFlags,
    #[command(flatten)]
    policy: PolicyFlags,
    /// How documents are compared [default: shingles, or that of an exchange file]
    #[arg(long, value_enum, help_heading = "Lens")]
    lens: Option<LensName>,
    #[command(flatten)]
    shingles: ShingleFlags,
    #[command(flatten)]
    key: KeyFlag,
    /// Format of all documents, or of the report [default: auto]
    #[arg(long, value_enum, help_heading = "Lens")]
    format: Option<ScanFormat>,
    #[command(flatten)]
    chunks: ChunkFlags,
    #[command(flatten)]
    simhash: SimhashFlags,
    #[command(flatten)]
    running: RunFlags,
    #[command(flatten)]
    output: OutputFlags,
    /// Write every pair that the policy accepts to this file (.csv, .tsv, else NDJSON)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pairs: Option<PathBuf>,
    #[command(flatten)]
    page: PageFlags,
    /// Also list pairs of less resemblance than --threshold, down to this, so that the page's threshold can be moved there; at most --threshold
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, requires = "html", help_heading = "Page")]
    explore: f64,
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

/// What --format may say: how to read documents, or how to write the report.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ScanFormat {
    /// Read each by its file name, then by its content
    Auto,
    /// Read all as HTML
    Html,
    /// Read all as Markdown
    Markdown,
    /// Read all as plain text
    Text,
    /// Write sets of identical files as fdupes does (with --lens chunks)
    Fdupes,
}

/// A finished scan of any lens: what can be written of it.
trait Finished: Viewed {
    fn save(&self, run: &Path) -> Result<(), Error>;
    fn each_pair(&self, each: &mut dyn FnMut(PairRow) -> Result<(), Error>) -> Result<(), Error>;
    fn differences(&self, a: u32, b: u32) -> Result<Option<Differences>, Error>;
}

impl Scan {
    pub(crate) fn run(&self) -> Result<u8> {
        match self.lens()? {
            LensName::Shingles => self.by_shingles(),
            LensName::Chunks => self.by_chunks(),
            LensName::Simhash => self.by_simhash(),
        }
    }

    /// The lens that was asked for, by its name or by an exchange file.
    fn lens(&self) -> Result<LensName> {
        let Some(path) = self.input.documents.exchange_file()? else {
            return Ok(self.lens.unwrap_or(LensName::Shingles));
        };
        let own = if lens_of(path)? == "chunks" { LensName::Chunks } else { LensName::Shingles };
        match self.lens {
            Some(lens) if lens != own => {
                let (path, lens, own) = (path.display(), lens.name(), own.name());
                bail!("{path} is an exchange file of the {own} lens; leave out --lens {lens}")
            }
            _ => Ok(own),
        }
    }

    /// The part of the options that any lens has.
    fn options(&self) -> Result<ScanOptions> {
        let decisions = self.decisions.as_deref().map(Decision::read).transpose()?.unwrap_or_default();
        Ok(self.running.machine.limit(ScanOptions {
            corpus: self.input.options(),
            key: self.key.key.clone(),
            explore: self.page.html.is_some().then_some(self.explore),
            decisions,
            stats: self.stats,
            ..ScanOptions::default()
        }))
    }

    fn fdupes(&self) -> bool {
        self.format == Some(ScanFormat::Fdupes)
    }

    /// Fails early if a result could not be written.
    fn check_targets(&self) -> Result<()> {
        self.output.check(self.fdupes())?;
        self.pairs.as_deref().map_or(Ok(()), |path| output::check_target(path, false))?;
        self.running.save.as_deref().map_or(Ok(()), |path| output::check_target(path, true))?;
        self.page.check()?;
        let [report, sheet] = self.output.files();
        output::check_different(&[report, sheet, self.pairs.as_deref(), self.page.html.as_deref()])
    }

    /// Writes all that was asked for. Gives the exit code.
    fn finish(&self, scan: &dyn Finished, decisions: &[Decision], templates: &TemplateList) -> Result<u8> {
        progress::writing();
        if let Some(path) = &self.running.save {
            scan.save(path)?;
            if !templates.templates.is_empty() {
                // what the scan ignored, clustering again ignores too
                templates.write(&of_run(path))?;
            }
        }
        if let Some(path) = &self.pairs {
            write_pairs(path, scan)?;
            if scan.report().chunks.is_some() && scan.explored() > 1.0 && !self.output.quiet {
                let many = scan.report().common;
                output::message(&format!(
                    "note: chunks that more than {many} files have were not followed; of the pairs that share nothing else, {} has those with the first of a cluster only",
                    path.display()
                ));
            }
        }
        if let Some(path) = &self.page.html {
            self.write_page(path, scan, decisions)?;
        }
        let report = scan.report();
        self.output.report(report, self.fdupes(), &|a, b| scan.differences(a, b).ok().flatten())?;
        if report.documents == 0 && !self.output.quiet {
            output::message("no documents were found; check the paths, and --hidden, --no-ignore, --include");
        }
        if output::is_damaged(&report.skipped, "the rest was scanned") {
            return Ok(crate::WRONG);
        }
        Ok(self.output.found(report))
    }

    fn write_page(&self, path: &Path, scan: &dyn Viewed, decisions: &[Decision]) -> Result<()> {
        let page = HtmlPage::new(
            PageSubject::Scan(scan),
            &HtmlOptions {
                inputs: self.input.documents.names(),
                place: self.input.documents.place(),
                command: page::command(std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned())),
                made: page::now(),
                embed_limit: self.page.embed_limit,
                decisions,
            },
        )?;
        output::to(Some(path), false, |out| page.write(out))
    }
}

impl ScanFormat {
    /// How to read documents; none if it says something else.
    fn of_documents(self) -> Option<FormatFlag> {
        match self {
            Self::Auto => Some(FormatFlag::Auto),
            Self::Html => Some(FormatFlag::Html),
            Self::Markdown => Some(FormatFlag::Markdown),
            Self::Text => Some(FormatFlag::Text),
            Self::Fdupes => None,
        }
    }
}

fn write_pairs(path: &Path, scan: &dyn Finished) -> Result<()> {
    Ok(lookalike::atomic::write(path, |out| {
        let failed = |source| StoreError::Write { what: path.display().to_string(), source };
        let mut rows = PairWriter::new(out, PairForm::of(path), scan.report()).map_err(failed)?;
        scan.each_pair(&mut |pair| rows.write(&pair).map_err(|e| Error::from(failed(e))))?;
        rows.finish().map_err(failed)?;
        Ok::<_, Error>(())
    })?)
}
