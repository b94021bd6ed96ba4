//! HTML to text, in one pass, the way a browser would tokenize it.
//!
//! Only the tokenizer of the standard is here, not its tree: which words a page holds depends on tags, comments,
//! scripts and character references, hardly ever on where in the tree a word would end up. So there is no stack of
//! open elements, and a million nested tags cost no more than a million tags.

mod attributes;
mod boilerplate;
mod comments;
mod foreign;
mod masks;
mod rawtext;
mod references;
mod regions;
mod selector;
mod tags;
mod tokenizer;

use crate::sink::Sink;

pub use regions::PageRules;
pub use selector::Selectors;
pub(crate) use tokenizer::Html;

/// Puts what counts of a page into `sink`, and says how many bytes of text were left out. A page that is frame throughout is all there is of
/// it: then everything counts.
pub(crate) fn extract<S: Sink + Default>(source: &str, rules: &PageRules, sink: &mut S) -> usize {
    let mut html = Html::with_rules(rules);
    html.page(source, sink);
    if html.left_out() > 0 && !html.has_text() && rules.has_defaults() {
        *sink = S::default();
        Html::default().feed(source, sink);
        return 0;
    }
    html.left_out()
}

#[cfg(test)]
mod tests {
    use super::{Html, PageRules, Selectors, extract};
    use proptest::prelude::*;

    fn text(source: &str) -> String {
        by(&PageRules::default(), source).0
    }

    fn by(rules: &PageRules, source: &str) -> (String, usize) {
        let mut text = String::new();
        let left_out = extract(source, rules, &mut text);
        (text, left_out)
    }

    #[test]
    fn the_frame_of_a_page_is_left_out() {
        let page = "<title>t</title><body><nav><ul><li>Menu<nav>x</nav></ul></nav><header>Site</header>\
             <div class=sidebar><div>Links</div></div><main><header><h1>Title</h1></header>Text \
             <nav class=breadcrumb>Home</nav>here<aside>Note</aside></main><footer>&copy; us</footer></body>";
        let (text, left_out) = by(&PageRules::default(), page);
        assert_eq!(text.split_whitespace().collect::<Vec<_>>().join(" "), "t Title Text here Note");
        assert_eq!(left_out, "Menu".len() + 1 + "Site".len() + "Links".len() + "Home".len() + "&copy;us".len());
        let whole = by(&PageRules { keep_boilerplate: true, ..PageRules::default() }, page);
        assert!(whole.0.contains("Menu") && whole.0.contains("us") && whole.1 == 0);
    }

    #[test]
    fn what_does_not_end_is_no_frame() {
        assert_eq!(text("a<nav>b<p>c<div class=nav>d</div>"), "a\nb\nc\nd\n");
        assert_eq!(text("a<div class=nav>b<div>c</div>e"), "a\nb\nc\ne");
        // scripts and comments end nothing
        assert_eq!(text("a<nav>b<!--</nav>--><script>'</nav>'</script>c</nav>d"), "a\nd");
    }

    #[test]
    fn a_page_that_is_all_frame_is_read_whole() {
        assert_eq!(text("<title>t</title><nav>a</nav> <footer>b</footer>"), "t\na\n \nb\n");
    }

    #[test]
    fn selectors() {
        let page = "<p>a<div id=x>b<div>c</div><ul><li class=ad>d<li>e</ul></div><p class=ad>f<p>g";
        let rules = |select: &str, drop: &str| PageRules {
            select: if select.is_empty() { Selectors::NONE } else { select.parse().unwrap() },
            drop: if drop.is_empty() { Selectors::NONE } else { drop.parse().unwrap() },
            ..PageRules::default()
        };
        let words = |rules: &PageRules| by(rules, page).0.split_whitespace().collect::<String>();
        assert_eq!(words(&rules("#x", "")), "bcde");
        assert_eq!(words(&rules("#x", ".ad")), "bce");
        assert_eq!(words(&rules("", ".ad")), "abceg");
        assert_eq!(words(&rules("li", "")), "de");
        assert_eq!(words(&rules("#nothing", "")), "", "nothing was selected, and nothing is what counts");
    }

    #[test]
    fn blocks_part_words_and_inlines_do_not() {
        assert_eq!(text("foo<b>bar</b>"), "foobar");
        assert_eq!(text("foo<p>bar</p>baz"), "foo\nbar\nbaz");
        assert_eq!(text("a<br>b<br/>c<hr>d"), "a\nb\nc\nd");
        assert_eq!(text("<ul><li>a<li>b</ul>c"), "a\nb\nc");
        assert_eq!(text("very<wbr>long<img alt=x>word<my-tag>s"), "verylongwords");
        assert_eq!(text("a<!-- b -->c<script>d</script>e<style>f</style>g"), "aceg");
        assert_eq!(text("<select><option>a<option>b</select>"), "a\nb\n");
    }

