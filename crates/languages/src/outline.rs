//! The outline of a text: what is left of its lines when comments, strings and spaces are taken out, and how much of it looks like code.

use memchr::{memchr, memmem};

/// Characters that code has and prose seldom.
const MARKS: &[u8] = b"{}()[];=<>+*/_&|$#\\\"";
/// A line in which one character of this many is a mark is code.
const MARK_EVERY: usize = 12;
/// A line of so many words that is not code is prose. A shorter one may be either.
const PROSE_WORDS: usize = 5;
/// So is a line of so many bytes: some scripts have no spaces.
const MAX_SHORT_LINE: usize = 80;
/// A line of more words that ends as code does may be a list of prose.
const MAX_STATEMENT_WORDS: usize = 8;
/// Bytes of a line in which the parts of a telltale are looked for: what is longer was written by a machine.
const MAX_LINE: usize = 400;
/// Operators between spaces, and others, of which one is enough for a line of code.
const OPERATORS: &[&str] = &[" = ", " == ", " -> ", " <- ", " := ", " += ", "=>", "::", "&&", "||", "()", "!="];
/// Comments over several lines, by what a line begins with.
const BLOCKS: &[(&str, &str)] = &[
    ("/*", "*/"),
    ("\"\"\"", "\"\"\""),
    ("'''", "'''"),
    ("r\"\"\"", "\"\"\""),
    ("<!--", "-->"),
    ("{-", "-}"),
    ("--[[", "]]"),
    ("=begin", "=end"),
    ("=pod", "=cut"),
    ("=head1", "=cut"),
];
/// What follows `#` where that begins no comment.
const DIRECTIVES: &[&str] =
    &["include", "define", "if", "ifdef", "ifndef", "endif", "else", "elif", "pragma", "undef", "import", "region"];

pub(super) struct Outline {
    /// Lines between `\n`, also before the first and after the last.
    pub(super) text: String,
    /// Bytes of lines that look like code, without spaces.
    pub(super) code: usize,
    /// Bytes of lines that look like prose.
    prose: usize,
    /// Whether code is set off from other text, as Markdown does.
    fenced: bool,
}

impl Outline {
    pub(super) fn of(text: &str) -> Self {
        let mut outline = Self { text: String::from("\n"), code: 0, prose: 0, fenced: false };
        let mut closing: Option<&str> = None;
        for line in text.lines() {
            let mut line = line.trim();
            if let Some(close) = closing {
                let Some(end) = line.find(close) else { continue };
                line = line[end + close.len()..].trim_start();
                closing = None;
            }
            while let Some((open, close)) = BLOCKS.iter().find(|(open, _)| line.starts_with(open)) {
                let inner = &line[open.len()..];
                let Some(end) = inner.find(close) else {
                    closing = Some(*close);
                    line = "";
                    break;
                };
                line = inner[end + close.len()..].trim_start();
            }
            // a string that goes on in the next lines
            for mark in ["\"\"\"", "'''"] {
                if closing.is_none() && line.matches(mark).count() % 2 == 1 {
                    closing = Some(mark);
                    line = line.split(mark).next().unwrap_or_default();
                }
            }
            outline.add(line.trim_end());
        }
        outline
    }

    /// Whether it is more code than prose.
    pub(super) fn is_code(&self) -> bool {
        !self.fenced && self.code > 0 && self.code >= self.prose
    }

    fn add(&mut self, line: &str) {
        self.fenced |= line.starts_with("```") || line.starts_with("~~~");
        if line.is_empty() || is_comment(line) {
            return;
        }
        let line = without_comment(line);
        let bytes = line.bytes().filter(|byte| !byte.is_ascii_whitespace()).count();
        if !is_item(line) && is_code(line, bytes) {
            self.code += bytes;
        } else {
            // not the numbers of a table
            let words = line.split_whitespace().filter(|word| word.starts_with(char::is_alphabetic)).count();
            if words >= PROSE_WORDS || (words > 0 && bytes > MAX_SHORT_LINE) {
                self.prose += bytes;
            }
        }
        self.squeeze(line);
    }

