//! The text of a page as a browser would space it: lines of HTML and Markdown end where their writer liked, and between tags stands white
//! space that nobody sees.

use lookalike::{Format, Piece, Source, Text};
use std::borrow::Cow;
use std::ops::Range;

/// A text without the white space of its markup: one space where a browser shows one, a line feed between blocks. Preformatted text stays
/// as it is. The way to the source stays too.
pub(super) fn tidy(text: &Text) -> Cow<'_, Text> {
    if text.format == Format::Text {
        return Cow::Borrowed(text);
    }
    let (raw, pieces) = text.source.as_ref().map_or(("", [].as_slice()), |s| (s.raw.as_str(), s.pieces.as_slice()));
    let preformatted = if text.format == Format::Html { preformatted(raw) } else { fenced(raw) };
    // a line of Markdown that is indented so far is code
    let indented = |from: usize| {
        let next = raw[from..].strip_prefix('\n').unwrap_or_default();
        text.format == Format::Markdown && (next.starts_with("    ") || next.starts_with('\t'))
    };
    let mut visible = String::with_capacity(text.visible.len());
    let mut moved = Moved { old: pieces, new: Vec::new() };
    let mut end = 0;
    for (at, word) in words(&text.visible) {
        let space = &text.visible[end..at];
        // what no byte of the source stands for was put between two blocks
        let written = moved.raw_of(end, space.len());
        match written {
            Some(from) if indented(from) || within(&preformatted, from) => {
                visible.push_str(space);
            }
            _ if visible.is_empty() => {}
            Some(_) => visible.push(' '),
            None => visible.push(if space.contains('\n') { '\n' } else { ' ' }),
        }
        moved.word(at, word.len(), visible.len());
        visible.push_str(word);
        end = at + word.len();
    }
    let source = text
        .source
        .as_ref()
        .map(|source| Source { pieces: joined(moved.new, &visible, &source.raw), raw: source.raw.clone() });
    Cow::Owned(Text { visible, source, format: text.format })
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
        let end = lower[start..].find("</pre").map_or(lower.len(), |at| start + at);
        // <pre> and <pre class=…>, but not <preview>
        if lower[start + 4..].starts_with(|c: char| c == '>' || c.is_ascii_whitespace()) {
            ranges.push(start..end);
        }
        from = end.max(start + 4);
    }
    ranges
}

/// The same in Markdown: between fences.
fn fenced(raw: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut open: Option<(usize, &str)> = None;
    let mut at = 0;
    for line in raw.split_inclusive('\n') {
        let fence = line.trim_start();
        match open {
            Some((start, mark)) if fence.starts_with(mark) => {
                ranges.push(start..at);
                open = None;
            }
            None => open = ["```", "~~~"].into_iter().find(|mark| fence.starts_with(mark)).map(|mark| (at, mark)),
            Some(_) => {}
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
    /// Where a stretch stands in the source, if all of it stands there as it is. Asked before the word behind it is taken along.
    fn raw_of(&self, from: usize, length: usize) -> Option<usize> {
        let piece = self.old.first().filter(|piece| length > 0 && piece.visible <= from)?;
        (from + length <= piece.visible + piece.length).then(|| piece.raw + (from - piece.visible))
    }

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

    #[test]
    fn white_space_goes_and_the_way_to_the_source_stays() {
        let raw = "<p>\n\n   One two\n  three &amp; four</p>\n\n\n<p>five  six";
        let visible = "\n\n   One two\n  three & four\n\n\n\nfive  six";
        let piece = |visible_at: &str, raw_at: &str, length: usize| Piece {
            visible: visible.find(visible_at).unwrap(),
            raw: raw.find(raw_at).unwrap(),
            length,
        };
        let pieces = vec![
            Piece { visible: 0, raw: 3, length: visible.find('&').unwrap() },
            piece(" four", " four", 5),
            piece("five", "five", 9),
        ];
        let text =
            Text { visible: visible.into(), source: Some(Source { raw: raw.into(), pieces }), format: Format::Html };
        let tidied = tidy(&text);
        assert_eq!(tidied.visible, "One two three & four\nfive six");
        let source = tidied.source.as_ref().unwrap();
        let shown: Vec<&str> = source.pieces.iter().map(|p| &tidied.visible[p.visible..p.visible + p.length]).collect();
        let written: Vec<&str> = source.pieces.iter().map(|p| &raw[p.raw..p.raw + p.length]).collect();
        assert_eq!(shown, ["One two", "three", "four", "five", "six"]);
        assert_eq!(shown, written);
        let code = "<pre>\nif x:\n    y()</pre><preview>a\nb";
        let text = Text {
            visible: "\nif x:\n    y()\na\nb".into(),
            source: Some(Source {
                raw: code.into(),
                pieces: vec![
                    Piece { visible: 0, raw: 5, length: 14 },
                    Piece { visible: 15, raw: code.find("a\nb").unwrap(), length: 3 },
                ],
            }),
            format: Format::Html,
        };
        assert_eq!(tidy(&text).visible, "\nif x:\n    y()\na b", "code keeps its lines");
        let markdown = "One\ntwo\n```\na\nb\n```\n";
        let text = Text {
            visible: "One\ntwo\na\nb\n".into(),
            source: Some(Source {
                raw: markdown.into(),
                pieces: vec![
                    Piece { visible: 0, raw: 0, length: 7 },
                    Piece { visible: 8, raw: markdown.find("a\nb").unwrap(), length: 4 },
                ],
            }),
            format: Format::Markdown,
        };
        assert_eq!(tidy(&text).visible, "One two\na\nb", "lines of a paragraph are one, lines of code are not");
        let plain = Text { visible: "a\n\n\n  b".into(), source: None, format: Format::Text };
        assert_eq!(tidy(&plain).visible, plain.visible, "what is written so is meant so");
    }
}
