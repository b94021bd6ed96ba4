//! Takes the features of a document one by one and keeps the sample, in bounded memory.

use super::distinct::Distinct;
use super::{Sampling, Sketch, survivors};
use crate::sets;

/// Builds sketches; used again for document after document.
#[derive(Clone, Debug)]
pub struct Sampler {
    kind: Kind,
    pushed: u64,
}

#[derive(Clone, Debug)]
enum Kind {
    Nested(Nested),
    Mod { m: u64, kept: Vec<u64> },
    Min { s: usize, kept: Vec<u64>, ceiling: u64 },
}

/// Features that wait before any is dropped: nearly all documents end before, and then their level is known at once.
const MAX_WAITING: usize = 1 << 13;

/// All different features of one level; the level grows with the document.
#[derive(Clone, Debug)]
struct Nested {
    size: u64,
    waiting: Vec<u64>,
    /// Those of them that are of a level.
    chosen: Vec<u64>,
    level: u8,
    kept: Distinct,
}

impl Sampler {
    /// A sampler with nothing in it.
    pub fn new(sampling: Sampling) -> Self {
        let kind = match sampling {
            Sampling::Min(s) => Kind::Min { s: s as usize, kept: Vec::new(), ceiling: u64::MAX },
            Sampling::Mod(m) => Kind::Mod { m: u64::from(m), kept: Vec::new() },
            Sampling::Nested(size) => {
                let (size, kept) = (u64::from(size), Distinct::new(2 * size as usize + 1));
                let (waiting, chosen) = (Vec::with_capacity(MAX_WAITING), Vec::new());
                Kind::Nested(Nested { size, waiting, chosen, level: 0, kept })
            }
        };
        Self { kind, pushed: 0 }
    }

    /// Takes one feature; repeats are welcome.
    #[inline]
    pub fn push(&mut self, feature: u64) {
        self.pushed += 1;
        match &mut self.kind {
            Kind::Nested(nested) => {
                if nested.waiting.len() == MAX_WAITING {
                    nested.stream();
                }
                nested.waiting.push(feature);
            }
            Kind::Mod { m, kept } => {
                if feature.is_multiple_of(*m) {
                    kept.push(feature);
                }
            }
            Kind::Min { s, kept, ceiling } => {
                if feature <= *ceiling {
                    kept.push(feature);
                    if kept.len() >= *s * 4 {
                        *ceiling = smallest(kept, *s);
                    }
                }
            }
        }
    }

    /// Takes many features at once.
    #[inline]
    pub fn extend(&mut self, features: &[u64]) {
        match &mut self.kind {
            Kind::Nested(nested) if nested.waiting.len() + features.len() <= MAX_WAITING => {
                nested.waiting.extend_from_slice(features);
                self.pushed += features.len() as u64;
            }
            _ => features.iter().for_each(|feature| self.push(*feature)),
        }
    }

    /// The sketch of what was pushed; the sampler is empty again.
    pub fn finish(&mut self) -> Sketch {
        let pushed = std::mem::take(&mut self.pushed);
        match &mut self.kind {
            Kind::Nested(nested) => nested.finish(pushed),
            Kind::Mod { kept, .. } => {
                sets::into_set(kept);
                Sketch { level: 0, features: std::mem::take(kept) }
            }
            Kind::Min { s, kept, ceiling } => {
                let full = smallest(kept, *s) < u64::MAX;
                *ceiling = u64::MAX;
                Sketch { level: u8::from(full), features: std::mem::take(kept) }
            }
        }
    }
}

/// Leaves the `s` smallest, sorted; nothing above the returned ceiling can be among them any more.
fn smallest(kept: &mut Vec<u64>, s: usize) -> u64 {
    sets::into_set(kept);
    kept.truncate(s);
    if kept.len() == s { kept[s - 1] } else { u64::MAX }
}

impl Nested {
    /// Moves what waits to the features of the level. More of them than twice the size, and the level is raised. By chance alone a
    /// document never has twice the features that its own level expects, so this does not decide the level of honest documents.
    fn stream(&mut self) {
        for feature in self.waiting.drain(..) {
            if feature.trailing_zeros() < u32::from(self.level) {
                continue;
            }
            self.kept.insert(feature);
            while self.kept.len() as u64 > 2 * self.size {
                self.level += 1;
                let level = u32::from(self.level);
                self.kept.retain(|f| f.trailing_zeros() >= level);
            }
        }
    }

    fn finish(&mut self, pushed: u64) -> Sketch {
        if pushed <= MAX_WAITING as u64
            && let Some(sketch) = self.at_once(pushed)
        {
            self.waiting.clear();
            return sketch;
        }
        self.stream();
        let mut features = self.kept.take();
        features.sort_unstable();
        let level = self.choose_level(&features, pushed);
        features.retain(|f| f.trailing_zeros() >= u32::from(level));
        self.level = 0;
        Sketch { level, features }
    }

    /// The sketch of a document of which nothing was dropped yet, unless it repeats itself much.
    fn at_once(&mut self, pushed: u64) -> Option<Sketch> {
        let level = self.level_of(pushed);
        let ends = (1 << level) - 1;
        // whether a feature is of the level is a matter of chance: without a branch, none is mispredicted
        let mut chosen = 0;
        self.chosen.resize(self.waiting.len(), 0);
        for feature in &self.waiting {
            self.chosen[chosen] = *feature;
            chosen += usize::from(feature & ends == 0);
        }
        self.chosen.truncate(chosen);
        sets::into_set(&mut self.chosen);
        let kept = self.chosen.len() as u64;
        let honest = level == 0 || kept * 4 >= self.size && kept <= self.size * 2;
        honest.then(|| Sketch { level, features: self.chosen.clone() })
    }

    fn level_of(&self, features: u64) -> u8 {
        (0u8..63).find(|i| features >> i <= self.size).unwrap_or(63).max(self.level)
    }

    /// The level by document size. A document that repeats itself has far fewer different shingles than words;
    /// its level is taken from their estimated number, or its sketch would be empty.
    fn choose_level(&self, kept: &[u64], pushed: u64) -> u8 {
        let by_length = self.level_of(pushed);
        if u64::from(survivors(kept, by_length)) * 4 >= self.size {
            return by_length;
        }
        self.level_of((kept.len() as u64) << self.level)
    }
}
