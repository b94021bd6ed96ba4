//! The tokenizer: where text is, and where it is not.

use std::ops::Range;

use memchr::{memchr_iter, memchr3};

use super::attributes::{Attributes, TagEnd, tag_end};
use super::comments::{cdata, comment_end};
use super::foreign::Foreign;
use super::masks::next_special;
use super::rawtext::{is_end_tag, rawtext_end, script_end};
use super::references::{Expansion, reference};
use super::regions::{PageRules, Regions};
use super::tags::{Content, Element, Name, element, pack, read_name};
use crate::sink::Sink;

/// What the tokenizer remembers from one place to the next. It can be fed a document in pieces, as Markdown does with
/// the HTML in it; a piece may end anywhere but inside a tag or a comment.
#[derive(Debug)]
pub(crate) struct Html<'r> {
    content: Content,
    foreign: Foreign,
    regions: Regions<'r>,
}

impl Default for Html<'_> {
    fn default() -> Self {
        Self { content: Content::Data, foreign: Foreign::default(), regions: Regions::default() }
    }
}

/// A tag, read.
struct Tag {
    name: Name,
    is_end: bool,
    self_closing: bool,
    span: Range<usize>,
}

impl<'r> Html<'r> {
    /// A whole page, of which the rules say what counts.
    pub(super) fn with_rules(rules: &'r PageRules) -> Self {
        Self { regions: Regions::new(rules), ..Self::default() }
    }

    /// Follows all tags, whatever they mean.
    #[cfg(test)]
    pub(super) fn watch_all(&mut self) {
        self.regions.watch_all();
    }

    /// Bytes of text that the rules left out.
    pub(super) fn left_out(&self) -> usize {
        self.regions.left_out
    }

    /// Whether anything of the page's body counts.
    pub(super) fn has_text(&self) -> bool {
        self.regions.has_text
    }

    /// Puts what counts of a whole page into `sink`. An element that would be left out and does not end is none: what comes from its start
    /// on counts.
    pub(super) fn page<S: Sink>(&mut self, source: &str, sink: &mut S) {
        self.feed_from(source, 0, sink);
        if let Some((at, foreign)) = self.regions.give_up() {
            (self.content, self.foreign) = (Content::Data, foreign);
            self.feed_from(source, at, sink);
        }
    }

    /// Whether text that came now would be inside a script, a style or the like.
    pub(crate) fn hides_text(&self) -> bool {
        match self.content {
            Content::Script | Content::Rawtext { shown: false, .. } => true,
            _ => self.foreign.hides_text(),
        }
    }

    /// Puts the visible text of `source` into `sink`.
    pub(crate) fn feed<S: Sink>(&mut self, source: &str, sink: &mut S) {
        self.feed_from(source, 0, sink);
    }

    fn feed_from<S: Sink>(&mut self, source: &str, mut at: usize, sink: &mut S) {
        let bytes = source.as_bytes();
        while at < bytes.len() {
            at = match self.content {
                Content::Data => self.data(source, at, sink),
                Content::Rcdata(name) => self.rcdata(source, at, name, sink),
                Content::Rawtext { name, shown } => {
                    let end = rawtext_end(bytes, at, name);
                    if shown {
                        self.literal(source, at..end.unwrap_or(bytes.len()), sink);
                    }
                    self.leave(source, end, name, sink)
                }
                Content::Script => self.leave(source, script_end(bytes, at), "script", sink),
                Content::Plaintext => {
                    self.literal(source, at..bytes.len(), sink);
                    bytes.len()
                }
            };
        }
    }

    /// Reads text and markup, until the end or until a tag changes the kind of content; says how far it came.
    fn data<S: Sink>(&mut self, source: &str, mut at: usize, sink: &mut S) -> usize {
        let bytes = source.as_bytes();
        // Text since `start` has been seen but not been put into the sink: a lone `<` or `&` does not cut it in pieces.
        let mut start = at;
        while let Some(special) = next_special(bytes, at) {
            let end = match bytes[special] {
                b'&' => self.reference(source, start, special, sink),
                b'<' => self.markup(source, start, special, sink),
                _ => {
                    self.text(source, start..special, sink);
                    // A page drops them, except where there is no page: in SVG and `MathML`.
                    if self.foreign.is_current() {
                        self.replacement(special, sink);
                    }
                    Some(special + 1)
                }
            };
            match end {
                Some(end) => {
                    at = end;
                    start = end;
                    if self.content != Content::Data {
                        return at;
                    }
                }
                None => at = special + 1,
            }
        }
        self.text(source, start..bytes.len(), sink);
        bytes.len()
    }

    /// Puts text into the sink, if it is to be seen.
    #[inline]
    fn text<S: Sink>(&mut self, source: &str, range: Range<usize>, sink: &mut S) {
        if !range.is_empty()
            && !self.foreign.hides_text()
            && self.regions.count(&source.as_bytes()[range.clone()], self.is_title())
        {
            sink.stretch(source, range);
        }
    }

    fn is_title(&self) -> bool {
        self.content == Content::Rcdata("title")
    }

    /// Reads a character reference at `at`, and puts the text since `start` and its own into the sink; `None` if it is
    /// none.
    fn reference<S: Sink>(&mut self, source: &str, start: usize, at: usize, sink: &mut S) -> Option<usize> {
        let reference = reference(&source[at..])?;
        let end = at + reference.len;
        self.text(source, start..at, sink);
        if !self.foreign.hides_text() && self.regions.count(&source.as_bytes()[at..end], self.is_title()) {
            match reference.text {
                Expansion::One(one) => sink.decoded(one.encode_utf8(&mut [0; 4]), at..end),
                Expansion::More(more) => sink.decoded(&more, at..end),
            }
        }
        Some(end)
    }

