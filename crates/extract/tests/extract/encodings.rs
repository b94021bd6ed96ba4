//! Documents in the encodings of the world, and the way back to their bytes.

use encoding_rs::{GBK, SHIFT_JIS, UTF_16BE, WINDOWS_1252};
use lookalike_extract::{Canonical, ExtractError, Format, PageRules, canonical, canonical_of_str};

/// The bytes a word came from.
fn bytes_of<'a>(read: &Canonical, source: &'a [u8], word: &str) -> &'a [u8] {
    let at = read.text.find(word).expect(word);
    &source[read.source_span(at..at + word.len())]
}

#[test]
fn german_in_windows_1252() {
    let page = "<html><body><p>Schöne Grüße &uuml;ber die <b>Brücke</b></p>";
    let (source, _, _) = WINDOWS_1252.encode(page);
    let read = canonical(&source, None, &PageRules::WHOLE).unwrap();
    assert_eq!(read.text.trim(), "Schöne Grüße über die Brücke");
    assert_eq!((read.encoding(), read.format(), read.had_errors()), ("windows-1252", Format::Html, false));
    assert_eq!(bytes_of(&read, &source, "Grüße"), b"Gr\xFC\xDFe");
    assert_eq!(bytes_of(&read, &source, "über"), b"&uuml;ber");
    assert_eq!(bytes_of(&read, &source, "die Brücke"), b"die <b>Br\xFCcke");
    assert_eq!(bytes_of(&read, &source, "ß"), b"\xDF");
}

#[test]
fn utf16_with_and_without_mark() {
    let text = "Hej världen 😀 slut";
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for mark in [&b""[..], b"\xFE\xFF"] {
        let source = [mark, &utf16].concat();
        let read = canonical(&source, None, &PageRules::WHOLE).unwrap();
        assert_eq!((&*read.text, read.encoding()), (text, UTF_16BE.name()));
        assert_eq!(read.source_span(0..3), mark.len()..mark.len() + 6);
        assert_eq!(bytes_of(&read, &source, "😀"), [0xD8, 0x3D, 0xDE, 0x00]);
        assert_eq!(bytes_of(&read, &source, "slut"), b"\0s\0l\0u\0t");
    }
}

#[test]
fn utf16_page() {
    let page = "\u{FEFF}<!doctype html><p>a&amp;b</p>";
    let source: Vec<u8> = page.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let read = canonical(&source, None, &PageRules::WHOLE).unwrap();
    assert_eq!((&*read.text, read.format()), ("a&b\n", Format::Html));
    assert_eq!(bytes_of(&read, &source, "&"), b"&\0a\0m\0p\0;\0");
}

#[test]
fn chinese_guessed() {
    let text = "这是一个关于相似文档的故事。从前有一座山，山里有一座庙，庙里有一个老和尚在讲故事。";
    let (source, _, _) = GBK.encode(text);
    let read = canonical(&source, Some(Format::Text), &PageRules::WHOLE).unwrap();
    assert_eq!((&*read.text, read.encoding()), (text, "GBK"));
    assert_eq!(bytes_of(&read, &source, "老和尚"), &*GBK.encode("老和尚").0);
}

#[test]
fn japanese_declared() {
    let page = "<html><head><meta http-equiv=\"Content-Type\" content=\"text/html; charset=Shift_JIS\">\
        <title>日本</title></head><body>文書の類似</body></html>";
    let (source, _, _) = SHIFT_JIS.encode(page);
    let read = canonical(&source, None, &PageRules::WHOLE).unwrap();
    assert_eq!((&*read.text, read.encoding()), ("日本\n文書の類似\n", "Shift_JIS"));
    assert_eq!(bytes_of(&read, &source, "類似"), &*SHIFT_JIS.encode("類似").0);
}

#[test]
fn byte_order_mark_counts() {
    let source = "\u{FEFF}<p>été</p>".as_bytes();
    let read = canonical(source, Some(Format::Html), &PageRules::WHOLE).unwrap();
    assert_eq!(read.text, "été\n");
    assert_eq!(read.source_span(0..5), 6..11);
    let read = canonical_of_str("\u{FEFF}été", None, &PageRules::WHOLE);
    assert_eq!(read.text, "été");
    assert_eq!(read.source_span(0..5), 3..8);
}

#[test]
fn broken_utf8() {
    let source = b"Gr\xC3\xBC\xC3\x9Fe aus K\xC3\xB6ln, sch\xC3\xB6n \xFF kaputt";
    let read = canonical(source, None, &PageRules::WHOLE).unwrap();
    assert_eq!(read.text, "Grüße aus Köln, schön \u{FFFD} kaputt");
    assert!(read.had_errors());
    assert_eq!(bytes_of(&read, source, "\u{FFFD}"), b"\xFF");
    assert_eq!(bytes_of(&read, source, "kaputt"), b"kaputt");
}

#[test]
fn line_feed_between_blocks_is_its_tag() {
    let source = "a<p class='x'>b";
    let read = canonical_of_str(source, Some(Format::Html), &PageRules::WHOLE);
    assert_eq!(read.text, "a\nb");
    assert_eq!(&source[read.source_span(1..2)], "<p class='x'>");
    assert_eq!(&source[read.source_span(0..3)], source);
}

#[test]
fn unreadable() {
    let reason = |bytes: &[u8]| canonical(bytes, None, &PageRules::WHOLE).unwrap_err().to_string();
    assert_eq!(reason(b"\x7FELF\x02\x01\x01\0\0"), "binary (ELF)");
    assert_eq!(reason(b"ab\0cd\xFF\xFF"), "binary (NUL bytes)");
    assert_eq!(reason(b"\x89PNG\r\n\x1A\n etc"), "binary (PNG)");
    assert_eq!(reason(b"%PDF-1.4 etc"), "needs lookalike-parser (another program, which reads PDF)");
    assert_eq!(
        canonical(b"\0\0\xFE\xFF\0\0\0a", None, &PageRules::WHOLE).unwrap_err(),
        ExtractError::UnsupportedEncoding { name: "UTF-32" }
    );
}