    #[test]
    fn nested_tables() {
        let page = "<table><tr><td>a<table><tr><th>b</th><td>c</td></tr></table></td><td>d</td></tr></table>";
        assert_eq!(text(page), "a\nb\nc\nd\n");
    }

    #[test]
    fn names_in_any_case() {
        assert_eq!(text("a<DIV>b</Div>c<ScRiPt>d</sCrIpT>e"), "a\nb\nce");
    }

    #[test]
    fn references() {
        assert_eq!(text("Tom &amp; J&eacute;r&ocircme &#8211; &#x41;&lt;b&gt;"), "Tom & Jérôme – A<b>");
        assert_eq!(text("a & b &c; &"), "a & b &c; &");
        assert_eq!(text("&amp;amp;"), "&amp;");
    }

    #[test]
    fn what_looks_like_markup_but_is_not() {
        assert_eq!(text("1 < 2, a <3 b, <"), "1 < 2, a <3 b, <");
        assert_eq!(text("x</"), "x</");
        assert_eq!(text("x</>y</ 3>z<?php?>w<!x>v"), "xyzwv");
    }

    #[test]
    fn tags_that_never_end_hide_the_rest() {
        assert_eq!(text("a<b"), "a");
        assert_eq!(text("a<b title=\"c>d"), "a");
        assert_eq!(text("a<!-- b > c"), "a");
        assert_eq!(text("a<script>b</scrip>c"), "a");
    }

    #[test]
    fn raw_text() {
        assert_eq!(text("<title>a &lt; <b>b</b></title>c"), "a < <b>b</b>\nc");
        assert_eq!(text("<textarea></title>&amp;</TEXTAREA >b"), "</title>&\nb");
        assert_eq!(text("<xmp><b>&amp;</b></xmp>c"), "<b>&amp;</b>\nc");
        assert_eq!(text("a<iframe>b</iframe>c<noembed><p></noembed>d<noframes>e</noframes>f"), "acdf");
        assert_eq!(text("a<noscript>b</noscript>c<template>d</template>"), "abcd");
        assert_eq!(text("a<plaintext>b</plaintext>&amp;"), "a\nb</plaintext>&amp;");
        assert_eq!(text("<title>a</title"), "a</title");
    }

    #[test]
    fn scripts_in_comments_in_scripts() {
        assert_eq!(text("a<script><!--<script></script>b--></script>c"), "ac");
        assert_eq!(text("a<script><!-- b </script>c"), "ac");
    }

    #[test]
    fn foreign_content() {
        assert_eq!(text("a<svg><![CDATA[b<c]]></svg>d<![CDATA[e]]>f"), "ab<cdf");
        assert_eq!(text("<svg><style>a<g/>c</style><text>d</text><text>e</text></svg>"), "d\ne\n");
        assert_eq!(text("<svg><title>a<b>c</b></title></svg>"), "ac\n");
        assert_eq!(text("<svg><style>a<p>b"), "b");
        assert_eq!(text("<svg/><![CDATA[a]]>b"), "b");
        assert_eq!(text("<svg><foreignObject><style><b></style><p>a</p></foreignObject><![CDATA[b]]></svg>"), "a\nb");
        assert_eq!(text("<math><mi>a</mi><mo>+</mo></math>"), "a+");
        // An svg that is never closed does not make the rest of the page foreign.
        assert_eq!(text("<svg><g><div><script>'<b>'</script>a"), "a");
    }

    #[test]
    fn nul() {
        assert_eq!(
            text("a\0b<title>c\0d</title><svg>e\0f</svg><xmp>g\0h</xmp>"),
            "ab\nc\u{FFFD}d\ne\u{FFFD}f\ng\u{FFFD}h\n"
        );
    }

    /// A page of elements that are frame, content or neither, open and closed at random.
    fn frames() -> impl Strategy<Value = String> {
        let names = "nav search main article div section ul ol li p header footer aside table td svg title a option x";
        let attributes = [
            "",
            "",
            " class=nav",
            " class=\"a b\"",
            " role='main'",
            " id=\"x-sidebar\" role=\"article\"",
            " class=menu",
        ];
        let names: Vec<&str> = names.split(' ').collect();
        let tag = (prop::sample::select(names), prop::sample::select(attributes.to_vec()), any::<bool>()).prop_map(
            |(name, attributes, is_end)| if is_end { format!("</{name}>") } else { format!("<{name}{attributes}>") },
        );
        let piece = prop_oneof![3 => tag, 1 => "[a-z ]{0,3}"];
        prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn tags_that_are_not_followed_mean_nothing(page in frames(), keep_boilerplate: bool) {
            for rules in [PageRules { keep_boilerplate, ..PageRules::default() }, PageRules::default()] {
                let read = |is_all: bool| {
                    let (mut html, mut text) = (Html::with_rules(&rules), String::new());
                    if is_all {
                        html.watch_all();
                    }
                    html.page(&page, &mut text);
                    (text, html.left_out(), html.has_text())
                };
                prop_assert_eq!(read(false), read(true));
            }
        }
    }
}
