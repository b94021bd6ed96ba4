//! What each element means for the text: one table, found by the packed name without allocation or comparison of
//! strings.

use super::attributes::ends_name;
use super::masks::LANE;
use wide::u8x16;

/// A lower-case tag name of at most 16 bytes, the first one lowest; longer names are all [`LONG`], and none of those means anything
/// to us.
pub(super) type Name = u128;

/// The name of every element whose name is too long for us to know it.
pub(super) const LONG: Name = 0;

/// Packs a lower-case name.
pub(super) const fn pack(name: &str) -> Name {
    let bytes = name.as_bytes();
    let mut packed = 0;
    let mut i = 0;
    while i < bytes.len() {
        packed |= (bytes[i] as Name) << (8 * i);
        i += 1;
    }
    packed
}

/// Packs a name in any case; none if it is too long for us to know it.
pub(super) fn pack_any(name: &str) -> Option<Name> {
    (name.len() <= size_of::<Name>()).then(|| pack(&name.to_ascii_lowercase()))
}

/// Reads the tag name at `at`, in any case, and says where it ends.
#[inline]
pub(super) fn read_name(bytes: &[u8], at: usize) -> (Name, usize) {
    if let Some(first) = bytes.get(at..).and_then(<[u8]>::first_chunk::<LANE>) {
        let lane = u8x16::new(*first);
        let all = u8x16::splat;
        // what ends a name is among these, and few names have another of them in them
        let ends = (lane.min(all(b'/')).simd_eq(lane) | lane.simd_eq(all(b'>'))).to_bitmask();
        let length = ends.trailing_zeros() as usize;
        if length < LANE && ends_name(first[length]) {
            let from_a = lane - all(b'A');
            let upper = from_a.min(all(25)).simd_eq(from_a);
            let lower = (lane | upper & all(0x20)) & u8x16::new(FIRST_BYTES[length]);
            return (Name::from_le_bytes(lower.to_array()), at + length);
        }
    }
    read_name_bytewise(bytes, at)
}

/// The same for names of any length, and at the end of a document.
fn read_name_bytewise(bytes: &[u8], at: usize) -> (Name, usize) {
    let name = &bytes[at..];
    let name = &name[..name.iter().position(|byte| ends_name(*byte)).unwrap_or(name.len())];
    let end = at + name.len();
    if name.len() > size_of::<Name>() {
        return (LONG, end);
    }
    // a NUL at the end must not be nothing; the byte that is in no text stands for it
    let byte = |byte: &u8| if *byte == 0 { u8::MAX } else { byte.to_ascii_lowercase() };
    let packed = name.iter().rev().fold(LONG, |packed, next| packed << 8 | Name::from(byte(next)));
    (packed, end)
}

/// For each length of a name, which bytes are of it.
static FIRST_BYTES: [[u8; LANE]; LANE] = {
    let mut masks = [[0; LANE]; LANE];
    let mut length = 0;
    while length < LANE {
        let mut at = 0;
        while at < length {
            masks[length][at] = u8::MAX;
            at += 1;
        }
        length += 1;
    }
    masks
};

/// How the tokenizer reads what follows a start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Markup and character references.
    Data,
    /// Character references, and the one end tag (title, textarea).
    Rcdata(&'static str),
    /// Nothing but the one end tag. Only xmp is shown.
    Rawtext {
        /// The name of the element, lower case.
        name: &'static str,
        /// Whether a reader sees the text.
        shown: bool,
    },
    /// A script, which hides its end tag in comments of its own.
    Script,
    /// Everything to the end of the document.
    Plaintext,
}

/// What an element means for the text. The flags are the rows' shorthand below.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    flags: u16,
    pub(super) content: Content,
}

/// Its start and its end part words.
const BLOCK: u16 = 1;
/// The same, but only in SVG and `MathML`, where it is another element.
const FOREIGN_BLOCK: u16 = 2;
/// Cannot be inside SVG or `MathML`: its start tag ends them.
const BREAKOUT: u16 = 4;
/// SVG and `MathML` themselves.
const ROOT: u16 = 8;
/// An element of SVG or `MathML` with HTML inside.
const INTEGRATION: u16 = 16;
/// Text in it is hidden, in SVG as well as in HTML.
const HIDDEN: u16 = 32;
/// It has no end.
const VOID: u16 = 64;
/// Its class and id may say that it is part of the frame of a page. Its end tag cannot be left out.
const CONTAINER: u16 = 128;
/// It leads to other pages.
const NAVIGATION: u16 = 256;
/// Outside of the main content it is part of the frame.
const MARGIN: u16 = 512;
/// It holds the main content.
const MAIN: u16 = 1024;
/// Its role may say so.
const SECTION: u16 = 2048;

