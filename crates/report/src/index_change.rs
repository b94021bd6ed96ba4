//! What a change or a check of an index did.

use crate::clean::clean;
use crate::units::commas;
use crate::versioned::write_versioned;
use lookalike::index::{Changed, Checked};
use std::io::{self, Write};

/// A change as one JSON object.
pub fn write_changed_json(out: &mut dyn Write, changed: &Changed) -> io::Result<()> {
    write_versioned(out, changed)
}

/// A check as one JSON object.
pub fn write_checked_json(out: &mut dyn Write, checked: &Checked) -> io::Result<()> {
    write_versioned(out, checked)
}

/// Says what a check of an index found.
pub fn write_checked(out: &mut dyn Write, index: &str, checked: &Checked) -> io::Result<()> {
    let (files, bytes) = (commas(checked.files), commas(checked.bytes));
    let found = match checked.damages.len() {
        0 => "all is well".to_owned(),
        n => format!("{n} damaged"),
    };
    writeln!(out, "{}: {files} files, {bytes} bytes: {found}", clean(index))?;
    checked.damages.iter().try_for_each(|damage| writeln!(out, "  {}", clean(damage)))
}

/// Says what a change of an index did; `done` in a word or two, such as "added to".
pub fn write_changed(out: &mut dyn Write, done: &str, index: &str, changed: &Changed) -> io::Result<()> {
    writeln!(out, "{done} {}\n", clean(index))?;
    let rows = [
        ("read", changed.read, "documents"),
        ("added", changed.added, "with content that the index did not have"),
        ("observed", changed.observed, "names that were recorded with their document"),
        ("unchanged", changed.unchanged, "names that were there already, with the same document"),
        ("repeated", changed.repeated, "names that occurred more than once: the last one counts"),
        ("removed", changed.removed, "observations that were removed or replaced"),
        ("dropped", changed.dropped, "documents that no name has any more"),
        ("merged", changed.merged, "segments, into larger ones"),
        ("skipped", changed.skipped.len() as u64, "not read"),
    ];
    let all_zero = rows.iter().all(|(_, n, _)| *n == 0);
    for (name, n, what) in rows.iter().filter(|(_, n, _)| *n > 0) {
        writeln!(out, "  {name:<11} {:>9}  {what}", commas(*n))?;
    }
    if all_zero {
        writeln!(out, "  nothing to do")?;
    }
    for skip in changed.skipped.iter().take(10) {
        writeln!(out, "  {}  {}", clean(&skip.id), clean(&skip.reason))?;
    }
    let rest = changed.skipped.len().saturating_sub(10);
    if rest > 0 { writeln!(out, "  … and {} more; all with --json", commas(rest as u64)) } else { Ok(()) }
}
