//! The block of settings before a document: YAML between `---` lines, or TOML between `+++` lines.
//!
//! pulldown-cmark can drop these too, but does so in the middle of a document as well, where text between two rules
//! would be lost with them. Here it is only the first thing, and it must look like settings.

/// Where the document begins, behind its front matter.
pub(super) fn end(source: &str) -> usize {
    let mut lines = source.split_inclusive('\n');
    let Some(first) = lines.next() else {
        return 0;
    };
    let (closing, sign): (&[&str], char) = match first.trim_end() {
        "---" => (&["---", "..."], ':'),
        "+++" => (&["+++"], '='),
        _ => return 0,
    };
    let mut at = first.len();
    let mut has_sign = false;
    for line in lines {
        // A blank line after the first is a rule and no front matter.
        if at == first.len() && line.trim_end().is_empty() {
            return 0;
        }
        at += line.len();
        if closing.contains(&line.trim_end()) {
            return if has_sign { at } else { 0 };
        }
        has_sign |= line.contains(sign);
    }
    0
}

#[cfg(test)]
mod tests {
    use super::end;

    #[test]
    fn settings() {
        for source in ["---\na: b\n---\n", "---\r\na: b\r\nc: d\r\n...\r\n", "+++\na = 1\n+++\n", "+++\n=\n+++\t\n"] {
            assert_eq!(end(source), source.len(), "{source}");
            assert_eq!(end(&format!("{source}\n---\nx: y\n---\n")), source.len(), "{source}");
        }
        assert_eq!(end("---\na: b\n---"), 12);
    }

    #[test]
    fn rules_and_headings() {
        for source in [
            "",
            "---",
            "---\n\na: b\n---\n",
            "---\na\n---\n",
            "---\na: b\n",
            "a\n---\na: b\n---\n",
            "----\na: b\n----\n",
        ] {
            assert_eq!(end(source), 0, "{source}");
        }
    }
}
