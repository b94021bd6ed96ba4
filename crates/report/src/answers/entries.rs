//! What an index knows, name by name.

use super::rows::{Row, cell};
use crate::clean::clean;
use crate::style::DIM;
use crate::units::bytes;
use lookalike::index::IndexEntry;
use std::io::{self, Write};

impl Row for IndexEntry {
    const LIST: &'static str = "documents";
    const COLUMNS: &'static str = "url content bytes first last current observations changes";

    fn cells(&self) -> Vec<String> {
        vec![
            self.url.clone(),
            self.content.clone(),
            self.bytes.to_string(),
            cell(self.first.as_ref()),
            cell(self.last.as_ref()),
            self.current.to_string(),
            self.observations.to_string(),
            self.changes.to_string(),
        ]
    }

    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let [first, last] = [&self.first, &self.last].map(|date| clean(date.as_deref().unwrap_or("–")));
        let note = if self.current { "" } else { "  gone" };
        let (content, size) = (clean(&self.content), bytes(self.bytes));
        let url = clean(&self.url);
        writeln!(out, "  {first:<10}  {last:<10}  {size:>10}  {DIM}{content}{DIM:#}  {url}{DIM}{note}{DIM:#}")
    }
}
