//! A section as a Markdown table: read on the terminal and kept as the result.

use super::section::{Row, Section};
use crate::numbers::{Spread, number, thousands};

/// The title, the note, the table, and why a contender has no numbers.
pub(crate) fn section(section: &Section) -> String {
    let documents = section.documents.map(|documents| format!("{} documents", thousands(documents)));
    let bytes = section.bytes.map(|bytes| format!("{} MB", thousands(bytes / 1_000_000)));
    let size = [documents, bytes].into_iter().flatten().collect::<Vec<_>>().join(", ");
    let about = if size.is_empty() { section.note.clone() } else { format!("{size}. {}", section.note) };
    let lines: Vec<_> =
        std::iter::once(HEADER.map(str::to_owned)).chain(section.rows.iter().map(|row| cells(section, row))).collect();
    let failed = |row: &Row| row.failed.as_ref().map(|why| format!("{}: {why}", row.name));
    let mut parts = vec![format!("## {}", section.title), about, aligned(&lines)];
    parts.extend(section.rows.iter().filter_map(failed));
    parts.join("\n\n")
}

const HEADER: [&str; 8] = ["", "CPU s", "ratio", "CPU µs a document", "wall s", "peak MB", "recall", "precision"];

fn cells(section: &Section, row: &Row) -> [String; 8] {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    let each = section.documents.zip(row.cpu()).map(|(documents, cpu)| cpu.median * 1e6 / documents as f64);
    [
        row.name.clone(),
        or_dash(row.cpu().map(Spread::text)),
        or_dash(section.ratio(row).map(Spread::text)),
        or_dash(each.map(number)),
        or_dash(row.wall().map(|wall| number(wall.median))),
        or_dash(row.peak().map(|peak| thousands(peak / 1_000_000))),
        or_dash(row.score.map(|score| format!("{:.4}", score.recall))),
        or_dash(row.score.map(|score| format!("{:.4}", score.precision))),
    ]
}

/// Columns of equal width, so that the table can be read without being rendered. All but the first are numbers.
fn aligned<const N: usize>(lines: &[[String; N]]) -> String {
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0).max(2);
    let widths: [usize; N] = std::array::from_fn(width);
    let row = |line: &[String; N]| {
        let cells = (0..N).map(|column| {
            let (cell, width) = (&line[column], widths[column]);
            if column == 0 { format!(" {cell:<width$} ") } else { format!(" {cell:>width$} ") }
        });
        format!("|{}|", cells.collect::<Vec<_>>().join("|"))
    };
    let rule =
        (0..N).map(|column| format!("{}{}", "-".repeat(widths[column] + 1), if column == 0 { "-" } else { ":" }));
    let rule = format!("|{}|", rule.collect::<Vec<_>>().join("|"));
    let mut rows: Vec<String> = lines.iter().map(row).collect();
    rows.insert(1, rule);
    rows.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speed::section::tests::sample;

    #[test]
    fn a_section_reads_as_a_table() {
        let expected = "\
## near-duplicates

1,000 documents, 5 MB. A note.

|           |            CPU s |             ratio | CPU µs a document | wall s | peak MB | recall | precision |
|-----------|-----------------:|------------------:|------------------:|-------:|--------:|-------:|----------:|
| lookalike | 2.00 (2.00–4.00) |              1.00 |             2,000 |   1.00 |     314 | 0.9900 |    1.0000 |
| peer      | 30.0 (20.0–32.0) | 10.0 (8.00–15.0) |            30,000 |   15.0 |     314 |      – |         – |
| absent    |                – |                 – |                 – |      – |       – |      – |         – |

absent: not installed
";
        // widths follow the contents; compare the words
        let words = |text: &str| {
            text.split_whitespace().filter(|w| !w.starts_with("|-")).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(words(&section(&sample())), words(expected));
        let text = section(&sample());
        let lengths: Vec<usize> = text.lines().filter(|l| l.starts_with('|')).map(|l| l.chars().count()).collect();
        assert!(lengths.windows(2).all(|pair| pair[0] == pair[1]), "{lengths:?}");
    }
}
