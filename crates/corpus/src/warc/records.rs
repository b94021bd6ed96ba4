//! The records of a web archive, one after the other, and the way past those that are damaged.

use std::io;

use super::damage::{Cause, Damage};
use super::head::Head;
use super::unpacked::Unpacked;
use crate::decompress::Format;
use crate::member::Handle;

/// A head with more bytes is none.
const MAX_HEAD_BYTES: usize = 64 << 10;
/// Two line ends follow a record; some programs write more.
const MAX_LINE_ENDS: usize = 64;
const RECORD_START: &[u8] = b"WARC/";
/// To go past damage the file is read again from where the record began. So often that is done whatever it costs, and then only as long as
/// no more than so many bytes are read twice: a file may be nothing but damage.
const MAX_REREADS: u64 = 16;
const MAX_REREAD_BYTES: u64 = 256 << 20;
/// So many places that look like the beginning of something are tried in all.
const MAX_STARTS: u64 = 10_000;

pub(crate) struct Records {
    input: Unpacked,
    /// Of the next record.
    row: u64,
    rereads: u64,
    reread_bytes: u64,
    starts: u64,
}

/// A record whose head was read.
#[derive(Debug)]
pub(crate) struct Record {
    /// The records before it.
    pub(crate) row: u64,
    /// Where in the file it begins; of a compressed one, where its member does.
    pub(crate) position: u64,
    /// The same, if a reader can begin there.
    pub(crate) start: Option<u64>,
    pub(crate) head: Head,
    /// The bytes behind its head.
    pub(crate) length: u64,
}

impl Records {
    pub(crate) fn open(from: Handle) -> io::Result<Records> {
        let input = Unpacked::open(from)?;
        Ok(Records { input, row: 0, rereads: 0, reread_bytes: 0, starts: 0 })
    }

    pub(crate) fn format(&self) -> Option<Format> {
        self.input.format()
    }

    /// Bytes of the file that were read.
    pub(crate) fn consumed(&self) -> u64 {
        self.input.consumed()
    }

    /// Bytes of the file before its first record: the dictionary of all the others.
    pub(crate) fn prefix(&self) -> u64 {
        self.input.prefix()
    }

    /// Begins again at a place where a record begins that a reader can begin with.
    pub(crate) fn restart(&mut self, start: u64) -> io::Result<()> {
        self.input.restart(start)
    }

    /// The head of the next record; none at the end. Its block is to be read before the next is asked for.
    pub(crate) fn next(&mut self) -> Option<Result<Record, Damage>> {
        let filled = self.input.fill().map(<[u8]>::is_empty);
        let (row, position, start) = (self.row, self.input.position(), self.input.start());
        self.row += 1;
        let damage = |cause| Damage { row, position, start, cause };
        match filled {
            Ok(true) => return None,
            Ok(false) => {}
            Err(error) => return Some(Err(damage(Cause::Input(error)))),
        }
        Some(self.head().map_err(damage).map(|(head, length)| Record { row, position, start, head, length }))
    }

    fn head(&mut self) -> Result<(Head, u64), Cause> {
        let mut raw = Vec::new();
        loop {
            let seen = self.input.fill()?;
            if seen.is_empty() {
                return Err(Cause::Input(io::Error::new(io::ErrorKind::UnexpectedEof, "it ends within a head")));
            }
            let line = memchr::memchr(b'\n', seen).map(|at| at + 1);
            let some = line.unwrap_or(seen.len());
            let begins_line = raw.is_empty() || raw.ends_with(b"\n");
            raw.extend_from_slice(&seen[..some]);
            let is_blank = line.is_some() && (begins_line && some == 1 || raw.ends_with(b"\n\r\n"));
            self.input.consume(some);
            let compared = raw.len().min(RECORD_START.len());
            if raw[..compared] != RECORD_START[..compared] {
                let found = String::from_utf8_lossy(&raw[..raw.len().min(40)]).into_owned();
                return Err(Cause::Layout(format!("expected a line WARC/1.0 or WARC/1.1, found {found:?}")));
            }
            if raw.len() > MAX_HEAD_BYTES {
                return Err(Cause::Layout(format!("its head has more than {MAX_HEAD_BYTES} bytes")));
            }
            if is_blank {
                break;
            }
        }
        let head = Head::parse(raw).map_err(Cause::Layout)?;
        let length = head.length().map_err(Cause::Layout)?;
        Ok((head, length))
    }

    /// Hands on the block of the record, piece by piece.
    pub(crate) fn block<E: From<Damage>>(
        &mut self,
        record: &Record,
        mut each: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut left = record.length;
        while left > 0 {
            let seen = self.input.fill().map_err(|error| record.damage(Cause::Input(error)))?;
            let some = usize::try_from(left).unwrap_or(usize::MAX).min(seen.len());
            if some == 0 {
                let cause = Cause::Cut { length: record.length, found: record.length - left };
                return Err(record.damage(cause).into());
            }
            each(&seen[..some])?;
            self.input.consume(some);
            left -= some as u64;
        }
        Ok(())
    }

    /// Goes past the end of the record, and sees that it is one. Says where in the file it ends, if a reader could begin there.
    pub(crate) fn finish(&mut self, record: &Record) -> Result<Option<u64>, Damage> {
        self.end(record.length).map_err(|cause| record.damage(cause))
    }

    fn end(&mut self, length: u64) -> Result<Option<u64>, Cause> {
        let mut line_ends = 0;
        loop {
            let seen = self.input.peek(RECORD_START.len())?;
            let some = seen.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            let compared = seen.len().min(RECORD_START.len());
            if some == 0 && compared > 0 {
                // a name may be cut by the end of a member, if members end anywhere
                let is_start = seen[..compared] == RECORD_START[..compared];
                return if is_start { Ok(self.input.end()?) } else { Err(Cause::Length(length)) };
            }
            if some == 0 {
                let end = self.input.end()?;
                // what is wrong with the next member is not wrong with this record
                let goes_on = line_ends < 4 && self.input.fill().is_ok_and(|next| matches!(next, [b'\r' | b'\n', ..]));
                if !goes_on {
                    return Ok(end);
                }
                continue;
            }
            line_ends += some;
            if line_ends > MAX_LINE_ENDS {
                return Err(Cause::Length(length));
            }
            self.input.consume(some);
        }
    }

    /// After damage: goes on to the next record that can be found; false if there is none.
    pub(crate) fn recover(&mut self, damage: &Damage) -> bool {
        self.search(damage).unwrap_or(false)
    }

    fn search(&mut self, damage: &Damage) -> io::Result<bool> {
        if damage.start.is_none() && !damage.cause.is_of_input() {
            return self.input.search_unpacked();
        }
        if let Some(start) = damage.start {
            self.rereads += 1;
            self.reread_bytes += self.input.file_position().saturating_sub(start);
            if self.rereads > MAX_REREADS && self.reread_bytes > MAX_REREAD_BYTES {
                return Ok(false);
            }
        }
        let mut from = damage.start.map(|start| start + 1);
        while self.starts < MAX_STARTS {
            if !self.input.search(from)? {
                return Ok(false);
            }
            self.starts += 1;
            let found = self.input.file_position();
            if self.input.fill().is_ok()
                && self.input.peek(RECORD_START.len()).is_ok_and(|seen| seen.starts_with(RECORD_START))
            {
                return Ok(true);
            }
            from = Some(found + 1);
        }
        Ok(false)
    }
}

impl Record {
    pub(crate) fn damage(&self, cause: Cause) -> Damage {
        Damage { row: self.row, position: self.position, start: self.start, cause }
    }
}
