//! Where elements end whose text is not markup: title, textarea, style, xmp, … and script, which has rules of its own.

use memchr::{memchr, memchr_iter, memchr2};

use super::attributes::ends_name;

/// Whether an end tag of `name` (lower case) stands at `at`, which is a `<`.
pub(super) fn is_end_tag(bytes: &[u8], at: usize, name: &str) -> bool {
    bytes.get(at + 1) == Some(&b'/') && is_name(bytes, at + 2, name)
}

fn is_name(bytes: &[u8], at: usize, name: &str) -> bool {
    let end = at + name.len();
    bytes.get(end).copied().is_some_and(ends_name) && bytes[at..end].eq_ignore_ascii_case(name.as_bytes())
}

/// The end tag of a raw text element whose content begins at `at`.
pub(super) fn rawtext_end(bytes: &[u8], at: usize, name: &str) -> Option<usize> {
    memchr_iter(b'<', &bytes[at..]).map(|lt| at + lt).find(|&lt| is_end_tag(bytes, lt, name))
}

/// How much of `<!-- <script> … </script> -->` a script is in. Long ago scripts were put in comments to hide them from
/// old browsers, and the standard still reads them so that the inner `</script>` does not end the outer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    No,
    Comment,
    ScriptInComment,
}

/// The `</script` that ends a script whose content begins at `at`.
pub(super) fn script_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut escape = Escape::No;
    loop {
        if escape == Escape::No {
            at += memchr(b'<', &bytes[at..])?;
        } else {
            at += memchr2(b'<', b'-', &bytes[at..])?;
        }
        if bytes[at] == b'-' {
            let dashes = bytes[at..].iter().take_while(|&&byte| byte == b'-').count();
            at += dashes;
            if dashes >= 2 && bytes.get(at) == Some(&b'>') {
                escape = Escape::No;
            }
            continue;
        }
        let closes = is_end_tag(bytes, at, "script");
        match escape {
            Escape::No | Escape::Comment if closes => return Some(at),
            Escape::No if bytes[at..].starts_with(b"<!--") => {
                // The dashes that open the comment may also close it, as in `<!-->`: they are looked at again.
                escape = Escape::Comment;
                at += 2;
                continue;
            }
            Escape::Comment if is_name(bytes, at + 1, "script") => escape = Escape::ScriptInComment,
            Escape::ScriptInComment if closes => escape = Escape::Comment,
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> Option<&str> {
        script_end(text.as_bytes(), 0).map(|end| &text[..end])
    }

    #[test]
    fn raw_text_ends_at_its_own_end_tag_only() {
        let text = "a</b></styles></STYLE >";
        assert_eq!(rawtext_end(text.as_bytes(), 0, "style"), Some(text.len() - 9));
        assert_eq!(rawtext_end(b"a</style", 0, "style"), None);
    }

    #[test]
    fn scripts() {
        assert_eq!(script("a<b</script>"), Some("a<b"));
        assert_eq!(script("a</scripty></script/>"), Some("a</scripty>"));
        assert_eq!(script("<!-- a </script>"), Some("<!-- a "));
        assert_eq!(script("<!-- <script> </script> --></script>"), Some("<!-- <script> </script> -->"));
        assert_eq!(script("<!-- <script> </script> </script>"), Some("<!-- <script> </script> "));
        assert_eq!(script("<!-- <script> --></script>"), Some("<!-- <script> -->"));
        assert_eq!(script("<!--><script></script>"), Some("<!--><script>"));
        assert_eq!(script("<!---><script></script>"), Some("<!---><script>"));
        assert_eq!(script("<!-- <scripts></script>"), Some("<!-- <scripts>"));
        assert_eq!(script("<!-- <script </script>"), None);
        assert_eq!(script("<!-- <script> </script"), None);
        assert_eq!(script("<!- <script></script>"), Some("<!- <script>"));
    }
}
