//! Which of a sequence of k-grams are fingerprints.

use super::{Gram, KgramFingerprint};

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

/// Selects fingerprints while k-grams come, one by one; keeps no more of them than a window has.
///
/// A small window is searched again when its minimum leaves it. That of a large one comes from a queue of those that may still become it, so
/// no such window is searched twice.
#[derive(Clone, Debug)]
pub struct Winnower {
    w: usize,
    how: Select,
    /// K-grams with rising hashes; the first is the rightmost minimum of the window. Of a small window all k-grams. A ring: it never holds more
    /// than a window.
    queue: Vec<Queued>,
    first: usize,
    behind: usize,
    /// K-grams of the run so far.
    taken: usize,
    chosen: Option<Queued>,
    /// Position of the k-gram that would go on the run.
    next: u32,
}

/// A k-gram and its number in its run.
#[derive(Clone, Copy, Debug, Default)]
struct Queued {
    hash: u64,
    position: u32,
    number: u32,
}

/// Hashes of a small window, at most.
const MAX_SEARCHED: usize = 16;

impl Winnower {
    /// For windows of `w` hashes in runs of at most `longest`.
    pub fn new(w: usize, how: Select, longest: usize) -> Self {
        assert!(w > 0, "a window has at least one hash");
        let queue = vec![Queued::default(); w.min(longest.max(1)).next_power_of_two()];
        Self { w, how, queue, first: 0, behind: 0, taken: 0, chosen: None, next: 0 }
    }

    /// Takes the next k-gram; calls `each` with the fingerprint that its window selects, unless an earlier one did.
    #[inline]
    pub fn push(&mut self, Gram { hash, position }: Gram, mut each: impl FnMut(KgramFingerprint)) {
        if let Select::ZeroMod(p) = self.how {
            if hash.is_multiple_of(p.max(1)) {
                each(KgramFingerprint { hash, position });
            }
            return;
        }
        if self.w <= MAX_SEARCHED {
            return self.push_to_small(Queued { hash, position, number: self.taken as u32 }, each);
        }
        let mask = self.queue.len() - 1;
        // what leaves the window makes room before the next comes
        if self.behind > self.first && self.queue[self.first & mask].number as usize + self.w <= self.taken {
            self.first += 1;
        }
        while self.behind > self.first && self.queue[(self.behind - 1) & mask].hash >= hash {
            self.behind -= 1;
        }
        self.queue[self.behind & mask] = Queued { hash, position, number: self.taken as u32 };
        self.behind += 1;
        self.taken += 1;
        let Some(start) = self.taken.checked_sub(self.w) else { return };
        let minimum = self.queue[self.first & mask];
        let stays = self.chosen.is_some_and(|chosen| {
            chosen.number == minimum.number
                || self.how == Select::Robust && chosen.number as usize >= start && chosen.hash == minimum.hash
        });
        if !stays {
            self.chosen = Some(minimum);
            each(minimum.fingerprint());
        }
    }

    #[inline]
    fn push_to_small(&mut self, next: Queued, each: impl FnOnce(KgramFingerprint)) {
        let mask = self.queue.len() - 1;
        self.queue[self.taken & mask] = next;
        self.taken += 1;
        let Some(start) = self.taken.checked_sub(self.w) else { return };
        let minimum = match self.chosen {
            Some(chosen) if next.hash < chosen.hash || next.hash == chosen.hash && self.how == Select::Rightmost => {
                next
            }
            Some(chosen) if chosen.number as usize >= start => return,
            _ => self.searched(start),
        };
        self.chosen = Some(minimum);
        each(minimum.fingerprint());
    }

    /// The rightmost minimum of a small window.
    #[inline]
    fn searched(&self, start: usize) -> Queued {
        let mask = self.queue.len() - 1;
        let (mut least, mut place) = (u64::MAX, start);
        for at in start..self.taken {
            let hash = self.queue[at & mask].hash;
            (least, place) = if hash <= least { (hash, at) } else { (least, place) };
        }
        self.queue[place & mask]
    }

    /// The same where a window does not reach over a token that equals nothing: a k-gram that does not begin with the token after the
    /// beginning of the last one ends the run before it.
    #[inline]
    pub fn push_neighbour(&mut self, gram: Gram, mut each: impl FnMut(KgramFingerprint)) {
        if gram.position != self.next {
            self.end_run(&mut each);
        }
        self.next = gram.position + 1;
        self.push(gram, each);
    }

    /// Ends a run: no window reaches over its end. Fewer hashes than a window has are one window.
    #[inline]
    pub fn end_run(&mut self, mut each: impl FnMut(KgramFingerprint)) {
        if (1..self.w).contains(&self.taken) {
            let is_small = self.w <= MAX_SEARCHED;
            let minimum = if is_small { self.searched(0) } else { self.queue[self.first & (self.queue.len() - 1)] };
            each(minimum.fingerprint());
        }
        (self.first, self.behind, self.taken, self.chosen) = (0, 0, 0, None);
    }
}

impl Queued {
    fn fingerprint(self) -> KgramFingerprint {
        KgramFingerprint { hash: self.hash, position: self.position }
    }
}

/// Calls `each` with the index of every selected hash, once, in order. Fewer hashes than a window has are one window.
pub fn select(hashes: impl ExactSizeIterator<Item = u64>, w: usize, how: Select, mut each: impl FnMut(usize)) {
    let mut winnower = Winnower::new(w, how, hashes.len());
    let mut each = |fingerprint: KgramFingerprint| each(fingerprint.position as usize);
    for (at, hash) in hashes.enumerate() {
        winnower.push(Gram { hash, position: at as u32 }, &mut each);
    }
    winnower.end_run(each);
}
