//! Where a tag ends, and its attributes. A `>` inside a quoted value does not end the tag, and a quote that does not follow a `=` does not
//! begin a value: so the states of the standard are followed, without keeping anything.

use super::masks::{BLOCK, Block};
use memchr::memchr;
use std::ops::Range;

/// The end of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TagEnd {
    /// Behind the `>`.
    pub(super) at: usize,
    /// Whether it was `/>`. Only SVG and `MathML` care.
    pub(super) self_closing: bool,
}

/// White space of HTML. Carriage returns are line feeds by the time the standard's tokenizer sees them.
#[inline]
pub(super) const fn is_space(byte: u8) -> bool {
    CLASSES[byte as usize] & SPACE != 0
}

/// What ends a tag name.
#[inline]
pub(super) const fn ends_name(byte: u8) -> bool {
    CLASSES[byte as usize] & ENDS_TAG_NAME != 0
}

/// What each byte is inside a tag: one look instead of a comparison with each that it may be.
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | b'\r' | b'\x0C' => SPACE | ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME,
            b'/' | b'>' => ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME,
            b'=' => ENDS_ATTRIBUTE_NAME,
            _ => 0,
        };
        byte += 1;
    }
    classes
};
const SPACE: u8 = 1;
const ENDS_TAG_NAME: u8 = 2;
const ENDS_ATTRIBUTE_NAME: u8 = 4;

fn skip_spaces(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).copied().is_some_and(is_space) {
        at += 1;
    }
    at
}

/// What comes next inside a tag.
enum Step {
    End(TagEnd),
    /// Where the name and the value are, and where to go on.
    Attribute(Range<usize>, Range<usize>, usize),
}

/// Finds the end of a tag whose name ended before `at`; `None` if the document ends first, in which case there is no
/// tag.
#[inline]
pub(super) fn tag_end(bytes: &[u8], at: usize) -> Option<TagEnd> {
    // most tags have no attributes
    if bytes.get(at) == Some(&b'>') {
        return Some(TagEnd { at: at + 1, self_closing: false });
    }
    match quoted_end(bytes, at) {
        None => end_of_attributes(bytes, at),
        end => end,
    }
}

/// The same where all values stand in double quotes right behind their `=`, by masks. None if there is anything else, or too little of the
/// document is left.
///
/// Outside of quotes, each `=` is followed by a quote, each quote that opens follows a `=`, and each `=` follows a byte that is of a name
/// and nothing else. So no `=` begins a name, and none is in a value: the first `>` outside of quotes is the end.
#[inline]
fn quoted_end(bytes: &[u8], mut at: usize) -> Option<TagEnd> {
    // what the last byte of the block before was
    let (mut inside, mut after_equals, mut after_letter) = (0, 0, 0);
    loop {
        let block = Block::at(bytes, at)?;
        let (quotes, letters) = (block.equal(b'"'), block.from(b'>'));
        let quoted = prefix_xor(quotes) ^ inside;
        let equals = block.equal(b'=') & !quoted;
        let wrong = (quotes & quoted) ^ (equals << 1 | after_equals) | equals & !(letters << 1 | after_letter);
        let ends = block.equal(b'>') & !quoted;
        let up_to_end = ends ^ ends.wrapping_sub(1);
        if wrong & up_to_end != 0 {
            return None;
        }
        if ends != 0 {
            let end = at + ends.trailing_zeros() as usize;
            return Some(TagEnd { at: end + 1, self_closing: bytes[end - 1] == b'/' });
        }
        let last = |mask: u64| mask >> (BLOCK - 1);
        (inside, after_equals, after_letter) = (last(quoted).wrapping_neg(), last(equals), last(letters));
        at += BLOCK;
    }
}

/// In each bit, whether it and those below it are odd in number.
const fn prefix_xor(mut mask: u64) -> u64 {
    let mut distance = 1;
    while distance < 64 {
        mask ^= mask << distance;
        distance *= 2;
    }
    mask
}

fn end_of_attributes(bytes: &[u8], mut at: usize) -> Option<TagEnd> {
    loop {
        match step(bytes, at)? {
            Step::End(end) => return Some(end),
            Step::Attribute(_, _, next) => at = next,
        }
    }
}

