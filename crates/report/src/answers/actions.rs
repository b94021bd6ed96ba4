//! What was done to identical files, or would be; and what was undone.

use super::show::Show;
use crate::clean::clean;
use crate::hints;
use crate::style::{BOLD, DIM, RED};
use crate::units::{bytes, commas, count};
use anstyle::Style;
use lookalike::act::{ActReport, ActionKind, EntryOutcome, FileOutcome, Outcome, SetOutcome, UndoReport};
use std::io::{self, Write};

impl Show for ActReport {
    /// Lists what was done or would be, set by set, and the sums. Sets in which there is nothing to do are only counted.
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        if !self.interrupted.is_empty() {
            writeln!(out, "{BOLD}Interrupted in an earlier run{BOLD:#}")?;
            self.interrupted.iter().try_for_each(|entry| write_settled(out, entry, "settled", "would settle"))?;
            writeln!(out)?;
        }
        let is_shown = |set: &&SetOutcome| set.files.iter().any(|file| file.outcome != Outcome::Untouched);
        for set in self.sets.iter().filter(is_shown) {
            let kept = set.kept.as_deref().unwrap_or("nothing");
            let each = bytes(set.bytes);
            writeln!(out, "{:<13}{BOLD}{}{BOLD:#}  {DIM}{each}{DIM:#}", "keep", clean(kept))?;
            set.files.iter().try_for_each(|file| write_file(out, self, file))?;
            writeln!(out)?;
        }
        write_sums(out, self)
    }
}

fn write_file(out: &mut dyn Write, acted: &ActReport, file: &FileOutcome) -> io::Result<()> {
    let (word, style) = match file.outcome {
        Outcome::Failed if acted.dry_run => ("would fail", RED),
        Outcome::Failed => ("failed", RED),
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
    if matches!(acted.action, ActionKind::Move | ActionKind::Trash) {
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
        writeln!(out, "{RED}{} {fail}{RED:#}: see the list", commas(totals.failed))?;
    }
    if acted.dry_run {
        return writeln!(out, "\n{BOLD}Nothing was done:{BOLD:#} this was a dry run. {}", hints::DO_IT);
    }
    writeln!(out, "\nTo undo it: {}", clean(&hints::undo(&acted.log)))
}

impl Show for UndoReport {
    /// Lists what was undone or would be, and the sums.
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        self.entries.iter().try_for_each(|entry| write_settled(out, entry, "restored", "would restore"))?;
        if self.entries.is_empty() {
            return writeln!(out, "nothing is left to undo in {}", clean(&self.log));
        }
        let files = self.planned + self.done;
        let became = if self.dry_run { "would be restored" } else { "restored" };
        writeln!(out, "\n{BOLD}{} {became}{BOLD:#}", count(files, "file"))?;
        if self.untouched > 0 {
            writeln!(out, "{DIM}{} untouched, where there was nothing to do{DIM:#}", commas(self.untouched))?;
        }
        if self.failed > 0 {
            let fail = if self.dry_run { "would fail" } else { "failed" };
            writeln!(out, "{RED}{} {fail}{RED:#}: see the list", commas(self.failed))?;
        }
        if self.dry_run {
            writeln!(out, "\n{BOLD}Nothing was done:{BOLD:#} this was a dry run. {}", hints::DO_IT)?;
        }
        Ok(())
    }
}

fn write_settled(out: &mut dyn Write, entry: &EntryOutcome, done: &str, planned: &str) -> io::Result<()> {
    let (word, style) = match entry.outcome {
        Outcome::Failed => ("failed", RED),
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
        ActionKind::Reflink => Words {
            planned: "would share",
            done: "shared",
            would_be: "would share blocks with a kept file",
            are: "share blocks with a kept file",
        },
        ActionKind::Trash => Words {
            planned: "would trash",
            done: "trashed",
            would_be: "would be put in the trash",
            are: "put in the trash",
        },
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
