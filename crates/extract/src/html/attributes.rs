//! Where a tag ends. Attributes say nothing about the text, but a `>` inside a quoted value does not end the tag, and
//! a quote that does not follow a `=` does not begin a value: so the states of the standard are followed, without
//! keeping anything.

use memchr::memchr;

/// The end of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TagEnd {
    /// Behind the `>`.
    pub(super) at: usize,
    /// Whether it was `/>`. Only SVG and `MathML` care.
    pub(super) self_closing: bool,
}

/// White space of HTML. Carriage returns are line feeds by the time the standard's tokenizer sees them.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0C')
}

/// What ends a tag name.
pub(super) const fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>')
}

fn skip_spaces(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).copied().is_some_and(is_space) {
        at += 1;
    }
    at
}

/// Finds the end of a tag whose name ended before `at`; `None` if the document ends first, in which case there is no
/// tag.
pub(super) fn tag_end(bytes: &[u8], mut at: usize) -> Option<TagEnd> {
    loop {
        // "Before attribute name", which is also where the standard goes on after a quoted value.
        at = skip_spaces(bytes, at);
        match *bytes.get(at)? {
            b'>' => return Some(TagEnd { at: at + 1, self_closing: false }),
            b'/' => {
                if *bytes.get(at + 1)? == b'>' {
                    return Some(TagEnd { at: at + 2, self_closing: true });
                }
                at += 1;
                continue;
            }
            _ => {}
        }
        // "Attribute name": a `=` in the first place belongs to the name, so that byte is taken unseen.
        at += 1;
        while !matches!(*bytes.get(at)?, b'=') && !ends_name(bytes[at]) {
            at += 1;
        }
        // "After attribute name": white space may stand before the `=`.
        at = skip_spaces(bytes, at);
        if *bytes.get(at)? == b'=' {
            at = value_end(bytes, at + 1)?;
        }
    }
}

/// Passes an attribute value; `at` is behind the `=`.
fn value_end(bytes: &[u8], at: usize) -> Option<usize> {
    let at = skip_spaces(bytes, at);
    match *bytes.get(at)? {
        quote @ (b'"' | b'\'') => Some(at + 2 + memchr(quote, &bytes[at + 1..])?),
        // No value: the tag ends here.
        b'>' => Some(at),
        // Unquoted: a `/` belongs to the value.
        _ => Some(at + bytes[at..].iter().position(|&byte| is_space(byte) || byte == b'>')?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(tag: &str) -> Option<(&str, bool)> {
        tag_end(tag.as_bytes(), 0).map(|end| (&tag[end.at..], end.self_closing))
    }

    #[test]
    fn quotes_hide_the_end() {
        assert_eq!(rest(r#" a="x>y" b='>"'>z"#), Some(("z", false)));
        assert_eq!(rest(r#" a="x">z"#), Some(("z", false)));
        assert_eq!(rest(r#" a = "x>" >z"#), Some(("z", false)));
        assert_eq!(rest(r#" a="x"b='>'>z"#), Some(("z", false)));
    }

    #[test]
    fn quotes_elsewhere_do_not() {
        assert_eq!(rest(r#" a"x>z"#), Some(("z", false)));
        assert_eq!(rest(r#" "x>z"#), Some(("z", false)));
        assert_eq!(rest(r#" =">z"#), Some(("z", false)));
        assert_eq!(rest(r#" a==">z"#), Some(("z", false)));
        assert_eq!(rest(r#" a=b">z"#), Some(("z", false)));
        assert_eq!(rest(r" a= >z"), Some(("z", false)));
    }

    #[test]
    fn self_closing() {
        assert_eq!(rest("/>z"), Some(("z", true)));
        assert_eq!(rest(" a=b />z"), Some(("z", true)));
        assert_eq!(rest(" a='b'/>z"), Some(("z", true)));
        assert_eq!(rest(" a=b/>z"), Some(("z", false)));
        assert_eq!(rest(" / >z"), Some(("z", false)));
        assert_eq!(rest("/a/>z"), Some(("z", true)));
    }

    #[test]
    fn no_end() {
        for tag in ["", " ", " a", " a=", " a='", " a='>", " a=b", "/", " a =", " a='b'"] {
            assert_eq!(rest(tag), None, "{tag}");
        }
    }
}
