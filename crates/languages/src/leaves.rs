//! The leaves of a tree, told from the words without a tree: a parser takes several times as long as the lexer, and in most files
//! gives the same tokens. What the two take for different things is put right here where the words around tell, and where they do not, the file is
//! parsed. A file that seems broken is parsed, too: the parser says how much of it is no code.
//!
//! The tree is the twin: a test of `lookalike-parser` compares the tokens of both, on programs of every kind.

mod interpolation;

use super::language::Language;
use super::vocabulary::{self, Vocabulary, Word};
use super::{Token, TokenDetail, ids};

/// How the words of a language differ from the leaves of its trees.
#[derive(Debug)]
pub(super) struct LeafRules {
    /// Words that are values.
    pub(super) constants: &'static [&'static str],
    /// Keywords that are names in most places, and what they do before a bracket.
    pub(super) contextual: &'static [(&'static str, Contextual)],
    /// Words and marks that the grammar calls otherwise.
    pub(super) kinds: &'static [(&'static str, &'static str)],
    /// Names that may follow each other: a type and what is of it.
    pub(super) names_in_row: usize,
    /// What is no mark of the language.
    pub(super) odd: &'static [u8],
    /// Whether lines are statements: a word may be a keyword where one begins, and a backslash joins two lines.
    pub(super) by_lines: bool,
    /// Whether code may stand in strings with an f before them.
    pub(super) interpolates: bool,
    /// Whether types stand in `<` and `>`, so that `>>` may be two marks.
    pub(super) angled: bool,
}

/// What a word is that is a keyword only in some places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contextual {
    /// A name wherever no word follows.
    Name,
    /// A name wherever no word and no bracket follows.
    Statement,
    /// A name wherever a call of it is the whole statement.
    Call,
    /// A name, if no other word of the file is in doubt; or a word that only the description of the grammar has.
    Always,
    /// A name, but behind `from`.
    Import,
}

pub(super) const PYTHON: LeafRules = LeafRules {
    constants: &["True", "False", "None"],
    contextual: &[
        ("print", Contextual::Call),
        ("exec", Contextual::Call),
        ("match", Contextual::Statement),
        ("case", Contextual::Statement),
        ("type", Contextual::Statement),
        ("_", Contextual::Always),
        ("argument", Contextual::Always),
        ("pattern", Contextual::Always),
        ("separator", Contextual::Always),
        ("__future__", Contextual::Import),
    ],
    kinds: &[("...", "<ellipsis>")],
    names_in_row: 1,
    odd: b"?$`!",
    by_lines: true,
    interpolates: true,
    angled: false,
};

pub(super) const JAVA: LeafRules = LeafRules {
    constants: &["true", "false", "null"],
    contextual: &[
        ("exports", Contextual::Name),
        ("module", Contextual::Name),
        ("open", Contextual::Name),
        ("opens", Contextual::Name),
        ("permits", Contextual::Name),
        ("provides", Contextual::Name),
        ("record", Contextual::Name),
        ("requires", Contextual::Name),
        ("sealed", Contextual::Name),
        ("to", Contextual::Name),
        ("transitive", Contextual::Name),
        ("uses", Contextual::Name),
        ("when", Contextual::Name),
        ("with", Contextual::Name),
        ("yield", Contextual::Statement),
    ],
    kinds: &[("void", "<void_type>"), ("boolean", "<boolean_type>")],
    names_in_row: 2,
    odd: b"`#\\$",
    by_lines: false,
    interpolates: false,
    angled: true,
};

/// The leaves that the tree of a text with these words has; none where only the tree can tell.
pub(super) fn leaves(
    text: &str,
    words: &[Token],
    language: &'static Language,
    detail: TokenDetail,
) -> Option<Vec<Token>> {
    // words of comments stand among the others
    let rules = language.leaf_rules.filter(|_| !detail.comments)?;
    let vocabulary = language.vocabulary();
    let mut reader = LeafReader {
        text: text.as_bytes(),
        source: text,
        rules,
        language,
        vocabulary,
        detail,
        leaves: Vec::with_capacity(words.len()),
    };
    reader.read(words, true)?;
    Some(reader.leaves)
}

