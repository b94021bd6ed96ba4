//! Where results go: standard output or a file that appears whole; messages go to standard error.

use crate::args::Args;
use crate::attributes::FileTable;
use crate::standard_output::stdout;
use anstream::adapter::StripBytes;
use anyhow::{Context, Result, bail};
use lookalike::report::Skip;
use lookalike::{Differences, Error, Report, StoreError, atomic};
use lookalike_report::{
    Attributes, FORMS, Form, Row, RowForm, RowWriter, Show, Shown, Source, clean, kinds, write_answer,
};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Writes a report of clusters in the form that was asked for.
pub(crate) fn report(args: &Args, report: &Report, explain: &dyn Fn(u32, u32) -> Option<Differences>) -> Result<()> {
    // only tables have columns for it
    let is_table = args.has("csv") || args.path("xlsx").is_some();
    let files = report.chunks().filter(|_| is_table).map(|chunks| FileTable::new(chunks.totals.base.as_deref()));
    let attributes = files.as_ref().map(|files| |id: &str| files.attributes(id));
    let attributes = attributes.as_ref().map(|attributes| attributes as &Attributes<'_>);
    let shown = Shown { columns: columns(args), ..Shown::top(args.value("top")) };
    let run = args.path("run").or_else(|| args.path("save"));
    let source = Source { shown, explain: Some(explain), attributes, run: run.as_deref(), ..Source::new(report) };
    if let Some(path) = args.path("xlsx") {
        let xlsx = workbook()?;
        to(Some(&path), false, |out| xlsx.renderer.render(&source, out))?;
        wrote(args, &path, "");
    }
    let Form { renderer, .. } = form(args);
    let file = args.path("output");
    to(file.as_deref(), renderer.is_coloured(), |out| renderer.render(&source, out))?;
    if let Some(path) = file {
        wrote(args, &path, "");
    }
    Ok(())
}

/// The form of `--xlsx`.
fn workbook() -> Result<&'static Form> {
    Form::named("xlsx").with_context(|| format!("--xlsx: {}", lookalike::built_without!("workbooks", "tables")))
}

/// Columns of the terminal that results go to; none where they go elsewhere and nobody says how many.
pub(crate) fn columns(args: &Args) -> Option<usize> {
    if args.path("output").is_some() {
        return None;
    }
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    told.or_else(|| terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0)))
}

/// Tells of a result that is in a file now.
pub(crate) fn wrote(args: &Args, path: &Path, then: &str) {
    if !args.has("quiet") {
        message(&format!("wrote {}{then}", path.display()));
    }
}

/// The form of a report that was asked for; without one it is for people.
pub(crate) fn form(args: &Args) -> &'static Form {
    let other: Option<String> = args.get("report-format");
    let flag = ["json", "ndjson", "csv", "sarif"].into_iter().find(|form| args.has(form));
    let name = other.as_deref().or(flag).unwrap_or("terminal");
    Form::named(name).unwrap_or(&FORMS[0])
}

/// The exit code of a report: whether something was found, if that is to be told.
pub(crate) fn found(args: &Args, report: &Report) -> u8 {
    let found = match &report.head.against {
        Some(against) => against.known > 0 || !against.touching.is_empty(),
        None => report.clusters.iter().any(|cluster| !cluster.is_decided()),
    };
    if args.has("exit-code") && found { crate::FOUND } else { crate::SUCCESS }
}

/// Calls `fill` with a file that appears when it is complete, or with what is there: a pipe, a device. Nothing acts on a terminal.
pub(crate) fn to_file<E: From<StoreError>>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    atomic::write(path, |out| {
        if !is_terminal(path) {
            return fill(out);
        }
        let mut lines = CleanLines { out, line: Vec::new() };
        fill(&mut lines)?;
        let failed = |source| StoreError::Write { what: path.display().to_string(), source };
        Ok(lines.finish().map_err(failed)?)
    })
}

