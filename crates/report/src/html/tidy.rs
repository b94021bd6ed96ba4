//! The text of a page as a browser would space it: lines of HTML and Markdown end where their writer liked, and between tags stands white
//! space that nobody sees.

use lookalike::{Format, Piece, Source, Text};
use std::borrow::Cow;
use std::ops::Range;

/// A text without the white space of its markup. In HTML there is one space between words, and a line feed where a tag that is not inline
/// stands between them; in Markdown the lines of a paragraph are one. Code stays as it is, and so does the way to the source.
pub(super) fn tidy(text: &Text) -> Cow<'_, Text> {
    let Some(source) = text.source.as_ref().filter(|_| text.format != Format::Text) else {
        return Cow::Borrowed(text);
    };
    let (raw, html) = (source.raw.as_str(), text.format == Format::Html);
    let code = if html { preformatted(raw) } else { fenced(raw) };
    let mut visible = String::with_capacity(text.visible.len());
    let mut moved = Moved { old: &source.pieces, new: Vec::new() };
    let mut end = 0;
    for (at, word) in words(&text.visible) {
        let space = &text.visible[end..at];
        // what is written between the two words, if both stand in the source as they are
        let from = end.checked_sub(1).and_then(|last| raw_at(&source.pieces, last)).map(|last| last + 1);
        let between = from.zip(raw_at(&source.pieces, at)).and_then(|(from, to)| raw.get(from..to));
        let in_code = from.is_some_and(|from| within(&code, from));
        match between {
            Some(_) if in_code => visible.push_str(space),
            Some(gap) if html => visible.push(if has_block(gap) { '\n' } else { ' ' }),
            Some("\n" | "\r\n") => visible.push(' '),
            _ if html && visible.is_empty() => {}
            _ if html => visible.push(if space.contains('\n') { '\n' } else { ' ' }),
            _ => visible.push_str(space),
        }
        moved.word(at, word.len(), visible.len());
        visible.push_str(word);
        end = at + word.len();
    }
    let pieces = joined(moved.new, &visible, raw);
    let source = Some(Source { pieces, raw: raw.to_owned() });
    Cow::Owned(Text { visible, source, format: text.format, chunks: text.chunks.clone() })
}

/// Where a byte of the visible text stands in the source.
fn raw_at(pieces: &[Piece], place: usize) -> Option<usize> {
    let piece = &pieces[pieces.partition_point(|piece| piece.visible <= place).checked_sub(1)?];
    (place < piece.visible + piece.length).then(|| piece.raw + (place - piece.visible))
}

/// Tags that do not end a line.
const INLINE: [&str; 38] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img",
    "ins", "kbd", "label", "mark", "meter", "output", "q", "ruby", "s", "samp", "small", "span", "strike", "strong",
    "sub", "sup", "time", "tt", "u", "var", "wbr", "input",
];

/// Whether some tag in it ends a line.
fn has_block(gap: &str) -> bool {
    gap.split('<').skip(1).any(|tag| {
        let name = tag.trim_start_matches('/');
        let length = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
        length > 0 && !INLINE.iter().any(|inline| inline.eq_ignore_ascii_case(&name[..length]))
    })
}

/// Whether a place is in one of some ranges, which rise.
fn within(ranges: &[Range<usize>], place: usize) -> bool {
    let at = ranges.partition_point(|range| range.end <= place);
    ranges.get(at).is_some_and(|range| range.start <= place)
}

/// Where white space is meant as it is written.
fn preformatted(raw: &str) -> Vec<Range<usize>> {
    let lower = raw.to_ascii_lowercase();
    let mut ranges = Vec::new();
    let mut from = 0;
    while let Some(start) = lower[from..].find("<pre").map(|at| from + at) {
        // <pre> and <pre class=…>, but not <preview>
        from = start + 4;
        if lower[from..].starts_with(|c: char| c == '>' || c.is_ascii_whitespace()) {
            let end = lower[start..].find("</pre").map_or(lower.len(), |at| start + at);
            ranges.push(start..end);
            from = end;
        }
    }
    ranges
}

/// The same in Markdown: between a fence and the next that is as long.
fn fenced(raw: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut open: Option<(usize, &str)> = None;
    let mut at = 0;
    for line in raw.split_inclusive('\n') {
        let line_start = line.trim_start_matches([' ', '\t', '>']);
        let run = line_start.len() - line_start.trim_start_matches(['`', '~']).len();
        let fence = &line_start[..run];
        match open {
            Some((start, mark)) if fence.starts_with(mark) => {
                ranges.push(start..at);
                open = None;
            }
            None if run >= 3 => open = Some((at, fence)),
            _ => {}
        }
        at += line.len();
    }
    ranges.extend(open.map(|(start, _)| start..raw.len()));
    ranges
}

