//! The head of a record: its version and its named fields.

/// Versions that are read. Others are laid out in other ways, or not yet.
const VERSIONS: [&str; 2] = ["WARC/1.0", "WARC/1.1"];

/// A head, as it stands and taken apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    /// Its bytes, with the blank line behind them.
    pub(crate) raw: Vec<u8>,
    /// Names as they are spelt, and values without the white space around them.
    pub(crate) fields: Vec<(String, String)>,
}

impl Head {
    /// Takes the lines apart; says what is wrong with them.
    pub(super) fn parse(raw: Vec<u8>) -> Result<Head, String> {
        if raw.contains(&0) {
            return Err("it has zeros in it: a part of it was lost".into());
        }
        let text = String::from_utf8_lossy(&raw);
        let mut lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        let version = lines.next().unwrap_or_default().trim_end();
        if !VERSIONS.contains(&version) {
            return Err(format!("expected a line {}, found {:?}", VERSIONS.join(" or "), short(version)));
        }
        let mut fields: Vec<(String, String)> = Vec::new();
        for line in lines.take_while(|line| !line.is_empty()) {
            if line.starts_with([' ', '\t']) {
                // a value may go on in the next line
                let Some((_, value)) = fields.last_mut() else {
                    return Err("its first field has no name".into());
                };
                value.push(' ');
                value.push_str(line.trim());
            } else if let Some((name, value)) = line.split_once(':') {
                fields.push((name.trim().to_owned(), value.trim().to_owned()));
            } else {
                return Err(format!("expected a field with a name and a colon, found {:?}", short(line)));
            }
        }
        drop(text);
        Ok(Head { raw, fields })
    }

    /// The first field of this name, in upper or lower case.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let field = self.fields.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        field.map(|(_, value)| value.as_str())
    }

    /// How many bytes the record has behind its head.
    pub(super) fn length(&self) -> Result<u64, String> {
        let mut lengths =
            self.fields.iter().filter(|(name, _)| name.eq_ignore_ascii_case("Content-Length")).map(|(_, value)| value);
        let length = lengths.next().ok_or("it has no Content-Length")?;
        if lengths.any(|other| other != length) {
            return Err("it has two Content-Lengths that differ".into());
        }
        let is_number = !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit());
        length
            .parse()
            .ok()
            .filter(|_| is_number)
            .ok_or_else(|| format!("expected a number as its Content-Length, found {:?}", short(length)))
    }

    /// What kind of record it is; in lower case, as the standard spells it.
    pub(crate) fn kind(&self) -> String {
        self.get("WARC-Type").unwrap_or_default().to_ascii_lowercase()
    }

    /// What was captured. Some programs put the address in angle brackets, as old versions of the standard had it.
    pub(crate) fn target(&self) -> Option<&str> {
        let target = self.get("WARC-Target-URI")?;
        let inner = target.strip_prefix('<').and_then(|target| target.strip_suffix('>'));
        Some(inner.unwrap_or(target)).filter(|target| !target.is_empty())
    }
}

/// As much of what was found as a message can take.
fn short(text: &str) -> &str {
    &text[..text.floor_char_boundary(40)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(text: &str) -> Result<Head, String> {
        Head::parse(text.as_bytes().to_vec())
    }

    #[test]
    fn fields_as_they_are_written() {
        let text = "WARC/1.0\r\nWARC-Type: Response\r\nwarc-target-uri:<http://a/b:c>\r\nX: one\r\n two\r\nContent-Length: 07\r\n\r\n";
        let head = head(text).unwrap();
        assert_eq!(head.kind(), "response");
        assert_eq!(head.target(), Some("http://a/b:c"));
        assert_eq!(head.get("x"), Some("one two"));
        assert_eq!(head.length(), Ok(7));
        assert_eq!(head.raw, text.as_bytes());
    }

    #[test]
    fn what_is_no_head() {
        for (text, why) in [
            ("HTTP/1.1 200 OK\r\n\r\n", "expected a line WARC/1.0 or WARC/1.1"),
            ("WARC/0.18\r\n\r\n", "WARC/0.18"),
            ("WARC/1.0\r\n x\r\n\r\n", "no name"),
            ("WARC/1.0\r\nx\r\n\r\n", "colon"),
            ("WARC/1.0\r\nx\0\0: y\r\n\r\n", "zeros"),
        ] {
            let error = head(text).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
        for (length, why) in [
            ("", "no Content-Length"),
            ("Content-Length: +1\n", "number"),
            ("Content-Length: -1\n", "number"),
            ("Content-Length: 99999999999999999999\n", "number"),
            ("Content-Length:\n", "number"),
            ("Content-Length: 1\ncontent-length: 2\n", "differ"),
        ] {
            let error = head(&format!("WARC/1.1\n{length}\n")).unwrap().length().unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }
}
