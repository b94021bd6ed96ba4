//! In which order documents may represent others.

use std::cmp::Reverse;

/// The longer document comes first; of two of one length the one with the smaller tie-break, then the one with the smaller id.
///
/// The tie-break is 32 bits of the hash of the content, so that the order follows from the documents, not from where they were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority<I> {
    length: Reverse<u64>,
    tie_break: u32,
    id: I,
}

impl<I: Ord> Priority<I> {
    /// The place of a document of this length.
    pub fn new(length: u64, tie_break: u32, id: I) -> Self {
        Self { length: Reverse(length), tie_break, id }
    }

    /// What it is the place of.
    pub fn id(&self) -> &I {
        &self.id
    }
}

/// The documents `0..n` in the order of their priorities: what stands at `r` has rank `r`.
pub fn ranked<K: Ord>(n: usize, priority: impl FnMut(&u32) -> K) -> Vec<u32> {
    let mut documents: Vec<u32> = (0..n as u32).collect();
    documents.sort_by_cached_key(priority);
    documents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_first_then_by_content_then_by_id() {
        let documents = [(5, 2, "b"), (9, 7, "c"), (5, 1, "d"), (5, 2, "a")];
        let order = ranked(documents.len(), |d| {
            let (length, tie_break, id) = documents[*d as usize];
            Priority::new(length, tie_break, id)
        });
        assert_eq!(order.iter().map(|d| documents[*d as usize].2).collect::<String>(), "cdab");
    }
}