struct LeafReader<'a> {
    text: &'a [u8],
    source: &'a str,
    rules: &'static LeafRules,
    language: &'static Language,
    vocabulary: &'static Vocabulary,
    detail: TokenDetail,
    leaves: Vec<Token>,
}

/// What stands before a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Name,
    String,
    Number,
    Other,
}

impl LeafReader<'_> {
    /// Adds the leaves of these words; `statements` says whether they are whole statements. None where a word is in doubt.
    fn read(&mut self, words: &[Token], statements: bool) -> Option<()> {
        let (mut before, mut names) = (Before::Other, 0);
        let mut open: Vec<u8> = Vec::new();
        let mut at = 0;
        while let Some(&word) = words.get(at) {
            let bytes = &self.text[word.start as usize..word.end as usize];
            let rest = &words[at..];
            let follows = at > 0 && !self.has_line_between(words[at - 1], word);
            let (leaf, kind, taken) = self.leaf(rest, bytes, before, !follows, statements && open.is_empty())?;
            if bytes == b"**" && self.rules.by_lines && !self.is_one_mark(before, open.last()) {
                return None;
            }
            match bytes {
                b"(" => open.push(b')'),
                b"[" => open.push(b']'),
                b"{" => open.push(b'}'),
                [b')' | b']' | b'}'] if open.pop() != Some(bytes[0]) => return None,
                _ => {}
            }
            // two values in a row are no code, but for strings that make one, and for names of types
            names = if kind == Before::Name { names + 1 } else { 0 };
            let touching = follows || !self.rules.by_lines;
            let both = |x: Before, y: Before| {
                x != Before::Other && y != Before::Other && (x, y) != (Before::String, Before::String)
            };
            let row = self.rules.names_in_row > 1 && before == Before::Name && kind == Before::Name;
            if touching && (names > self.rules.names_in_row || both(before, kind) && !row) {
                return None;
            }
            if let Some(leaf) = leaf {
                self.leaves.push(leaf);
                if kind == Before::String && self.rules.interpolates {
                    self.interpolated(leaf)?;
                }
            }
            before = kind;
            at += taken;
        }
        open.is_empty().then_some(())
    }

    /// What the first of these words is, and how many of them it takes.
    #[inline]
    fn leaf(
        &self,
        words: &[Token],
        bytes: &[u8],
        before: Before,
        begins_line: bool,
        statements: bool,
    ) -> Option<(Option<Token>, Before, usize)> {
        let word = words[0];
        let keep = |kind| Some((Some(word), kind, 1));
        match bytes[0] {
            b'"' | b'\'' => self.string(bytes).and_then(|()| keep(Before::String)),
            first if first.is_ascii_digit() => self.number(word, bytes).and_then(|()| keep(Before::Number)),
            first if vocabulary::is_word(first) => {
                if matches!(bytes.last(), Some(b'"' | b'\'')) {
                    // to the tree, what stands before the quote is of the text
                    let id =
                        if self.detail.literals { ids::with_text(self.vocabulary.literal, bytes) } else { word.id };
                    return self.string(bytes).map(|()| (Some(Token { id, ..word }), Before::String, 1));
                }
                self.word(words, bytes, before, begins_line, statements)
            }
            first if !first.is_ascii() => {
                keep(Before::Name).filter(|_| self.source[word.start as usize..].starts_with(char::is_alphabetic))
            }
            b'\\' if self.rules.by_lines => {
                matches!(self.text.get(word.end as usize), Some(b'\n' | b'\r')).then_some((None, before, 1))
            }
            b'.' => self.dot(words, bytes, before),
            b'>' if self.rules.angled && bytes.len() > 1 && bytes[1] == b'>' && self.has_angle() => None,
            b'@' if self.text[word.end as usize..].starts_with(b"interface") => None,
            first if self.rules.odd.contains(&first) && bytes.len() == 1 => None,
            _ => keep(Before::Other),
        }
    }

    fn word(
        &self,
        words: &[Token],
        bytes: &[u8],
        before: Before,
        begins_line: bool,
        statements: bool,
    ) -> Option<(Option<Token>, Before, usize)> {
        let word = words[0];
        let name = || {
            let id = self.vocabulary.identifier;
            let id = if self.detail.identifiers { ids::with_text(id, bytes) } else { id };
            Some((Some(Token { id, ..word }), Before::Name, 1))
        };
        let is = |known: &&str| known.as_bytes() == bytes;
        if let Some((_, kind)) = self.rules.kinds.iter().find(|(known, _)| is(known)) {
            let id = ids::of_name(self.vocabulary.family, kind.as_bytes());
            return Some((Some(Token { id, ..word }), Before::Other, 1));
        }
        match self.vocabulary.word(bytes) {
            Some(Word::Constant) if self.rules.constants.iter().any(is) => Some((Some(word), Before::Number, 1)),
            None | Some(Word::Constant) => name(),
            Some(Word::Keyword(_)) => {
                let Some((_, context)) = self.rules.contextual.iter().find(|(known, _)| is(known)) else {
                    return Some((Some(word), Before::Other, 1));
                };
                if *context == Contextual::Import && self.follows_from() {
                    return Some((Some(word), Before::Other, 1));
                }
                let last = self.leaves.last().map(|last| self.text[last.start as usize]);
                let begins = statements && (begins_line || matches!(last, Some(b';' | b':'))) || !self.rules.by_lines;
                if matches!(context, Contextual::Always | Contextual::Import) || last == Some(b'.') || !begins {
                    return name();
                }
                let next = words.get(1).map_or(b'\n', |next| self.text[next.start as usize]);
                let is_name = match next {
                    _ if words.get(1).is_none_or(|next| self.rules.by_lines && self.has_line_between(word, *next)) => {
                        false
                    }
                    b'=' | b'.' | b',' | b')' | b';' | b']' => true,
                    b'(' if *context == Contextual::Call => self.is_whole_call(words),
                    b'(' => *context == Contextual::Name,
                    b':' | b'[' => !self.rules.by_lines,
                    b'+' | b'-' | b'*' | b'/' | b'<' | b'>' | b'!' | b'&' | b'|' | b'?' | b'%' => {
                        !self.rules.by_lines && before != Before::Name
                    }
                    _ => false,
                };
                if is_name { name() } else { None }
            }
        }
    }

    /// A closed string; one that nothing ends is a slip.
    fn string(&self, bytes: &[u8]) -> Option<()> {
        let open = bytes.iter().position(|byte| matches!(byte, b'"' | b'\''))?;
        let quote = self.language.quotes.iter().find(|quote| bytes[open..].starts_with(quote.open.as_bytes()))?;
        let is_closed =
            bytes.len() - open >= quote.open.len() + quote.close.len() && bytes.ends_with(quote.close.as_bytes());
        // what is escaped at the end does not close it
        let escaped = bytes[..bytes.len() - quote.close.len()].iter().rev().take_while(|byte| **byte == b'\\').count();
        (is_closed && escaped % 2 == 0).then_some(())
    }

    /// A number as all languages write it.
    fn number(&self, word: Token, bytes: &[u8]) -> Option<()> {
        let rest = &self.text[word.end as usize..];
        let is_split = rest.len() > 1 && rest[0] == b'.' && (rest[1].is_ascii_alphanumeric() || rest[1] == b'_');
        let old = self.rules.by_lines
            && (bytes.len() > 1 && bytes[0] == b'0' && bytes[1].is_ascii_digit()
                || bytes.ends_with(b"L")
                || bytes.ends_with(b"l"));
        let letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
        let is_plain =
            bytes.iter().all(u8::is_ascii) && (letters <= 2 || bytes.starts_with(b"0x") || bytes.starts_with(b"0X"));
        (is_plain && !is_split && !old).then_some(())
    }

    /// A dot, three of them, or the beginning of a number.
    fn dot(&self, words: &[Token], bytes: &[u8], before: Before) -> Option<(Option<Token>, Before, usize)> {
        let word = words[0];
        let touches = |n: usize| words.get(n).filter(|next| next.start as usize == word.start as usize + n);
        let is = |n: usize, test: fn(&u8) -> bool| touches(n).is_some_and(|next| test(&self.text[next.start as usize]));
        if bytes != b"." {
            return Some((Some(word), Before::Other, 1));
        }
        if is(1, |byte| *byte == b'.') && !self.follows_from() {
            let kind = self.rules.kinds.iter().find(|(mark, _)| *mark == "...")?;
            let is_ellipsis = is(2, |byte| *byte == b'.') && before == Before::Other;
            let id = ids::of_name(self.vocabulary.family, kind.1.as_bytes());
            return is_ellipsis.then_some((
                Some(Token { id, start: word.start, end: word.start + 3 }),
                Before::Other,
                3,
            ));
        }
        if is(1, u8::is_ascii_digit) {
            let number = words[1];
            let closes = self.leaves.last().is_some_and(|last| matches!(self.text[last.end as usize - 1], b')' | b']'));
            if before != Before::Other || closes {
                return None;
            }
            let span = &self.text[word.start as usize..number.end as usize];
            let id = self.vocabulary.literal;
            let id = if self.detail.literals { ids::with_text(id, span) } else { id };
            return Some((Some(Token { id, start: word.start, end: number.end }), Before::Number, 2));
        }
        Some((Some(word), Before::Other, 1))
    }

    /// Whether two stars are one mark: a power, or what unpacks names and their values in a call or a table. Anywhere else
    /// the grammar takes them for two marks that unpack lists.
    fn is_one_mark(&self, before: Before, open: Option<&u8>) -> bool {
        let Some((last, earlier)) = self.leaves.split_last() else { return false };
        let ends_value = |leaf: &Token| {
            matches!(self.text[leaf.end as usize - 1], b')' | b']' | b'}')
                || vocabulary::is_word(self.text[leaf.start as usize])
        };
        match self.text[last.start as usize] {
            _ if before != Before::Other => true,
            b')' | b']' | b'}' | b'{' => true,
            b'(' => earlier.last().is_some_and(ends_value),
            b',' => open.is_some_and(|close| *close != b']'),
            _ => false,
        }
    }

    /// Whether what is imported from comes next: there dots are counted.
    fn follows_from(&self) -> bool {
        self.leaves
            .last()
            .is_some_and(|last| matches!(&self.text[last.start as usize..last.end as usize], b"from" | b"."))
    }

    fn has_line_between(&self, a: Token, b: Token) -> bool {
        memchr::memchr(b'\n', &self.text[a.end as usize..b.start as usize]).is_some()
    }

    /// Whether a `<` stands in the same statement: it may be that of a type.
    fn has_angle(&self) -> bool {
        let first = |leaf: &&Token| self.text[leaf.start as usize];
        let statement = self.leaves.iter().rev().take_while(|leaf| !matches!(first(leaf), b';' | b'{' | b'}'));
        statement.into_iter().any(|leaf| first(&leaf) == b'<')
    }

    /// Whether the brackets behind the first word end the line.
    fn is_whole_call(&self, words: &[Token]) -> bool {
        let mut depth = 0usize;
        for (at, word) in words.iter().enumerate().skip(1) {
            match self.text[word.start as usize] {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        let next = words.get(at + 1);
                        return next.is_none_or(|next| {
                            self.has_line_between(*word, *next) || self.text[next.start as usize] == b';'
                        });
                    }
                }
                _ => {}
            }
        }
        false
    }
}
