//! A language: one row of the table, and how it is found by a name or by the name of a file.

use super::leaves::LeafRules;
use super::table::LANGUAGES;
use super::telltales::Telltales;
use super::vocabulary::Vocabulary;
use std::sync::OnceLock;

/// A language that source code is written in: one row of the table in `table.rs`.
#[derive(Debug)]
pub struct Language {
    /// What users call it, in lower case; never changed.
    pub(super) name: &'static str,
    /// What it is called in messages.
    pub(super) title: &'static str,
    /// Other names that users may write.
    pub(super) aliases: &'static [&'static str],
    /// How names of its files end, in lower case, without the dot.
    pub(super) extensions: &'static [&'static str],
    /// Whole names of files that have no extension.
    pub(super) files: &'static [&'static str],
    /// Languages of one family have the same tokens for the same constructs, and can be compared with each other.
    pub(super) family: &'static str,
    /// How its files are read.
    pub(super) reading: Reading,
    /// What begins a comment that ends with the line. This and what follows is for the lexical reading.
    pub(super) line_comments: &'static [&'static str],
    /// What begins and ends other comments.
    pub(super) block_comments: &'static [(&'static str, &'static str)],
    /// Strings; of those that begin alike the longest first.
    pub(super) quotes: &'static [Quote],
    /// Words that the grammar knows but does not spell out, and what it calls them.
    pub(super) types: &'static [(&'static str, &'static [&'static str])],
    /// Whether keywords may be written in any case.
    pub(super) caseless: bool,
    /// Texts that the scanner of the grammar must not see.
    pub(super) is_unsafe: fn(&str) -> bool,
    /// How its leaves are told without a tree, if they can be.
    pub(super) leaf_rules: Option<&'static LeafRules>,
    /// What gives it away where the name of a file says nothing.
    pub(super) telltales: Telltales,
}

/// How files of a language are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// With its grammar, by the parser program.
    Parsed,
    /// Word by word.
    Lexical,
    /// As a notebook, whose cells are in another language.
    Notebook,
}

/// How a string is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// Whether a backslash escapes what follows it.
    pub(super) escapes: bool,
    pub(super) reach: Reach,
}

/// How far a string goes that is never closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// It holds one character, or is none: the mark has other meanings too.
    Character,
    /// To the end of the line.
    Line,
    /// To the end of the file.
    File,
}

impl Language {
    /// Its name, as users write it.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Its name, as messages write it.
    pub fn title(&self) -> &'static str {
        self.title
    }

    /// Other names that users may write.
    pub fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    /// How the names of its files end, without the dot.
    pub fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }

    /// Languages of one family can be compared with each other.
    pub fn family(&self) -> &'static str {
        self.family
    }

    /// Whether the parser program has a grammar of it. Files of other languages are read word by word.
    pub fn has_grammar(&self) -> bool {
        self.reading == Reading::Parsed
    }

    /// The language of this name or alias, in any case.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        let is = |known: &&'static str| known.eq_ignore_ascii_case(name);
        LANGUAGES.iter().find(|row| is(&row.name) || row.aliases.iter().any(is))
    }

    /// The language that a file of this name, or at this path, is written in.
    pub fn by_file_name(path: &str) -> Option<&'static Self> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        if let Some(row) = LANGUAGES.iter().find(|row| row.files.contains(&name)) {
            return Some(row);
        }
        let (_, extension) = name.rsplit_once('.')?;
        LANGUAGES.iter().find(|row| row.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension)))
    }

    /// The row for everything that no other row is for.
    pub fn other() -> &'static Self {
        &LANGUAGES[LANGUAGES.len() - 1]
    }

    /// Its words and operators. Computed when they are first asked for.
    pub(super) fn vocabulary(&'static self) -> &'static Vocabulary {
        static ALL: [OnceLock<Vocabulary>; LANGUAGES.len()] = [const { OnceLock::new() }; LANGUAGES.len()];
        ALL[self.row()].get_or_init(|| Vocabulary::new(self))
    }

    /// Its place in the table.
    pub(super) fn row(&self) -> usize {
        // names are unique (a test), and the rows few
        LANGUAGES.iter().position(|row| row.name == self.name).unwrap_or_default()
    }
}
