//! The bytes of a web archive as they lie on the disk, and where in them the reader is.

use std::io::{self, SeekFrom};

use memchr::memmem::Finder;

use crate::member::Handle;

/// How much is asked for at once.
const BUFFER_BYTES: usize = 128 << 10;

pub(super) struct Input {
    from: Handle,
    buffer: Box<[u8]>,
    /// What is not taken yet.
    at: usize,
    end: usize,
    /// Where in the file that begins.
    position: u64,
    /// Bytes taken in all, also those that were taken twice.
    taken: u64,
}

impl Input {
    pub(super) fn new(from: Handle) -> Input {
        Input { from, buffer: vec![0; BUFFER_BYTES].into(), at: 0, end: 0, position: 0, taken: 0 }
    }

    pub(super) fn position(&self) -> u64 {
        self.position
    }

    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// What is there; nothing at the end.
    pub(super) fn fill(&mut self) -> io::Result<&[u8]> {
        self.peek(1)
    }

    /// At least so many bytes, a few; fewer at the end.
    pub(super) fn peek(&mut self, bytes: usize) -> io::Result<&[u8]> {
        if self.end - self.at < bytes {
            self.buffer.copy_within(self.at..self.end, 0);
            self.end -= self.at;
            self.at = 0;
            while self.end < bytes {
                match self.from.read(&mut self.buffer[self.end..]) {
                    Ok(0) => break,
                    Ok(read) => self.end += read,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(&self.buffer[self.at..self.end])
    }

    /// Takes bytes that were seen.
    pub(super) fn consume(&mut self, bytes: usize) {
        self.at += bytes;
        self.position += bytes as u64;
        self.taken += bytes as u64;
    }

    /// Takes so many bytes without looking at them; whether there were so many.
    pub(super) fn skip(&mut self, mut bytes: u64) -> io::Result<bool> {
        while bytes > 0 {
            let some = (self.fill()?.len() as u64).min(bytes);
            if some == 0 {
                return Ok(false);
            }
            self.consume(some as usize);
            bytes -= some;
        }
        Ok(true)
    }

    /// Goes back or on. Not every input can.
    pub(super) fn seek(&mut self, position: u64) -> io::Result<()> {
        let held = self.position - self.at as u64;
        if let Some(at) = position.checked_sub(held).filter(|at| *at <= self.end as u64) {
            (self.at, self.position) = (at as usize, position);
            return Ok(());
        }
        self.from.seek(SeekFrom::Start(position))?;
        (self.at, self.end, self.position) = (0, 0, position);
        Ok(())
    }

    /// Goes on to the next place that begins like this; whether there is one.
    pub(super) fn find(&mut self, start: &Finder<'_>) -> io::Result<bool> {
        let len = start.needle().len();
        loop {
            let seen = self.peek(len)?;
            let (found, all) = (start.find(seen), seen.len());
            if let Some(at) = found {
                self.consume(at);
                return Ok(true);
            }
            if all < len {
                self.consume(all);
                return Ok(false);
            }
            self.consume(all + 1 - len);
        }
    }
}