    /// Adds a line with spaces only between words, and with empty strings.
    fn squeeze(&mut self, line: &str) {
        let (mut after_word, mut spaced, mut closed) = (false, false, true);
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            rest = &rest[c.len_utf8()..];
            if c.is_whitespace() {
                spaced = true;
                continue;
            }
            let is_word = is_word(c);
            if spaced && after_word && is_word {
                self.text.push(' ');
            }
            self.text.push(c);
            (after_word, spaced) = (is_word, false);
            // a string that does not end in this line is not looked for again
            if c == '"' && closed {
                let length = string_length(rest);
                closed = length.is_some();
                if let Some(length) = length {
                    self.text.push('"');
                    rest = &rest[length..];
                }
            }
        }
        self.text.push('\n');
    }

    /// How often a telltale is in an outline, at most `most` times.
    pub(super) fn count(text: &str, telltale: &str, most: usize) -> usize {
        let mut parts = telltale.split('*');
        let first = parts.next().unwrap_or_default();
        let is_there =
            |at: &usize| is_whole(text, first, *at) && follow(text.as_bytes(), at + first.len(), parts.clone());
        memmem::find_iter(text.as_bytes(), first.as_bytes()).filter(is_there).take(most).count()
    }
}

/// Whether the parts begin one after the other in the line that goes on at `at`.
fn follow<'a>(text: &[u8], mut at: usize, mut parts: impl Iterator<Item = &'a str>) -> bool {
    let rest = &text[at..text.len().min(at + MAX_LINE)];
    let end = at + memchr(b'\n', rest).unwrap_or(rest.len());
    parts.all(|part| {
        let until = text.len().min(end + part.len());
        let Some(found) = text.get(at..until).and_then(|line| memmem::find(line, part.as_bytes())) else {
            return false;
        };
        at += found + part.len();
        true
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether what is found begins and ends where words do.
fn is_whole(text: &str, found: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at + found.len()..].chars().next();
    let is_cut_before = found.starts_with(is_word) && before.is_some_and(is_word);
    let is_cut_after = found.ends_with(is_word) && after.is_some_and(is_word);
    !is_cut_before && !is_cut_after
}

/// How long a string is behind its opening mark, with the closing one, if it ends in this line.
fn string_length(rest: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            b'"' if !escaped => return Some(at + 1),
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    None
}

fn is_comment(line: &str) -> bool {
    if let Some(rest) = line.strip_prefix('#') {
        let rest = rest.trim_start();
        let directive = rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        return !(DIRECTIVES.contains(&directive) || rest.starts_with(['[', '!']) || rest.contains('{'));
    }
    line.starts_with("//") || line.starts_with("--")
}

/// A line without the comment at its end. An address has none in it.
fn without_comment(line: &str) -> &str {
    let slashes = line.match_indices("//").map(|(at, _)| at).find(|&at| !line[..at].ends_with([':', '"', '\'', '/']));
    let others = [" # ", " -- ", " /*"].iter().filter_map(|mark| line.find(mark));
    others.chain(slashes).min().map_or(line, |end| line[..end].trim_end())
}

/// An item of a list or a line with a link, as Markdown has them.
fn is_item(line: &str) -> bool {
    line.starts_with("- ") || line.starts_with("* ") || line.contains("](http") || line.contains("](#")
}

fn is_code(line: &str, bytes: usize) -> bool {
    let marks = line.bytes().filter(|byte| MARKS.contains(byte)).count();
    marks * MARK_EVERY >= bytes
        || (line.ends_with([';', '{', '}']) && line.split_whitespace().count() <= MAX_STATEMENT_WORDS)
        || (bytes <= 200 && OPERATORS.iter().any(|operator| line.contains(operator)))
}
