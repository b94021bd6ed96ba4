//! Sorting by radix: comparing would take most of the time of preparing a document.

/// Sorts keys by their upper halves. Their lower halves must be in order already, as places are when they are found.
pub(super) fn sort(keys: &mut Vec<u64>) {
    const BITS: u32 = 11;
    if keys.len() < 1 << BITS {
        return keys.sort_unstable();
    }
    let mut other = vec![0; keys.len()];
    for shift in [32, 32 + BITS, 32 + 2 * BITS] {
        let digit = |key: u64| (key >> shift) as usize & ((1 << BITS) - 1);
        let mut places = [0usize; 1 << BITS];
        for key in keys.iter() {
            places[digit(*key)] += 1;
        }
        let mut sum = 0;
        for place in &mut places {
            sum += std::mem::replace(place, sum);
        }
        for key in keys.iter() {
            let place = &mut places[digit(*key)];
            other[*place] = *key;
            *place += 1;
        }
        std::mem::swap(keys, &mut other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_comparing(hashes in prop::collection::vec(any::<u32>(), 0..5000), few: bool) {
            let hash = |hash: u32| u64::from(if few { hash % 7 } else { hash }) << 32;
            let mut keys: Vec<u64> = hashes.iter().enumerate().map(|(at, h)| hash(*h) | at as u64).collect();
            let mut naive = keys.clone();
            naive.sort_unstable();
            sort(&mut keys);
            prop_assert_eq!(keys, naive);
        }
    }
}
