//! Glyphs on a page become words and lines: a PDF has neither.

use lookalike_extract::ExtractError;

use super::bounded_text::BoundedText;

/// The gap that is a space, in sizes of the font. Letters that are spaced out have less, justified words more.
const SPACE: f64 = 0.17;
/// A glyph this far above or below the line, in sizes of the font, is on another one. Exponents are nearer.
const LINE: f64 = 0.6;
/// A glyph this far back is on another line, or in another column.
const BACK: f64 = 1.0;

/// The place of a glyph on the page.
#[derive(Clone, Copy)]
pub(super) struct GlyphPlace {
    /// The point at which it begins.
    pub(super) start: (f64, f64),
    /// The point at which it ends, and at which the next one of its word begins.
    pub(super) end: (f64, f64),
    /// The size of its font on the page.
    pub(super) size: f64,
}

/// Puts glyphs into a text, in the order of the page.
#[derive(Default)]
pub(super) struct Layout {
    last: Option<GlyphPlace>,
    /// Whether the last line ended with a hyphen, which is removed if its word continues.
    is_hyphenated: bool,
}

impl Layout {
    /// The next glyph is somewhere else: on a new page, or in a figure.
    pub(super) fn separate(&mut self, out: &mut BoundedText) {
        self.last = None;
        self.end_line(out);
    }

    pub(super) fn glyph(&mut self, text: &str, place: GlyphPlace, out: &mut BoundedText) -> Result<(), ExtractError> {
        if let Some(last) = self.last {
            match gap(&last, &place) {
                Gap::None => {}
                Gap::Space if out.as_str().ends_with(char::is_whitespace) || text.starts_with(char::is_whitespace) => {}
                Gap::Space => out.push(" ")?,
                Gap::Line => self.end_line(out),
            }
        }
        // spaces are between words, whatever a line begins or ends with
        if text.trim().is_empty() {
            if !out.as_str().is_empty() && !out.as_str().ends_with(char::is_whitespace) {
                out.push(" ")?;
            }
        } else {
            if std::mem::take(&mut self.is_hyphenated) && text.starts_with(char::is_lowercase) {
                // the line feed, then the hyphen
                out.pop();
                out.pop();
            }
            out.push(text)?;
        }
        self.last = Some(place);
        Ok(())
    }

    fn end_line(&mut self, out: &mut BoundedText) {
        while out.as_str().ends_with(' ') {
            out.pop();
        }
        let mut back = out.as_str().chars().rev();
        if let Some('-' | '\u{AD}' | '\u{2010}') = back.next() {
            self.is_hyphenated = back.next().is_some_and(char::is_alphabetic);
        }
        out.separate();
    }
}

enum Gap {
    None,
    Space,
    Line,
}

/// The gap between two glyphs, along the line that the first was written on.
fn gap(last: &GlyphPlace, next: &GlyphPlace) -> Gap {
    let size = last.size.max(next.size).max(1e-6);
    let along = (last.end.0 - last.start.0, last.end.1 - last.start.1);
    let length = along.0.hypot(along.1);
    // a glyph without width says nothing of its direction
    let (x, y) = if length > 1e-9 { (along.0 / length, along.1 / length) } else { (1.0, 0.0) };
    let step = (next.start.0 - last.end.0, next.start.1 - last.end.1);
    let (forward, aside) = (step.0 * x + step.1 * y, step.1 * x - step.0 * y);
    if aside.abs() > LINE * size || forward < -BACK * size {
        Gap::Line
    } else if forward > SPACE * last.size.min(next.size).max(size / 2.0) {
        Gap::Space
    } else {
        Gap::None
    }
}
