//! Tables that read well as text and as Markdown.

/// Aligned columns: words to the left, numbers to the right.
pub(super) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let head: Vec<String> = head.iter().map(|&cell| cell.to_owned()).collect();
    let columns: Vec<Column> =
        (0..head.len()).map(|at| Column::of(&head[at], rows.iter().map(|row| &*row[at]))).collect();
    let line = |row: &Vec<String>| {
        let cells = columns.iter().zip(row).map(|(column, cell)| column.cell(cell));
        format!("|{}|\n", cells.collect::<Vec<_>>().join("|"))
    };
    let rule = columns.iter().map(Column::rule).collect::<Vec<_>>().join("|");
    format!("{}|{rule}|\n{}", line(&head), rows.iter().map(line).collect::<String>())
}

struct Column {
    width: usize,
    numbers: bool,
}

impl Column {
    fn of<'a>(head: &'a str, cells: impl Iterator<Item = &'a str> + Clone) -> Self {
        let width = cells.clone().chain([head]).map(|cell| cell.chars().count()).max().unwrap_or(0);
        let number = |cell: &str| cell.split(' ').next().is_some_and(|word| word == "–" || word.parse::<f64>().is_ok());
        Self { width: width.max(3), numbers: { cells }.all(number) }
    }

    fn cell(&self, text: &str) -> String {
        let width = self.width;
        if self.numbers { format!(" {text:>width$} ") } else { format!(" {text:<width$} ") }
    }

    fn rule(&self) -> String {
        let dashes = "-".repeat(self.width + 1);
        dashes + if self.numbers { ":" } else { "-" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = [vec!["añb".to_owned(), "1".to_owned()], vec!["c".to_owned(), "12345".to_owned()]];
        let text = table(&["name", "n"], &rows);
        assert_eq!(text.lines().next(), Some("| name |     n |"));
        assert_eq!(text.lines().nth(1), Some("|------|------:|"));
        assert_eq!(text.lines().nth(2), Some("| añb  |     1 |"));
        assert!(text.lines().all(|line| line.chars().count() == 16), "{text}");
    }
}
