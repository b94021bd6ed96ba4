//! Our tokenizer against html5ever's, on tag soup.
//!
//! html5ever's tokenizer follows the standard; the sink below does what a tree builder would do to it (which start
//! tags switch it to raw text, where CDATA is allowed), and collects text by the rules of this crate. The elements are
//! listed here a second time, on purpose: the two lists check each other.

use std::cell::RefCell;

use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{Rawtext, Rcdata, ScriptData};
use html5ever::tokenizer::{EndTag, StartTag, Tag, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use lookalike_extract::{Format, PageRules, canonical_of_str, visible_of_str};
use proptest::prelude::*;

const BLOCK: &str = "\
    address article aside blockquote body br button caption center col colgroup dd details dialog dir div dl dt \
    fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li \
    listing main menu nav ol optgroup option p plaintext pre search section select summary table tbody td \
    textarea tfoot th thead title tr ul xmp";
const FOREIGN_BLOCK: &str = "desc foreignobject mtd mtr text title";
const BREAKOUT: &str = "\
    b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu \
    meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var";
const INTEGRATION: &str = "annotation-xml desc foreignobject mi mn mo ms mtext title";
const HIDDEN: &str = "iframe noembed noframes script style";

fn has(names: &str, name: &str) -> bool {
    names.split(' ').any(|known| known == name)
}

#[derive(Default)]
struct Page {
    text: String,
    /// Open svg and math elements (true) and elements with HTML in them (false).
    open: Vec<bool>,
    foreign_hidden: Option<String>,
    /// The raw text element that is open, if its text is hidden.
    raw_hidden: bool,
}

impl Page {
    fn is_foreign(&self) -> bool {
        self.open.last() == Some(&true)
    }

    fn push(&mut self, text: &str) {
        if !self.raw_hidden && self.foreign_hidden.is_none() {
            self.text.push_str(text);
        }
    }

    fn separate(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    fn break_out(&mut self) {
        while self.is_foreign() {
            self.open.pop();
        }
        self.foreign_hidden = None;
    }

    fn end(&mut self, name: &str) {
        if self.foreign_hidden.as_deref() == Some(name) {
            self.foreign_hidden = None;
        }
        if name == "svg" || name == "math" {
            if !self.is_foreign() {
                self.open.pop();
            }
            self.open.pop();
            self.foreign_hidden = None;
        } else if has(INTEGRATION, name) && !self.is_foreign() {
            self.open.pop();
        }
    }

    fn tag(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name = &*tag.name;
        let is_end = tag.kind == EndTag;
        if std::mem::take(&mut self.raw_hidden) {
            return TokenSinkResult::Continue;
        }
        let was_foreign = self.is_foreign();
        let leaves = if is_end { matches!(name, "p" | "br") } else { has(BREAKOUT, name) };
        if was_foreign && leaves {
            self.break_out();
        } else if is_end {
            self.end(name);
        } else if (name == "svg" || name == "math") && !tag.self_closing {
            self.open.push(true);
        } else if was_foreign && has(INTEGRATION, name) && !tag.self_closing {
            self.open.push(false);
        } else if was_foreign && has(HIDDEN, name) && !tag.self_closing {
            self.foreign_hidden.get_or_insert(name.to_owned());
        }
        let blocks = if was_foreign && !leaves { FOREIGN_BLOCK } else { BLOCK };
        if has(blocks, name) {
            self.separate();
        }
        if is_end || was_foreign && !leaves {
            return TokenSinkResult::Continue;
        }
        self.raw_hidden = has(HIDDEN, name);
        match name {
            "title" | "textarea" => TokenSinkResult::RawData(Rcdata),
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => TokenSinkResult::RawData(Rawtext),
            "script" => TokenSinkResult::RawData(ScriptData),
            "plaintext" => TokenSinkResult::Plaintext,
            _ => TokenSinkResult::Continue,
        }
    }
}

#[derive(Default)]
struct Oracle {
    page: RefCell<Page>,
    /// Whether a title or textarea is open: its end tag is not an end tag of SVG.
    in_rcdata: RefCell<bool>,
}

impl TokenSink for Oracle {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut page = self.page.borrow_mut();
        match token {
            Token::CharacterTokens(text) => page.push(&text),
            Token::NullCharacterToken if page.is_foreign() => page.push("\u{FFFD}"),
            Token::TagToken(tag) => {
                if self.in_rcdata.replace(false) {
                    page.separate();
                    return TokenSinkResult::Continue;
                }
                let result = page.tag(&tag);
                if tag.kind == StartTag && matches!(result, TokenSinkResult::RawData(Rcdata)) {
                    self.in_rcdata.replace(true);
                }
                return result;
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.page.borrow().is_foreign()
    }
}

fn oracle(source: &str) -> String {
    let tokenizer = Tokenizer::new(Oracle::default(), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(source));
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    tokenizer.sink.page.take().text
}

fn ours(source: &str) -> String {
    let mut scratch = String::new();
    let text = visible_of_str(source, Some(Format::Html), &PageRules::WHOLE, &mut scratch).text.to_owned();
    assert_eq!(text, canonical_of_str(source, Some(Format::Html), &PageRules::WHOLE).text);
    text
}

fn agree(source: &str) {
    assert_eq!(ours(source), oracle(source), "{source:?}");
}

/// Pieces that are nasty alone and nastier together, a bar before each.
const PIECES: &str = "\
    ¦a¦b c¦ ¦\n¦ü¦日本¦<¦>¦&¦\"¦'¦/¦=¦-¦--¦!¦]¦]]>¦-->¦--!>¦</¦<!¦<?¦<!-¦<!--¦<!-->¦<!--->¦<!---¦<!-- x¦<!--<!--\
    ¦<![CDATA[¦<!DOCTYPE html>¦<!doctype a \"b>¦<?php¦</ 3>¦</>¦<3¦<a¦<b>¦</b>¦<p>¦</p>¦</p¦<br/>¦<div¦<div ¦ x=\
    ¦ x='¦ x=\"¦ x=y/¦ x = ¦/>¦ />¦<a href=\"x>y\">¦<a b'c>¦<a ='>¦<table><tr><td>¦</td>¦<title>¦</title>\
    ¦</title¦</TiTLE >¦<textarea>¦</textarea>¦<style>¦</style>¦<style/>¦<xmp>¦</xmp>¦<script>¦</script>¦<script\
    ¦</script¦<SCRIPT >¦</script/x>¦<script/>¦<iframe>¦</iframe>¦<noembed>¦</noembed>¦<noframes>¦</noframes>\
    ¦<noscript>¦</noscript>¦<svg>¦</svg>¦<svg/>¦<math>¦</math>¦<foreignObject>¦</foreignObject>¦<mi>¦</mi>\
    ¦<desc>¦</desc>¦<text>¦</text>¦<g>¦</g>¦<li>¦<option>¦</br>¦<x-y>¦<averyveryverylongname>¦&amp;¦&amp¦&ampx\
    ¦&lt;¦&notit;¦&notin;¦&not¦&NotEqualTilde;¦&fjlig;¦&#¦&#x¦&#65;¦&#65¦&#x80;¦&#0;¦&#xD800;¦&#99999999999;¦&#x\
    ¦41¦;¦&eacute¦&foo;¦&CounterClockwiseContourIntegral¦\0";

fn pieces() -> impl Iterator<Item = &'static str> {
    PIECES.split('¦').skip(1)
}

/// The standard makes line feeds of carriage returns before it reads; to us both are white space, and stay what they
/// are.
fn without_returns(source: &str) -> String {
    source.replace('\r', "")
}

fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        20 => prop::sample::select(pieces().collect::<Vec<_>>()).prop_map(str::to_owned),
        1 => "[a-z&;#<>/!'\" =-]{1,4}",
        1 => any::<char>().prop_map(|c| c.to_string()),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| without_returns(&pieces.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn soup_agrees(source in soup()) {
        agree(&source);
        // with room behind it, tags are read many bytes at once
        agree(&format!("{source}{}", " ".repeat(80)));
    }
}

/// Every pair and many triples of pieces, whatever the random generator does.
#[test]
fn pairs_agree() {
    for a in pieces() {
        for b in pieces() {
            agree(&format!("{a}{b}"));
            agree(&format!("x{a}y{b}z</script>w"));
            agree(&format!("<svg>{a}<p>{b}"));
            agree(&format!("<script>{a}{b}z</script>w"));
        }
    }
}

/// Beginnings and ends of many names put together, and the first numbers.
#[test]
fn references_agree() {
    for first in b'A'..=b'z' {
        for source in ["&{}", "&{};", "&{}t;", "&{}cute;", "&{}uml", "&{}grave;x", "&{}ap", "&{}ot", "&{}e;"] {
            agree(&source.replace("{}", &(first as char).to_string()));
        }
    }
    for code in 0..0x2100 {
        agree(&format!("&#{code};&#x{code:x}"));
    }
}
