//! From heavy words to tokens: where a passage begins and ends.

use super::token::{ends_sentence, equal, word};
use std::ops::Range;

/// Grows two ranges over the equal words around them.
pub(super) fn grow(a: &mut Range<u32>, a_tokens: &[u32], b: &mut Range<u32>, b_tokens: &[u32]) {
    let same = |(x, y): &(&u32, &u32)| equal(**x, **y);
    let before = a_tokens[..a.start as usize].iter().rev().zip(b_tokens[..b.start as usize].iter().rev());
    let before = before.take_while(same).count() as u32;
    let after = a_tokens[a.end as usize..].iter().zip(&b_tokens[b.end as usize..]).take_while(same).count() as u32;
    *a = a.start - before..a.end + after;
    *b = b.start - before..b.end + after;
}

/// Grows a range to the ends of its sentences, if they are near.
pub(super) fn snap(range: &Range<u32>, tokens: &[u32], most: u32) -> Range<u32> {
    let (start, end, most) = (range.start as usize, range.end as usize, most as usize);
    let goes_on = |id: &&u32| word(**id) != 0 && !ends_sentence(**id);
    let before = tokens[..start].iter().rev().take(most + 1).take_while(goes_on).count();
    let after = if ends_sentence(tokens[end - 1]) {
        0
    } else {
        let after = tokens[end..].iter().take(most + 1).take_while(goes_on).count();
        // the word that ends the sentence is of it
        after + usize::from(tokens.get(end + after).is_some_and(|id| word(*id) != 0))
    };
    let start = if before <= most { start - before } else { start };
    let end = if after <= most { end + after } else { end };
    start as u32..end as u32
}
