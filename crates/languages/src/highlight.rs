//! What a reader's eye tells apart in code: comments, strings, keywords. It is told from the tokens, and in few numbers: names, numbers and
//! operators are told by their first character, so that only the rest is said.

use super::{Code, ids};
use std::collections::BTreeMap;

/// What a file is coloured by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Highlights {
    /// Comments and strings, in the order of the text; they do not overlap.
    pub marks: Vec<Mark>,
    /// Words that are keywords, types or constants where they stand most often; in the order of letters.
    pub keywords: Vec<String>,
}

/// A stretch of [`Code::text`] that is no word, number or operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// What it is.
    pub kind: MarkKind,
    /// Its first byte.
    pub start: u32,
    /// The byte behind it.
    pub end: u32,
}

/// What a [`Mark`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// What no token is of.
    Comment,
    /// A literal that is no number and no word. Code inside it is no part of it.
    String,
}

/// What a byte is of, while marks are found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Painted {
    Nothing,
    Token,
    String,
}

impl Code<'_> {
    /// What a reader's eye tells apart.
    pub fn highlights(&self) -> Highlights {
        let text = self.text.as_bytes();
        let mut painted = vec![Painted::Nothing; text.len()];
        // how often a word is a keyword, and how often a name
        let mut words: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        for token in &self.tokens {
            let range = token.start as usize..token.end as usize;
            let Some(spelt) = self.text.get(range.clone()) else { continue };
            let is = |id: u32| token.id == id || token.id == ids::with_text(id, spelt.as_bytes());
            // the words of a comment are tokens where comments count
            if is(self.comment) {
                continue;
            }
            let word = spelt.trim_start_matches(|c: char| c.is_ascii_punctuation() && c != '_');
            let is_word = word.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && word.chars().all(|c| c.is_alphanumeric() || c == '_');
            let is_name = is(self.identifier);
            if is_word {
                words.entry(word).or_default()[usize::from(is_name)] += 1;
            }
            // what stands in a string with code in it comes after the string, and is painted over it
            let first = spelt.trim_start_matches(['-', '+', '.']);
            let is_string =
                !is_name && !is_word && is(self.literal) && !first.starts_with(|c: char| c.is_ascii_digit());
            painted[range].fill(if is_string { Painted::String } else { Painted::Token });
        }
        let keywords = words.iter().filter(|(_, [keyword, name])| keyword > name).map(|(word, _)| (*word).to_owned());
        Highlights { marks: self.marks(&painted), keywords: keywords.collect() }
    }

    /// Strings, and what is between tokens.
    fn marks(&self, painted: &[Painted]) -> Vec<Mark> {
        let (mut marks, mut start) = (Vec::new(), 0);
        for run in painted.chunk_by(|x, y| x == y) {
            let end = start + run.len();
            match run[0] {
                Painted::Token => {}
                Painted::String => marks.push(Mark { kind: MarkKind::String, start: start as u32, end: end as u32 }),
                Painted::Nothing => {
                    let gap = self.text.get(start..end).unwrap_or_default();
                    let begin = start + gap.len() - gap.trim_start().len();
                    let gap = gap.trim();
                    // a mark alone, such as a backslash before the end of a line, says nothing
                    if gap.len() > 1 {
                        let end = begin + gap.len();
                        marks.push(Mark { kind: MarkKind::Comment, start: begin as u32, end: end as u32 });
                    }
                }
            }
            start = end;
        }
        marks
    }
}
