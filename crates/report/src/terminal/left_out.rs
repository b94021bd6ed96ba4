//! What did not count: given code, what too many share, identical submissions, files without their grammar.

use super::lines::write_title;
use crate::clean::clean;
use crate::hints;
use crate::style::DIM;
use crate::submission::{path, place};
use crate::units::{commas, count};
use lookalike::report::{FrequentPassage, Passages};
use std::io::{self, Write};

/// Lines of a list.
const MAX_SHOWN: usize = 10;

pub(super) fn write(out: &mut dyn Write, report: &Passages) -> io::Result<()> {
    identical(out, report)?;
    ignored(out, report)?;
    degraded(out, report)
}

fn identical(out: &mut dyn Write, report: &Passages) -> io::Result<()> {
    let named = |at: usize| clean(&report.submissions[at].name).into_owned();
    let same = report.submissions.iter().filter_map(|s| Some((clean(&s.name), named(s.same_as?))));
    let lines: Vec<String> = same.map(|(name, first)| format!("{name} = {first}")).collect();
    list(out, "Identical submissions", "the same tokens; the second was compared for both", &lines)
}

fn ignored(out: &mut dyn Write, report: &Passages) -> io::Result<()> {
    let ignored = &report.ignored;
    if ignored.base_files > 0 {
        let tokens = count(ignored.base_tokens, "token");
        let files = count(ignored.base_files, "file");
        let about = format!("{tokens} of submissions are in {files} of given code; they do not count");
        write_title(out, "Base", &about)?;
    }
    if ignored.frequent_all == 0 {
        return Ok(());
    }
    let most =
        report.rules.max_df.map_or_else(|| "too many".to_owned(), |n| format!("more than {}", commas(u64::from(n))));
    let about = format!(
        "{} in passages that {most} submissions share; they do not count",
        count(ignored.frequent_tokens, "token")
    );
    write_title(out, "Frequent", &about)?;
    let listed = &ignored.frequent[..ignored.frequent.len().min(MAX_SHOWN / 2)];
    for FrequentPassage { submissions, tokens, example, place: stretch } in listed {
        let submission = &report.submissions[*example];
        let at = place(submission, stretch);
        let (name, tokens) = (clean(&submission.name), count(*tokens, "token"));
        writeln!(out, "  {:>7}  {tokens}, such as {at}  {DIM}{name}{DIM:#}", commas(*submissions))?;
    }
    match ignored.frequent_all.saturating_sub(listed.len() as u64) {
        0 => Ok(()),
        rest => writeln!(out, "  … and {}", count(rest, "more passage")),
    }
}

fn degraded(out: &mut dyn Write, report: &Passages) -> io::Result<()> {
    let mut lines = Vec::new();
    for submission in &report.submissions {
        for (at, file) in submission.files.iter().enumerate() {
            let Some(why) = &file.degraded else { continue };
            lines.push(format!("{}  {DIM}{}: {}{DIM:#}", clean(&path(submission, at)), file.language, clean(why)));
        }
    }
    list(out, "Degraded", "compared by words and signs, without the grammar of their language", &lines)
}

fn list(out: &mut dyn Write, title: &str, about: &str, lines: &[String]) -> io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    write_title(out, title, about)?;
    lines.iter().take(MAX_SHOWN).try_for_each(|line| writeln!(out, "  {line}"))?;
    match lines.len().saturating_sub(MAX_SHOWN) {
        0 => Ok(()),
        rest => writeln!(out, "  … and {} more; {}", commas(rest as u64), hints::ALL),
    }
}
