//! Where results go: standard output or a file that appears whole; messages go to standard error.

use anstream::adapter::StripBytes;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use lookalike::{Differences, Report, Skip, StoreError, atomic};
use lookalike_report::{FORMS, Form, Shown, Source, clean};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// What is shown, and where.
#[expect(clippy::struct_excessive_bools, reason = "each is one independent switch of the command line")]
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputFlags {
    /// One JSON object
    #[arg(long, group = "form")]
    json: bool,
    /// One JSON object a line: the scan, then skips, templates and clusters
    #[arg(long, group = "form")]
    ndjson: bool,
    /// A row for each document in a cluster
    #[arg(long, group = "form")]
    csv: bool,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Also write a spreadsheet: clusters as rows that expand, sort and filter
    #[arg(long, value_name = "FILE")]
    xlsx: Option<PathBuf>,
    /// Clusters to show on the terminal
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Exit with code 1 if there is any cluster (with --decisions: any that is not decided; with --against: any document that is
    /// known or touches what is known)
    #[arg(long)]
    pub(crate) exit_code: bool,
    /// No progress bars and no messages but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// A form of the report that is not lookalike's own.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Sets of identical files, as fdupes prints them
    Fdupes,
}

impl OutputFlags {
    /// Writes a report in the form that was asked for; `fdupes` was asked for by --format.
    pub(crate) fn report(
        &self,
        report: &Report,
        fdupes: bool,
        explain: &dyn Fn(u32, u32) -> Option<Differences>,
    ) -> Result<()> {
        let source = Source { shown: Shown::top(self.top), explain: Some(explain), ..Source::new(report) };
        if let Some(path) = &self.xlsx {
            to(Some(path), false, |out| form(&[("xlsx", true)]).renderer.render(&source, out))?;
        }
        let forms = [("fdupes", fdupes), ("json", self.json), ("ndjson", self.ndjson), ("csv", self.csv)];
        let Form { renderer, .. } = form(&forms);
        to(self.output.as_deref(), renderer.is_coloured(), |out| renderer.render(&source, out))
    }

    /// Fails early if the report could not be written.
    pub(crate) fn check(&self, fdupes: bool) -> Result<()> {
        let other = [("--json", self.json), ("--ndjson", self.ndjson), ("--csv", self.csv)];
        if let Some((form, _)) = other.iter().find(|(_, given)| fdupes && *given) {
            bail!("--format fdupes and {form} are two forms of one report; leave out one of them");
        }
        self.files().into_iter().flatten().try_for_each(|path| check_target(path, false))?;
        check_different(&self.files())
    }

    /// The files that the report goes to: itself, and the spreadsheet.
    pub(crate) fn files(&self) -> [Option<&Path>; 2] {
        [self.output.as_deref(), self.xlsx.as_deref()]
    }

    pub(crate) fn found(&self, report: &Report) -> u8 {
        let found = match &report.against {
            Some(against) => against.known > 0 || !against.touching.is_empty(),
            None => report.clusters.iter().any(|cluster| !cluster.is_decided()),
        };
        if self.exit_code && found { crate::FOUND } else { crate::SUCCESS }
    }
}

/// The form of a report that was asked for; without one it is for people.
pub(crate) fn form(asked: &[(&str, bool)]) -> &'static Form {
    let name = asked.iter().find(|(_, given)| *given).map_or("terminal", |(name, _)| name);
    Form::named(name).unwrap_or(&FORMS[0])
}

/// Warns of input that is broken, if any is: what is skipped for other reasons is no fault. Says what became of the rest.
pub(crate) fn is_damaged(skipped: &[Skip], rest: &str) -> bool {
    let damaged: Vec<&Skip> = skipped.iter().filter(|skip| skip.damage).collect();
    let Some(first) = damaged.first() else { return false };
    let more = if damaged.len() > 1 { format!(" (and {} more)", damaged.len() - 1) } else { String::new() };
    message(&format!("warning: {}: {}{more}; {rest}", first.id, first.reason));
    true
}

/// Calls `fill` with standard output or with a file that appears when it is complete. What is `coloured` loses its colours where they are
/// not wanted; what is not is written as it is, since names of documents may look like colours.
pub(crate) fn to(
    file: Option<&Path>,
    coloured: bool,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let Some(path) = file else {
        let result = if coloured {
            let mut out = BufWriter::new(anstream::AutoStream::auto(io::stdout()));
            fill(&mut out).and_then(|()| out.flush())
        } else if io::stdout().is_terminal() {
            // data that lands on a terminal is for a person: nothing in it may act on the terminal
            let mut data = Vec::new();
            fill(&mut data).and_then(|()| {
                let text = String::from_utf8_lossy(&data);
                text.lines().try_for_each(|line| writeln!(io::stdout(), "{}", clean(line)))
            })
        } else {
            let mut out = BufWriter::new(io::stdout().lock());
            fill(&mut out).and_then(|()| out.flush())
        };
        return Ok(result.map_err(|source| StoreError::Write { what: "to standard output".into(), source })?);
    };
    let failed = |source| StoreError::Write { what: path.display().to_string(), source };
    Ok(atomic::write(path, |out| {
        if coloured { fill(&mut Plain { out, strip: StripBytes::new() }) } else { fill(out) }.map_err(failed)
    })?)
}

/// Fails before any work is done if a file or a new folder cannot be written there afterwards.
pub(crate) fn check_target(path: &Path, new: bool) -> Result<()> {
    let folder = atomic::parent(path);
    if !folder.is_dir() {
        bail!("cannot write {}: {} is no folder; make it first, or choose another", path.display(), folder.display());
    }
    if new && path.symlink_metadata().is_ok() {
        bail!("{} exists already; remove it or choose another name", path.display());
    }
    if path.is_dir() {
        bail!("cannot write {}: it is a folder; choose another name", path.display());
    }
    if path == Path::new("-") {
        bail!("cannot write a file called -; without --output the report goes to standard output");
    }
    Ok(())
}

/// Fails if two results would be written to one file.
pub(crate) fn check_different(files: &[Option<&Path>]) -> Result<()> {
    let mut seen: Vec<PathBuf> = Vec::new();
    for file in files.iter().flatten() {
        let whole = atomic::parent(file).canonicalize().unwrap_or_default().join(file.file_name().unwrap_or_default());
        if seen.contains(&whole) {
            bail!("two results would be written to {}; choose another name for one of them", file.display());
        }
        seen.push(whole);
    }
    Ok(())
}

/// A file never gets colours.
struct Plain<'a> {
    out: &'a mut dyn Write,
    strip: StripBytes,
}

impl Write for Plain<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.strip.strip_next(bytes).try_for_each(|piece| self.out.write_all(piece))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A line on standard error, made safe for a terminal.
pub(crate) fn message(text: &str) {
    // nobody is left to tell if standard error is closed
    let _ = writeln!(io::stderr(), "lookalike: {}", clean(text));
}
