//! What differs between two texts, in a few words.

use lookalike_core::align::{AlignedRange, align};
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::text::{self, Word};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Words of a change that are shown.
const MAX_WORDS: usize = 6;
/// Bytes of two documents together that are aligned, whatever the memory: a report does not depend on that. They take some 50 MB.
pub const MAX_ALIGNED_BYTES: u64 = 2 << 20;
/// Changes that are shown.
const MAX_CHANGES: usize = 3;

/// The first few changes from one text to another, and how much else there is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Differences {
    /// Pairs of what stands in the first text and what stands there in the second; either may be empty.
    pub changes: Vec<(String, String)>,
    /// Changes that are not listed.
    pub more: usize,
    /// Words of the first text that the second has not, at that place.
    pub removed: usize,
    /// Words of the second text that the first has not, at that place.
    pub added: usize,
    /// The documents are too large to be aligned: nothing is known of what differs.
    pub too_large: bool,
}

/// Compares two texts word by word.
pub fn between(a: &str, b: &str, fp: &FeatureHasher) -> Differences {
    let (words_a, words_b) = (text::words(a, fp), text::words(b, fp));
    let hashes = |words: &[Word]| words.iter().map(|w| w.hash).collect::<Vec<u64>>();
    let mut found = Differences::default();
    for AlignedRange { a: in_a, b: in_b, equal } in align(&hashes(&words_a), &hashes(&words_b)) {
        if equal {
            continue;
        }
        found.removed += in_a.len();
        found.added += in_b.len();
        if found.changes.len() < MAX_CHANGES {
            found.changes.push((excerpt(a, &words_a[in_a]), excerpt(b, &words_b[in_b])));
        } else {
            found.more += 1;
        }
    }
    found
}

/// Compares two lists of features item by item.
pub fn between_items(a: &[Cow<'_, str>], b: &[Cow<'_, str>]) -> Differences {
    let only = |these: &[Cow<'_, str>], those: &[Cow<'_, str>]| {
        let those: BTreeSet<&str> = those.iter().map(AsRef::as_ref).collect();
        let these: BTreeSet<&str> = these.iter().map(AsRef::as_ref).collect();
        these.into_iter().filter(|item| !those.contains(item)).map(str::to_owned).collect::<Vec<String>>()
    };
    let (removed, added) = (only(a, b), only(b, a));
    let some = |items: &[String]| {
        let shown = items[..items.len().min(MAX_WORDS)].join(", ");
        if items.len() > MAX_WORDS { format!("{shown} … ({} items)", items.len()) } else { shown }
    };
    let changes = if removed.is_empty() && added.is_empty() { vec![] } else { vec![(some(&removed), some(&added))] };
    Differences { changes, more: 0, removed: removed.len(), added: added.len(), too_large: false }
}

/// The first words of a passage as they stand in the text, white space folded.
fn excerpt(text: &str, words: &[Word]) -> String {
    let Some(first) = words.first() else { return String::new() };
    let last = &words[words.len().min(MAX_WORDS) - 1];
    let span = first.span.start..last.span.end.max(first.span.end);
    let shown = text[span].split_whitespace().collect::<Vec<_>>().join(" ");
    if words.len() > MAX_WORDS { format!("{shown} … ({} words)", words.len()) } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_words() {
        let a = "The hub needs firmware 2.4 or later. Hold the button for five seconds until the light blinks.";
        let b = "The hub needs firmware 2.5 or later. Hold the button until the light blinks. Then let go.";
        let d = between(a, b, &FeatureHasher::default());
        assert_eq!(
            d.changes,
            [
                ("2.4".into(), "2.5".into()),
                ("for five seconds".into(), String::new()),
                (String::new(), "Then let go".into())
            ]
        );
        assert_eq!((d.removed, d.added, d.more), (4, 4, 0));
        assert_eq!(between(a, a, &FeatureHasher::default()), Differences::default());
    }
}
