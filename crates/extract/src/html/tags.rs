//! What each element means for the text: one table, found by the packed name without allocation or comparison of
//! strings.

/// A lower-case tag name of at most 16 bytes, packed; longer names are all [`LONG`], and none of those means anything
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
        packed = packed << 8 | bytes[i] as u128;
        i += 1;
    }
    packed
}

/// Packs a name in any case; none if it is too long for us to know it.
pub(super) fn pack_any(name: &str) -> Option<Name> {
    (name.len() <= size_of::<Name>()).then(|| pack(&name.to_ascii_lowercase()))
}

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
    flags: u8,
    pub(super) content: Content,
}

/// Its start and its end part words.
const BLOCK: u8 = 1;
/// The same, but only in SVG and `MathML`, where it is another element.
const FOREIGN_BLOCK: u8 = 2;
/// Cannot be inside SVG or `MathML`: its start tag ends them.
const BREAKOUT: u8 = 4;
/// SVG and `MathML` themselves.
const ROOT: u8 = 8;
/// An element of SVG or `MathML` with HTML inside.
const INTEGRATION: u8 = 16;
/// Text in it is hidden, in SVG as well as in HTML.
const HIDDEN: u8 = 32;
/// It has no end.
const VOID: u8 = 64;
/// Its class and id may say that it is part of the frame of a page. Its end tag cannot be left out.
const CONTAINER: u8 = 128;

/// Elements that are so beside what they are in the rows below.
const ALSO: &[(u8, &str)] = &[
    (VOID, "area base br col embed hr img input link meta param source track wbr"),
    (CONTAINER, "div section ul ol dl table form header footer aside address"),
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
}

/// b, i, a, span, code, custom elements and everything we do not know: no more than letters in a word.
const INLINE: Element = Element { flags: 0, content: Content::Data };

const fn plain(flags: u8) -> Element {
    Element { flags, content: Content::Data }
}

const fn raw(name: &'static str) -> Element {
    Element { flags: HIDDEN, content: Content::Rawtext { name, shown: false } }
}

/// Rows of elements that share a meaning, names parted by single spaces.
const PLAIN: &[(u8, &str)] = &[
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

const fn insert_rows(mut table: Table, rows: &[(u8, &str)]) -> Table {
    let mut row = 0;
    while row < rows.len() {
        let (flags, names) = rows[row];
        let bytes = names.as_bytes();
        let mut name = LONG;
        let mut i = 0;
        while i <= bytes.len() {
            if i == bytes.len() || bytes[i] == b' ' {
                table = insert(table, name, plain(flags));
                name = LONG;
            } else {
                name = name << 8 | bytes[i] as Name;
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
                assert_eq!(element(pack(name)).flags & !(VOID | CONTAINER), *flags, "{name}");
            }
        }
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
