//! In how many characters two short strings differ: insertions, deletions and replacements (Levenshtein).

/// The edit distance of two sequences. The work is the product of their lengths: for words and short stretches of text.
pub fn edit_distance<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    let same = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - same], &b[..b.len() - same]);
    // one row of the table: distances of the beginning of `a` that was read to each beginning of `b`
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (x, read) in a.iter().zip(1..) {
        let (mut left, mut diagonal) = (read, read - 1);
        row[0] = read;
        for (cell, y) in row[1..].iter_mut().zip(b) {
            let replaced = diagonal + usize::from(x != y);
            diagonal = *cell;
            left = replaced.min(diagonal.min(left) + 1);
            *cell = left;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By the definition.
    fn naive(a: &[u8], b: &[u8]) -> usize {
        match (a, b) {
            ([], rest) | (rest, []) => rest.len(),
            ([x, a @ ..], [y, b @ ..]) if x == y => naive(a, b),
            ([_, short_a @ ..], [_, short_b @ ..]) => {
                1 + naive(short_a, b).min(naive(a, short_b)).min(naive(short_a, short_b))
            }
        }
    }

    #[test]
    fn known_distances() {
        for (a, b, distance) in [("kitten", "sitting", 3), ("", "abc", 3), ("same", "same", 0), ("rn", "m", 2)] {
            assert_eq!(edit_distance(a.as_bytes(), b.as_bytes()), distance, "{a} {b}");
        }
    }

    proptest! {
        #[test]
        fn as_defined(a in prop::collection::vec(0u8..3, 0..7), b in prop::collection::vec(0u8..3, 0..7)) {
            prop_assert_eq!(edit_distance(&a, &b), naive(&a, &b));
            prop_assert_eq!(edit_distance(&a, &b), edit_distance(&b, &a));
        }
    }
}
