//! Seeded near-copies of a text: some words edited, or one half of it kept. White space stays as it was.

/// How a copy differs from its original.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Change {
    /// About this share of the words is replaced, removed or followed by a new one.
    Words(f64),
    /// The first or the second half of the words.
    Half,
}

/// The changes in the order in which copies get them.
pub(super) const CHANGES: [Change; 5] =
    [Change::Words(0.01), Change::Words(0.05), Change::Words(0.20), Change::Words(0.40), Change::Half];

/// `SplitMix64`: small, seeded, the same everywhere.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    fn happens(&mut self, share: f64) -> bool {
        ((self.next() >> 11) as f64) < share * (1u64 << 53) as f64
    }
}

/// A copy of `text` with the change made; new words are drawn from `vocabulary`.
pub(super) fn mutate(text: &str, change: Change, vocabulary: &[String], random: &mut Random) -> String {
    match change {
        Change::Half => half(text, random.below(2) == 0).to_owned(),
        Change::Words(share) => edit(text, share, vocabulary, random),
    }
}

fn edit(text: &str, share: f64, vocabulary: &[String], random: &mut Random) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    // each piece is a word and the white space before it; the last may be white space alone
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| !c.is_whitespace()) {
        let end = rest[start..].find(char::is_whitespace).map_or(rest.len(), |length| start + length);
        let (space, word) = (&rest[..start], &rest[start..end]);
        rest = &rest[end..];
        out.push_str(space);
        if !random.happens(share) {
            out.push_str(word);
            continue;
        }
        let new = &vocabulary[random.below(vocabulary.len())];
        match random.below(3) {
            0 => out.push_str(new),
            1 => {}
            _ => out.extend([word, " ", new]),
        }
    }
    out.push_str(rest);
    out
}

fn half(text: &str, first: bool) -> &str {
    let words = text.split_whitespace().count();
    let Some(middle) = text.split_whitespace().nth(words / 2) else { return text };
    // both slices are of the same text, so the difference of their addresses is an offset into it
    let cut = middle.as_ptr().addr() - text.as_ptr().addr();
    if first { &text[..cut] } else { &text[cut..] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> String {
        let word = |i: usize| [format!("w{i}"), (if i % 10 == 9 { "\n" } else { " " }).to_owned()];
        (0..1000).flat_map(word).collect()
    }

    #[test]
    fn edits_about_as_many_words_as_told() {
        let vocabulary = vec!["new".to_owned()];
        for share in [0.0, 0.05, 0.4] {
            let copy = mutate(&text(), Change::Words(share), &vocabulary, &mut Random(7));
            let old = copy.split_whitespace().filter(|word| *word != "new").count();
            let new = copy.split_whitespace().filter(|word| *word == "new").count();
            // of three edits two take a word away and two bring one
            let expected = 2.0 / 3.0 * share * 1000.0;
            assert!((new as f64 - expected).abs() <= expected / 3.0, "{new} new words at {share}");
            assert!(((1000 - old) as f64 - expected).abs() <= expected / 3.0, "{old} old words at {share}");
            assert_eq!(copy.matches('\n').count(), 100, "white space stays");
        }
    }

    #[test]
    fn halves_make_the_whole() {
        let text = text();
        assert_eq!(format!("{}{}", half(&text, true), half(&text, false)), text);
        assert_eq!(half(&text, true).split_whitespace().count(), 500);
        assert_eq!(half("", true), "");
    }

    #[test]
    fn the_same_seed_makes_the_same_copy() {
        let vocabulary = vec!["x".to_owned(), "y".to_owned()];
        let copy = |seed| mutate(&text(), Change::Words(0.2), &vocabulary, &mut Random(seed));
        assert_eq!(copy(1), copy(1));
        assert_ne!(copy(1), copy(2));
    }
}
