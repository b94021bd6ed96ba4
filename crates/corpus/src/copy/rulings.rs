//! What becomes of the rows of a row group or a record batch.

use std::ops::Range;

use super::{Annotation, Copied, CopyError, Rule, Ruling};

/// The rulings on some rows that follow each other.
pub(super) struct Rulings {
    /// A bit for each row that stays.
    keep: Vec<u64>,
    pub(super) rows: u64,
    pub(super) kept: u64,
    /// Rows that stay with less of their text, in order.
    cuts: Vec<(u64, Vec<Range<usize>>)>,
    /// What is said of rows that stay, by their number among those; of others nothing is said.
    pub(super) annotations: Vec<(u64, Annotation)>,
}

impl Rulings {
    /// Asks for the rulings on so many rows, the first of them that of this number.
    pub(super) fn ask(
        first: u64,
        rows: u64,
        annotate: bool,
        rule: &mut Rule<'_>,
        copied: &mut Copied,
    ) -> Result<Self, CopyError> {
        let mut rulings = Self { keep: Vec::new(), rows, kept: 0, cuts: Vec::new(), annotations: Vec::new() };
        for row in 0..rows {
            if row.is_multiple_of(64) {
                rulings.keep.push(0);
            }
            let Ruling { keep, cuts, annotation, .. } = rule(first + row).map_err(CopyError::Ruling)?;
            if !keep {
                continue;
            }
            rulings.keep[row as usize / 64] |= 1 << (row % 64);
            if annotate && annotation != Annotation::NONE {
                rulings.annotations.push((rulings.kept, annotation));
            }
            if !cuts.is_empty() {
                rulings.cuts.push((row, cuts));
            }
            rulings.kept += 1;
        }
        copied.records += rows;
        copied.written += rulings.kept;
        Ok(rulings)
    }

    /// Whether a row stays; rows are counted from 0 here.
    pub(super) fn keeps(&self, row: u64) -> bool {
        self.keep.get(row as usize / 64).is_some_and(|bits| bits >> (row % 64) & 1 == 1)
    }

    /// Whether every row stays.
    pub(super) fn keep_all(&self) -> bool {
        self.kept == self.rows
    }

    pub(super) fn has_cuts(&self) -> bool {
        !self.cuts.is_empty()
    }

    /// What is cut out of the text of a row.
    pub(super) fn cuts(&self, row: u64) -> Option<&[Range<usize>]> {
        let at = self.cuts.binary_search_by_key(&row, |(row, _)| *row).ok()?;
        Some(&self.cuts[at].1)
    }
}
