//! Texts of which many lines are the same: each stretch of lines is written once. To pack what was written before costs more than to see that it was.

use super::json_string::write_json_string;
use std::collections::HashMap;
use std::ops::Range;

/// Bytes of a line that is looked for: of shorter ones there are many, and they say little.
const MIN_LINE: usize = 16;
/// Bytes of a line, as room is made for them.
const MEAN_LINE: usize = 32;
/// Bytes of a stretch that is not written again: a shorter one is packed in no more.
const MIN_STRETCH: usize = 64;

/// Writes texts that are read together, one after the other.
pub(super) struct LineWriter<'a> {
    /// The lines of all texts, in turn.
    lines: Vec<&'a str>,
    /// Where a line stood first. Lines are hostile: their hashes have a secret.
    first: HashMap<&'a str, usize>,
}

impl<'a> LineWriter<'a> {
    /// None yet, with room for texts of so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        let lines = bytes / MEAN_LINE;
        Self { lines: Vec::with_capacity(lines), first: HashMap::with_capacity(lines / 2) }
    }

    /// Writes a text as JSON: a string, or a list of strings and of stretches of the lines of this and earlier texts, each with the number of its
    /// first line and how many there are; between two of the list stands a line feed.
    pub(super) fn write(&mut self, text: &'a str, json: &mut Vec<u8>) {
        let mut line = self.lines.len();
        self.lines.extend(text.split('\n'));
        // where the line at hand begins, and what is not written yet
        let (mut at, mut unwritten, mut is_list) = (0, 0, false);
        while line < self.lines.len() {
            let stretch = self.earlier(line);
            let bytes = self.lines[line..line + stretch.len()].iter().map(|line| line.len() + 1).sum::<usize>();
            if bytes < MIN_STRETCH {
                at += self.lines[line].len() + 1;
                line += 1;
                continue;
            }
            json.push(if is_list { b',' } else { b'[' });
            if unwritten < at {
                write_json_string(&text[unwritten..at - 1], json);
                json.push(b',');
            }
            json.extend(format!("[{},{}]", stretch.start, stretch.len()).into_bytes());
            (is_list, line, at) = (true, line + stretch.len(), at + bytes);
            unwritten = at;
        }
        // a text that ends with an empty line has that line, too
        if unwritten <= text.len() {
            if is_list {
                json.push(b',');
            }
            write_json_string(&text[unwritten..], json);
        }
        if is_list {
            json.push(b']');
        }
    }

    /// The lines from one on that stood somewhere before, in this order. Notes a line that did not.
    fn earlier(&mut self, line: usize) -> Range<usize> {
        let here = &self.lines[line..];
        if here[0].len() < MIN_LINE {
            return 0..0;
        }
        let from = *self.first.entry(here[0]).or_insert(line);
        let same = self.lines[from..line].iter().zip(here).take_while(|(there, here)| there == here).count();
        from..from + same
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    fn write(texts: &[String]) -> Vec<Value> {
        let mut writer = LineWriter::new(texts.iter().map(String::len).sum());
        let written = texts.iter().map(|text| {
            let mut json = Vec::new();
            writer.write(text, &mut json);
            serde_json::from_slice(&json).unwrap()
        });
        written.collect()
    }

    /// As the page reads them.
    fn read(written: &[Value]) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let mut read = Vec::new();
        for value in written {
            let from = lines.len();
            let list = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
            for item in list {
                if let Some(text) = item.as_str() {
                    lines.extend(text.split('\n').map(str::to_owned));
                } else {
                    let [first, count] = [0, 1].map(|n| item[n].as_u64().unwrap() as usize);
                    lines.extend_from_within(first..first + count);
                }
            }
            read.push(lines[from..].join("\n"));
        }
        read
    }

    const LONG: &str = "what is looked for is as long as this line, which is more than sixty-four bytes";

    proptest! {
        #[test]
        fn texts_come_back(texts in prop::collection::vec("((a|b|ä|\"|\r|a longer line|the longest of all the lines|another line){0,3}\n){0,12}(a longer line)?", 0..8)) {
            prop_assert_eq!(read(&write(&texts)), texts);
        }

        #[test]
        fn stretches_come_back(texts in prop::collection::vec(prop::collection::vec(0u8..12, 0..30), 0..8)) {
            let line = |n: &u8| if *n < 3 { String::new() } else { format!("{LONG} {n}") };
            let text = |lines: &Vec<u8>| lines.iter().map(line).collect::<Vec<String>>().join("\n");
            let texts: Vec<String> = texts.iter().map(text).collect();
            prop_assert_eq!(read(&write(&texts)), texts);
        }
    }

    #[test]
    fn what_was_written_is_not_written_again() {
        let page = |title: &str| format!("{title}\n{LONG}\n\n{LONG} and on\nbye\n");
        let written = write(&[page("One"), page("Two"), page("One"), format!("{LONG}\n{LONG}")]);
        assert_eq!(written[0], page("One"));
        assert_eq!(written[1], serde_json::json!(["Two", [1, 5]]));
        assert_eq!(written[2], serde_json::json!(["One", [1, 5]]));
        assert_eq!(written[3], serde_json::json!([[1, 1], [1, 1]]));
    }

    #[test]
    fn short_stretches_are_written() {
        let texts = [
            "a line of twenty-one\nx".to_owned(),
            "a line of twenty-one\ny".to_owned(),
            String::new(),
            "\n".to_owned(),
        ];
        let written = write(&texts);
        assert_eq!(written, texts.map(Value::from));
    }
}
