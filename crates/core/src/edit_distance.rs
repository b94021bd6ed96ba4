//! In how many characters two short strings differ: insertions, deletions and replacements (Levenshtein).
//!
//! By bits: a column of the table is kept as the differences of its neighbours, sixty-four of them in a word (Myers 1999; in blocks, Hyyrö 2003).

/// Characters that one word of bits stands for.
const BITS: usize = u64::BITS as usize;

/// The edit distance of two strings. The work is the product of their lengths, divided by sixty-four.
pub fn edit_distance(a: &[char], b: &[char]) -> usize {
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    let same = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - same], &b[..b.len() - same]);
    let (pattern, text) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if pattern.is_empty() {
        return text.len();
    }
    let places = Places::of(pattern);
    let mut column = vec![Block { up: !0, down: 0 }; places.blocks];
    let last = 1u64 << ((pattern.len() - 1) % BITS);
    let mut distance = pattern.len();
    for letter in text {
        // the first row of the table rises with every letter of the text
        let (mut rises, mut falls) = (1, 0);
        let (mut horizontal_up, mut horizontal_down) = (0, 0);
        for (block, equal) in column.iter_mut().zip(places.of_letter(*letter)) {
            let Block { up, down } = *block;
            let equal = equal | falls;
            let diagonal = (((equal & up).wrapping_add(up)) ^ up) | equal | down;
            horizontal_up = down | !(diagonal | up);
            horizontal_down = up & diagonal;
            let (shifted_up, shifted_down) = (horizontal_up << 1 | rises, horizontal_down << 1 | falls);
            (rises, falls) = (horizontal_up >> (BITS - 1), horizontal_down >> (BITS - 1));
            *block = Block { up: shifted_down | !(diagonal | shifted_up), down: shifted_up & diagonal };
        }
        distance += usize::from(horizontal_up & last != 0);
        distance -= usize::from(horizontal_down & last != 0);
    }
    distance
}

/// Sixty-four cells of a column: which are one more than the cell above, and which one less.
#[derive(Clone, Copy)]
struct Block {
    up: u64,
    down: u64,
}

/// Where each letter stands in a pattern, as bits.
struct Places {
    blocks: usize,
    /// By ASCII letter: its number, from 1 on.
    ascii: [u16; 128],
    /// The others, with theirs.
    others: Vec<(char, u16)>,
    /// By number, so many blocks each; those of no letter come first.
    bits: Vec<u64>,
}

impl Places {
    fn of(pattern: &[char]) -> Self {
        let blocks = pattern.len().div_ceil(BITS);
        let mut places = Self { blocks, ascii: [0; 128], others: Vec::new(), bits: vec![0; blocks] };
        for (at, letter) in pattern.iter().enumerate() {
            let mut number = places.number(*letter);
            if number == 0 {
                number = places.bits.len() / blocks;
                places.bits.resize(places.bits.len() + blocks, 0);
                match places.ascii.get_mut(*letter as usize) {
                    Some(known) => *known = number as u16,
                    None => places.others.push((*letter, number as u16)),
                }
            }
            places.bits[number * blocks + at / BITS] |= 1 << (at % BITS);
        }
        places
    }

    fn number(&self, letter: char) -> usize {
        let other = || self.others.iter().find(|(known, _)| *known == letter).map_or(0, |(_, number)| *number);
        usize::from(self.ascii.get(letter as usize).copied().unwrap_or_else(other))
    }

    fn of_letter(&self, letter: char) -> impl Iterator<Item = u64> {
        let from = self.number(letter) * self.blocks;
        self.bits[from..from + self.blocks].iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By the definition: a row of the table after the other.
    fn naive(a: &[char], b: &[char]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (x, read) in a.iter().zip(1..) {
            let before = std::mem::replace(&mut row, vec![read]);
            for (at, y) in b.iter().enumerate() {
                let replaced = before[at] + usize::from(x != y);
                row.push(replaced.min(before[at + 1] + 1).min(row[at] + 1));
            }
        }
        row[b.len()]
    }

    fn letters(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    #[test]
    fn known_distances() {
        for (a, b, distance) in
            [("kitten", "sitting", 3), ("", "abc", 3), ("same", "same", 0), ("rn", "m", 2), ("größe", "grosse", 3)]
        {
            assert_eq!(edit_distance(&letters(a), &letters(b)), distance, "{a} {b}");
        }
    }

    proptest! {
        #[test]
        fn as_defined(a in "[abé猫]{0,9}|[a-dé]{50,300}", b in "[abé猫]{0,9}|[a-dé]{50,300}") {
            let (a, b) = (letters(&a), letters(&b));
            prop_assert_eq!(edit_distance(&a, &b), naive(&a, &b));
            prop_assert_eq!(edit_distance(&a, &b), edit_distance(&b, &a));
        }

        #[test]
        fn a_few_errors_in_a_long_string(a in "[a-z]{60,200}", places in prop::collection::vec((0usize..200, "[a-z]?"), 0..12)) {
            let a = letters(&a);
            let mut b = a.clone();
            for (at, new) in places {
                let at = at % b.len();
                b.splice(at..=at, new.chars().collect::<Vec<_>>());
            }
            prop_assert_eq!(edit_distance(&a, &b), naive(&a, &b));
        }
    }
}