/// Elements that are so beside what they are in the rows below.
const ALSO: &[(u16, &str)] = &[
    (VOID, "area base br col embed hr img input link meta param source track wbr"),
    (CONTAINER, "div section ul ol dl table form header footer aside address"),
    (NAVIGATION, "nav search"),
    (MARGIN, "header footer aside"),
    (MAIN, "main article"),
    (SECTION, "div section"),
];

impl Element {
    pub(super) fn is_block(&self) -> bool {
        self.flags & BLOCK != 0
    }
    pub(super) fn is_foreign_block(&self) -> bool {
        self.flags & FOREIGN_BLOCK != 0
    }
    pub(super) fn breaks_out(&self) -> bool {
        self.flags & BREAKOUT != 0
    }
    pub(super) fn is_root(&self) -> bool {
        self.flags & ROOT != 0
    }
    pub(super) fn is_integration_point(&self) -> bool {
        self.flags & INTEGRATION != 0
    }
    pub(super) fn is_hidden(&self) -> bool {
        self.flags & HIDDEN != 0
    }
    pub(super) fn is_void(&self) -> bool {
        self.flags & VOID != 0
    }
    pub(super) fn is_container(&self) -> bool {
        self.flags & CONTAINER != 0
    }
    pub(super) fn is_navigation(&self) -> bool {
        self.flags & NAVIGATION != 0
    }
    pub(super) fn is_margin(&self) -> bool {
        self.flags & MARGIN != 0
    }
    pub(super) fn is_main(&self) -> bool {
        self.flags & MAIN != 0
    }
    pub(super) fn is_section(&self) -> bool {
        self.flags & SECTION != 0
    }
    /// Whether it may be frame or main content, by what it is or by what it is called.
    pub(super) fn may_be_region(&self) -> bool {
        self.flags & (CONTAINER | NAVIGATION | MAIN) != 0
    }
}

/// b, i, a, span, code, custom elements and everything we do not know: no more than letters in a word.
const INLINE: Element = Element { flags: 0, content: Content::Data };

const fn plain(flags: u16) -> Element {
    Element { flags, content: Content::Data }
}

const fn raw(name: &'static str) -> Element {
    Element { flags: HIDDEN, content: Content::Rawtext { name, shown: false } }
}

/// Rows of elements that share a meaning, names parted by single spaces.
const PLAIN: &[(u16, &str)] = &[
    (
        BLOCK,
        "address article aside button caption col colgroup details dialog dir fieldset figcaption figure \
         footer form frame frameset header hgroup html legend main nav optgroup option search section select \
         summary tbody td tfoot th thead tr",
    ),
    (
        BLOCK | BREAKOUT,
        "blockquote body br center dd div dl dt h1 h2 h3 h4 h5 h6 head hr li listing menu ol p pre table ul",
    ),
    (BREAKOUT, "b big code em embed i img meta nobr ruby s small span strike strong sub sup tt u var"),
    (ROOT, "math svg"),
    (INTEGRATION, "annotation-xml mi mn mo ms mtext"),
    (INTEGRATION | FOREIGN_BLOCK, "desc foreignobject"),
    (FOREIGN_BLOCK, "mtd mtr text"),
];

const SPECIAL: &[(&str, Element)] = &[
    ("title", Element { flags: BLOCK | INTEGRATION | FOREIGN_BLOCK, content: Content::Rcdata("title") }),
    ("textarea", Element { flags: BLOCK, content: Content::Rcdata("textarea") }),
    ("xmp", Element { flags: BLOCK, content: Content::Rawtext { name: "xmp", shown: true } }),
    ("plaintext", Element { flags: BLOCK, content: Content::Plaintext }),
    ("script", Element { flags: HIDDEN, content: Content::Script }),
    ("style", raw("style")),
    ("iframe", raw("iframe")),
    ("noembed", raw("noembed")),
    ("noframes", raw("noframes")),
];

const SLOTS: usize = 256;

type Table = [(Name, Element); SLOTS];

/// A hash table with linear probing, made by the compiler; [`LONG`] marks free slots, since no element is called
/// nothing.
static TABLE: Table = build();

