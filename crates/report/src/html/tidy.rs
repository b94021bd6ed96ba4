//! The text of an HTML page as a browser would space it: what stands between tags is mostly white space that nobody sees.

use lookalike::{Format, Piece, Source, Text};
use std::borrow::Cow;

/// A text without the white space of its markup: one space or one line feed where there was more. The way to the source stays.
pub(super) fn tidy(text: &Text) -> Cow<'_, Text> {
    if text.format != Format::Html {
        return Cow::Borrowed(text);
    }
    let mut visible = String::with_capacity(text.visible.len());
    let mut moved = Moved { old: text.source.as_ref().map_or(&[], |s| s.pieces.as_slice()), new: Vec::new() };
    let mut end = 0;
    for (at, word) in words(&text.visible) {
        if !visible.is_empty() {
            visible.push(if text.visible[end..at].contains('\n') { '\n' } else { ' ' });
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
        assert_eq!(tidied.visible, "One two\nthree & four\nfive six");
        let source = tidied.source.as_ref().unwrap();
        let shown: Vec<&str> = source.pieces.iter().map(|p| &tidied.visible[p.visible..p.visible + p.length]).collect();
        let written: Vec<&str> = source.pieces.iter().map(|p| &raw[p.raw..p.raw + p.length]).collect();
        assert_eq!(shown, ["One two", "three", "four", "five", "six"]);
        assert_eq!(shown, written);
        let plain = Text { visible: "a\n\n\n  b".into(), source: None, format: Format::Text };
        assert_eq!(tidy(&plain).visible, plain.visible, "what is written so is meant so");
    }
}
