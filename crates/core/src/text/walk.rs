//! The fast walk over a text: ASCII words by bit masks, anything else by way of [`unicode`].
//!
//! A chunk of the text is lower-cased and reduced to the places where words begin and end; then the words between those places are
//! hashed. Neither half has a branch for each byte, nor for the length of a word.

#[cfg(all(target_arch = "x86_64", feature = "simd"))]
use super::classes::Wide;
use super::classes::{BLOCK, Class, Instructions, Narrow};
use super::unicode;
use crate::feature_hash::{FeatureHasher, PADDING};
use std::ops::Range;

/// Bytes looked at before their words are hashed: the copy and the edges stay in the nearest cache.
const CHUNK: usize = 32 * BLOCK;

/// Finds words; its buffers are used for text after text.
#[derive(Clone, Debug, Default)]
pub struct Walker {
    /// The chunk in lower case, and room to read past its end.
    lower: Vec<u8>,
    /// Where words begin and end in the chunk, in turn; the first `found` count.
    edges: Vec<u32>,
    found: usize,
    /// Bytes of a wide break that reach past the chunk.
    overhang: usize,
    scratch: unicode::WordBuffers,
}

impl Walker {
    /// Calls `each(span, hash)` for every word of the text.
    #[inline]
    pub(super) fn walk(&mut self, text: &str, fp: &FeatureHasher, each: impl FnMut(Range<usize>, u64)) {
        self.walk_by(text, |bytes, length| fp.padded_word(bytes, length), each);
    }

    /// The same with another hash: it is given the canonical word, which begins its bytes, and the word's length.
    #[inline]
    pub fn walk_by(
        &mut self,
        text: &str,
        mut hash: impl FnMut(&[u8], usize) -> u64,
        mut each: impl FnMut(Range<usize>, u64),
    ) {
        let bytes = text.as_bytes();
        let (mut at, mut size) = (0, CHUNK);
        while at < bytes.len() {
            let wide = self.find_edges(bytes, at, size);
            let end = match wide {
                Some(wide) => self.cut_before_wide(bytes, at, wide),
                None => self.cut_before_end(bytes.len(), at, size),
            };
            for edge in self.edges[..self.found].as_chunks::<2>().0 {
                let (start, end) = (edge[0] as usize, edge[1] as usize);
                if self.lower[start] == b'_' && self.lower[start..end].iter().all(|b| *b == b'_') {
                    continue;
                }
                each(at + start..at + end, hash(&self.lower[start..], end - start));
            }
            if let Some(wide) = wide {
                at = end_of_wide_stretch(bytes, wide);
                self.scratch.walk(text, end..at, |span, word| each(span, hash(word.as_bytes(), word.len())));
                size = CHUNK;
            } else {
                // a word that fills the chunk needs a larger one
                size = if end == at { size * 2 } else { CHUNK };
                at = end;
            }
        }
    }

