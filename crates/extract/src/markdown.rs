//! Markdown to text: what a reader of the rendered page would read.
//!
//! A Markdown document and the HTML page made of it hold the same words, so HTML inside Markdown goes through the HTML
//! tokenizer, and blocks part words as they do there.

mod front_matter;
mod nesting;

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::html::Html;
use crate::sink::Sink;
use crate::spans::SpanMap;

/// Puts the visible text of a Markdown document into `sink`.
pub(crate) fn extract<S: Sink>(source: &str, sink: &mut S) {
    let base = front_matter::end(source);
    let source = &source[base..];
    if nesting::is_too_deep(source) {
        return sink.verbatim(source, base);
    }
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES;
    let mut walk = Walk { source, base, sink, html: Html::default(), block: Fragment::default(), images: 0 };
    for (event, range) in Parser::new_ext(source, options).into_offset_iter() {
        walk.event(event, range);
    }
}

/// The walk through the events of a document.
struct Walk<'a, S> {
    source: &'a str,
    /// Where `source` begins in the document: behind the front matter.
    base: usize,
    sink: &'a mut S,
    html: Html<'static>,
    block: Fragment,
    /// How many images are open. Their alternative text is not seen, here as in HTML.
    images: usize,
}

impl<S: Sink> Walk<'_, S> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(Tag::Image { .. }) => self.images += 1,
            Event::End(TagEnd::Image) => self.images -= 1,
            _ if self.images > 0 => {}
            Event::Text(text) | Event::Code(text) => self.text(&text, range),
            Event::InlineHtml(markup) => {
                self.collect(&markup, range);
                self.feed();
            }
            // One line of a block of HTML. Tags and comments may go over several, so the block is read when it is
            // whole.
            Event::Html(markup) => self.collect(&markup, range),
            Event::SoftBreak | Event::HardBreak => self.sink.separate(self.base + range.start..self.base + range.end),
            Event::Start(tag) if !is_inline(&tag) => self.boundary(range.start),
            Event::End(tag) if !is_inline_end(tag) => {
                self.feed();
                self.boundary(range.end);
            }
            Event::Rule => self.boundary(range.start),
            // Footnote marks and task boxes are not words; the rest needs options we do not set.
            _ => {}
        }
    }

    /// The beginning or the end of a block.
    ///
    /// A `<script>` in the middle of a sentence would hide all that follows it in a browser. In Markdown it is a
    /// sentence about scripts, and the sites that render Markdown show it as one; so nothing is hidden beyond its
    /// block.
    fn boundary(&mut self, at: usize) {
        self.html = Html::default();
        self.sink.separate(self.base + at..self.base + at);
    }

    fn text(&mut self, text: &str, range: Range<usize>) {
        if self.html.hides_text() {
            return;
        }
        match place_of(text, self.source, &range) {
            Some(at) => self.sink.verbatim(text, self.base + at),
            None => self.sink.decoded(text, self.base + range.start..self.base + range.end),
        }
    }

    fn collect(&mut self, markup: &str, range: Range<usize>) {
        let at = place_of(markup, self.source, &range);
        self.block.push(markup, at.map_or(range, |at| at..at + markup.len()));
    }

    /// Reads the HTML collected so far.
    fn feed(&mut self) {
        if !self.block.text.is_empty() {
            let mut sink = InFragment { sink: self.sink, spans: &self.block.spans, base: self.base };
            self.html.feed(&self.block.text, &mut sink);
            self.block = Fragment::default();
        }
    }
}

/// Where `text` stands in `source`, if it is a part of it: most texts are slices, the others were decoded or put
/// together.
fn place_of(text: &str, source: &str, range: &Range<usize>) -> Option<usize> {
    let is_at = |at: &usize| source.as_bytes()[*at..].starts_with(text.as_bytes());
    text.as_ptr()
        .addr()
        .checked_sub(source.as_ptr().addr())
        .filter(|&at| at <= source.len())
        .filter(is_at)
        // Very short texts are copied; they may still be all of their range.
        .or_else(|| Some(range.start).filter(is_at).filter(|_| text.len() == range.len()))
}

fn is_inline(tag: &Tag<'_>) -> bool {
    is_inline_end(tag.to_end())
}

fn is_inline_end(tag: TagEnd) -> bool {
    matches!(
        tag,
        TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Link
    )
}

