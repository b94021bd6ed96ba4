//! Takes the features of a document one by one and keeps the sample, in bounded memory.

use super::{Sampling, Sketch};
use crate::sets;

/// Builds sketches; used again for document after document.
#[derive(Clone, Debug)]
pub struct Sampler {
    sampling: Sampling,
    kept: Vec<u64>,
    /// Nested: every feature of this level is in `kept`. Grows with the document.
    level: u8,
    /// Min: nothing above this can be among the smallest any more.
    ceiling: u64,
    pushed: u64,
}

impl Sampler {
    /// A sampler with nothing in it.
    pub fn new(sampling: Sampling) -> Self {
        Self { sampling, kept: Vec::new(), level: 0, ceiling: u64::MAX, pushed: 0 }
    }

    /// Takes one feature; repeats are welcome.
    #[inline]
    pub fn push(&mut self, feature: u64) {
        self.pushed += 1;
        let keep = match self.sampling {
            Sampling::Nested(_) => feature.trailing_zeros() >= u32::from(self.level),
            Sampling::Mod(m) => feature.is_multiple_of(u64::from(m)),
            Sampling::Min(_) => feature <= self.ceiling,
        };
        if keep {
            self.kept.push(feature);
            if self.kept.len() >= self.room() {
                self.shrink();
            }
        }
    }

    /// The sketch of what was pushed; the sampler is empty again.
    pub fn finish(&mut self) -> Sketch {
        sets::into_set(&mut self.kept);
        let mut level = 0;
        match self.sampling {
            Sampling::Min(s) => self.kept.truncate(s as usize),
            Sampling::Mod(_) => {}
            Sampling::Nested(size) => {
                while self.kept.len() > self.crowd() {
                    self.raise();
                }
                level = self.choose_level(u64::from(size));
                self.kept.retain(|f| f.trailing_zeros() >= u32::from(level));
            }
        }
        let sketch = Sketch { level, features: self.kept.clone() };
        self.kept.clear();
        (self.level, self.ceiling, self.pushed) = (0, u64::MAX, 0);
        sketch
    }

    /// The level by document size. A document that repeats itself has far fewer different shingles than words;
    /// its level is taken from their estimated number, or its sketch would be empty.
    fn choose_level(&self, size: u64) -> u8 {
        let level_of = |n: u64| (0u8..63).find(|i| n >> i <= size).unwrap_or(63).max(self.level);
        let by_length = level_of(self.pushed);
        if u64::from(super::survivors(&self.kept, by_length)) * 4 >= size {
            return by_length;
        }
        level_of((self.kept.len() as u64) << self.level)
    }

    /// More different features than this at one level, and the level is raised. By chance alone a document never
    /// has twice the features that its own level expects, so this does not decide the level of honest documents.
    fn crowd(&self) -> usize {
        match self.sampling {
            Sampling::Nested(size) => size as usize * 2,
            Sampling::Min(s) => s as usize,
            Sampling::Mod(_) => usize::MAX,
        }
    }

    fn room(&self) -> usize {
        match self.sampling {
            Sampling::Mod(_) => usize::MAX,
            _ => self.crowd() * 2,
        }
    }

    /// Drops repeats, then whatever cannot be in the sample.
    #[cold]
    fn shrink(&mut self) {
        sets::into_set(&mut self.kept);
        if let Sampling::Min(s) = self.sampling {
            self.kept.truncate(s as usize);
            if self.kept.len() == s as usize {
                self.ceiling = *self.kept.last().expect("s is at least one");
            }
        } else {
            while self.kept.len() > self.crowd() {
                self.raise();
            }
        }
    }

    fn raise(&mut self) {
        self.level += 1;
        let level = u32::from(self.level);
        self.kept.retain(|f| f.trailing_zeros() >= level);
    }
}