    /// Fills `lower` and `edges` from a place in the text that is not inside a word. Where something stopped it that is not ASCII.
    fn find_edges(&mut self, bytes: &[u8], from: usize, size: usize) -> Option<usize> {
        if self.lower.len() < size + PADDING {
            self.lower.resize(size + PADDING, 0);
            self.edges.resize(size + 2 * BLOCK, 0);
        }
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        if let Some(simd) = pulp::x86::V4::try_new() {
            return simd.vectorize(WideEdges { simd, walker: self, bytes, from, size });
        }
        self.find_edges_by(Narrow, bytes, from, size)
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for other instructions, too")]
    fn find_edges_by(
        &mut self,
        instructions: impl Instructions,
        bytes: &[u8],
        from: usize,
        size: usize,
    ) -> Option<usize> {
        self.found = 0;
        // whether the byte before is of a word, and the bytes of a wide break that reach into this block
        let (mut inside, mut broken) = (0, 0);
        let rest = &bytes[from..];
        for base in (0..size.min(rest.len())).step_by(BLOCK) {
            let lower = self.lower[base..].first_chunk_mut().expect("room for every block");
            let mut masks = if let Some(block) = rest[base..].first_chunk() {
                instructions.classify(block, lower)
            } else {
                let mut block = [0; BLOCK];
                block[..rest.len() - base].copy_from_slice(&rest[base..]);
                instructions.classify(&block, lower)
            };
            masks.wide &= !broken;
            broken = 0;
            while masks.wide != 0 {
                let bit = masks.wide.trailing_zeros();
                let length = length_of_breaks(&rest[base + bit as usize..]);
                if length == 0 {
                    break;
                }
                let bits = ((1u128 << length) - 1) << bit;
                masks.wide &= !(bits as u64);
                broken = (bits >> BLOCK) as u64;
            }
            let mut body = masks.body;
            let mut mids = masks.mid & (body << 1 | inside) & (body >> 1 | 1 << (BLOCK - 1));
            while mids != 0 {
                let bit = mids.trailing_zeros();
                mids &= mids - 1;
                body |= u64::from(joins(bytes, from + base + bit as usize)) << bit;
            }
            let edges = body ^ (body << 1 | inside);
            if masks.wide != 0 {
                let wide = masks.wide.trailing_zeros();
                self.push_edges(instructions, base, edges & ((1 << wide) - 1));
                return Some(from + base + wide as usize);
            }
            self.push_edges(instructions, base, edges);
            inside = body >> (BLOCK - 1);
        }
        self.overhang = u64::count_ones(broken) as usize;
        None
    }

    /// Appends the places of the bits.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for other instructions, too")]
    fn push_edges(&mut self, instructions: impl Instructions, base: usize, bits: u64) {
        let out = self.edges[self.found..].first_chunk_mut().expect("room for every edge");
        instructions.places(base as u32, bits, out);
        self.found += bits.count_ones() as usize;
    }

    /// A wide stretch begins with the word that it touches, if only by a full stop. Takes that word off the edges.
    fn cut_before_wide(&mut self, bytes: &[u8], from: usize, wide: usize) -> usize {
        let place = |edge: u32| from + edge as usize;
        if self.found % 2 == 1 {
            self.found -= 1;
            return place(self.edges[self.found]);
        }
        if self.found > 0 && place(self.edges[self.found - 1]) + 1 == wide && Class::of(bytes[wide - 1]).is_mid() {
            self.found -= 2;
            return place(self.edges[self.found]);
        }
        wide
    }

    /// Where the next chunk begins: at the last word, if it may go on.
    fn cut_before_end(&mut self, length: usize, from: usize, size: usize) -> usize {
        let end = from + size;
        if end >= length {
            if self.found % 2 == 1 {
                self.edges[self.found] = (length - from) as u32;
                self.found += 1;
            }
            return length;
        }
        if self.found % 2 == 1 {
            self.found -= 1;
            return from + self.edges[self.found] as usize;
        }
        // a full stop as the last byte may still tie the word to something wide
        if self.found > 0 && self.edges[self.found - 1] as usize + 1 >= size {
            self.found -= 2;
            return from + self.edges[self.found] as usize;
        }
        end + self.overhang
    }
}

/// The walk by instructions of 64 bytes.
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
struct WideEdges<'a> {
    simd: pulp::x86::V4,
    walker: &'a mut Walker,
    bytes: &'a [u8],
    from: usize,
    size: usize,
}

#[cfg(all(target_arch = "x86_64", feature = "simd"))]
impl pulp::NullaryFnOnce for WideEdges<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it must become a part of what is compiled for these instructions")]
    fn call(self) -> Option<usize> {
        let Self { simd, walker, bytes, from, size } = self;
        walker.find_edges_by(Wide(simd), bytes, from, size)
    }
}

/// Whether the byte between two of a word makes one word of them.
fn joins(bytes: &[u8], at: usize) -> bool {
    let class = |at: usize| bytes.get(at).map_or(Class::Other, |b| Class::of(*b));
    match (class(at - 1), class(at), class(at + 1)) {
        (Class::Letter, here, Class::Letter) => here != Class::MidDigit,
        (Class::Digit, here, Class::Digit) => here != Class::MidLetter,
        _ => false,
    }
}

/// Bytes of the wide punctuation, spaces and pictures that these begin with, if they do nothing but end a word, just as an ASCII space
/// does; else 0. They are common in typeset text, and the careful walk is not needed for them.
#[inline]
fn length_of_breaks(bytes: &[u8]) -> usize {
    let mut length = 0;
    while length < MAX_BREAKS {
        length += match &bytes[length..] {
            // no-break space § © « ® ¶ »
            [0xc2, 0xa0 | 0xa7 | 0xa9 | 0xab | 0xae | 0xb6 | 0xbb, ..] => 2,
            // – — “ ” „ • … ← ↑ → ↓ − ◆ ☰ ❱
            [0xe2, 0x80, 0x93 | 0x94 | 0x9c..=0x9e | 0xa2 | 0xa6, ..]
            | [0xe2, 0x86, 0x90..=0x93, ..]
            | [0xe2, 0x88, 0x92, ..]
            | [0xe2, 0x97, 0x86, ..]
            | [0xe2, 0x98, 0xb0, ..]
            | [0xe2, 0x9d, 0xb1, ..] => 3,
            // skin tones go with what is before them
            [0xf0, 0x9f, 0x8f, 0xbb..=0xbf, ..] => return 0,
            // most pictures
            [0xf0, 0x9f, 0x8c..=0x9f, _, ..] => 4,
            [] | [..0x80, ..] => return length,
            // a mark that follows would sit on it
            _ => return 0,
        };
    }
    0
}

/// Longer runs of breaks are not worth it; and the bits of one must fit beside those of a block.
const MAX_BREAKS: usize = 60;

/// A stretch with wide characters ends where any ASCII byte ends a word for certain.
/// The double quote does not: between Hebrew letters it is part of the word.
fn end_of_wide_stretch(bytes: &[u8], from: usize) -> usize {
    let ends = |b: &u8| Class::of(*b) == Class::Other && *b != b'"';
    bytes[from..].iter().position(ends).map_or(bytes.len(), |n| from + n)
}
