//! How fingerprints lie in a file, and what the user may say about it.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// Which names are kept in memory while a file is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum NameSelection {
    /// None: the file will be read once more for those that are needed.
    None,
    /// All.
    #[default]
    All,
    /// Those of these rows, for the second reading; in any order.
    Rows(Vec<u64>),
}

/// How fingerprints lie in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One little-endian fingerprint after the other and nothing else.
    Raw,
    /// The same, but each fingerprint is followed by its id, a little-endian u64.
    RawIds,
    /// One fingerprint on each line, then, if there are ids, a tab, blanks or a comma and the id. May be `.gz` or `.zst`.
    Text,
    /// A column of fingerprints, and perhaps one of ids.
    Parquet,
}

/// What the digits of a text mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digits {
    /// Base 16, in upper or lower case, with or without `0x`.
    Hex,
    /// Base 10. A negative number is taken as the bits of a signed one.
    Decimal,
}

/// What the ids of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdKind {
    /// Row numbers, from 0; what else the file has for ids is not looked at.
    Rows,
    /// Numbers below 2^64 that the file gives.
    Numbers,
    /// Any text. A fingerprint then goes by its row number, and [`Names`](super::Names) has the text.
    Names,
}

/// What the user says about a file; what is `None` is told from the file.
#[derive(Clone, Debug)]
pub struct FileOptions {
    /// How fingerprints lie in it; otherwise by the extension.
    pub layout: Option<Layout>,
    /// What its digits mean, if it is text or a column of text.
    pub digits: Option<Digits>,
    /// What its ids are.
    pub ids: Option<IdKind>,
    /// The column of fingerprints in Parquet; otherwise `fingerprint` or `simhash`.
    pub field: Option<String>,
    /// The column of ids in Parquet; otherwise `id`, if there is one.
    pub id_field: Option<String>,
    /// Which names are kept in memory, if ids are names.
    pub keep: NameSelection,
    /// Bytes of memory that names may take; more is an error.
    pub names_limit: u64,
}

impl Default for FileOptions {
    fn default() -> FileOptions {
        let (keep, names_limit) = (NameSelection::All, 1 << 30);
        FileOptions { layout: None, digits: None, ids: None, field: None, id_field: None, keep, names_limit }
    }
}

/// What the name of a file says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NameHints {
    pub(super) layout: Layout,
    pub(super) digits: Option<Digits>,
    /// The bits of a fingerprint.
    pub(super) width: Option<u32>,
}

impl Layout {
    /// The layout that the extension of a file stands for.
    pub fn of(path: &Path) -> Option<Layout> {
        NameHints::of(path).map(|named| named.layout)
    }

    /// The name that [`FromStr`] reads.
    pub fn name(self) -> &'static str {
        match self {
            Layout::Raw => "raw",
            Layout::RawIds => "raw-ids",
            Layout::Text => "text",
            Layout::Parquet => "parquet",
        }
    }
}

impl NameHints {
    pub(super) fn of(path: &Path) -> Option<NameHints> {
        let extension = |path: &Path| path.extension().map(|it| it.to_string_lossy().to_ascii_lowercase());
        let outer = extension(path)?;
        let packed = matches!(outer.as_str(), "gz" | "zst");
        let outer = if packed { extension(Path::new(path.file_stem()?))? } else { outer };
        let (layout, digits, width) = match outer.as_str() {
            "raw" | "bin" => (Layout::Raw, None, None),
            "u64" => (Layout::Raw, None, Some(64)),
            "u128" => (Layout::Raw, None, Some(128)),
            "u64id" => (Layout::RawIds, None, Some(64)),
            "u128id" => (Layout::RawIds, None, Some(128)),
            "txt" | "csv" | "tsv" => (Layout::Text, None, None),
            "hex" => (Layout::Text, Some(Digits::Hex), None),
            "dec" => (Layout::Text, Some(Digits::Decimal), None),
            "parquet" => (Layout::Parquet, None, None),
            _ => return None,
        };
        // Raw fingerprints do not shrink, and Parquet compresses by itself.
        (!packed || layout == Layout::Text).then_some(NameHints { layout, digits, width })
    }
}

/// A word that names nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found:?}")]
pub struct UnknownWord {
    /// The words that do.
    pub expected: &'static str,
    /// What was given.
    pub found: String,
}

impl UnknownWord {
    fn new(expected: &'static str, found: &str) -> UnknownWord {
        UnknownWord { expected, found: found.to_owned() }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Layout {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Layout, UnknownWord> {
        let all = [Layout::Raw, Layout::RawIds, Layout::Text, Layout::Parquet];
        let found = all.into_iter().find(|layout| layout.name() == text);
        found.ok_or_else(|| UnknownWord::new("raw, raw-ids, text or parquet", text))
    }
}

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Digits::Hex => "hex",
            Digits::Decimal => "decimal",
        })
    }
}

impl FromStr for Digits {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Digits, UnknownWord> {
        match text {
            "hex" => Ok(Digits::Hex),
            "decimal" => Ok(Digits::Decimal),
            _ => Err(UnknownWord::new("hex or decimal", text)),
        }
    }
}

impl FromStr for IdKind {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<IdKind, UnknownWord> {
        match text {
            "rows" => Ok(IdKind::Rows),
            "numbers" => Ok(IdKind::Numbers),
            "names" => Ok(IdKind::Names),
            _ => Err(UnknownWord::new("rows, numbers or names", text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_tell() {
        let of = |name: &str| NameHints::of(Path::new(name)).map(|named| (named.layout, named.digits, named.width));
        assert_eq!(of("a/b.u64"), Some((Layout::Raw, None, Some(64))));
        assert_eq!(of("b.BIN"), Some((Layout::Raw, None, None)));
        assert_eq!(of("b.u128id"), Some((Layout::RawIds, None, Some(128))));
        assert_eq!(of("b.hex"), Some((Layout::Text, Some(Digits::Hex), None)));
        assert_eq!(of("b.dec.gz"), Some((Layout::Text, Some(Digits::Decimal), None)));
        assert_eq!(of("b.parquet"), Some((Layout::Parquet, None, None)));
        for none in ["b", "b.gz", "b.u64.gz", "b.parquet.zst", "b.xls", ".u64"] {
            assert_eq!(of(none), None, "{none}");
        }
    }

    #[test]
    fn names_lead_back() {
        for layout in [Layout::Raw, Layout::RawIds, Layout::Text, Layout::Parquet] {
            assert_eq!(layout.to_string().parse(), Ok(layout));
        }
        for digits in [Digits::Hex, Digits::Decimal] {
            assert_eq!(digits.to_string().parse(), Ok(digits));
        }
        assert!("Raw".parse::<Layout>().is_err() && "16".parse::<Digits>().is_err() && "".parse::<IdKind>().is_err());
    }
}
