//! Designs: how many tables there are, which bits lead in each, and how far from the query each must look (the paper's §3.1).
//!
//! The bits are split into blocks. A table is sorted with some of the blocks in front, its lead. With few errors in all, some table
//! has few errors in its lead: those within a small radius of the query's lead are all that need be looked at there.

use super::order::{Block, Order};
use crate::error::Error;
use std::{fmt, str::FromStr};

/// Which bits lead in which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Design {
    /// As many tables as there are ways of choosing `lead` of `blocks` blocks.
    Choose {
        /// Blocks that the bits are split into.
        blocks: u32,
        /// Blocks in front.
        lead: u32,
    },
    /// One of `outer` blocks in front, then one of `inner` blocks of the other bits: a table for each of the two choices.
    Nested {
        /// Blocks that the bits are split into.
        outer: u32,
        /// Blocks that the rest is split into.
        inner: u32,
    },
}

impl Design {
    /// How the bits are ordered in each table. The first keeps them as they are.
    pub fn orders(self, width: u32) -> Vec<Order> {
        match self {
            Self::Choose { blocks, lead } => {
                let all = split(&[Block { low: 0, len: width }], blocks);
                choices(blocks, lead).iter().map(|chosen| Order::new(&all, chosen)).collect()
            }
            Self::Nested { outer, inner } => {
                let all = split(&[Block { low: 0, len: width }], outer);
                let nested = (0..all.len()).flat_map(|first| {
                    let rest: Vec<Block> =
                        (0..all.len()).filter(|at| *at != first).flat_map(|at| all[at].clone()).collect();
                    let parts = split(&rest, inner);
                    let of = |second: usize| Order::new(&[&all[first..=first], &parts].concat(), &[0, 1 + second]);
                    (0..parts.len()).map(of).collect::<Vec<_>>()
                });
                nested.collect()
            }
        }
    }

    /// How many tables there are.
    pub fn tables(self) -> u64 {
        match self {
            Self::Choose { blocks, lead } => super::choose(u64::from(blocks), u64::from(lead)) as u64,
            Self::Nested { outer, inner } => u64::from(outer * inner),
        }
    }

    /// How far from the query's lead each table must be looked at to find all within `k`; none for a table that is not needed.
    /// Nothing if the design does not reach that far.
    pub fn radii(self, k: u32) -> Option<Vec<Option<u32>>> {
        match self {
            // k errors in m blocks: were there more than r_i in block i, for each i, there would be at least the sum of r_i + 1
            Self::Choose { blocks, lead: 1 } => {
                let (each, more) = ((k + 1) / blocks, (k + 1) % blocks);
                Some((0..blocks).map(|at| (each + u32::from(at < more)).checked_sub(1)).collect())
            }
            // spread as evenly as they can be, so many errors are in the best of the blocks
            Self::Choose { blocks, lead } => {
                let (each, more) = (k / blocks, k % blocks);
                let best = each * lead + lead.saturating_sub(blocks - more);
                Some(vec![Some(best); self.tables() as usize])
            }
            Self::Nested { outer, inner } => (k < outer && k < inner).then(|| vec![Some(0); (outer * inner) as usize]),
        }
    }
}

/// Splits rows of bits into parts of nearly the same length, the longer first; each part is one or several pieces.
fn split(pieces: &[Block], parts: u32) -> Vec<Vec<Block>> {
    let width: u32 = pieces.iter().map(|piece| piece.len).sum();
    let mut pieces = pieces.to_vec();
    // from the highest bits on; the next piece is the last of the list
    pieces.sort_unstable_by_key(|piece| piece.low);
    let take = |mut bits: u32| {
        let mut part = Vec::new();
        while bits > 0 {
            let mut piece = pieces.pop().expect("the parts are as wide as the whole");
            if piece.len > bits {
                pieces.push(Block { low: piece.low, len: piece.len - bits });
                piece = Block { low: piece.low + piece.len - bits, len: bits };
            }
            bits -= piece.len;
            part.push(piece);
        }
        part
    };
    (0..parts).map(|at| width / parts + u32::from(at < width % parts)).map(take).collect()
}

/// All ways of choosing `lead` of `blocks`, in order: the first ones first.
fn choices(blocks: u32, lead: u32) -> Vec<Vec<usize>> {
    let mut all: Vec<u64> = (0u64..1 << blocks).filter(|mask| mask.count_ones() == lead).collect();
    let in_order = |mask: u64| mask.reverse_bits() >> (64 - blocks);
    all.sort_unstable_by_key(|mask| std::cmp::Reverse(in_order(*mask)));
    all.iter().map(|mask| (0..blocks as usize).filter(|at| mask >> at & 1 == 1).collect()).collect()
}

impl fmt::Display for Design {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Choose { blocks, lead } => write!(f, "{lead}of{blocks}"),
            Self::Nested { outer, inner } => write!(f, "1of{outer}x1of{inner}"),
        }
    }
}

impl FromStr for Design {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let pair = |text: &str| {
            let (lead, blocks) = text.split_once("of")?;
            Some((lead.parse::<u32>().ok()?, blocks.parse::<u32>().ok()?))
        };
        let parsed = match text.split_once('x') {
            Some((outer, inner)) => match (pair(outer), pair(inner)) {
                (Some((1, outer)), Some((1, inner))) => Some(Self::Nested { outer, inner }),
                _ => None,
            },
            None => pair(text).map(|(lead, blocks)| Self::Choose { blocks, lead }),
        };
        let sane = |design: &Self| match *design {
            Self::Choose { blocks, lead } => {
                (1..=16).contains(&blocks) && (1..=blocks).contains(&lead) && design.tables() <= 64
            }
            Self::Nested { outer, inner } => (2..=8).contains(&outer) && (2..=8).contains(&inner),
        };
        parsed.filter(sane).ok_or_else(|| Error::TableDesign { found: text.to_owned() })
    }
}
