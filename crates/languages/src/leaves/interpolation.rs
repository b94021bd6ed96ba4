//! Code inside strings: `f"{x!r:>{width}}"`.

use super::LeafReader;
use crate::{Token, ids, lexical};

impl LeafReader<'_> {
    /// Adds the code inside a string, if there may be any.
    pub(super) fn interpolated(&mut self, string: Token) -> Option<()> {
        let bytes = &self.text[string.start as usize..string.end as usize];
        let open = bytes.iter().position(|byte| matches!(byte, b'"' | b'\''))?;
        let prefix = &bytes[..open];
        if !prefix.iter().any(|byte| matches!(byte, b'f' | b'F')) {
            return Some(());
        }
        let quote = self.language.quotes.iter().find(|quote| bytes[open..].starts_with(quote.open.as_bytes()))?;
        let from = string.start as usize + open + quote.open.len();
        let to = string.end as usize - quote.close.len();
        let raw = prefix.iter().any(|byte| matches!(byte, b'r' | b'R'));
        self.parts(from, to, raw)
    }

    /// Adds the code in a stretch of a string.
    fn parts(&mut self, mut at: usize, to: usize, raw: bool) -> Option<()> {
        while at < to {
            match self.text[at] {
                // a character by its name has braces, too
                b'\\' if !raw && self.text[at + 1..to].starts_with(b"N{") => return None,
                b'\\' if !raw => at += 2,
                b'{' if self.text[at + 1..to].first() == Some(&b'{') => at += 2,
                b'{' => at = self.interpolation(at, to, raw)?,
                _ => at += 1,
            }
        }
        Some(())
    }

    /// Adds the code of the braces that open here; where they end.
    fn interpolation(&mut self, open: usize, to: usize, raw: bool) -> Option<usize> {
        self.mark(open, open + 1);
        let end = self.end_of_expression(open + 1, to)?;
        let mut words = Vec::new();
        let expression = self.source.get(open + 1..end)?;
        lexical::read(expression, open as u32 + 1, self.language, self.detail, &mut words);
        if words.is_empty() || expression.contains("lambda") || expression.contains('\\') {
            return None;
        }
        self.read(&words, false)?;
        let mut at = end;
        if self.text[at] == b'!' {
            let letter = at + 2;
            let id = ids::of_name(self.vocabulary.family, b"<type_conversion>");
            self.leaves.push(Token { id, start: at as u32, end: letter as u32 });
            at = letter;
        }
        if at < to && self.text[at] == b':' {
            self.mark(at, at + 1);
            let close = self.end_of_format(at + 1, to)?;
            self.parts(at + 1, close, raw)?;
            at = close;
        }
        (at < to && self.text[at] == b'}').then(|| {
            self.mark(at, at + 1);
            at + 1
        })
    }

    fn mark(&mut self, start: usize, end: usize) {
        let id = ids::of_name(self.vocabulary.family, &self.text[start..end]);
        self.leaves.push(Token { id, start: start as u32, end: end as u32 });
    }

    /// Where the expression ends that begins here: at a brace, a colon or a conversion of its own.
    fn end_of_expression(&self, from: usize, to: usize) -> Option<usize> {
        let (mut at, mut depth) = (from, 0usize);
        while at < to {
            match self.text[at] {
                b'(' | b'[' | b'{' => depth += 1,
                b'}' | b':' if depth == 0 => return Some(at),
                b'!' if depth == 0 && self.text[at + 1..to].first() != Some(&b'=') => return Some(at),
                b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
                quote @ (b'"' | b'\'') => at += 1 + memchr::memchr(quote, &self.text[at + 1..to])?,
                b'\n' | b'#' => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Where the format ends that begins here.
    fn end_of_format(&self, from: usize, to: usize) -> Option<usize> {
        let mut depth = 0usize;
        for at in from..to {
            match self.text[at] {
                b'{' => depth += 1,
                b'}' if depth == 0 => return Some(at),
                b'}' => depth -= 1,
                b'\n' => return None,
                _ => {}
            }
        }
        None
    }
}
