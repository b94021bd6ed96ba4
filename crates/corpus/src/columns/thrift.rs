//! What Parquet says of itself, in the compact protocol of Thrift: passed over, to see whether a decoder may be let near it.

use std::io::{self, Read};

/// Nothing in Parquet is deeper.
const MAX_DEPTH: usize = 16;

/// Types, as they are written.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
pub(super) const I32: u8 = 5;
const LIST: u8 = 9;

/// A struct that is being read.
pub(super) struct Thrift<R> {
    input: R,
    /// Bytes that were read.
    pub(super) len: u64,
}

impl<R: Read> Thrift<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, len: 0 }
    }

    /// Passes over a struct. A list of truth values is only there where `has_flags` says so, as the first field: elsewhere decoders count what
    /// takes no bytes, up to billions.
    pub(super) fn pass_struct(&mut self, has_flags: bool) -> io::Result<()> {
        let mut number = 0;
        while let Some((next, kind)) = self.field(number)? {
            number = next;
            self.skip_value(kind, 0, has_flags && number == 1 && kind == LIST)?;
        }
        Ok(())
    }

    /// The number and the type of the next field of a struct; none at its end.
    pub(super) fn field(&mut self, last: i64) -> io::Result<Option<(i64, u8)>> {
        let byte = self.byte()?;
        Ok(match (byte >> 4, byte & 15) {
            (_, 0) => None,
            (0, kind) => Some((self.integer()?, kind)),
            (step, kind) => Some((last.saturating_add(step.into()), kind)),
        })
    }

    pub(super) fn skip(&mut self, kind: u8) -> io::Result<()> {
        self.skip_value(kind, 0, false)
    }

    fn skip_value(&mut self, kind: u8, depth: usize, has_flags: bool) -> io::Result<()> {
        if depth > MAX_DEPTH {
            return Err(damaged());
        }
        match kind {
            // the type says which
            TRUE | FALSE => Ok(()),
            3 => self.byte().map(drop),
            4..=6 => self.varint().map(drop),
            7 => self.pass(8),
            8 => {
                let len = self.varint()?;
                self.pass(len)
            }
            LIST | 10 => self.skip_list(depth, has_flags),
            12 => {
                let mut number = 0;
                while let Some((next, kind)) = self.field(number)? {
                    number = next;
                    self.skip_value(kind, depth + 1, false)?;
                }
                Ok(())
            }
            // Parquet has no maps
            _ => Err(damaged()),
        }
    }

    fn skip_list(&mut self, depth: usize, has_flags: bool) -> io::Result<()> {
        let byte = self.byte()?;
        let count = if byte >> 4 == 15 { self.varint()? } else { (byte >> 4).into() };
        match byte & 15 {
            _ if count == 0 => Ok(()),
            TRUE | FALSE if has_flags => self.pass(count),
            TRUE | FALSE => Err(damaged()),
            kind => (0..count).try_for_each(|_| self.skip_value(kind, depth + 1, false)),
        }
    }

    pub(super) fn integer(&mut self) -> io::Result<i64> {
        let bits = self.varint()?;
        Ok((bits >> 1).cast_signed() ^ -(bits & 1).cast_signed())
    }

    fn varint(&mut self) -> io::Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(value);
            }
        }
        Err(damaged())
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.input.read_exact(&mut byte)?;
        self.len += 1;
        Ok(byte[0])
    }

    fn pass(&mut self, len: u64) -> io::Result<()> {
        let passed = io::copy(&mut (&mut self.input).take(len), &mut io::sink())?;
        self.len += passed;
        if passed == len { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

pub(super) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "what it says of itself is damaged")
}
