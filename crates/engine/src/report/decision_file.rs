//! Files of decisions, about clusters or about pairs: their text in any encoding, their rows with any separator.

use crate::Error;
use lookalike_extract::{Format, PageRules};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::path::Path;

/// Version of the form, the same for both kinds.
const FORMAT_VERSION: u32 = 1;

pub(super) const EXPECTED: &str = "expected a decisions file, as the Review view of a report page exports it";

/// Reads a file of decisions.
pub(super) fn read<T>(path: &Path, parse: fn(&[u8]) -> Result<Vec<T>, String>) -> Result<Vec<T>, Error> {
    let wrong = |reason: String| Error::Decisions { path: path.display().to_string(), reason };
    let bytes = std::fs::read(path).map_err(|e| wrong(format!("cannot be read: {e}")))?;
    parse(&bytes).map_err(wrong)
}

/// Its text: spreadsheets write UTF-16 and windows-1252 too.
pub(super) fn text_of(bytes: &[u8]) -> Result<String, String> {
    let mut scratch = String::new();
    let text = lookalike_extract::visible_text(bytes, Some(Format::Text), &PageRules::WHOLE, &mut scratch);
    Ok(text.map_err(|e| format!("{EXPECTED}, found something {e}"))?.trim_start().to_owned())
}

/// Which of our JSON files it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DecisionKind {
    Clusters,
    Pairs,
}

#[derive(Deserialize)]
struct Kind {
    decisions: Option<IgnoredAny>,
    copies_verdicts: Option<IgnoredAny>,
    schema: Option<IgnoredAny>,
}

impl DecisionKind {
    /// Refuses what is of another kind, and says what it is.
    pub(super) fn check(self, text: &str) -> Result<(), String> {
        let kind: Kind = serde_json::from_str(text).map_err(|e| format!("{EXPECTED}: {e}"))?;
        let (own, field) = match self {
            Self::Clusters => (kind.decisions.is_some(), "decisions"),
            Self::Pairs => (kind.copies_verdicts.is_some(), "copies_verdicts"),
        };
        if own {
            return Ok(());
        }
        let found = if kind.decisions.is_some() {
            "decisions about clusters of documents, not about pairs of submissions".to_owned()
        } else if kind.copies_verdicts.is_some() {
            "verdicts on pairs of submissions, not on clusters of documents".to_owned()
        } else if kind.schema.is_some() {
            "a report".to_owned()
        } else {
            format!("JSON without \"{field}\"")
        };
        Err(format!("{EXPECTED}, found {found}"))
    }
}

/// Refuses a form that this version does not know.
pub(super) fn check_version(version: u32) -> Result<(), String> {
    if version == FORMAT_VERSION {
        return Ok(());
    }
    Err(format!("expected decisions of form {FORMAT_VERSION}, found {version}; use a newer lookalike"))
}

/// Gives the cells of each row, in the order of the columns. Those that are optional may be missing, and are empty then.
pub(super) fn for_each_row<const N: usize>(
    text: &str,
    columns: [&str; N],
    optional: &[&str],
    mut row: impl FnMut([&str; N]) -> Result<(), String>,
) -> Result<(), String> {
    // Excel's own first line; what it says is found out below
    let text = text.strip_prefix("sep=").and_then(|rest| rest.split_once('\n')).map_or(text, |(_, rest)| rest);
    let head = text.lines().next().unwrap_or_default().replace('"', "").to_lowercase();
    // spreadsheets of many countries write semicolons
    let named = |d: &u8| head.split(char::from(*d)).any(|name| name.trim() == "verdict");
    let Some(delimiter) = [b',', b';', b'\t'].into_iter().find(named) else {
        return Err(format!("{EXPECTED}, found {:?}", head.chars().take(40).collect::<String>()));
    };
    let expected = format!("{EXPECTED} (columns {})", columns.join(", "));
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|e| format!("{expected}: {e}"))?;
    let place = |column: &str| header.iter().position(|name| name.trim().eq_ignore_ascii_case(column));
    let places = columns.map(place);
    if let Some(missing) = columns.iter().zip(places).find(|(name, place)| !optional.contains(name) && place.is_none())
    {
        return Err(format!("{expected}; it has no column {}", missing.0));
    }
    for cells in reader.records() {
        let cells = cells.map_err(|e| format!("{expected}: {e}"))?;
        let cells = places.map(|place| place.and_then(|at| cells.get(at)).unwrap_or_default());
        if !cells.iter().all(|cell| cell.trim().is_empty()) {
            row(cells)?;
        }
    }
    Ok(())
}

/// What a spreadsheet would take for a formula or a number is written with a quote in front.
pub(super) fn without_quote(text: &str) -> String {
    let Some(rest) = text.strip_prefix('\'') else { return text.to_owned() };
    let bare = rest.trim_start_matches('\'');
    let number = |text: &str| {
        let mut parts = text.splitn(2, ['e', 'E']);
        parts.all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
    };
    if bare.starts_with(['=', '+', '-', '@', '\t', '\r']) || number(bare) { rest } else { text }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_that_guard_are_taken_away_others_stay() {
        for (cell, text) in
            [("'=1", "=1"), ("'12e4", "12e4"), ("''-x", "'-x"), ("'quoted", "'quoted"), ("'1x", "'1x"), ("-x", "-x")]
        {
            assert_eq!(without_quote(cell), text);
        }
    }
}
