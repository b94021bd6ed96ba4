//! Columns and characters of stretches, which only the texts tell.

use crate::page::SubmissionFiles;
use lookalike::report::{Passages, Stretch};
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// A point of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Point {
    /// Characters before it.
    pub(super) character: u64,
    /// From 1.
    pub(super) line: u32,
    /// From 1, in characters.
    pub(super) column: u64,
}

/// A stretch as the text has it.
pub(super) struct Exact {
    pub(super) start: Point,
    pub(super) end: Point,
    /// What stands there.
    pub(super) text: blake3::Hash,
}

/// All stretches of passages whose texts could be read.
#[derive(Default)]
pub(super) struct Places(BTreeMap<(usize, usize, u32, u32), Exact>);

impl Places {
    /// Reads each submission once.
    pub(super) fn read(report: &Passages, files: &SubmissionFiles<'_>) -> io::Result<Self> {
        let mut wanted: BTreeMap<usize, BTreeMap<usize, BTreeSet<(u32, u32)>>> = BTreeMap::new();
        for pair in &report.pairs {
            for (at, stretch) in pair.passages.iter().flat_map(|p| [(pair.a, &p.a), (pair.b, &p.b)]) {
                wanted.entry(at).or_default().entry(stretch.file).or_default().insert((stretch.start, stretch.end));
            }
        }
        let mut places = BTreeMap::new();
        for (at, by_file) in wanted {
            let shown = files(at).map_err(io::Error::other)?;
            for (file, stretches) in by_file {
                let Some(shown) = shown.get(file).and_then(Option::as_ref) else { continue };
                let points = points(&shown.text, stretches.iter().flat_map(|(start, end)| [*start, *end]));
                for (start, end) in stretches {
                    let text = shown.text.get(start as usize..end as usize);
                    let ends = [points.get(&start), points.get(&end)];
                    let ([Some(&first), Some(&last)], Some(text)) = (ends, text) else { continue };
                    let exact = Exact { start: first, end: last, text: blake3::hash(text.as_bytes()) };
                    places.insert((at, file, start, end), exact);
                }
            }
        }
        Ok(Self(places))
    }

    pub(super) fn of(&self, submission: usize, stretch: &Stretch) -> Option<&Exact> {
        self.0.get(&(submission, stretch.file, stretch.start, stretch.end))
    }
}

/// Where these bytes are; in one pass. Those that are in no text, or inside a character, are left out.
fn points(text: &str, bytes: impl Iterator<Item = u32>) -> BTreeMap<u32, Point> {
    let sorted: BTreeSet<u32> = bytes.collect();
    let mut points = BTreeMap::new();
    let mut point = Point { character: 0, line: 1, column: 1 };
    let mut done = 0;
    for byte in sorted {
        let Some(between) = text.get(done..byte as usize) else { continue };
        for c in between.chars() {
            point.character += 1;
            point.column += 1;
            if c == '\n' {
                (point.line, point.column) = (point.line + 1, 1);
            }
        }
        done = byte as usize;
        points.insert(byte, point);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_a_text() {
        let found = points("aü\nb", [0, 1, 2, 3, 4, 5, 9].into_iter());
        let at = |character, line, column| Point { character, line, column };
        let expected = [(0, at(0, 1, 1)), (1, at(1, 1, 2)), (3, at(2, 1, 3)), (4, at(3, 2, 1)), (5, at(4, 2, 2))];
        assert_eq!(found.into_iter().collect::<Vec<_>>(), expected);
    }
}
