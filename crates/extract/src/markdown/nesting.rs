//! A guard against documents made to be slow.
//!
//! pulldown-cmark 0.13 takes linear time on all that we tried (brackets, emphasis, backticks, tables, references,
//! HTML, a million times each and in pairs) but for one thing: on every line it looks through all block quotes and
//! lists that are open, so 10^5 of them before 10^5 lines take minutes. Documents are nested less than ten deep; what
//! is nested more than [`MAX_DEPTH`] is read as plain text, which loses no word.

/// The deepest nesting of block quotes and lists that is read as Markdown.
const MAX_DEPTH: usize = 100;

/// Whether block quotes and lists may be nested too deeply. Counts too many rather than too few: without reading the
/// document as Markdown one cannot know which marks count.
pub(super) fn is_too_deep(source: &str) -> bool {
    let mut deepest = 0;
    // Markdown's lines end at a carriage return as well.
    source.as_bytes().split(|&byte| byte == b'\n' || byte == b'\r').any(|line| {
        let (marks, columns) = marks_and_columns(line);
        // Spaces alone open nothing; they go on with lists that are open, two columns or more for each.
        deepest = deepest.max(marks + deepest.min(columns / 2));
        deepest > MAX_DEPTH
    })
}

/// The marks of block quotes and lists at the beginning of a line, and the columns of space before and between them.
fn marks_and_columns(mut line: &[u8]) -> (usize, usize) {
    let (mut marks, mut columns) = (0, 0);
    loop {
        line = match line {
            [b' ', rest @ ..] => {
                columns += 1;
                rest
            }
            [b'\t', rest @ ..] => {
                columns += 4;
                rest
            }
            [b'>', rest @ ..] => {
                marks += 1;
                rest
            }
            _ => match after_list_mark(line) {
                Some(rest) => {
                    marks += 1;
                    rest
                }
                None => return (marks, columns),
            },
        }
    }
}

/// What follows `-`, `+`, `*`, `1.` or `1)` or the mark of a footnote, which holds blocks like a list.
fn after_list_mark(line: &[u8]) -> Option<&[u8]> {
    let rest = match line {
        [b'-' | b'+' | b'*', rest @ ..] => rest,
        [b'[', b'^', rest @ ..] => {
            let end = rest.iter().position(|&byte| byte == b']')?;
            return rest[end + 1..].strip_prefix(b":");
        }
        _ => {
            let digits = line.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
            match &line[digits..] {
                [b'.' | b')', rest @ ..] if digits > 0 => rest,
                _ => return None,
            }
        }
    };
    rest.first().is_none_or(|byte| matches!(byte, b' ' | b'\t')).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::is_too_deep;

    #[test]
    fn honest_documents() {
        let deep = format!("{}a", "> ".repeat(50));
        let rule = "-".repeat(1000);
        let stars = "*".repeat(1000);
        let indented = format!("{}a\n- b\n", " ".repeat(1000)).repeat(50);
        let table = format!("| a | b |\n|{}|{}|\n", "-".repeat(500), "-".repeat(500));
        for source in ["", "- a\n  - b\n    1. c\n", "> > a\n", &deep, &rule, &stars, &indented, &table] {
            assert!(!is_too_deep(source), "{source}");
        }
    }

    #[test]
    fn others() {
        let quotes = ">".repeat(101);
        let lists = "1. ".repeat(101);
        let notes = "[^a]: ".repeat(101);
        let stairs = (0..200).map(|depth| "  ".repeat(depth) + "- a").collect::<Vec<_>>().join("\n");
        for source in [quotes, lists, notes, stairs] {
            assert!(is_too_deep(&format!("a\n{source}\nb")), "{source}");
        }
    }
}
