//! `lookalike moss`: the command line of MOSS, answered on this machine.

use super::flags::paths;
use super::job::{Job, corpus};
use super::moss_languages::reading;
use super::written::WrittenFlags;
use crate::flags::MachineFlags;
use crate::output;
use crate::page::PageFlags;
use anyhow::Result;
use clap::Args;
use lookalike::copies::{Cohort, CopiesInputs, CopiesOptions, MaxShare, Reading};
use lookalike::{CorpusOptions, ScanOptions};
use std::path::PathBuf;

/// Find who copied what, with the flags of MOSS
///
/// Takes the command line of MOSS's own script, but sends nothing anywhere: the answer is printed, and with -o written as a page.
/// lookalike copies does the same with more to choose.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike moss -l java *.java
  lookalike moss -l c -b given.c -m 4 -o result.html */prog1.c
  lookalike moss -l python -d alice/*.py bob/*.py -c 'Exercise 3'")]
pub(crate) struct Moss {
    /// Programs to compare
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Language, by MOSS's names (c, cc, java, python, ascii …) or ours; without it, by the name of each file
    #[arg(short, value_name = "LANGUAGE", default_value = "auto", hide_default_value = true, value_parser = reading)]
    language: Reading,
    /// The files of one folder are one program
    #[arg(short = 'd')]
    by_folder: bool,
    /// Code that was given to all: it does not count (may be repeated)
    #[arg(short, value_name = "FILE")]
    base: Vec<PathBuf>,
    /// Ignore what more programs than this share
    #[arg(short, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..))]
    most: u32,
    /// Pairs to list
    #[arg(short, value_name = "N", default_value_t = 250, value_parser = clap::value_parser!(u32).range(1..))]
    number: u32,
    /// Title of the answer
    #[arg(short, value_name = "TEXT")]
    comment: Option<String>,
    /// MOSS's experimental server; there is no server here
    #[arg(short = 'x')]
    experimental: bool,
    /// Also write a page to look at: one file, no network, opens in any browser
    #[arg(long, short = 'o', value_name = "FILE")]
    html: Option<PathBuf>,
    /// No progress bars and no messages but errors
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    machine: MachineFlags,
}

/// Bytes of the page for texts; as `copies` has it.
const EMBED_LIMIT: u64 = 32 << 20;

impl Moss {
    pub(crate) fn run(&self) -> Result<u8> {
        let scan =
            self.machine.limit(ScanOptions { corpus: corpus(CorpusOptions::default()), ..ScanOptions::default() });
        let options = CopiesOptions {
            scan,
            reading: self.language.clone(),
            cohort: Cohort { per_folder: self.by_folder, ..Cohort::default() },
            max_share: MaxShare::Submissions(self.most),
            limit: Some(self.number as usize),
            ..CopiesOptions::default()
        };
        let (written, page) = (self.written(), PageFlags { html: self.html.clone(), embed_limit: EMBED_LIMIT });
        let job = Job {
            options,
            names: self.files.iter().map(|file| file.display().to_string()).collect(),
            place: Vec::new(),
            title: self.comment.as_deref(),
            written: &written,
            page: &page,
        };
        job.check()?;
        if self.experimental && !self.quiet {
            output::message(
                "note: -x chooses another server of MOSS, and has no meaning here: nothing is sent anywhere",
            );
        }
        let inputs = CopiesInputs { submissions: paths(&self.files), archive: Vec::new(), base: paths(&self.base) };
        let code = job.run(inputs)?;
        self.tell_page()?;
        Ok(code)
    }

    fn written(&self) -> WrittenFlags {
        WrittenFlags {
            json: false,
            csv: false,
            sarif: false,
            output: None,
            pairs: None,
            top: 20,
            stats: false,
            exit_code: false,
            quiet: self.quiet,
        }
    }

    /// MOSS ends with an address; so do we.
    fn tell_page(&self) -> Result<()> {
        let Some(page) = &self.html else { return Ok(()) };
        let whole = page.canonicalize().unwrap_or_else(|_| page.clone()).display().to_string();
        output::to(None, true, |out| writeln!(out, "\n{}", lookalike_report::clean(&whole)))
    }
}
