//! The verb `lookalike copies`.

use super::flags::{CohortFlags, PairFlags, ReadingFlags};
use super::job::{Job, corpus};
use super::written::WrittenFlags;
use crate::flags::{DocumentFlags, KeyFlag, MachineFlags};
use crate::page::PageFlags;
use anyhow::Result;
use clap::Args;
use lookalike::ScanOptions;
use lookalike::copies::{CopiesInputs, CopiesOptions};

/// Find who copied what: passages that submissions share
///
/// Compares submissions (programs, essays, any files) two by two and lists the pairs that share passages, most similar first, with the
/// places in both. Renamed variables, changed comments and layout, and reordered parts do not hide a copy. The report says how surprising
/// each similarity is among these submissions, and suggests a threshold. Nothing leaves this machine.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike copies submissions.zip --html report.html        a page of what a platform exported
  lookalike copies handed-in/ --per-folder --base given/     several files each, and given code
  lookalike copies 2026/ --archive 2024/ --archive 2025/     also what is from earlier years
  lookalike copies essays/ --lang text                       words instead of code
  lookalike copies handed-in/ --owner '^([^_]+)_'            several attempts of one person
  lookalike copies src/ --sarif -o copies.sarif              for code review tools")]
#[command(mut_arg("paths", |flag| flag.help("Folders, files, zip and tar files, JSONL files; - is JSONL on standard input")))]
pub(crate) struct Copies {
    #[command(flatten)]
    input: DocumentFlags,
    #[command(flatten)]
    cohort: CohortFlags,
    #[command(flatten)]
    reading: ReadingFlags,
    #[command(flatten)]
    key: KeyFlag,
    #[command(flatten)]
    pairs: PairFlags,
    #[command(flatten)]
    machine: MachineFlags,
    #[command(flatten)]
    written: WrittenFlags,
    #[command(flatten)]
    page: PageFlags,
}

impl Copies {
    pub(crate) fn run(&self) -> Result<u8> {
        let stats = self.written.stats;
        let scan = self.machine.limit(ScanOptions {
            corpus: corpus(self.input.options()),
            key: self.key.key.clone(),
            stats,
            ..ScanOptions::default()
        });
        let cohort = self.cohort.cohort();
        let options = CopiesOptions { scan, cohort, winnowing: stats, ..CopiesOptions::default() };
        let options = self.pairs.options(self.reading.options(options)?)?;
        let job = Job {
            options,
            names: self.input.names(),
            place: self.input.place(),
            title: None,
            written: &self.written,
            page: &self.page,
        };
        job.check()?;
        let (submissions, archive, base) = (self.input.inputs(), self.cohort.archive(), self.cohort.base());
        job.run(CopiesInputs { submissions, archive, base })
    }
}
