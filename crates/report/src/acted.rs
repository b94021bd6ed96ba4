//! What was done to identical files, or would be; and what was undone.

use crate::clean::clean;
use crate::shares::{BOLD, DIM};
use crate::units::{bytes, commas, count};
use crate::versioned::write_versioned;
use anstyle::{AnsiColor, Style};
use lookalike::act::{ActReport, ActionKind, EntryOutcome, FileOutcome, Outcome, SetOutcome, UndoReport};
use std::io::{self, Write};

const BAD: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Red)));

/// What was done as one JSON object.
pub fn write_acted_json(out: &mut dyn Write, acted: &ActReport) -> io::Result<()> {
    write_versioned(out, acted)
}

/// What was undone as one JSON object.
pub fn write_undone_json(out: &mut dyn Write, undone: &UndoReport) -> io::Result<()> {
    write_versioned(out, undone)
}

/// Lists what was done or would be, set by set, and the sums. Sets in which there is nothing to do are only counted.
pub fn write_acted(out: &mut dyn Write, acted: &ActReport) -> io::Result<()> {
    if !acted.interrupted.is_empty() {
        writeln!(out, "{BOLD}Interrupted in an earlier run{BOLD:#}")?;
        acted.interrupted.iter().try_for_each(|entry| write_settled(out, entry, "settled", "would settle"))?;
        writeln!(out)?;
    }
    let is_shown = |set: &&SetOutcome| set.files.iter().any(|file| file.outcome != Outcome::Untouched);
    for set in acted.sets.iter().filter(is_shown) {
        let kept = set.kept.as_deref().unwrap_or("nothing");
        let each = bytes(set.bytes);
        writeln!(out, "{:<13}{BOLD}{}{BOLD:#}  {DIM}{each}{DIM:#}", "keep", clean(kept))?;
        set.files.iter().try_for_each(|file| write_file(out, acted, file))?;
        writeln!(out)?;
    }
    write_sums(out, acted)
}

fn write_file(out: &mut dyn Write, acted: &ActReport, file: &FileOutcome) -> io::Result<()> {
    let (word, style) = match file.outcome {
        Outcome::Failed if acted.dry_run => ("would fail", BAD),
        Outcome::Failed => ("failed", BAD),
        Outcome::Untouched => ("untouched", DIM),
        Outcome::Planned => (words(acted.action).planned, Style::new()),
        Outcome::Done => (words(acted.action).done, Style::new()),
    };
    write!(out, "  {style}{word:<13}{style:#}{}", clean(&file.id))?;
    if let Some(to) = &file.to {
        write!(out, "  {DIM}→{DIM:#} {}", clean(to))?;
    }
    for remark in file.reason.iter().chain(&file.note) {
        write!(out, "  {DIM}{}{DIM:#}", clean(remark))?;
    }
    writeln!(out)
}

fn write_sums(out: &mut dyn Write, acted: &ActReport) -> io::Result<()> {
    let (totals, words) = (&acted.totals, words(acted.action));
    let files = totals.planned + totals.done;
    let became = if acted.dry_run { words.would_be } else { words.are };
    let became = became.replace("(s)", if files == 1 { "" } else { "s" });
    write!(out, "{BOLD}{} {became}{BOLD:#}, {}", count(files, "file"), bytes(totals.bytes))?;
    if acted.action == ActionKind::Move {
        writeln!(out)?;
    } else {
        writeln!(out, "; the disk {} {} back", if acted.dry_run { "would get" } else { "gets" }, bytes(totals.freed))?;
    }
    let sets = count(totals.sets, "set");
    writeln!(out, "{DIM}of {sets} of identical files, keeping {}{DIM:#}", clean(&kept(&acted.keep)))?;
    if totals.untouched > 0 {
        writeln!(out, "{DIM}{} untouched, where there was nothing to do{DIM:#}", commas(totals.untouched))?;
    }
    if totals.failed > 0 {
        let fail = if acted.dry_run { "would fail" } else { "failed" };
        writeln!(out, "{BAD}{} {fail}{BAD:#}: see the list", commas(totals.failed))?;
    }
    if acted.dry_run {
        return writeln!(out, "\n{BOLD}Nothing was done:{BOLD:#} this was a dry run. Do it with --yes.");
    }
    writeln!(out, "\nTo undo it: lookalike act --undo {}", clean(&quoted(&acted.log)))
}

/// Lists what was undone or would be, and the sums.
pub fn write_undone(out: &mut dyn Write, undone: &UndoReport) -> io::Result<()> {
    undone.entries.iter().try_for_each(|entry| write_settled(out, entry, "restored", "would restore"))?;
    if undone.entries.is_empty() {
        return writeln!(out, "nothing is left to undo in {}", clean(&undone.log));
    }
    let files = undone.planned + undone.done;
    let became = if undone.dry_run { "would be restored" } else { "restored" };
    writeln!(out, "\n{BOLD}{} {became}{BOLD:#}", count(files, "file"))?;
    if undone.untouched > 0 {
        writeln!(out, "{DIM}{} untouched, where there was nothing to do{DIM:#}", commas(undone.untouched))?;
    }
    if undone.failed > 0 {
        let fail = if undone.dry_run { "would fail" } else { "failed" };
        writeln!(out, "{BAD}{} {fail}{BAD:#}: see the list", commas(undone.failed))?;
    }
    if undone.dry_run {
        writeln!(out, "\n{BOLD}Nothing was done:{BOLD:#} this was a dry run. Do it with --yes.")?;
    }
    Ok(())
}

fn write_settled(out: &mut dyn Write, entry: &EntryOutcome, done: &str, planned: &str) -> io::Result<()> {
    let (word, style) = match entry.outcome {
        Outcome::Failed => ("failed", BAD),
        Outcome::Untouched => ("untouched", DIM),
        Outcome::Planned => (planned, Style::new()),
        Outcome::Done => (done, Style::new()),
    };
    writeln!(out, "  {style}{word:<15}{style:#}{}  {DIM}{}{DIM:#}", clean(&entry.path), clean(&entry.reason))
}

/// An action in the words of a person.
struct Words {
    planned: &'static str,
    done: &'static str,
    would_be: &'static str,
    are: &'static str,
}

fn words(action: ActionKind) -> Words {
    match action {
        ActionKind::Hardlink => Words {
            planned: "would link",
            done: "linked",
            would_be: "would become hard link(s)",
            are: "became hard link(s)",
        },
        ActionKind::Symlink => Words {
            planned: "would link",
            done: "linked",
            would_be: "would become symbolic link(s)",
            are: "became symbolic link(s)",
        },
        ActionKind::Move => Words { planned: "would move", done: "moved", would_be: "would be moved", are: "moved" },
        ActionKind::Remove => {
            Words { planned: "would remove", done: "removed", would_be: "would be removed", are: "removed" }
        }
    }
}

fn kept(policy: &str) -> String {
    match policy.strip_prefix("under ") {
        Some(folder) => format!("one below {folder}"),
        None => match policy {
            "newest" => "the newest".to_owned(),
            "oldest" => "the oldest".to_owned(),
            _ => "the one with the shortest path".to_owned(),
        },
    }
}

/// A path as a shell takes it.
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@".contains(c);
    if path.chars().all(is_plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_for_a_shell() {
        assert_eq!(quoted("a/b-1.jsonl"), "a/b-1.jsonl");
        assert_eq!(quoted("it's here"), r"'it'\''s here'");
    }
}
