//! Where comments and the things that are treated as comments end.

use memchr::{memchr, memchr_iter, memmem};

/// Passes whatever begins with `<!` or `<?` or `</` and is no tag; `at` is the `<`. What is not closed goes to the end.
pub(super) fn comment_end(bytes: &[u8], at: usize) -> usize {
    if bytes[at..].starts_with(b"<!--") {
        return real_comment_end(bytes, at + 4);
    }
    // A doctype ends at the first `>` even in the middle of a quoted identifier, like all the bogus comments.
    memchr(b'>', &bytes[at..]).map_or(bytes.len(), |end| at + end + 1)
}

/// `at` is behind `<!--`.
fn real_comment_end(bytes: &[u8], at: usize) -> usize {
    let body = &bytes[at..];
    if body.starts_with(b">") {
        return at + 1;
    }
    if body.starts_with(b"->") {
        return at + 2;
    }
    for end in memchr_iter(b'>', body) {
        if body[..end].ends_with(b"--") || body[..end].ends_with(b"--!") {
            return at + end + 1;
        }
    }
    bytes.len()
}

/// The text of a CDATA section that begins at `at` with `<![CDATA[`, and what comes behind it.
pub(super) fn cdata(bytes: &[u8], at: usize) -> (std::ops::Range<usize>, usize) {
    let start = at + b"<![CDATA[".len();
    match memmem::find(&bytes[start..], b"]]>") {
        Some(len) => (start..start + len, start + len + 3),
        None => (start..bytes.len(), bytes.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(markup: &str) -> &str {
        &markup[comment_end(markup.as_bytes(), 0)..]
    }

    #[test]
    fn comments() {
        for comment in [
            "<!-- a -->",
            "<!---->",
            "<!-->",
            "<!--->",
            "<!-- a --!>",
            "<!--a--->",
            "<!--<!-->",
            "<!-- > -- > --\n> ->-->",
            "<!----!>",
            "<!--a--!-->",
        ] {
            assert_eq!(rest(&format!("{comment}z")), "z", "{comment}");
        }
        assert_eq!(rest("<!---!>z-->y"), "y");
        assert_eq!(rest("<!-- a"), "");
        assert_eq!(rest("<!--"), "");
    }

    #[test]
    fn bogus_comments() {
        assert_eq!(rest("<?php echo '>'?>z"), "'?>z");
        assert_eq!(rest("<!DOCTYPE html PUBLIC \"a>b\">z"), "b\">z");
        assert_eq!(rest("<!-x>z"), "z");
        assert_eq!(rest("</ 3>z"), "z");
        assert_eq!(rest("<!"), "");
    }

    #[test]
    fn cdata_sections() {
        assert_eq!(cdata(b"<![CDATA[a]]]>b", 0), (9..11, 14));
        assert_eq!(cdata(b"<![CDATA[a]]", 0), (9..12, 12));
    }
}
