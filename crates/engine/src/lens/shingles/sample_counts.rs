//! How many features of one sample count: at the document's own level, and at those above, at which it is compared with longer ones.

use crate::run::filter::Filter;
use lookalike_core::sketch::{Sampling, Sketch, survivors};
use std::ops::RangeInclusive;

/// Levels above a document's own for which the number of surviving features is kept. Eight levels are a factor of
/// 256 in size: beyond that a sample of a hundred has next to nothing left to compare.
pub const LEVELS: usize = 8;

/// Of one document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampleCounts {
    pub level: u8,
    pub kept: u32,
    pub above: [u16; LEVELS],
}

impl SampleCounts {
    pub fn of(sampling: Sampling, sketch: &Sketch) -> Self {
        let above = match sampling {
            Sampling::Nested(_) => survivors_above(&sketch.features, sketch.level),
            Sampling::Min(_) | Sampling::Mod(_) => [0; LEVELS],
        };
        Self { level: sketch.level, kept: sketch.features.len() as u32, above }
    }

    /// What is asked for most of it.
    pub fn near(&self) -> NearCounts {
        let counts = std::array::from_fn(|up| match up {
            0 => self.kept,
            up => u32::from(self.above[up - 1]),
        });
        NearCounts { level: self.level, counts: counts.map(|count| u8::try_from(count).unwrap_or(NearCounts::MANY)) }
    }

    /// How many features count at a level, the document's own or one of those above; none where that is not known.
    #[inline]
    pub fn survivors(&self, level: u8) -> Option<u32> {
        match level - self.level {
            0 => Some(self.kept),
            up => self.above.get(usize::from(up) - 1).map(|n| u32::from(*n)),
        }
    }

    /// The levels at which the document is compared; none for sketches that are not compared by counting.
    #[inline]
    pub fn levels(&self, sampling: Sampling) -> Option<RangeInclusive<u8>> {
        match sampling {
            Sampling::Min(_) => None,
            Sampling::Mod(_) => Some(self.level..=self.level),
            Sampling::Nested(_) => Some(self.level..=self.level + LEVELS as u8),
        }
    }

    /// The levels at which a candidate may share nothing with the document but its frequent features, which these are: its own and the
    /// next. A document of a higher one is too long to resemble it.
    pub fn boilerplate_levels(self, frequent: &[u64], filter: &Filter) -> impl Iterator<Item = u8> {
        let levels = match filter.sampling {
            Sampling::Nested(_) => self.level..=self.level + 1,
            // all features are of one level
            Sampling::Min(_) | Sampling::Mod(_) => 0..=0,
        };
        levels.filter(move |level| {
            let (all, count) = match filter.sampling {
                Sampling::Nested(_) => (self.survivors(*level).unwrap_or(0), survivors(frequent, *level)),
                Sampling::Min(_) | Sampling::Mod(_) => (self.kept, frequent.len() as u32),
            };
            count > 0 && count >= filter.least_resembling(all, is_whole_at(filter.sampling, *level))
        })
    }
}

/// The level of a document, and how many features count there and at the next two, in four bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct NearCounts {
    level: u8,
    counts: [u8; 3],
}

impl NearCounts {
    /// So many or more.
    const MANY: u8 = u8::MAX;

    #[inline]
    pub fn level(self) -> u8 {
        self.level
    }

    /// How many features count at a level that is not below that of the document; none where that is not known here.
    #[inline]
    pub fn survivors(self, level: u8) -> Option<u32> {
        let count = *self.counts.get(usize::from(level - self.level))?;
        (count < Self::MANY).then_some(u32::from(count))
    }
}

/// Whether samples of a level are whole sets.
#[inline]
pub fn is_whole_at(sampling: Sampling, level: u8) -> bool {
    match sampling {
        Sampling::Nested(_) => level == 0,
        Sampling::Mod(m) => m == 1,
        Sampling::Min(_) => false,
    }
}

/// How many listed features of a document, in any order, are sure to hold one of those that it shares with a candidate, where a
/// candidate shares so many at least and some features have no list.
#[inline]
pub fn prefix_length(listed: usize, unindexed: u32, least: u32) -> usize {
    (listed + 1 + unindexed as usize).saturating_sub(least as usize)
}

/// How many of the features survive each of the levels above.
fn survivors_above(features: &[u64], level: u8) -> [u16; LEVELS] {
    let mut counts = [0u16; LEVELS + 1];
    for feature in features {
        let up = feature.trailing_zeros().saturating_sub(u32::from(level)) as usize;
        counts[up.min(LEVELS)] += 1;
    }
    for step in (1..LEVELS).rev() {
        counts[step] += counts[step + 1];
    }
    std::array::from_fn(|step| counts[step + 1])
}
