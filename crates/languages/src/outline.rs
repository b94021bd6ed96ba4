//! The outline of a text: what is left of its lines when comments, strings and spaces are taken out, and how much of it looks like code.

use memchr::{memchr, memchr_iter, memmem};

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

/// What the bytes of a line are: a set of classes for each, so that one look at them tells what need not be searched for.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let sets: [(u8, &[u8]); 6] = [
        (MARK, MARKS),
        (SPACE, b" \t\r\n\x0c"),
        (QUOTE, b"\"'"),
        (REMARK, b"/#-"),
        (LINK, b"]"),
        (OPERATOR, b"=<>:&|("),
    ];
    let mut set = 0;
    while set < sets.len() {
        let (class, bytes) = sets[set];
        let mut at = 0;
        while at < bytes.len() {
            classes[bytes[at] as usize] |= class;
            at += 1;
        }
        set += 1;
    }
    classes
};
const MARK: u8 = 1;
const SPACE: u8 = 2;
/// Strings over several lines have it.
const QUOTE: u8 = 4;
/// A comment at the end of a line has it,
const REMARK: u8 = 8;
/// a link as Markdown writes it,
const LINK: u8 = 16;
/// and every one of [`OPERATORS`].
const OPERATOR: u8 = 32;

/// What one look at a line tells.
#[derive(Clone, Copy, Default)]
struct LineBytes {
    marks: usize,
    spaces: usize,
    /// Classes of all bytes.
    classes: u8,
}

impl LineBytes {
    fn of(line: &str) -> Self {
        line.bytes().fold(Self::default(), |all, byte| {
            let classes = CLASSES[usize::from(byte)];
            Self {
                marks: all.marks + usize::from(classes & MARK),
                spaces: all.spaces + usize::from(classes & SPACE != 0),
                classes: all.classes | classes,
            }
        })
    }

    fn has(self, class: u8) -> bool {
        self.classes & class != 0
    }
}

pub(super) struct Outline<'a> {
    /// Without comments.
    lines: Vec<&'a str>,
    /// Bytes of lines that look like code, without spaces.
    pub(super) code: usize,
    /// Bytes of lines that look like prose.
    prose: usize,
    /// Whether code is set off from other text, as Markdown does.
    fenced: bool,
}

impl<'a> Outline<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let mut outline = Self { lines: Vec::new(), code: 0, prose: 0, fenced: false };
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
            let mut bytes = LineBytes::of(line);
            if bytes.has(QUOTE) {
                // a string that goes on in the next lines
                for mark in ["\"\"\"", "'''"] {
                    if closing.is_none() && line.matches(mark).count() % 2 == 1 {
                        closing = Some(mark);
                        line = line.split(mark).next().unwrap_or_default().trim_end();
                        bytes = LineBytes::of(line);
                    }
                }
            }
            outline.add(line, bytes);
        }
        outline
    }

    /// Whether one byte in so many is a mark, those of strings apart.
    pub(super) fn has_marks(text: &str, every: usize) -> bool {
        let bytes = LineBytes::of(text);
        (bytes.marks - memchr_iter(b'"', text.as_bytes()).count()) * every > text.len() - bytes.spaces
    }

    /// Whether it is more code than prose.
    pub(super) fn is_code(&self) -> bool {
        !self.fenced && self.code > 0 && self.code >= self.prose
    }

    fn add(&mut self, mut line: &'a str, mut bytes: LineBytes) {
        self.fenced |= line.starts_with("```") || line.starts_with("~~~");
        if line.is_empty() || is_comment(line) {
            return;
        }
        if bytes.has(REMARK) {
            let cut = without_comment(line);
            if cut.len() < line.len() {
                (line, bytes) = (cut, LineBytes::of(cut));
            }
        }
        let seen = line.len() - bytes.spaces;
        if !is_item(line, bytes) && is_code(line, bytes, seen) {
            self.code += seen;
        } else {
            // not the numbers of a table
            let words = line.split_whitespace().filter(|word| word.starts_with(char::is_alphabetic));
            let words = words.take(PROSE_WORDS).count();
            if words >= PROSE_WORDS || (words > 0 && seen > MAX_SHORT_LINE) {
                self.prose += seen;
            }
        }
        self.lines.push(line);
    }

    /// The lines between `\n`, also before the first and after the last, with spaces only between words, and with empty strings.
    pub(super) fn text(&self) -> String {
        let mut text = String::from("\n");
        self.lines.iter().for_each(|line| Self::squeeze(line, &mut text));
        text
    }

    fn squeeze(line: &str, text: &mut String) {
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
                text.push(' ');
            }
            text.push(c);
            (after_word, spaced) = (is_word, false);
            // a string that does not end in this line is not looked for again
            if c == '"' && closed {
                let length = string_length(rest);
                closed = length.is_some();
                if let Some(length) = length {
                    text.push('"');
                    rest = &rest[length..];
                }
            }
        }
        text.push('\n');
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
fn is_item(line: &str, bytes: LineBytes) -> bool {
    let has_link = || bytes.has(LINK) && (line.contains("](http") || line.contains("](#"));
    line.starts_with("- ") || line.starts_with("* ") || has_link()
}

fn is_code(line: &str, bytes: LineBytes, seen: usize) -> bool {
    let words = || line.split_whitespace().take(MAX_STATEMENT_WORDS + 1).count();
    bytes.marks * MARK_EVERY >= seen
        || (line.ends_with([';', '{', '}']) && words() <= MAX_STATEMENT_WORDS)
        || (seen <= 200 && bytes.has(OPERATOR) && OPERATORS.iter().any(|operator| line.contains(operator)))
}
