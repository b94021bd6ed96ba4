//! Zstandard in web archives: a frame for each record, and perhaps a dictionary before them.

use std::io::{self, Read};

use super::input::Input;
#[cfg(feature = "zstd")]
use crate::zstd::Operation;
use crate::zstd::{self, InBuffer, OutBuffer, RawDecoder as Decoder};

pub(super) const FRAME_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The skippable frame that holds the dictionary of all the others.
const DICTIONARY_MAGIC: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];
/// Before the content of a skippable frame: its magic and its length.
const SKIPPABLE_HEAD: usize = 8;
/// Dictionaries have some hundred kilobytes.
const MAX_DICTIONARY_BYTES: u64 = 32 << 20;

/// A frame, or one that decoders read over.
pub(super) fn is_frame(start: &[u8]) -> bool {
    start.starts_with(&FRAME_MAGIC) || is_skippable(start)
}

fn is_skippable(start: &[u8]) -> bool {
    matches!(start, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// A decoder for all frames of the file. Reads the dictionary, if the file begins with one.
pub(super) fn decoder(input: &mut Input) -> io::Result<Decoder> {
    let head = input.peek(SKIPPABLE_HEAD)?;
    if !head.starts_with(&DICTIONARY_MAGIC) {
        return Decoder::new();
    }
    let cut = || io::Error::new(io::ErrorKind::UnexpectedEof, "the dictionary at its beginning is cut short");
    let length = head.get(4..SKIPPABLE_HEAD).and_then(|length| length.try_into().ok()).map(u32::from_le_bytes);
    let length = u64::from(length.ok_or_else(cut)?);
    if length > MAX_DICTIONARY_BYTES {
        return Err(too_large(length));
    }
    input.consume(SKIPPABLE_HEAD);
    let mut dictionary = Vec::new();
    while (dictionary.len() as u64) < length {
        let seen = input.fill()?;
        let some = seen.len().min(length as usize - dictionary.len());
        if some == 0 {
            return Err(cut());
        }
        dictionary.extend_from_slice(&seen[..some]);
        input.consume(some);
    }
    if dictionary.starts_with(&FRAME_MAGIC) {
        let mut plain = Vec::new();
        let packed = zstd::Decoder::with_buffer(&dictionary[..])?;
        packed.take(MAX_DICTIONARY_BYTES + 1).read_to_end(&mut plain)?;
        if plain.len() as u64 > MAX_DICTIONARY_BYTES {
            return Err(too_large(plain.len() as u64));
        }
        dictionary = plain;
    }
    Decoder::with_dictionary(&dictionary)
}

fn too_large(bytes: u64) -> io::Error {
    let message = format!("its dictionary has {bytes} bytes or more; at most {MAX_DICTIONARY_BYTES} are read");
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// Reads over frames that hold nothing.
pub(super) fn skip_skippable(input: &mut Input) -> io::Result<()> {
    loop {
        let head = input.peek(SKIPPABLE_HEAD)?;
        if !is_skippable(head) {
            return Ok(());
        }
        let length = head.get(4..SKIPPABLE_HEAD).and_then(|length| length.try_into().ok()).map(u32::from_le_bytes);
        let length = length.ok_or(io::ErrorKind::UnexpectedEof)?;
        if !input.skip(SKIPPABLE_HEAD as u64 + u64::from(length))? {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

/// Sees that a frame begins here.
pub(super) fn begin(decoder: &mut Decoder, input: &mut Input) -> io::Result<()> {
    decoder.reinit()?;
    if input.peek(FRAME_MAGIC.len())?.starts_with(&FRAME_MAGIC) {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, "expected the beginning of zstd data, found something else"))
}

/// Unpacks some of a frame: how many bytes came out, and whether that was its end.
pub(super) fn unpack(decoder: &mut Decoder, input: &mut Input, out: &mut [u8]) -> io::Result<(usize, bool)> {
    loop {
        let seen = input.fill()?;
        let is_end = seen.is_empty();
        let (mut from, mut to) = (InBuffer::around(seen), OutBuffer::around(out));
        let left = decoder.run(&mut from, &mut to)?;
        let (taken, made) = (from.pos(), to.pos());
        input.consume(taken);
        if left == 0 || made > 0 {
            return Ok((made, left == 0));
        }
        if is_end {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if taken == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a frame that does not go on"));
        }
    }
}