const fn slot(name: Name) -> usize {
    let folded = (name ^ (name >> 64)) as u64;
    (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize % SLOTS
}

/// Puts an element in, or its flags to those that it has.
const fn insert(mut table: Table, name: Name, element: Element) -> Table {
    let mut at = slot(name);
    while table[at].0 != LONG && table[at].0 != name {
        at = (at + 1) % SLOTS;
    }
    let flags = table[at].1.flags | element.flags;
    table[at] = (name, Element { flags, ..element });
    table
}

const fn insert_rows(mut table: Table, rows: &[(u16, &str)]) -> Table {
    let mut row = 0;
    while row < rows.len() {
        let (flags, names) = rows[row];
        let bytes = names.as_bytes();
        let (mut name, mut length) = (LONG, 0);
        let mut i = 0;
        while i <= bytes.len() {
            if i == bytes.len() || bytes[i] == b' ' {
                table = insert(table, name, plain(flags));
                (name, length) = (LONG, 0);
            } else {
                name |= (bytes[i] as Name) << (8 * length);
                length += 1;
            }
            i += 1;
        }
        row += 1;
    }
    table
}

const fn build() -> Table {
    let mut table = insert_rows(insert_rows([(LONG, INLINE); SLOTS], PLAIN), ALSO);
    let mut i = 0;
    while i < SPECIAL.len() {
        table = insert(table, pack(SPECIAL[i].0), SPECIAL[i].1);
        i += 1;
    }
    table
}

/// What the element of this name means for the text.
#[inline]
pub(super) fn element(name: Name) -> &'static Element {
    if name == LONG {
        return &INLINE;
    }
    let mut at = slot(name);
    loop {
        let (found, element) = &TABLE[at];
        if *found == name || *found == LONG {
            return element;
        }
        at = (at + 1) % SLOTS;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_elements() {
        assert!(element(pack("p")).is_block());
        assert!(element(pack("blockquote")).is_block());
        assert!(element(pack("td")).is_block() && !element(pack("td")).breaks_out());
        assert!(element(pack("foreignobject")).is_integration_point());
        assert!(element(pack("annotation-xml")).is_integration_point());
        assert_eq!(element(pack("script")).content, Content::Script);
        assert_eq!(element(pack("title")).content, Content::Rcdata("title"));
        for (flags, names) in PLAIN {
            for name in names.split(' ') {
                assert!(name.len() <= 16);
                assert_eq!(element(pack(name)).flags & (VOID - 1), *flags, "{name}");
            }
        }
    }

    proptest! {
        #[test]
        fn names_are_read_in_any_case(name in "[a-zA-Z][a-zA-Z0-9:Äö\\x00\"'=-]{0,18}", end in "( |/|>|\n|\t|\r|\x0B|\x0C|)[ -~]{0,16}") {
            let tag = format!("<{name}{end}");
            prop_assert_eq!(read_name(tag.as_bytes(), 1), read_name_bytewise(tag.as_bytes(), 1));
        }
    }

    #[test]
    fn names_have_an_end() {
        let rest = " ".repeat(LANE);
        assert_eq!(read_name(format!("<Div{rest}").as_bytes(), 1), (pack("div"), 4));
        assert_eq!(read_name(b"<my-h1>", 1), (pack("my-h1"), 6));
        assert_ne!(read_name(format!("<script\0>{rest}").as_bytes(), 1), (pack("script"), 8));
        assert_eq!(read_name(format!("<annotation-xml>{rest}").as_bytes(), 1), (pack("annotation-xml"), 15));
        assert_eq!(read_name(format!("<abcdefghijklmnop>{rest}").as_bytes(), 1), (pack("abcdefghijklmnop"), 17));
        assert_eq!(read_name(format!("<abcdefghijklmnopq>{rest}").as_bytes(), 1), (LONG, 18));
    }

    #[test]
    fn unknown_elements_are_inline() {
        for name in ["a", "x", "my-element", "q", "pp", "wbr", "input", "noscript", "template"] {
            let element = element(pack(name));
            assert_eq!((element.flags & !VOID, element.content), (0, Content::Data), "{name}");
        }
        assert!(element(pack("wbr")).is_void() && element(pack("br")).is_void() && element(pack("br")).is_block());
        assert!(element(pack("div")).is_container() && !element(pack("p")).is_container());
        assert_eq!(element(LONG).flags, 0);
    }
}
