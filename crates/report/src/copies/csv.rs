//! CSV: a row for each pair that is listed.

use crate::csv::io_error;
use lookalike::copies::Copies;
use std::io::{self, Write};

const HEADER: [&str; 14] = [
    "a",
    "b",
    "owner_a",
    "owner_b",
    "label_a",
    "label_b",
    "similarity",
    "share_a",
    "share_b",
    "overlap",
    "longest",
    "passages",
    "rarity",
    "expected",
];

/// Columns: both names, owners and labels, similarity, both shares, overlap, longest, passages, rarity, expected.
pub fn write_copies_csv(out: &mut dyn Write, report: &Copies) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(HEADER).map_err(io_error)?;
    for pair in &report.pairs {
        let [a, b] = [pair.a, pair.b].map(|at| &report.submissions[at]);
        let [owner_a, owner_b] = [a, b].map(|s| s.owner.as_deref().unwrap_or_default());
        let [label_a, label_b] = [a, b].map(|s| s.label.as_deref().unwrap_or_default());
        let shares = [pair.similarity, pair.share_a, pair.share_b].map(|share| share.to_string());
        let counts = [pair.overlap, pair.longest, pair.passages_all].map(|n| n.to_string());
        // what is next to nothing has very many digits
        let short = |n: f64| if n == 0.0 || n >= 0.001 { n.to_string() } else { format!("{n:.3e}") };
        let calibrated = [Some(pair.rarity), pair.expected].map(|n| n.map_or_else(String::new, short));
        let known = [&a.name, &b.name, owner_a, owner_b, label_a, label_b].into_iter();
        let numbers = shares.iter().chain(&counts).chain(&calibrated).map(String::as_str);
        rows.write_record(known.chain(numbers)).map_err(io_error)?;
    }
    rows.flush()
}
