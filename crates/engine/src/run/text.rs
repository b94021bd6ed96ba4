//! The text of a document for showing: what a reader sees, and how it is written.

use crate::run::text_extractor::TextExtractor;
use lookalike_corpus::Body;
use lookalike_extract::{self as extract, Canonical, Format};
use std::borrow::Cow;

/// A document's visible text, with the way to how it is written.
#[derive(Clone, Debug)]
pub struct Text {
    /// What a reader sees.
    pub visible: String,
    /// How it is written, where that is something else.
    pub source: Option<Source>,
    /// What it was read as.
    pub format: Format,
    /// Chunks of how it is written, from the first byte on, where bytes were compared and can be shown.
    pub chunks: Vec<ShownChunk>,
}

/// A chunk of a document that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownChunk {
    /// Where it ends in how the document is written: in the source, or in the visible text if there is no other. In bytes, between characters.
    pub end: usize,
    /// Equal for equal chunks; none for one that does not count.
    pub hash: Option<u128>,
}

/// A document as it is written: decoded, with its markup.
#[derive(Clone, Debug)]
pub struct Source {
    /// All of it.
    pub raw: String,
    /// Where stretches of the visible text stand in it, in order.
    pub pieces: Vec<Piece>,
}

/// A stretch of the visible text that stands in the source as it is. All in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it begins in the visible text.
    pub visible: usize,
    /// Where it begins in the source.
    pub raw: usize,
    /// How long it is.
    pub length: usize,
}

impl Text {
    /// Notes the chunks of the bytes that it was read from, given by their lengths. What is decoded otherwise than byte by byte has no places for them.
    pub fn place_chunks(&mut self, bytes: &[u8], chunks: Vec<(usize, Option<u128>)>) {
        if chunks.is_empty() {
            return;
        }
        let written = self.source.as_ref().map_or(self.visible.as_str(), |source| source.raw.as_str());
        let ends = chunks.iter().scan(0, |end, (length, _)| {
            *end += length;
            Some(*end)
        });
        let ends: Vec<usize> = if bytes.ends_with(written.as_bytes()) && bytes.len() - written.len() <= BOM.len() {
            let skipped = bytes.len() - written.len();
            ends.map(|end| written.floor_char_boundary(end.saturating_sub(skipped))).collect()
        } else if written.chars().count() == bytes.len() {
            // a character for each byte
            let mut places = written.char_indices().map(|(at, _)| at).chain([written.len()]);
            let mut next = 0;
            let place = |end: usize| {
                let at = places.nth(end - next);
                next = end + 1;
                at.unwrap_or(written.len())
            };
            ends.map(place).collect()
        } else {
            return;
        };
        self.chunks = ends.into_iter().zip(chunks).map(|(end, (_, hash))| ShownChunk { end, hash }).collect();
    }
}

/// The byte order mark, which is not shown.
const BOM: &str = "\u{feff}";

impl TextExtractor {
    /// A document for showing.
    pub fn shown(&self, id: &str, body: &Body<'_>) -> Result<Text, String> {
        if let Some(read) = self.office_text(id, body) {
            return read.map(|(visible, format)| Text { visible, source: None, format, chunks: Vec::new() });
        }
        let _permit = Self::admit(body, || self.shown_memory(id, body))?;
        let format = self.format(id, body);
        let (canonical, raw) = match body {
            Body::Bytes(bytes) => {
                extract::canonical_and_decoded(bytes, format, &self.rules).map_err(|e| e.to_string())?
            }
            // spans count from behind a byte order mark
            Body::Text(text) => {
                (extract::canonical_of_str(text, format, &self.rules), Cow::Borrowed(extract::strip_bom(text)))
            }
            Body::Features(items) => {
                let text = items.join("\n");
                (extract::canonical_of_str(&text, Some(Format::Text), &self.rules), Cow::Owned(text))
            }
        };
        let source =
            (raw != canonical.text).then(|| Source { pieces: pieces(&canonical, &raw), raw: raw.into_owned() });
        Ok(Text { format: canonical.format(), visible: canonical.text, source, chunks: Vec::new() })
    }
}

/// A line feed may stand for a carriage return, byte for byte; such places are in no piece.
fn pieces(canonical: &Canonical, source: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (visible, raw, length) in canonical.verbatim() {
        let shown = &canonical.text.as_bytes()[visible..visible + length];
        let written = &source.as_bytes()[raw..raw + length];
        let mut from = 0;
        for at in (0..length).filter(|at| shown[*at] != written[*at]).chain([length]) {
            if from < at {
                pieces.push(Piece { visible: visible + from, raw: raw + from, length: at - from });
            }
            from = at + 1;
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_lead_from_what_is_seen_to_what_is_written() {
        let extractor = TextExtractor::default();
        let html = b"<html><p>Fish &amp; chips</p><p>Gr\xC3\xB6\xC3\x9Fe</html>";
        let text = extractor.shown("a.html", &Body::Bytes(Cow::Borrowed(html))).unwrap();
        let source = text.source.expect("HTML is not what a reader sees");
        for piece in &source.pieces {
            let (visible, raw) = (piece.visible..piece.visible + piece.length, piece.raw..piece.raw + piece.length);
            assert_eq!(text.visible[visible], source.raw[raw]);
        }
        let found: String = source.pieces.iter().map(|p| &source.raw[p.raw..p.raw + p.length]).collect();
        assert_eq!(found, "Fish  chipsGröße");
        let returns = extractor.shown("a.md", &Body::Bytes(Cow::Borrowed(b"one\rtwo"))).unwrap();
        let lengths: Vec<usize> = returns.source.unwrap().pieces.iter().map(|p| p.length).collect();
        assert_eq!(
            (returns.visible.as_str(), lengths),
            ("one\ntwo\n", vec![3, 3]),
            "a carriage return is no line feed"
        );
        let latin =
            extractor.shown("a.txt", &Body::Bytes(Cow::Borrowed(b"Gr\xF6\xDFe und mehr davon, viel mehr"))).unwrap();
        assert!(latin.visible.starts_with("Größe"));
        assert!(latin.source.is_none(), "plain text is written as it is seen");
    }

    #[test]
    fn chunks_stand_where_their_bytes_are_shown() {
        let extractor = TextExtractor::default();
        let placed = |name: &str, bytes: &[u8], lengths: &[usize]| {
            let mut text = extractor.shown(name, &Body::Bytes(Cow::Borrowed(bytes))).unwrap();
            text.place_chunks(bytes, lengths.iter().map(|length| (*length, Some(7))).collect());
            text.chunks.iter().map(|chunk| chunk.end).collect::<Vec<usize>>()
        };
        assert_eq!(placed("a.html", b"<p>one<p>two", &[6, 6]), [6, 12], "places are in the source");
        assert_eq!(placed("a.txt", "größe".as_bytes(), &[3, 4]), [2, 7], "never inside a character");
        assert_eq!(placed("a.txt", "\u{feff}one two".as_bytes(), &[6, 4]), [3, 7], "a byte order mark is not shown");
        let latin = b"Gr\xF6\xDFe und mehr davon, viel mehr";
        assert_eq!(placed("a.txt", latin, &[4, latin.len() - 4]), [6, latin.len() + 2], "a character for each byte");
        let wide: Vec<u8> = "\u{feff}one".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(placed("a.txt", &wide, &[4, 4]).is_empty(), "two bytes for each character");
    }
}
