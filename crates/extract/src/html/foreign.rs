//! SVG and `MathML` inside HTML. There the tokenizer reads differently: CDATA sections are text, and `<style>`,
//! `<script>` and `<title>` hold ordinary markup. The standard decides by its stack of open elements; we keep only the
//! part of that stack that matters, one bit for each open `svg` or `math` (1) and each open element that holds HTML
//! again (0).

use super::tags::{Element, LONG, Name};

/// Whether the tokenizer is in SVG or `MathML`, and whether it is in a hidden element there.
///
/// The lowest bit is the innermost element. What lies deeper than 64 is forgotten, which makes the outermost levels
/// HTML: no honest document is that deep, and the state stays one word however deep the others are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Foreign {
    open: u64,
    /// The open `style` or `script`, or [`LONG`] for none.
    hidden: Name,
}

impl Foreign {
    /// Whether the innermost element is foreign.
    pub(super) fn is_current(&self) -> bool {
        self.open & 1 == 1
    }

    /// Whether text is inside a foreign `style` or `script`.
    pub(super) fn hides_text(&self) -> bool {
        self.hidden != LONG
    }

    /// Enters SVG or `MathML` from HTML.
    pub(super) fn enter(&mut self) {
        self.push(1);
    }

    /// Takes a start tag in foreign content; `false` if the tag is HTML, because it ended the foreign content. (`font`
    /// with certain attributes also does by the standard; as a foreign element it means the same to us: nothing.)
    pub(super) fn start(&mut self, name: Name, element: &Element, self_closing: bool) -> bool {
        if element.breaks_out() {
            self.break_out();
            return false;
        }
        if self_closing {
            return true;
        }
        if element.is_root() {
            self.push(1);
        } else if element.is_integration_point() {
            self.push(0);
        } else if element.is_hidden() && !self.hides_text() {
            self.hidden = name;
        }
        true
    }

    /// Takes an end tag, wherever it stands.
    pub(super) fn end(&mut self, name: Name, element: &Element) {
        if self.open == 0 {
            return;
        }
        if name == self.hidden {
            self.hidden = LONG;
        }
        if element.is_root() {
            // With an element that holds HTML left open, both end.
            self.open >>= if self.is_current() { 1 } else { 2 };
            self.hidden = LONG;
        } else if element.is_integration_point() && !self.is_current() {
            self.open >>= 1;
        }
    }

    /// Ends foreign content up to the HTML around it.
    pub(super) fn break_out(&mut self) {
        self.open >>= self.open.trailing_ones();
        self.hidden = LONG;
    }

    fn push(&mut self, bit: u64) {
        self.open = self.open << 1 | bit;
    }
}
