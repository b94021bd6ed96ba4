//! Which of a sequence of hashes are fingerprints.

/// How fingerprints are selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Select {
    /// The minimum of each window; of equal ones the one that the window before selected, else the rightmost (definition 3).
    Robust,
    /// The minimum of each window; of equal ones the rightmost (definition 1).
    Rightmost,
    /// Hashes that are 0 modulo this number: no guarantee, for comparison.
    ZeroMod(u64),
}

/// Calls `each` with the index of every selected hash, once, in order. Fewer hashes than a window has are one window.
///
/// The minimum comes from a queue of those that may still become it, so no window is searched twice.
#[inline]
pub fn select(hashes: &[u64], w: usize, how: Select, mut each: impl FnMut(usize)) {
    assert!(w > 0, "a window has at least one hash");
    if let Select::ZeroMod(p) = how {
        return hashes.iter().enumerate().filter(|(_, hash)| *hash % p.max(1) == 0).for_each(|(at, _)| each(at));
    }
    let w = w.min(hashes.len());
    // indices with rising hashes; the first is the rightmost minimum of the window. A ring: it never holds more than a window
    let mut queue = vec![0u32; w.next_power_of_two()];
    let mask = queue.len().wrapping_sub(1);
    let (mut first, mut behind) = (0usize, 0usize);
    let mut chosen = usize::MAX;
    for (at, hash) in hashes.iter().enumerate() {
        // what leaves the window makes room before the next comes
        if behind > first && queue[first & mask] as usize + w <= at {
            first += 1;
        }
        while behind > first && hashes[queue[(behind - 1) & mask] as usize] >= *hash {
            behind -= 1;
        }
        queue[behind & mask] = at as u32;
        behind += 1;
        let Some(start) = (at + 1).checked_sub(w) else { continue };
        let minimum = queue[first & mask] as usize;
        let stays =
            how == Select::Robust && chosen != usize::MAX && chosen >= start && hashes[chosen] == hashes[minimum];
        if !stays && chosen != minimum {
            chosen = minimum;
            each(chosen);
        }
    }
}
