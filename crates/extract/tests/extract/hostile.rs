//! Documents made to take forever. All sizes would take minutes if anything were quadratic.

use std::time::{Duration, Instant};

use lookalike_extract::{Format, PageRules, canonical, visible_text};

/// Generous, for slow machines with other work; a quadratic reading of these sizes takes many minutes.
const PATIENCE: Duration = Duration::from_secs(20);

fn read(bytes: &[u8], format: Format) -> usize {
    let start = Instant::now();
    let mut scratch = String::new();
    let fast = visible_text(bytes, Some(format), &PageRules::WHOLE, &mut scratch).map(str::len);
    let slow = canonical(bytes, Some(format), &PageRules::WHOLE).map(|read| read.text.len());
    assert_eq!(fast, slow);
    assert!(start.elapsed() < PATIENCE, "{:?} for {} bytes of {format}", start.elapsed(), bytes.len());
    fast.unwrap_or(0)
}

fn repeated(pattern: &str, size: usize) -> String {
    pattern.repeat(size / pattern.len())
}

#[test]
fn nested_tags() {
    assert_eq!(read(repeated("<b>", 3_000_000).as_bytes(), Format::Html), 0);
    let deep = format!("{}x{}", "<div><svg>".repeat(500_000), "</svg></div>".repeat(500_000));
    assert_eq!(read(deep.as_bytes(), Format::Html), 2);
    let tables = "<table><tr><td>a".repeat(300_000);
    assert_eq!(read(tables.as_bytes(), Format::Html), 600_000 - 1);
}

#[test]
fn unfinished_markup() {
    for pattern in [
        "<",
        "&",
        "<!--",
        "<a href=\"",
        "<a href='x",
        "</",
        "<!",
        "<?",
        "<!-",
        "&#",
        "&#x",
        "&#1",
        "&a",
        "&CounterClockwise",
        "<a ",
        "<a b=",
        "/",
        "<script><!--<script>",
        "<script>",
        "<script></scrip",
        "<title></titl",
        "<svg><![CDATA[",
        "]]",
        "<svg><style>",
        "--",
        "<!-- --!",
        "<textarea>&",
        "<a/",
        "<a b='c'",
        "<xmp></xm",
        "<p",
        "\u{20AC}<",
    ] {
        read(repeated(pattern, 5_000_000).as_bytes(), Format::Html);
        read(format!("<script><!--{}", repeated(pattern, 1_000_000)).as_bytes(), Format::Html);
        read(format!("<svg>{}", repeated(pattern, 1_000_000)).as_bytes(), Format::Html);
    }
}

#[test]
fn long_tokens() {
    read(format!("<{}>x", "a".repeat(5_000_000)).as_bytes(), Format::Html);
    read(format!("&#{};", "0".repeat(5_000_000)).as_bytes(), Format::Html);
    read(format!("<a {}>x", "b=\"c\" ".repeat(1_000_000)).as_bytes(), Format::Html);
}

#[test]
fn nuls() {
    assert_eq!(read(&vec![0; 5_000_000], Format::Html), 0);
    assert_eq!(read(&vec![0; 5_000_000], Format::Text), 0);
    let mut marked = b"\xEF\xBB\xBF".to_vec();
    marked.resize(5_000_000, 0);
    assert_eq!(read(&marked, Format::Html), 0);
    let mut utf16 = b"\xFF\xFE".to_vec();
    utf16.resize(1_000_000, 0);
    assert_eq!(read(&utf16, Format::Html), 0);
}

#[test]
fn markdown() {
    for pattern in ["[", "*a ", ">", "`", "<", "![", "**a *b ", "_a", "[a](", "[^a]: ", "|a", "<a ", "&", "\\", "~~a "]
    {
        read(repeated(pattern, 1_000_000).as_bytes(), Format::Markdown);
    }
}

/// pulldown-cmark alone would need minutes for each of these.
#[test]
fn nested_markdown() {
    for (opening, line) in [(">", "a\n"), ("- ", "a\n"), ("1. ", "[a\n"), ("* - ", "\n\n"), ("> ", "a|b\n-|-\n")] {
        let source = format!("{}\n{}", repeated(opening, 500_000), repeated(line, 500_000));
        read(source.as_bytes(), Format::Markdown);
        let source = format!("{}x\n{}", opening.repeat(90 / opening.len()), repeated(line, 500_000));
        read(source.as_bytes(), Format::Markdown);
    }
}

#[test]
fn encodings() {
    read(&b"\xFF".repeat(2_000_000), Format::Text);
    read(&b"\xC3".repeat(2_000_000), Format::Html);
    read(&[b"ab\0".as_slice(), &b"\xE4".repeat(1_000_000)].concat(), Format::Text);
    read(&b"\x1B$B".repeat(500_000), Format::Text);
    read(&b"\xFF\xFE\x3D\xD8".repeat(500_000), Format::Text);
    for label in ["gb18030", "iso-2022-jp", "big5", "shift_jis", "euc-kr", "replacement"] {
        let page = [format!("<meta charset={label}>").as_bytes(), &b"\x81\x30\x1B".repeat(300_000)].concat();
        read(&page, Format::Html);
    }
}
