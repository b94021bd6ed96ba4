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

/// The cells that a document has to be in.
pub fn cells(document: i64, side: u32) -> impl Iterator<Item = i64> {
    let own = bucket(document, side);
    (0..u64::from(side.max(1))).map(move |other| number(own, other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn both_documents_are_in_the_cell_of_their_pair(a: i64, b: i64, side in 0u32..20) {
            let of_pair = cell(a, b, side);
            prop_assert_eq!(of_pair, cell(b, a, side));
            for document in [a, b] {
                let all: BTreeSet<i64> = cells(document, side).collect();
                prop_assert!(all.contains(&of_pair));
                prop_assert_eq!(all.len(), side.max(1) as usize, "once in each");
            }
        }
    }
}
