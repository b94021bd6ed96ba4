//! Tables that read well as text and as Markdown.

/// Aligned columns: a column of numbers to the right, all others to the left.
pub(crate) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let cells = |at: usize| rows.iter().map(move |row| row[at].as_str());
    let number = |cell: &str| {
        cell.split(' ').next().is_some_and(|word| word == "–" || word.replace(',', "").parse::<f64>().is_ok())
    };
    let columns: Vec<(usize, bool)> = (0..head.len())
        .map(|at| {
            let width = cells(at).chain([head[at]]).map(|cell| cell.chars().count()).max().unwrap_or(0);
            (width.max(3), !rows.is_empty() && cells(at).all(number))
        })
        .collect();
    let line = |row: &[&str]| {
        let cells = columns.iter().zip(row).map(|(&(width, numbers), cell)| {
            if numbers { format!(" {cell:>width$} ") } else { format!(" {cell:<width$} ") }
        });
        format!("|{}|\n", cells.collect::<Vec<_>>().join("|"))
    };
    let rule = columns.iter().map(|&(width, numbers)| "-".repeat(width + 1) + if numbers { ":" } else { "-" });
    let rule = format!("|{}|\n", rule.collect::<Vec<_>>().join("|"));
    let body = rows.iter().map(|row| line(&row.iter().map(String::as_str).collect::<Vec<_>>()));
    line(head) + &rule + &body.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = [["añb", "1,000 %"], ["c", "–"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(
            table(&["name", "n"], &rows),
            "| name |       n |\n|------|--------:|\n| añb  | 1,000 % |\n| c    |       – |\n"
        );
    }
}
