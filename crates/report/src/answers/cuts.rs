//! What a run of `dedup` cut out of documents.

use super::dedup::uncompared;
use super::show::Show;
use crate::clean::clean;
use crate::style::{BOLD, DIM};
use crate::units::{bytes, commas, count, percent};
use lookalike::dedup::{CutSummary, TABLE_EXTENSION};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// A finished run that cut.
#[derive(Serialize)]
pub struct CutView<'a> {
    /// In numbers.
    #[serde(flatten)]
    pub summary: &'a CutSummary,
    /// Where the result is, if it was written.
    #[serde(skip)]
    pub out: Option<&'a Path>,
}

/// Repeated pieces that are listed.
const MAX_PIECES: usize = 5;
/// Characters of each.
const MAX_CHARS: usize = 60;

impl Show for CutView<'_> {
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let CutSummary { granularity, documents, cut_pieces, cut_documents, removed_documents, .. } = self.summary;
        let verb = if self.out.is_some() { "cut" } else { "would be cut" };
        let share =
            if self.summary.bytes == 0 { 0.0 } else { self.summary.cut_bytes as f64 / self.summary.bytes as f64 };
        writeln!(
            out,
            "{BOLD}{} {verb}{BOLD:#} out of {} of {}: {} of text, {}",
            count(*cut_pieces, &format!("repeated {granularity}")),
            commas(*cut_documents),
            count(*documents, "document"),
            bytes(self.summary.cut_bytes),
            percent(share)
        )?;
        if *removed_documents > 0 {
            writeln!(out, "\n  {} had no word left", count(*removed_documents, "document"))?;
        }
        if !self.summary.most_repeated.is_empty() {
            writeln!(out, "\n  {:>11}  repeated most", "times")?;
            for piece in self.summary.most_repeated.iter().take(MAX_PIECES) {
                let text: String = piece.text.chars().take(MAX_CHARS).collect();
                writeln!(out, "  {:>11}  {DIM}{}{DIM:#}", commas(piece.count), clean(&text))?;
            }
        }
        uncompared(&self.summary.uncompared, out)?;
        if let Some(path) = self.out {
            writeln!(
                out,
                "\n{}: corpus/, duplicates.{TABLE_EXTENSION}, summary.json",
                clean(&path.display().to_string())
            )?;
        }
        Ok(())
    }
}
