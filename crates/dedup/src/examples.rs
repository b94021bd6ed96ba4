//! Removed documents beside those that stay, for people to look at.

use crate::Error;
use crate::dedup::DedupResult;
use crate::removal::{Kept, Removal};
use lookalike_core::align::{AlignedRange, align};
use lookalike_core::text::{self, Word};
use lookalike_engine::report::cluster::Class;
use lookalike_engine::run::differences::MAX_ALIGNED_BYTES;
use std::ops::Range;

/// Words of what is the same that are shown before and after a difference.
const CONTEXT_WORDS: usize = 12;
/// Bytes of an example that are shown.
const MAX_SHOWN_BYTES: usize = 6 << 10;

/// Two documents, the one that goes and the one that stays.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The id of the one that goes.
    pub id: String,
    /// The id of the one that stays.
    pub kept: String,
    /// How they are related.
    pub class: Class,
    /// How much they resemble each other, if that is known.
    pub resemblance: Option<f64>,
    /// The text of the one that goes, and where that of the other differs.
    pub pieces: Vec<Piece>,
}

/// A stretch of two texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// In both.
    Same(String),
    /// So many words that are in both, and not shown.
    Elided(usize),
    /// Only in the document that goes.
    Gone(String),
    /// Only in the document that stays.
    Kept(String),
}

impl DedupResult {
    /// Examples worth a look: those that resemble what stays the least, then some of all, the same for the same result.
    pub fn examples(&self, least_alike: usize, others: usize) -> Result<Vec<Example>, Error> {
        let resemblance = |removal: &Removal| self.removals.shares(removal).map_or(0.0, |shares| shares.resemblance);
        let is_near =
            |removal: &&Removal| !matches!(removal.class, Class::Identical) && removal.kept.document().is_some();
        let mut near: Vec<&Removal> = self.removals.all().iter().filter(is_near).collect();
        near.sort_by(|a, b| resemblance(a).total_cmp(&resemblance(b)).then(a.document.cmp(&b.document)));
        let rest = near.split_off(least_alike.min(near.len()));
        let step = (rest.len() / others.max(1)).max(1);
        let chosen = near.into_iter().chain(rest.into_iter().step_by(step).take(others));
        chosen.map(|removal| self.example(removal)).filter_map(Result::transpose).collect()
    }

    /// None where one of the two cannot be read any more.
    fn example(&self, removal: &Removal) -> Result<Option<Example>, Error> {
        let Kept::Document(kept) = removal.kept else { return Ok(None) };
        let documents = &self.linked.documents;
        let loader = documents.loader();
        let entries = [documents.catalogue.entry(removal.document)?, documents.catalogue.entry(kept)?];
        if entries.iter().map(|entry| entry.bytes).sum::<u64>() > MAX_ALIGNED_BYTES {
            return Ok(None);
        }
        let (Some(gone), Some(stays)) = (loader.canonical(removal.document)?, loader.canonical(kept)?) else {
            return Ok(None);
        };
        let [gone_entry, kept_entry] = entries;
        Ok(Some(Example {
            id: gone_entry.id,
            kept: kept_entry.id,
            class: removal.class,
            resemblance: self.removals.shares(removal).map(|shares| shares.resemblance),
            pieces: pieces(&gone.text, &stays.text),
        }))
    }
}

/// What differs between two texts, with a little around it.
fn pieces(gone: &str, kept: &str) -> Vec<Piece> {
    let hasher = lookalike_core::feature_hash::FeatureHasher::default();
    let (of_gone, of_kept) = (text::words(gone, &hasher), text::words(kept, &hasher));
    let hashes = |words: &[Word]| words.iter().map(|word| word.hash).collect::<Vec<u64>>();
    let aligned = align(&hashes(&of_gone), &hashes(&of_kept));
    let (mut pieces, mut shown) = (Vec::new(), 0);
    for (at, AlignedRange { a, b, equal }) in aligned.iter().enumerate() {
        if shown > MAX_SHOWN_BYTES {
            let left: usize = aligned[at..].iter().map(|range| range.a.len()).sum();
            pieces.push(Piece::Elided(left));
            break;
        }
        let before = pieces.len();
        if *equal {
            let (first, last) = (at == 0, at + 1 == aligned.len());
            same(gone, &of_gone[a.clone()], (first, last), &mut pieces);
        } else {
            if !a.is_empty() {
                pieces.push(Piece::Gone(excerpt(gone, &of_gone[a.clone()])));
            }
            if !b.is_empty() {
                pieces.push(Piece::Kept(excerpt(kept, &of_kept[b.clone()])));
            }
        }
        shown += pieces[before..].iter().map(Piece::len).sum::<usize>();
    }
    pieces
}

/// What is the same: its beginning and its end, next to what differs.
fn same(text: &str, words: &[Word], (first, last): (bool, bool), pieces: &mut Vec<Piece>) {
    let (head, tail) = match (first, last) {
        (true, true) => (2 * CONTEXT_WORDS, 0),
        (true, false) => (0, CONTEXT_WORDS),
        (false, true) => (CONTEXT_WORDS, 0),
        (false, false) => (CONTEXT_WORDS, CONTEXT_WORDS),
    };
    if words.len() <= head + tail + 2 {
        return pieces.push(Piece::Same(excerpt(text, words)));
    }
    let mut push = |range: Range<usize>| {
        if !range.is_empty() {
            pieces.push(Piece::Same(excerpt(text, &words[range])));
        }
    };
    push(0..head);
    if tail == 0 {
        return pieces.push(Piece::Elided(words.len() - head));
    }
    pieces.push(Piece::Elided(words.len() - head - tail));
    pieces.push(Piece::Same(excerpt(text, &words[words.len() - tail..])));
}

/// The text of some words that follow each other, no more than is shown.
fn excerpt(text: &str, words: &[Word]) -> String {
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return String::new() };
    let whole = text.get(first.span.start..last.span.end).unwrap_or_default();
    let end = whole.char_indices().map(|(at, _)| at).find(|at| *at >= MAX_SHOWN_BYTES).unwrap_or(whole.len());
    if end < whole.len() { format!("{}…", &whole[..end]) } else { whole.to_owned() }
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Self::Same(text) | Self::Gone(text) | Self::Kept(text) => text.len(),
            Self::Elided(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_stand_with_a_little_around_them() {
        let words: Vec<String> = (0..100).map(|at| format!("w{at}")).collect();
        let mut other = words.clone();
        other[50] = "new".into();
        other.truncate(98);
        let pieces = pieces(&words.join(" "), &other.join(" "));
        let around = |range: Range<usize>| Piece::Same(words[range].join(" "));
        assert_eq!(
            pieces,
            [
                Piece::Elided(38),
                around(38..50),
                Piece::Gone("w50".into()),
                Piece::Kept("new".into()),
                around(51..63),
                Piece::Elided(23),
                around(86..98),
                Piece::Gone("w98 w99".into()),
            ]
        );
    }

    #[test]
    fn long_texts_are_cut() {
        let (a, b) = ("x ".repeat(9000), "y ".repeat(9000));
        let length: usize = pieces(&a, &b).iter().map(Piece::len).sum();
        assert!(length < 2 * MAX_SHOWN_BYTES + 100, "{length}");
        assert!(pieces("", "").is_empty());
    }
}