#[inline]
fn step(bytes: &[u8], mut at: usize) -> Option<Step> {
    loop {
        // "Before attribute name", which is also where the standard goes on after a quoted value.
        at = skip_spaces(bytes, at);
        match *bytes.get(at)? {
            b'>' => return Some(Step::End(TagEnd { at: at + 1, self_closing: false })),
            b'/' => {
                if *bytes.get(at + 1)? == b'>' {
                    return Some(Step::End(TagEnd { at: at + 2, self_closing: true }));
                }
                at += 1;
            }
            _ => break,
        }
    }
    // "Attribute name": a `=` in the first place belongs to the name, so that byte is taken unseen.
    let start = at;
    at += 1;
    at += bytes.get(at..)?.iter().position(|byte| CLASSES[*byte as usize] & ENDS_ATTRIBUTE_NAME != 0)?;
    let name = start..at;
    // "After attribute name": white space may stand before the `=`.
    at = skip_spaces(bytes, at);
    if *bytes.get(at)? != b'=' {
        return Some(Step::Attribute(name, at..at, at));
    }
    let (value, next) = value(bytes, at + 1)?;
    Some(Step::Attribute(name, value, next))
}

/// An attribute value, and where it ends; `at` is behind the `=`.
#[inline]
fn value(bytes: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    let at = skip_spaces(bytes, at);
    match *bytes.get(at)? {
        quote @ (b'"' | b'\'') => {
            let end = at + 1 + memchr(quote, &bytes[at + 1..])?;
            Some((at + 1..end, end + 1))
        }
        // No value: the tag ends here.
        b'>' => Some((at..at, at)),
        // Unquoted: a `/` belongs to the value.
        _ => {
            let end = at + bytes[at..].iter().position(|&byte| is_space(byte) || byte == b'>')?;
            Some((at..end, end))
        }
    }
}

/// The attributes of a tag whose name ended before `at`. They are read again each time: few tags are asked.
#[derive(Clone, Copy)]
pub(super) struct Attributes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Attributes<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// Names and values as they are written, in order.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> + use<'a> {
        let Self { bytes, mut at } = *self;
        std::iter::from_fn(move || match step(bytes, at)? {
            Step::End(_) => None,
            Step::Attribute(name, value, next) => {
                at = next;
                Some((&bytes[name], &bytes[value]))
            }
        })
    }

    /// The value of an attribute. Of several the first counts.
    pub(super) fn get(&self, wanted: &str) -> Option<&'a [u8]> {
        self.all().find(|(name, _)| name.eq_ignore_ascii_case(wanted.as_bytes())).map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
    fn names_and_values() {
        let tag = br#" Class="a b" id=x/ hidden data-x = 'y>' a="z" a=w>rest"#;
        let attributes = Attributes::new(tag, 0);
        let all: Vec<(&[u8], &[u8])> = attributes.all().collect();
        let expected: [(&str, &str); 6] =
            [("Class", "a b"), ("id", "x/"), ("hidden", ""), ("data-x", "y>"), ("a", "z"), ("a", "w")];
        assert_eq!(all, expected.map(|(name, value)| (name.as_bytes(), value.as_bytes())));
        assert_eq!(attributes.get("class"), Some(&b"a b"[..]));
        assert_eq!((attributes.get("a"), attributes.get("b")), (Some(&b"z"[..]), None));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn masks_agree_with_the_states(
            pieces in prop::collection::vec(prop::sample::select(vec![
                " ", "a", "data-x", "=", "\"", "'", "/", ">", "=\"", "\" ", " class=\"", "b c", "ö", "\n", " id=\"x\"", " h1=\">\"",
                " href=\"../../a/b/c.html#d\"", " title=\"class in java.lang of which there is much to say here\"",
            ]), 0..16),
            start in prop::sample::select(vec![" ", "/", "\n"]),
        ) {
            let tag = format!("{start}{}>{}", pieces.concat(), " ".repeat(BLOCK));
            let slow = end_of_attributes(tag.as_bytes(), 0);
            prop_assert_eq!(tag_end(tag.as_bytes(), 0), slow);
            if let Some(quick) = quoted_end(tag.as_bytes(), 0) {
                prop_assert_eq!(Some(quick), slow);
            }
        }
    }

    #[test]
    fn what_is_common_is_found_by_masks() {
        let rest = " ".repeat(2 * BLOCK);
        for tag in [
            " class=\"a\">",
            " href=\"../../a/b/c/d/e/f/g/h/i/j/k/l/m/n.html\" title=\"class in a>b\" hidden>",
            "/>",
            " a=\"b\" />",
        ] {
            assert!(quoted_end(format!("{tag}{rest}").as_bytes(), 0).is_some_and(|end| end.at == tag.len()), "{tag}");
        }
    }

    #[test]
    fn no_end() {
        for tag in ["", " ", " a", " a=", " a='", " a='>", " a=b", "/", " a =", " a='b'"] {
            assert_eq!(rest(tag), None, "{tag}");
        }
    }
}