    /// Reads the markup at `at`, which is a `<`, after putting the text since `start` into the sink; `None` if it is
    /// text.
    #[inline]
    fn markup<S: Sink>(&mut self, source: &str, start: usize, at: usize, sink: &mut S) -> Option<usize> {
        let bytes = source.as_bytes();
        let is_end = *bytes.get(at + 1)? == b'/';
        let name = at + 1 + usize::from(is_end);
        if !bytes.get(name)?.is_ascii_alphabetic() {
            return self.no_tag(source, start, at, sink);
        }
        self.text(source, start..at, sink);
        Some(self.tag(bytes, at, name, is_end, sink))
    }

    /// The same of markup that is no tag.
    fn no_tag<S: Sink>(&mut self, source: &str, start: usize, at: usize, sink: &mut S) -> Option<usize> {
        let bytes = source.as_bytes();
        if !matches!(bytes[at + 1], b'!' | b'?' | b'/') {
            return None;
        }
        self.text(source, start..at, sink);
        if self.foreign.is_current() && bytes[at..].starts_with(b"<![CDATA[") {
            let (text, end) = cdata(bytes, at);
            self.literal(source, text, sink);
            return Some(end);
        }
        Some(comment_end(bytes, at))
    }

    /// Reads a tag that begins at `at`, with its name at `name`, and follows it; says where it ends. A tag that does not end is no tag, and
    /// no text.
    #[inline]
    fn tag<S: Sink>(&mut self, bytes: &[u8], at: usize, name: usize, is_end: bool, sink: &mut S) -> usize {
        let (name, name_end) = read_name(bytes, name);
        let Some(TagEnd { at: end, self_closing }) = tag_end(bytes, name_end) else {
            return bytes.len();
        };
        let element = element(name);
        if self.foreign.is_current() {
            self.follow_foreign(&Tag { name, is_end, self_closing, span: at..end }, element, sink);
            return end;
        }
        if self.regions.watch(element) {
            if is_end {
                self.regions.end(name);
            } else {
                self.regions.start(name, element, Attributes::new(bytes, name_end), at, self.foreign);
            }
        }
        if is_end {
            self.foreign.end(name, element);
        } else if element.is_root() && !self_closing {
            self.foreign.enter();
        }
        if element.is_block() {
            sink.separate(at..end);
        }
        if !is_end && element.content != Content::Data {
            self.content = element.content;
        }
        end
    }

    /// Does what a tag in SVG or `MathML` asks for.
    fn follow_foreign<S: Sink>(&mut self, tag: &Tag, element: &Element, sink: &mut S) {
        let span = tag.span.clone();
        if tag.is_end {
            // `</p>` and `</br>` make an element each, which ends foreign content.
            if tag.name == pack("p") || tag.name == pack("br") {
                self.foreign.break_out();
                sink.separate(span);
                return;
            }
            self.foreign.end(tag.name, element);
        }
        if tag.is_end || self.foreign.start(tag.name, element, tag.self_closing) {
            if element.is_foreign_block() {
                sink.separate(span);
            }
            return;
        }
        if element.is_block() {
            sink.separate(span);
        }
        self.content = element.content;
    }

    /// Reads title or textarea, which hold character references but no tags.
    fn rcdata<S: Sink>(&mut self, source: &str, mut at: usize, name: &str, sink: &mut S) -> usize {
        let bytes = source.as_bytes();
        let mut start = at;
        while let Some(found) = memchr3(b'<', b'&', 0, &bytes[at..]) {
            let special = at + found;
            match bytes[special] {
                b'<' if is_end_tag(bytes, special, name) => {
                    self.text(source, start..special, sink);
                    return self.leave(source, Some(special), name, sink);
                }
                b'&' => {
                    if let Some(end) = self.reference(source, start, special, sink) {
                        at = end;
                        start = end;
                        continue;
                    }
                }
                0 => {
                    self.text(source, start..special, sink);
                    self.replacement(special, sink);
                    start = special + 1;
                }
                _ => {}
            }
            at = special + 1;
        }
        self.text(source, start..bytes.len(), sink);
        bytes.len()
    }

    /// Reads the end tag of `name` at `end` and goes back to markup. Without one the content goes on, in the next
    /// piece if there is one.
    fn leave<S: Sink>(&mut self, source: &str, end: Option<usize>, name: &str, sink: &mut S) -> usize {
        let Some(start) = end else {
            return source.len();
        };
        self.content = Content::Data;
        let Some(end) = tag_end(source.as_bytes(), start + "</".len() + name.len()) else {
            return source.len();
        };
        if element(pack(name)).is_block() {
            sink.separate(start..end.at);
        }
        end.at
    }

    /// Puts text into the sink in which nothing has a meaning; NULs are replaced.
    fn literal<S: Sink>(&mut self, source: &str, range: Range<usize>, sink: &mut S) {
        let mut start = range.start;
        for nul in memchr_iter(0, &source.as_bytes()[range.clone()]) {
            let nul = range.start + nul;
            self.text(source, start..nul, sink);
            self.replacement(nul, sink);
            start = nul + 1;
        }
        self.text(source, start..range.end, sink);
    }

    /// Puts U+FFFD into the sink for the NUL at `at`.
    fn replacement<S: Sink>(&mut self, at: usize, sink: &mut S) {
        if !self.foreign.hides_text() && self.regions.count(b"\0", self.is_title()) {
            sink.decoded("\u{FFFD}", at..at + 1);
        }
    }
}
