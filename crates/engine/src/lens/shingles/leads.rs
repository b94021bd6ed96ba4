//! The lists that lead from a document to those that it may be like.

use crate::lens::shingles::posting_blocks::{List, PostingBlock};

/// The lists that lead from a document, shortest first.
#[derive(Default)]
pub struct Leads {
    /// Each with its length in the upper half: numbers sort faster than lists do.
    lists: Vec<u64>,
    pub levels: Vec<u8>,
    /// Which of them are walked first.
    pub chosen: Vec<bool>,
    /// Those, and the others.
    pub first: Vec<List>,
    pub last: Vec<List>,
}

impl Leads {
    /// Takes those of a document.
    pub fn take(&mut self, lists: &PostingBlock, x: u32) {
        self.lists.clear();
        self.lists.extend(lists.leading(x).iter().map(|n| (lists.list(*n).documents() as u64) << 32 | u64::from(*n)));
        self.lists.sort_unstable();
        self.levels.clear();
        self.levels.extend(self.lists.iter().map(|length_and_list| lists.level(*length_and_list as u32)));
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.lists.len()
    }

    /// Their numbers.
    pub fn all(&self) -> impl Iterator<Item = u32> + '_ {
        self.lists.iter().map(|length_and_list| *length_and_list as u32)
    }

    /// Chooses those of a level. How many there are.
    pub fn choose_level(&mut self, level: u8) -> usize {
        self.chosen.clear();
        self.chosen.extend(self.levels.iter().map(|of_list| *of_list >= level));
        self.chosen.iter().filter(|chosen| **chosen).count()
    }

    /// Divides them by what was chosen.
    pub fn divide(&mut self, lists: &PostingBlock) {
        self.first.clear();
        self.last.clear();
        for (list, chosen) in self.lists.iter().zip(&self.chosen) {
            if *chosen { &mut self.first } else { &mut self.last }.push(lists.list(*list as u32));
        }
    }
}
