//! Writing fingerprints: raw, raw with ids, or text.

use std::io::{self, Error, ErrorKind, Write};
use std::marker::PhantomData;

use super::layout::{Digits, Layout};
use lookalike_core::bits::FingerprintBits;

/// Writes fingerprints through any `Write`, in large pieces if they come in large pieces.
pub struct FingerprintWriter<W: Write, P: FingerprintBits = u64> {
    out: W,
    layout: Layout,
    digits: Digits,
    /// Whether the fingerprints so far have ids, once there are any.
    ids: Option<bool>,
    buffer: Vec<u8>,
    width: PhantomData<P>,
}

impl<W: Write, P: FingerprintBits> FingerprintWriter<W, P> {
    /// Fingerprints alone.
    pub fn raw(out: W) -> FingerprintWriter<W, P> {
        FingerprintWriter::new(out, Layout::Raw, Digits::Hex)
    }

    /// Fingerprints, each followed by its id.
    pub fn raw_ids(out: W) -> FingerprintWriter<W, P> {
        FingerprintWriter::new(out, Layout::RawIds, Digits::Hex)
    }

    /// Lines of text, with a tab and the id if there are ids. Hexadecimal has all digits, with zeros in front, and is
    /// always recognised when it is read; decimal may want the extension `.dec`.
    pub fn text(out: W, digits: Digits) -> FingerprintWriter<W, P> {
        FingerprintWriter::new(out, Layout::Text, digits)
    }

    fn new(out: W, layout: Layout, digits: Digits) -> FingerprintWriter<W, P> {
        FingerprintWriter { out, layout, digits, ids: None, buffer: Vec::new(), width: PhantomData }
    }

    /// Appends fingerprints: with as many ids or none, as the layout demands and as those before.
    pub fn write(&mut self, fingerprints: &[P], ids: &[u64]) -> io::Result<()> {
        if fingerprints.is_empty() && ids.is_empty() {
            return Ok(());
        }
        if !ids.is_empty() && ids.len() != fingerprints.len() {
            return refuse("as many ids as fingerprints are expected, or none");
        }
        self.check_ids(!ids.is_empty())?;
        self.buffer.clear();
        match self.layout {
            Layout::Raw if cfg!(target_endian = "little") => {
                return self.out.write_all(bytemuck::cast_slice(fingerprints));
            }
            Layout::Text => {
                for (at, &fingerprint) in fingerprints.iter().enumerate() {
                    self.put_digits(fingerprint);
                    if let Some(id) = ids.get(at) {
                        write!(self.buffer, "\t{id}")?;
                    }
                    self.buffer.push(b'\n');
                }
            }
            _ => {
                self.buffer.reserve(fingerprints.len() * (P::BYTES + 8));
                for (at, fingerprint) in fingerprints.iter().enumerate() {
                    self.buffer.extend_from_slice(bytemuck::bytes_of(&fingerprint.to_le()));
                    if let Some(id) = ids.get(at) {
                        self.buffer.extend_from_slice(&id.to_le_bytes());
                    }
                }
            }
        }
        self.out.write_all(&self.buffer)
    }

    /// Appends a fingerprint with a name, to text. Names that would not be read again as they are, are refused: empty
    /// ones, with blanks at an end, a comma in front or a line break. Wrap `out` in a buffer: each is one call.
    pub fn write_named(&mut self, fingerprint: P, name: &str) -> io::Result<()> {
        if self.layout != Layout::Text {
            return refuse("a raw file has no place for names, write text");
        }
        let kept = name.trim_ascii() == name && !name.is_empty() && !name.starts_with(',') && !name.contains('\n');
        if !kept {
            let message = format!("the name {name:?} would not be read again from a line of text as it is");
            return Err(Error::new(ErrorKind::InvalidInput, message));
        }
        self.check_ids(true)?;
        self.buffer.clear();
        self.put_digits(fingerprint);
        self.buffer.push(b'\t');
        self.buffer.extend_from_slice(name.as_bytes());
        self.buffer.push(b'\n');
        self.out.write_all(&self.buffer)
    }

    /// Flushes and gives back what was written through.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }

    fn check_ids(&mut self, has: bool) -> io::Result<()> {
        match (self.layout, has) {
            (Layout::Raw, true) => return refuse("a raw file has no place for ids"),
            (Layout::RawIds, false) => return refuse("each fingerprint needs an id"),
            _ => {}
        }
        if *self.ids.get_or_insert(has) != has {
            return refuse("either all fingerprints have an id or none");
        }
        Ok(())
    }

    fn put_digits(&mut self, fingerprint: P) {
        match self.digits {
            Digits::Hex => {
                for at in (0..P::DIGITS as u32).rev() {
                    let digit = (fingerprint >> (4 * at)).low() & 15;
                    self.buffer.push(b"0123456789abcdef"[digit as usize]);
                }
            }
            Digits::Decimal => fingerprint.put_decimal(&mut self.buffer),
        }
    }
}

fn refuse(message: &str) -> io::Result<()> {
    Err(Error::new(ErrorKind::InvalidInput, message))
}
