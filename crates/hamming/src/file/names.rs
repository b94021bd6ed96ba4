//! Ids that are text, kept apart from the fingerprints: these go by row number.

use std::borrow::Cow;

use super::error::FileProblem;
use super::layout::NameSelection;

/// Names by row: their bytes one after the other, and where each ends.
#[derive(Debug)]
pub struct Names {
    bytes: Vec<u8>,
    ends: Vec<u64>,
    /// The row of the first name, if all are kept.
    first: u64,
    /// The rows whose names are kept, in order, if not all.
    wanted: Option<Vec<u64>>,
    limit: u64,
}

impl Names {
    pub(super) fn new(keep: &NameSelection, first: u64, limit: u64) -> Names {
        let wanted = match keep {
            NameSelection::All => None,
            NameSelection::None => Some(Vec::new()),
            NameSelection::Rows(rows) => {
                let mut rows: Vec<u64> = rows.iter().copied().filter(|&row| row >= first).collect();
                rows.sort_unstable();
                rows.dedup();
                Some(rows)
            }
        };
        Names { bytes: Vec::new(), ends: Vec::new(), first, wanted, limit }
    }

    /// Takes the name of the next row; rows come one after the other, without gaps.
    #[inline]
    pub(super) fn push(&mut self, row: u64, name: &[u8]) -> Result<(), FileProblem> {
        if let Some(wanted) = &self.wanted
            && wanted.get(self.ends.len()) != Some(&row)
        {
            return Ok(());
        }
        if (self.bytes.len() + name.len() + 8 * (self.ends.len() + 1)) as u64 > self.limit {
            return Err(FileProblem::NamesLimit { rows: self.ends.len() as u64, limit: self.limit });
        }
        self.bytes.extend_from_slice(name);
        self.ends.push(self.bytes.len() as u64);
        Ok(())
    }

    /// Forgets what was read: the next name is that of this row.
    pub(super) fn forget(&mut self, next: u64) {
        self.bytes.clear();
        self.ends.clear();
        self.first = next;
    }

    /// The name of a row, if it has been read and kept.
    pub fn get(&self, row: u64) -> Option<&[u8]> {
        let at = match &self.wanted {
            None => usize::try_from(row.checked_sub(self.first)?).ok()?,
            Some(wanted) => wanted.binary_search(&row).ok()?,
        };
        let end = *self.ends.get(at)? as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        Some(&self.bytes[start..end])
    }

    /// The same as text; what is no UTF-8 is replaced. Control characters stay: the caller makes a name safe before it prints it.
    pub fn text(&self, row: u64) -> Option<Cow<'_, str>> {
        self.get(row).map(String::from_utf8_lossy)
    }

    /// How many are kept.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether none are kept.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes of memory that are taken, with what growing has reserved.
    pub fn memory(&self) -> usize {
        let rows = self.ends.capacity() + self.wanted.as_ref().map_or(0, Vec::capacity);
        self.bytes.capacity() + 8 * rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(keep: &NameSelection, first: u64) -> Names {
        let mut names = Names::new(keep, first, 1000);
        for row in first..first + 5 {
            names.push(row, format!("n{row}").as_bytes()).unwrap();
        }
        names
    }

    #[test]
    fn all_some_or_none_are_kept() {
        let all = names(&NameSelection::All, 2);
        assert_eq!((all.get(1), all.get(2), all.get(7)), (None, Some(&b"n2"[..]), None));
        assert_eq!(all.text(6).as_deref(), Some("n6"));
        let some = names(&NameSelection::Rows(vec![6, 0, 4, 4, 9]), 2);
        assert_eq!(some.len(), 2);
        assert_eq!((some.get(4), some.get(6)), (Some(&b"n4"[..]), Some(&b"n6"[..])));
        assert_eq!((some.get(5), some.get(9), some.get(0)), (None, None, None));
        assert!(names(&NameSelection::None, 2).is_empty());
    }

    #[test]
    fn the_limit_holds() {
        let mut names = Names::new(&NameSelection::All, 0, 20);
        names.push(0, b"ab").unwrap();
        names.push(1, b"ab").unwrap();
        assert_eq!(names.push(2, b""), Err(FileProblem::NamesLimit { rows: 2, limit: 20 }));
        let mut none = Names::new(&NameSelection::None, 0, 0);
        none.push(0, b"not counted").unwrap();
    }
}
