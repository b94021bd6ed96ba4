//! What must hold for any bytes in any format.

use lookalike_extract::{Format, PageRules, canonical, canonical_of_str, visible, visible_of_str};
use proptest::prelude::*;

const FORMATS: [Option<Format>; 4] = [None, Some(Format::Html), Some(Format::Markdown), Some(Format::Text)];

/// Both ways give the same text, and every character of it has bytes inside the document, in order.
fn check(bytes: &[u8]) {
    for format in FORMATS {
        let mut scratch = "rubbish from before".to_owned();
        let fast = visible(bytes, format, &PageRules::WHOLE, &mut scratch);
        let slow = canonical(bytes, format, &PageRules::WHOLE);
        match (fast, slow) {
            (Ok(fast), Ok(slow)) => {
                assert_eq!(fast.text, slow.text);
                assert_eq!(
                    (fast.format, fast.encoding, fast.had_errors),
                    (slow.format(), slow.encoding(), slow.had_errors())
                );
                let mut last = 0..0;
                for (at, c) in slow.text.char_indices() {
                    let span = slow.source_span(at..at + c.len_utf8());
                    assert!(span.start <= span.end && span.end <= bytes.len(), "{span:?}");
                    assert!(last.start <= span.start && last.end <= span.end, "{last:?} {span:?}");
                    last = span;
                }
                let whole = slow.source_span(0..slow.text.len());
                assert!(whole.end <= bytes.len());
                let behind = slow.source_span(slow.text.len()..usize::MAX);
                assert!(behind.is_empty() && behind.end <= bytes.len());
            }
            (Err(fast), Err(slow)) => assert_eq!(fast, slow),
            (fast, slow) => panic!("{fast:?} {slow:?}"),
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        check_str(text);
    }
}

fn check_str(text: &str) {
    for format in FORMATS {
        let mut scratch = String::new();
        let fast = visible_of_str(text, format, &PageRules::WHOLE, &mut scratch).text;
        let slow = canonical_of_str(text, format, &PageRules::WHOLE);
        assert_eq!(fast, slow.text);
        for (at, c) in slow.text.char_indices() {
            let span = slow.source_span(at..at + c.len_utf8());
            assert!(text.get(span).is_some());
        }
    }
}

const PIECES: &[&[u8]] = &[
    b"word",
    b" ",
    b"\n",
    b"\r\n",
    b"<p>",
    b"</p>",
    b"<b>",
    b"<!--",
    b"-->",
    b"<a href='",
    b"<script>",
    b"</script>",
    b"&amp;",
    b"&#x80;",
    b"&NotEqualTilde;",
    b"<svg>",
    b"<title>",
    b"\xFF",
    b"\xC3",
    b"\xC3\xBC",
    b"\xE2\x82",
    b"\xED\xA0\x80",
    b"\0",
    b"a\0",
    b"\0a",
    b"\xFC",
    b"\x81\x40",
    b"\x1B$B",
    b"\x1B(B",
    b"\x1B",
    b"\xEF\xBB\xBF",
    b"\xFF\xFE",
    b"\xFE\xFF",
    b"<html>",
    b"<meta charset=",
    b"gbk>",
    b"shift_jis>",
    b"iso-2022-jp>",
    b"big5>",
    b"utf-8>",
    b"euc-kr>",
    b"gb18030>",
    b"# ",
    b"> ",
    b"- ",
    b"1. ",
    b"**",
    b"_",
    b"`",
    b"```\n",
    b"|",
    b"|-|-|\n",
    b"[",
    b"](",
    b")",
    b"![",
    b"[^a]",
    b"[^a]: ",
    b"---\n",
    b"a: b\n",
    b"    ",
    b"\t",
    b"\\",
    b"~~",
    b"<div>\n",
    b"- [ ] ",
    b"<http://a>",
];

fn soup() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        8 => prop::sample::select(PIECES).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 0..6),
        1 => any::<char>().prop_map(|c| c.to_string().into_bytes()),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&bytes);
    }

    #[test]
    fn any_soup(bytes in soup()) {
        check(&bytes);
    }

    #[test]
    fn any_text(text in "\\PC{0,80}") {
        check(text.as_bytes());
        check_str(&text);
    }

    /// Plain text has exact spans in every encoding.
    #[test]
    fn exact_in_utf16(text in "[a-zäöüß日本語😀 ]{0,60}") {
        let mut bytes = vec![0xFF, 0xFE];
        bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
        let read = canonical(&bytes, Some(Format::Text), &PageRules::WHOLE).unwrap();
        prop_assert_eq!(&read.text, &text);
        let mut expected = 2;
        for (at, c) in text.char_indices() {
            let span = read.source_span(at..at + c.len_utf8());
            prop_assert_eq!(span.clone(), expected..expected + 2 * c.len_utf16());
            expected = span.end;
        }
    }

    /// HTML leaves words that stand between tags exactly where they are.
    #[test]
    fn exact_in_html(words in prop::collection::vec("[a-zäöü]{1,8}", 0..20), tag in "(p|b|br|td|!--x--|svg|script)") {
        let close = if tag == "script" { "</script>" } else { "" };
        let page = words.join(&format!("<{tag}>{close}"));
        let read = canonical_of_str(&page, Some(Format::Html), &PageRules::WHOLE);
        let mut at = 0;
        for word in &words {
            at += read.text[at..].find(word.as_str()).unwrap();
            let span = read.source_span(at..at + word.len());
            prop_assert_eq!(&page[span], word);
            at += word.len();
        }
    }
}
