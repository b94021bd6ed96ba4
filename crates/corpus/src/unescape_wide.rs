//! JSON strings by instructions of sixty-four bytes: a block's escapes are decoded together, and the bytes that are left move together,
//! eight at a time and without a branch. Text has an escape every other line; what costs is not to decode one but to guess where it is.

use crate::escape::{BLOCK, room, unicode};
use pulp::x86::V4;
use std::arch::x86_64::{__m128i, __m512i};
use std::borrow::Cow;

/// Bytes that move together.
const WORD: usize = 8;

/// What [`read_string`](crate::unescape::read_string) says.
pub(crate) fn read_string<'a>(
    simd: V4,
    raw: &'a str,
    buffer: Option<&'a mut Vec<u8>>,
) -> Option<(Cow<'a, str>, usize)> {
    simd.vectorize(Reading { simd, raw, buffer })
}

struct Reading<'a> {
    simd: V4,
    raw: &'a str,
    buffer: Option<&'a mut Vec<u8>>,
}

impl<'a> pulp::NullaryFnOnce for Reading<'a> {
    type Output = Option<(Cow<'a, str>, usize)>;

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it must become a part of what is compiled for these instructions")]
    fn call(self) -> Self::Output {
        let Self { simd, raw, buffer } = self;
        let bytes = raw.as_bytes();
        if bytes.first() != Some(&b'"') {
            return None;
        }
        let first = first_special(simd, bytes)?;
        if bytes[first] == b'"' {
            return Some((Cow::Borrowed(&raw[1..first]), first + 1));
        }
        let (mut own, mut lent) = (Vec::new(), buffer);
        let text = lent.as_deref_mut().unwrap_or(&mut own);
        text.clear();
        text.reserve(room(bytes.len()).max(first) + BLOCK);
        text.extend_from_slice(&bytes[1..first]);
        // whether the byte before the block is a backslash that begins an escape
        let (mut at, mut opened) = (first, 0);
        while at < bytes.len() {
            let block = Decoded::of(simd, &block(bytes, at), opened);
            take(simd, &block, text);
            if block.stops == 0 {
                (at, opened) = (at + BLOCK, block.opens_next);
                continue;
            }
            let stop = at + block.stops.trailing_zeros() as usize;
            match *bytes.get(stop)? {
                b'"' if block.letters & block.first_stop() == 0 => {
                    // only whole characters were taken out or put in
                    let text = match lent {
                        Some(text) => Cow::Borrowed(simdutf8::basic::from_utf8(text).ok()?),
                        None => Cow::Owned(String::from_utf8(own).ok()?),
                    };
                    return Some((text, stop + 1));
                }
                b'u' if block.letters & block.first_stop() != 0 => {
                    let mut rest = raw.get(stop + 1..)?;
                    text.extend_from_slice(unicode(&mut rest)?.encode_utf8(&mut [0; 4]).as_bytes());
                    (at, opened) = (raw.len() - rest.len(), 0);
                }
                _ => return None,
            }
        }
        None
    }
}

/// The first quote, backslash or control character behind the first byte.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it must become a part of what is compiled for these instructions")]
fn first_special(simd: V4, bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    while at < bytes.len() {
        let v: __m512i = pulp::cast(block(bytes, at));
        let specials = equal(simd, v, b'"') | equal(simd, v, b'\\') | controls(simd, v);
        if specials != 0 {
            // what is behind the end is no text
            return Some(at + specials.trailing_zeros() as usize).filter(|special| *special < bytes.len());
        }
        at += BLOCK;
    }
    None
}

/// The bytes from a place on; behind the end there are zeros.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it must become a part of what is compiled for these instructions")]
fn block(bytes: &[u8], at: usize) -> [u8; BLOCK] {
    let rest = &bytes[at..];
    rest.first_chunk().copied().unwrap_or_else(|| {
        let mut padded = [0; BLOCK];
        padded[..rest.len()].copy_from_slice(rest);
        padded
    })
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it must become a part of what is compiled for these instructions")]
fn equal(simd: V4, v: __m512i, byte: u8) -> u64 {
    simd.avx512bw._mm512_cmpeq_epi8_mask(v, simd.avx512f._mm512_set1_epi8(byte.cast_signed()))
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it must become a part of what is compiled for these instructions")]
fn controls(simd: V4, v: __m512i) -> u64 {
    simd.avx512bw._mm512_cmplt_epu8_mask(v, simd.avx512f._mm512_set1_epi8(0x20))
}

/// A block whose escapes of one letter are decoded.
struct Decoded {
    bytes: [u8; BLOCK],
    /// Those that stand behind a backslash that begins an escape.
    letters: u64,
    /// What is text of all that comes before the first stop.
    text: u64,
    /// The quote that ends the string, what may not be in a string, and escapes of more than a letter.
    stops: u64,
    /// One, if the next block begins with such a letter.
    opens_next: u64,
}

impl Decoded {
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it must become a part of what is compiled for these instructions")]
    fn of(simd: V4, block: &[u8; BLOCK], opened: u64) -> Self {
        let mut v: __m512i = pulp::cast(*block);
        let backslashes = equal(simd, v, b'\\');
        let openers = openers(backslashes, opened);
        let letters = openers << 1 | opened;
        let quotes = equal(simd, v, b'"');
        let mut stand_for = |letter: u8, byte: u8| {
            let found = equal(simd, v, letter) & letters;
            v = simd.avx512bw._mm512_mask_blend_epi8(found, v, simd.avx512f._mm512_set1_epi8(byte.cast_signed()));
            found
        };
        // nearly all are ends of lines
        let mut known = stand_for(b'n', b'\n');
        if known != letters {
            for (letter, byte) in [(b't', b'\t'), (b'r', b'\r'), (b'b', 8), (b'f', 12)] {
                known |= stand_for(letter, byte);
            }
            known |= (quotes | backslashes | equal(simd, v, b'/')) & letters;
        }
        let controls = controls(simd, pulp::cast(*block));
        let stops = quotes & !letters | controls | letters & !known;
        let before_stop = (stops & stops.wrapping_neg()).wrapping_sub(1);
        Self { bytes: pulp::cast(v), letters, text: !openers & before_stop, stops, opens_next: openers >> (BLOCK - 1) }
    }

    fn first_stop(&self) -> u64 {
        self.stops & self.stops.wrapping_neg()
    }
}

/// Which backslashes begin an escape: those that no other escapes.
#[inline]
fn openers(backslashes: u64, opened: u64) -> u64 {
    let mut left = backslashes & !opened;
    if left & left << 1 == 0 {
        return left;
    }
    let mut openers = 0;
    while left != 0 {
        let first = left & left.wrapping_neg();
        openers |= first;
        left &= !(first | first << 1);
    }
    openers
}

/// By eight bits, the places of those that are set, in order: where the bytes that move come from.
static PLACES: [[u8; WORD]; 256] = {
    let mut table = [[0; WORD]; 256];
    let mut bits = 0;
    while bits < table.len() {
        let (mut bit, mut place) = (0, 0);
        while bit < WORD {
            table[bits][place] = bit as u8;
            place += bits >> bit & 1;
            bit += 1;
        }
        bits += 1;
    }
    table
};

/// Appends what is text of a block.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it must become a part of what is compiled for these instructions")]
fn take(simd: V4, block: &Decoded, text: &mut Vec<u8>) {
    if block.text == u64::MAX {
        return text.extend_from_slice(&block.bytes);
    }
    let (mut out, mut length) = ([0; BLOCK], 0);
    for (at, word) in block.bytes.as_chunks::<WORD>().0.iter().enumerate() {
        let bits = block.text >> (WORD * at) & 0xff;
        let from: __m128i = pulp::cast([PLACES[bits as usize], [0; WORD]]);
        let [moved, _]: [[u8; WORD]; 2] = pulp::cast(simd.ssse3._mm_shuffle_epi8(pulp::cast([*word, [0; WORD]]), from));
        // no more bytes than those of the words before
        *out[length..].first_chunk_mut().expect("room for a word") = moved;
        length += bits.count_ones() as usize;
    }
    // all of them and no number that varies: what is no text goes again
    text.extend_from_slice(&out);
    text.truncate(text.len() - BLOCK + length);
}
