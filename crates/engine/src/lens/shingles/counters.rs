//! One counter for each document of a block: in how many lists it was met.

use std::ops::AddAssign;

/// A number that counts in how many lists a document is.
pub trait Count: Copy + Default + PartialEq + AddAssign + From<u8> + Into<u32> {}

impl Count for u8 {}
impl Count for u32 {}

/// One counter for each document of a block, and which are in use.
#[derive(Default)]
pub struct Counters<C> {
    first: u32,
    counts: Vec<C>,
    /// The documents that were met: the first `met`, behind which there is room.
    touched: Vec<u32>,
    met: usize,
}

impl<C: Count> Counters<C> {
    pub fn new(first: u32) -> Self {
        Self { first, ..Self::default() }
    }

    /// Counts the documents of a list that are below a number.
    #[inline]
    pub fn count(&mut self, documents: &[u32], below: u32) {
        if self.touched.len() < self.met + documents.len() {
            self.touched.resize((self.met + documents.len()) * 2, 0);
        }
        for document in documents {
            if *document >= below {
                break;
            }
            let at = (document - self.first) as usize;
            if at >= self.counts.len() {
                self.counts.resize(at + 1, C::default());
            }
            // whether it was met before is hard to predict: without a branch, nothing is
            self.touched[self.met] = *document;
            self.met += usize::from(self.counts[at] == C::default());
            self.counts[at] += C::from(1);
        }
    }

    /// Counts only those that were met before.
    #[inline]
    pub fn count_met(&mut self, documents: &[u32], below: u32) {
        for document in documents {
            if *document >= below {
                break;
            }
            if let Some(count) = self.counts.get_mut((document - self.first) as usize) {
                *count += C::from(u8::from(*count != C::default()));
            }
        }
    }

    /// Forgets the documents that are not worth it.
    pub fn keep(&mut self, worth: impl Fn(u32, u32) -> bool) {
        let Self { first, counts, touched, met, .. } = self;
        let mut kept = 0;
        for at in 0..*met {
            let document = touched[at];
            let count = &mut counts[(document - *first) as usize];
            if worth(document, (*count).into()) {
                touched[kept] = document;
                kept += 1;
            } else {
                *count = C::default();
            }
        }
        *met = kept;
    }

    /// How many documents were met.
    pub fn met(&self) -> usize {
        self.met
    }

    /// The documents counted and how often, in order; all counters are zero again.
    pub fn take(&mut self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let Self { first, counts, touched, met, .. } = self;
        let met = &mut touched[..std::mem::take(met)];
        met.sort_unstable();
        met.iter().map(|d| {
            let count: u32 = std::mem::take(&mut counts[(*d - *first) as usize]).into();
            (*d, count)
        })
    }
}
