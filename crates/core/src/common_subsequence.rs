//! The longest common subsequence of two sequences, by bits: sixty-four cells of the table at a time (Hyyrö 2004).
//!
//! What stands in one sequence only is left out first, so that the table of two texts that have little in common is small.

use rustc_hash::FxHashMap;

/// Cells that one word of bits stands for.
const BITS: usize = u64::BITS as usize;

/// Places of what two sequences have in common in the same order, as much as can be; in order. The work is the product of their lengths,
/// divided by sixty-four, and the memory as many bits as the product.
pub(crate) fn common_subsequence(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (rest_a, rest_b) = (&a[head..], &b[head..]);
    let tail = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (rest_a, rest_b) = (&rest_a[..rest_a.len() - tail], &rest_b[..rest_b.len() - tail]);
    let mut common: Vec<(usize, usize)> = (0..head).map(|at| (at, at)).collect();
    if !rest_a.is_empty() && !rest_b.is_empty() {
        common.extend(Table::new(rest_a, rest_b).trace().into_iter().map(|(i, j)| (head + i, head + j)));
    }
    common.extend((0..tail).map(|at| (a.len() - tail + at, b.len() - tail + at)));
    common
}

/// The table of two sequences without what stands in one of them only. A row for each item of the second; a bit that is not set says that the
/// common subsequence grows with the item of the first.
struct Table {
    /// Where the items stand.
    columns: Vec<usize>,
    rows: Vec<usize>,
    blocks: usize,
    bits: Vec<u64>,
}

impl Table {
    fn new(a: &[u64], b: &[u64]) -> Self {
        // by item: its number, and whether both have it
        let mut numbers: FxHashMap<u64, (u32, bool)> = FxHashMap::default();
        for item in a {
            let next = numbers.len() as u32;
            numbers.entry(*item).or_insert((next, false));
        }
        let (mut rows, mut items) = (Vec::new(), Vec::new());
        for (at, item) in b.iter().enumerate() {
            if let Some((number, is_common)) = numbers.get_mut(item) {
                *is_common = true;
                rows.push(at);
                items.push(*number as usize);
            }
        }
        let is_common = |(_, item): &(usize, &u64)| numbers[*item].1;
        let columns: Vec<usize> = a.iter().enumerate().filter(is_common).map(|(at, _)| at).collect();
        let blocks = columns.len().div_ceil(BITS);
        let mut places = vec![0u64; numbers.len() * blocks];
        for (column, at) in columns.iter().enumerate() {
            places[numbers[&a[*at]].0 as usize * blocks + column / BITS] |= 1 << (column % BITS);
        }
        let mut bits = Vec::with_capacity(rows.len() * blocks);
        let mut row = vec![!0u64; blocks];
        for item in items {
            let mut carry = false;
            for (cells, places) in row.iter_mut().zip(&places[item * blocks..]) {
                let found = *cells & places;
                let (sum, over) = cells.overflowing_add(found);
                let (sum, more) = sum.overflowing_add(u64::from(carry));
                carry = over || more;
                *cells = sum | (*cells - found);
            }
            bits.extend_from_slice(&row);
        }
        Self { columns, rows, blocks, bits }
    }

    /// Whether the subsequence grows with an item of the first sequence in this row.
    fn grows(&self, row: usize, column: usize) -> bool {
        self.bits[row * self.blocks + column / BITS] >> (column % BITS) & 1 == 0
    }

    /// The places that are common, from the end of the table to its beginning, then in order.
    fn trace(&self) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let (mut row, mut column) = (self.rows.len(), self.columns.len());
        while row > 0 && column > 0 {
            if !self.grows(row - 1, column - 1) {
                column -= 1;
                continue;
            }
            row -= 1;
            if row == 0 || !self.grows(row - 1, column - 1) {
                column -= 1;
                found.push((self.columns[column], self.rows[row]));
            }
        }
        found.reverse();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By the definition.
    fn length(a: &[u64], b: &[u64]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (at, y) in b.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if x == y { diagonal + 1 } else { row[at].max(above) };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    fn check(a: &[u64], b: &[u64]) {
        let found = common_subsequence(a, b);
        assert!(found.iter().all(|(i, j)| a[*i] == b[*j]));
        assert!(found.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
        assert_eq!(found.len(), length(a, b), "{a:?} {b:?}");
    }

    #[test]
    fn borders() {
        check(&[], &[1, 2]);
        check(&[1, 2, 3], &[4, 5]);
        let numbers: Vec<u64> = (0..200).collect();
        check(&numbers, &numbers[70..140]);
        check(&numbers, &numbers.iter().rev().copied().collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn as_long_as_can_be(
            a in prop::collection::vec(0u64..5, 0..30),
            b in prop::collection::vec(0u64..5, 0..30),
            c in prop::collection::vec(0u64..40, 0..300),
            d in prop::collection::vec(0u64..40, 0..300),
        ) {
            check(&a, &b);
            check(&c, &d);
        }
    }
}