/// What stands between white space, and where.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace().map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// Pieces on their way from one text to another.
struct Moved<'a> {
    old: &'a [Piece],
    new: Vec<Piece>,
}

impl Moved<'_> {
    /// Takes along what is known of a word; words come in order.
    fn word(&mut self, from: usize, length: usize, to: usize) {
        while let Some(piece) = self.old.first() {
            let (start, end) = (piece.visible.max(from), (piece.visible + piece.length).min(from + length));
            if start < end {
                let raw = piece.raw + (start - piece.visible);
                self.new.push(Piece { visible: to + (start - from), raw, length: end - start });
            }
            // what is left of it may be the space behind the word
            if piece.visible + piece.length > from + length {
                return;
            }
            self.old = &self.old[1..];
        }
    }
}

/// Neighbours with the same between them on both sides are one.
fn joined(pieces: Vec<Piece>, visible: &str, raw: &str) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::new();
    for piece in pieces {
        match all.last_mut() {
            Some(last)
                if piece.visible - last.visible == piece.raw - last.raw
                    && visible.get(last.visible + last.length..piece.visible)
                        == raw.get(last.raw + last.length..piece.raw) =>
            {
                last.length = piece.visible + piece.length - last.visible;
            }
            _ => all.push(piece),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text whose pieces are what is found again in the source, line by line.
    fn text(visible: &str, raw: &str, format: Format) -> Text {
        let (mut pieces, mut from) = (Vec::new(), 0);
        let mut at = 0;
        for line in visible.split_inclusive('\n') {
            let shown = line.trim();
            if let Some(found) = raw[from..].find(shown).filter(|_| !shown.is_empty()) {
                let (start, before) = (from + found, line.len() - line.trim_start().len());
                pieces.push(Piece { visible: at + before, raw: start, length: shown.len() });
                from = start + shown.len();
            }
            at += line.len();
        }
        Text { visible: visible.into(), source: Some(Source { raw: raw.into(), pieces }), format, chunks: Vec::new() }
    }

    #[track_caller]
    fn check(visible: &str, raw: &str, format: Format, expected: &str) {
        let given = text(visible, raw, format);
        let tidied = tidy(&given);
        assert_eq!(tidied.visible, expected);
        for piece in &tidied.source.as_ref().unwrap().pieces {
            let shown = &tidied.visible[piece.visible..piece.visible + piece.length];
            assert_eq!(shown, &raw[piece.raw..piece.raw + piece.length]);
        }
    }

    #[test]
    fn html_is_spaced_as_a_browser_would() {
        let html = |visible: &str, raw: &str, expected: &str| check(visible, raw, Format::Html, expected);
        html(
            "\n\n   One two\n  three\n\n\n\nfive  six",
            "<p>\n\n   One two\n  three</p>\n\n<p>five  six",
            "One two three\nfive six",
        );
        html("one\ntwo\nthree", "<li>one\n<li>two\n<li>three", "one\ntwo\nthree");
        html("See\nthis\none", "<p>See\n <a href='x'>\nthis\n</a> <b>one</b>", "See this one");
        html("one\ntwo", "one<br>two", "one\ntwo");
        html("if x:\n    y()\na\nb", "<pre>if x:\n    y()</pre><preview>a\nb", "if x:\n    y()\na b");
        html("a b\nc", "<presentation>a b</presentation><pre>\nc", "a b\nc");
    }

    #[test]
    fn lines_of_a_paragraph_are_one_lines_of_code_are_not() {
        let markdown = |visible: &str, raw: &str, expected: &str| check(visible, raw, Format::Markdown, expected);
        markdown("One\ntwo\na\nb\n", "One\ntwo\n```\na\nb\n```\n", "One two\na\nb");
        markdown("One\ntwo\nthree", "One\r\ntwo\r\n\r\nthree", "One two\nthree");
        markdown("Title\none\ntwo", "# Title\n- one\n- two", "Title\none\ntwo");
        markdown("a\n```\nb\nc", "````\na\n```\nb\n````\nc", "a\n```\nb\nc");
        markdown("f():\nx\ny", "    f():\n    x\n\ny", "f():\nx\ny");
    }

    #[test]
    fn what_is_plain_stays() {
        let plain = Text { visible: "a\n\n\n  b".into(), source: None, format: Format::Text, chunks: Vec::new() };
        assert_eq!(tidy(&plain).visible, plain.visible);
    }
}