fn is_terminal(path: &Path) -> bool {
    #[cfg(unix)]
    let is_device =
        path.metadata().is_ok_and(|found| std::os::unix::fs::FileTypeExt::is_char_device(&found.file_type()));
    #[cfg(not(unix))]
    let is_device = false;
    is_device && std::fs::File::open(path).is_ok_and(|file| file.is_terminal())
}

/// Lines made safe for a terminal.
struct CleanLines<'a> {
    out: &'a mut dyn Write,
    line: Vec<u8>,
}

impl CleanLines<'_> {
    fn finish(mut self) -> io::Result<()> {
        if self.line.is_empty() { Ok(()) } else { self.write_all(b"\n") }
    }
}

impl Write for CleanLines<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend(part);
            if let Some(line) = self.line.strip_suffix(b"\n") {
                writeln!(self.out, "{}", clean(&String::from_utf8_lossy(line)))?;
                self.line.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Fails before any work is done if the files that these flags name could not be written, or are the same.
pub(crate) fn check_targets(args: &Args, flags: &[&str]) -> Result<()> {
    let files: Vec<PathBuf> = flags.iter().filter_map(|flag| args.path(flag)).collect();
    files.iter().try_for_each(|path| check_target(path, false))?;
    if flags.contains(&"xlsx") && args.path("xlsx").is_some() {
        workbook()?;
    }
    check_different(&files)
}

/// A result: JSON if that was asked for, else words for people.
pub(crate) fn answer(args: &Args, answer: &impl Show) -> Result<()> {
    answer_to(args.path("output").as_deref(), args, answer)
}

fn answer_to(file: Option<&Path>, args: &Args, answer: &impl Show) -> Result<()> {
    let json = args.has("json");
    to(file, !json, |out| write_answer(out, answer, json))
}

/// Writes rows as `fill` produces them, as text, CSV or JSON, to `--output` or standard output. Returns their number.
pub(crate) fn rows<R: Row>(
    args: &Args,
    fill: impl FnOnce(&mut dyn FnMut(&R) -> Result<(), Error>) -> Result<(), Error>,
) -> Result<u64> {
    let form = match (args.has("csv"), args.has("json")) {
        (true, _) => RowForm::Csv,
        (_, true) => RowForm::Json,
        _ => RowForm::Text,
    };
    let file = args.path("output");
    let failed = |source| write_error(file.as_deref(), source);
    let mut written = 0;
    produce(file.as_deref(), form == RowForm::Text, |out| {
        let mut writer = RowWriter::new::<R>(out, form)?;
        fill(&mut |row| Ok(writer.write(row).map_err(failed)?))?;
        written = writer.finish()?;
        Ok(())
    })?;
    Ok(written)
}

/// The same of a summary, which is no result: `--quiet` leaves it out.
pub(crate) fn summary(args: &Args, summary: &impl Show) -> Result<()> {
    if args.has("json") || !args.has("quiet") { answer_to(None, args, summary) } else { Ok(()) }
}

/// All that was read is empty.
pub(crate) const ALL_EMPTY: &str = "no documents: everything that was read is empty";

/// Tells that nothing was read, and why. Gives the exit code: only what is empty may come to nothing.
pub(crate) fn no_documents(args: &Args, skipped: &[Skip]) -> u8 {
    let stream = || args.all::<PathBuf>("path").iter().all(|path| path.as_os_str() == "-");
    if skipped.iter().all(|skip| skip.kind == "empty") && (!skipped.is_empty() || stream()) {
        if !args.has("quiet") {
            message(ALL_EMPTY);
        }
        return crate::SUCCESS;
    }
    // what is left out on purpose is the last to be the cause
    let rank = |skip: &&Skip| {
        ["ignored", "hidden", "system file", "own result", "empty"]
            .iter()
            .position(|kind| *kind == skip.kind)
            .map_or(0, |at| at + 1)
    };
    let Some(first) = skipped.iter().min_by_key(rank) else {
        message("error: no files were found; check the paths, --include and --exclude");
        return crate::WRONG;
    };
    let remedy = match first.kind.as_str() {
        "hidden" | "system file" => "; --hidden reads it",
        "ignored" => "; --no-ignore reads it",
        "own result" => "; name a folder or file in it to read that",
        "no text" => "; name the field with --text-field",
        "too large" => "; --max-size allows more",
        "too small" => "; --min-size allows less",
        _ => "",
    };
    message(&format!("error: nothing could be read: {}. {}: {}{remedy}", kinds(skipped), first.id, first.reason));
    crate::WRONG
}

/// Warns of input that is broken, if any is: what is skipped for other reasons is no fault. Says what became of the rest.
pub(crate) fn is_damaged(skipped: &[Skip], rest: &str) -> bool {
    let damaged: Vec<&Skip> = skipped.iter().filter(|skip| skip.damage).collect();
    let Some(first) = damaged.first() else { return false };
    let more = if damaged.len() > 1 { format!(" (and {} more)", damaged.len() - 1) } else { String::new() };
    message(&format!("warning: {}: {}{more}; {rest}", first.id, first.reason));
    true
}

/// Calls `fill` with standard output or with a file that appears when it is complete. Colours are removed from `coloured` text where they
/// are not wanted, and always in a file. Other text is written unchanged, since names of documents may look like colours.
pub(crate) fn to(
    file: Option<&Path>,
    coloured: bool,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    produce(file, coloured, |out| Ok(fill(out)?))
}

/// [`to`] for a `fill` that also fails for other reasons than writing. An [`io::Error`] that it returns is an error of writing; any other
/// error is returned unchanged. In both cases no file appears.
pub(crate) fn produce(
    file: Option<&Path>,
    coloured: bool,
    fill: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    let written = match file {
        Some(path) if coloured => to_file(path, |out| fill(&mut Plain { out, strip: StripBytes::new() })),
        Some(path) => to_file(path, |out| fill(out)),
        None => to_standard_output(coloured, fill),
    };
    written.map_err(|error| match error.downcast::<io::Error>() {
        Ok(source) => write_error(file, source).into(),
        Err(error) => error,
    })
}

fn to_standard_output(coloured: bool, fill: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let mut stdout = stdout()?;
    if coloured {
        let mut out = BufWriter::new(anstream::AutoStream::auto(stdout));
        fill(&mut out)?;
        return Ok(out.flush()?);
    }
    if stdout.is_terminal() {
        // people read this: nothing in it may act on the terminal
        let mut lines = CleanLines { out: &mut stdout, line: Vec::new() };
        fill(&mut lines)?;
        return Ok(lines.finish()?);
    }
    let mut out = BufWriter::new(stdout.lock());
    fill(&mut out)?;
    Ok(out.flush()?)
}

/// The error of writing to `--output` or to standard output.
pub(crate) fn write_error(file: Option<&Path>, source: io::Error) -> StoreError {
    let what = file.map_or_else(|| "to standard output".to_owned(), |path| path.display().to_string());
    StoreError::Write { what, source }
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

/// Fails if an empty folder or a link is where a new store goes. Of a folder with files the store decides: an interrupted build may have
/// left it.
pub(crate) fn check_new_store(path: &Path) -> Result<()> {
    let is_empty = || path.read_dir().is_ok_and(|mut entries| entries.next().is_none());
    match path.symlink_metadata() {
        Ok(found) if found.is_symlink() || found.is_dir() && is_empty() => check_target(path, true),
        _ => Ok(()),
    }
}

/// Fails if two results would be written to one file.
fn check_different(files: &[PathBuf]) -> Result<()> {
    let mut seen: Vec<PathBuf> = Vec::new();
    for file in files {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_for_a_terminal() {
        let mut out = Vec::new();
        let mut lines = CleanLines { out: &mut out, line: Vec::new() };
        // pieces end anywhere, inside characters too
        for byte in "a,\u{9b}2J\n\u{202e}b\nend".bytes() {
            lines.write_all(&[byte]).unwrap();
        }
        lines.finish().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a,\\u{9b}2J\n\\u{202e}b\nend\n");
    }
}
