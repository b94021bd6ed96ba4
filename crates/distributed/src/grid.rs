//! Where two documents meet to be compared in full: the cells of a triangle. However many pairs a document is in, it goes to as many cells
//! as a side has, and no more.

/// The row or column of a document.
fn bucket(document: i64, side: u32) -> u64 {
    // the hash of an id is even in all its bits; shuffles take the lowest
    (document.cast_unsigned() >> 20) % u64::from(side.max(1))
}

fn number(i: u64, j: u64) -> i64 {
    let (low, high) = (i.min(j), i.max(j));
    (high * (high + 1) / 2 + low).cast_signed()
}

/// The cell in which two documents are compared.
pub fn cell(a: i64, b: i64, side: u32) -> i64 {
    number(bucket(a, side), bucket(b, side))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn either_way_round_a_pair_has_one_cell(a: i64, b: i64, side in 0u32..20) {
            prop_assert_eq!(cell(a, b, side), cell(b, a, side));
        }

        #[test]
        fn a_document_goes_to_few_cells(a: i64, others: Vec<i64>, side in 0u32..20) {
            let all: BTreeSet<i64> = others.iter().map(|other| cell(a, *other, side)).collect();
            prop_assert!(all.len() <= side.max(1) as usize);
        }
    }
}
