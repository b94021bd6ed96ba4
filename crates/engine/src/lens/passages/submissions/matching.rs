//! Which row of an `info.csv` speaks of which submission.

use crate::lens::passages::info::{Info, InfoRow};
use crate::lens::passages::submissions::paths::last_part;
use crate::lens::passages::submissions::{Groups, Who};
use rustc_hash::FxHashMap;

/// A submission, as rows may call it.
pub(crate) struct FoundFile {
    pub(crate) root: Option<usize>,
    /// From its input.
    pub(crate) path: String,
    pub(crate) name: String,
}

/// So many rows are named in a warning.
const MAX_NAMED_ROWS: usize = 3;

/// Attaches what the rows say. A row speaks of the submission at its path, or of the one that the file at its path belongs to; if there is
/// none, of the only one whose last part is the same, provided that no other row could mean it. Of several rows the first counts.
pub(crate) fn attach(info: &Info, root: Option<usize>, found: &[FoundFile], groups: &mut Groups) {
    let meant = || found.iter().zip(0..).filter(move |(at, _)| root.is_none() || at.root == root);
    let mut names: FxHashMap<&str, Target> = FxHashMap::default();
    for (at, number) in meant() {
        Target::add(names.entry(&at.path).or_default(), number);
        if at.name != at.path {
            Target::add(names.entry(&at.name).or_default(), number);
        }
    }
    let mut taken = vec![false; found.len()];
    let mut left = Vec::new();
    for row in &info.rows {
        match prefixes(&row.filename).find_map(|path| names.get(path)) {
            Some(Target::One(number)) => {
                if !std::mem::replace(&mut taken[*number], true) {
                    tell(&mut groups.submissions[*number], row);
                }
            }
            Some(_) => groups.warnings.push(format!(
                "{}: line {}: {} is in several inputs, and is left out; begin it with the input",
                info.name, row.line, row.filename
            )),
            None => left.push(row),
        }
    }
    let mut by_last: FxHashMap<&str, (Target, Vec<&InfoRow>)> = FxHashMap::default();
    for (at, number) in meant().filter(|(_, number)| !taken[*number]) {
        Target::add(&mut by_last.entry(last_part(&at.path)).or_default().0, number);
    }
    for row in &left {
        by_last.entry(last_part(&row.filename)).or_default().1.push(row);
    }
    left.retain(|row| match by_last.get(last_part(&row.filename)) {
        Some((Target::One(number), rows)) if rows.len() == 1 => {
            tell(&mut groups.submissions[*number], row);
            false
        }
        _ => true,
    });
    if !left.is_empty() {
        let shown: Vec<String> =
            left.iter().take(MAX_NAMED_ROWS).map(|row| format!("{} (line {})", row.filename, row.line)).collect();
        let more = if left.len() > MAX_NAMED_ROWS { ", …" } else { "" };
        groups.warnings.push(format!(
            "{}: {} of {} rows speak of no submission: {}{more}; expected paths from the folder or archive of the submissions on",
            info.name,
            left.len(),
            info.rows.len(),
            shown.join(", ")
        ));
    }
}

/// What is known already stays.
fn tell(who: &mut Who, row: &InfoRow) {
    who.label = who.label.take().or_else(|| row.label.clone());
    who.created_at = who.created_at.take().or_else(|| row.created_at.clone());
    who.full_name = who.full_name.take().or_else(|| row.full_name.clone());
}

/// A path, and the folders and archives on the way to it, the innermost first.
fn prefixes(path: &str) -> impl Iterator<Item = &str> {
    let folders = path.rmatch_indices('/').map(|(at, _)| &path[..at]);
    std::iter::once(path).chain(folders.flat_map(|folder| [Some(folder), folder.strip_suffix('!')]).flatten())
}

/// How many submissions have a name.
#[derive(Clone, Copy, Default)]
enum Target {
    #[default]
    None,
    One(usize),
    Several,
}

impl Target {
    fn add(&mut self, number: usize) {
        *self = match self {
            Self::None => Self::One(number),
            Self::One(same) if *same == number => return,
            _ => Self::Several,
        };
    }
}