/// Lines of HTML put together, without the `>` and spaces that Markdown had before them.
#[derive(Default)]
struct Fragment {
    text: String,
    spans: SpanMap,
}

impl Fragment {
    fn push(&mut self, line: &str, from: Range<usize>) {
        self.text.push_str(line);
        if from.len() == line.len() {
            self.spans.push_verbatim(line.len(), from.start);
        } else {
            self.spans.push_unit(line.len(), from);
        }
    }
}

/// A sink for the text of a fragment: finds its place in the document.
struct InFragment<'a, S> {
    sink: &'a mut S,
    spans: &'a SpanMap,
    base: usize,
}

impl<S> InFragment<'_, S> {
    fn place(&self, from: Range<usize>) -> Range<usize> {
        let from = self.spans.source(from);
        self.base + from.start..self.base + from.end
    }
}

impl<S: Sink> Sink for InFragment<'_, S> {
    fn verbatim(&mut self, text: &str, mut at: usize) {
        // Each line of a fragment has a place of its own.
        for line in text.split_inclusive('\n') {
            let place = self.place(at..at + line.len());
            if place.len() == line.len() {
                self.sink.verbatim(line, place.start);
            } else {
                self.sink.decoded(line, place);
            }
            at += line.len();
        }
    }

    fn decoded(&mut self, text: &str, from: Range<usize>) {
        let place = self.place(from);
        self.sink.decoded(text, place);
    }

    fn separate(&mut self, from: Range<usize>) {
        let place = self.place(from);
        self.sink.separate(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::Recorder;

    fn text(source: &str) -> String {
        let mut text = String::new();
        extract(source, &mut text);
        text
    }

    #[test]
    fn inline() {
        assert_eq!(text("foo*bar* **b**_a_ `c  d` ~~e~~"), "foobar ba c  d e\n");
        assert_eq!(text("[a](http://x.y \"t\") ![b](c.png) <http://z.w>"), "a  http://z.w\n");
        assert_eq!(text("a &amp; b &eacute; \\* c\\_d"), "a & b é * c_d\n");
        assert_eq!(text("a\nb  \nc\\\nd"), "a\nb\nc\nd\n");
    }

    #[test]
    fn blocks() {
        assert_eq!(text("# a\n\nb\n===\n\n> c\n> d\n\n- e\n- f\n\n1. g\n\n***\n\nh"), "a\nb\nc\nd\ne\nf\ng\nh\n");
        assert_eq!(text("    code\n    more\n\n```rust\nlet x;\n```"), "code\nmore\nlet x;\n");
        assert_eq!(text("| a | b |\n|---|---|\n| c | d |"), "a\nb\nc\nd\n");
        assert_eq!(text("- [x] done\n- [ ] open"), "done\nopen\n");
        assert_eq!(text("a[^1] b\n\n[^1]: note"), "a b\nnote\n");
        assert_eq!(text("# a {#b .c}\n\nd ![e *f* ![g](h)](i) j"), "a\nd  j\n");
        assert_eq!(text("[a]\n\n[a]: http://x.y 'title'"), "a\n");
    }

    #[test]
    fn html() {
        assert_eq!(text("foo<b>bar</b> x<!-- y -->z"), "foobar xz\n");
        assert_eq!(text("<div>\na &lt; b\n</div>\n\nc"), "\na < b\n\nc\n");
        assert_eq!(text("> <div title='\n> x'>a\n> <p>b</div>"), "a\nb\n");
        assert_eq!(text("<script>\n\nalert()\n\n</script>\n\nb"), "\nb\n");
        assert_eq!(text("a <style>b</style> c"), "a  c\n");
        assert_eq!(text("the <script> tag\n\nis about *code*"), "the \nis about code\n");
    }

    #[test]
    fn spans() {
        let source = "---\na: b\n---\n> é &amp; **x**\n> <p title='\n> '>y\n> z";
        let mut recorder = Recorder::default();
        extract(source, &mut recorder);
        assert_eq!(recorder.text, "é & x\ny\nz\n");
        let of = |word: &str| {
            let at = recorder.text.find(word).unwrap();
            &source[recorder.spans.source(at..at + word.len())]
        };
        assert_eq!(of("é"), "é");
        assert_eq!(of("&"), "&amp;");
        assert_eq!(of("x"), "x");
        assert_eq!(of("y"), "y");
        assert_eq!(of("z"), "z");
        assert_eq!(of("é & x"), "é &amp; **x");
    }
}
