//! A web archive with its compression undone. Records mostly have a gzip member or a zstd frame of their own, so where those begin and end is
//! kept in sight: what is damaged ends with its member, and what is copied need not be compressed again.

use std::io;

use memchr::memmem::Finder;

use super::gzip_members::{MEMBER_MAGIC, Member};
use super::input::Input;
use super::zstd_frames::{self, FRAME_MAGIC};
use crate::decompress::Format;
use crate::member::Handle;
use crate::zstd::RawDecoder as Decoder;

/// How much is unpacked at once.
const BLOCK_BYTES: usize = 64 << 10;

pub(super) struct Unpacked {
    input: Input,
    codec: Codec,
    /// Bytes before the first member.
    prefix: u64,
    /// Whether the input is inside a member.
    in_member: bool,
    /// Where in the file the member begins that the buffer is of.
    member: u64,
    /// Nothing of that member was taken.
    is_fresh: bool,
    /// Why the member cannot be unpacked: it is not asked again.
    failure: Option<(io::ErrorKind, String)>,
    /// What is unpacked and not taken; never of two members.
    buffer: Vec<u8>,
    at: usize,
    end: usize,
}

enum Codec {
    Plain,
    Gzip(Box<Member>),
    Zstd(Box<Decoder>),
}

impl Unpacked {
    pub(super) fn open(from: Handle) -> io::Result<Unpacked> {
        let mut input = Input::new(from);
        let start = input.peek(4)?;
        let codec = if start.is_empty() {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file is empty"));
        } else if start.starts_with(&MEMBER_MAGIC) {
            Codec::Gzip(Box::new(Member::new()))
        } else if zstd_frames::is_frame(start) {
            Codec::Zstd(Box::new(zstd_frames::decoder(&mut input)?))
        } else {
            Codec::Plain
        };
        let buffer = Vec::new();
        Ok(Unpacked {
            prefix: input.position(),
            input,
            codec,
            in_member: false,
            member: 0,
            is_fresh: false,
            failure: None,
            buffer,
            at: 0,
            end: 0,
        })
    }

    pub(super) fn format(&self) -> Option<Format> {
        match self.codec {
            Codec::Plain => None,
            Codec::Gzip(_) => Some(Format::Gzip),
            Codec::Zstd(_) => Some(Format::Zstd),
        }
    }

    pub(super) fn prefix(&self) -> u64 {
        self.prefix
    }

    /// Bytes of the file that were read.
    pub(super) fn consumed(&self) -> u64 {
        self.input.taken()
    }

    /// Where in the file the reader is; what it holds lies before that.
    pub(super) fn file_position(&self) -> u64 {
        self.input.position()
    }

    /// What is unpacked, at least a byte of it; nothing at the end of the file.
    pub(super) fn fill(&mut self) -> io::Result<&[u8]> {
        while self.at == self.end && (self.more()? || self.next_member()?) {}
        Ok(&self.buffer[self.at..self.end])
    }

    /// At least so many bytes, a few; fewer at the end of the member.
    pub(super) fn peek(&mut self, bytes: usize) -> io::Result<&[u8]> {
        while self.end - self.at < bytes && self.more()? {}
        Ok(&self.buffer[self.at..self.end])
    }

    pub(super) fn consume(&mut self, bytes: usize) {
        self.at += bytes;
        self.is_fresh &= bytes == 0;
    }

    /// Where in the file the next byte lies, as near as can be said.
    pub(super) fn position(&self) -> u64 {
        match self.codec {
            Codec::Plain => self.input.position() - (self.end - self.at) as u64,
            _ => self.member,
        }
    }

    /// Where in the file the next byte lies, if reading can begin there.
    pub(super) fn start(&self) -> Option<u64> {
        (matches!(self.codec, Codec::Plain) || self.is_fresh).then(|| self.position())
    }

    /// Where in the file what was taken ends, if it ends with a member.
    pub(super) fn end(&mut self) -> io::Result<Option<u64>> {
        if matches!(self.codec, Codec::Plain) {
            return Ok(Some(self.position()));
        }
        let ends = self.at == self.end && !self.more()?;
        Ok(ends.then(|| self.input.position()))
    }

    /// Unpacks more of the member; false if it has no more.
    fn more(&mut self) -> io::Result<bool> {
        if let Some((kind, message)) = &self.failure {
            return Err(io::Error::new(*kind, message.clone()));
        }
        self.buffer.copy_within(self.at..self.end, 0);
        (self.at, self.end) = (0, self.end - self.at);
        if self.buffer.len() < self.end + BLOCK_BYTES {
            self.buffer.resize(self.end + BLOCK_BYTES, 0);
        }
        let made = self.unpack();
        match &made {
            Ok(made) => self.end += made,
            Err(error) => self.failure = Some((error.kind(), error.to_string())),
        }
        made.map(|made| made > 0)
    }

    /// Unpacks behind what is held; nothing only at the end of the member.
    fn unpack(&mut self) -> io::Result<usize> {
        let out = &mut self.buffer[self.end..];
        if let Codec::Plain = self.codec {
            let seen = self.input.fill()?;
            let some = seen.len().min(out.len());
            out[..some].copy_from_slice(&seen[..some]);
            self.input.consume(some);
            return Ok(some);
        }
        while self.in_member {
            let (made, ended) = match &mut self.codec {
                Codec::Gzip(member) => member.unpack(&mut self.input, out)?,
                Codec::Zstd(decoder) => zstd_frames::unpack(decoder, &mut self.input, out)?,
                Codec::Plain => (0, true),
            };
            self.in_member = !ended;
            if made > 0 {
                return Ok(made);
            }
        }
        Ok(0)
    }

    /// Goes into the next member; false at the end of the file.
    fn next_member(&mut self) -> io::Result<bool> {
        let start = self.input.position();
        match self.codec {
            Codec::Plain => return Ok(false),
            Codec::Gzip(_) => skip_zeros(&mut self.input)?,
            Codec::Zstd(_) => zstd_frames::skip_skippable(&mut self.input)?,
        }
        if self.input.fill()?.is_empty() {
            return Ok(false);
        }
        let is_behind_zeros = matches!(self.codec, Codec::Gzip(_)) && self.input.position() > start;
        let member = if is_behind_zeros { start } else { self.input.position() };
        (self.in_member, self.member, self.is_fresh) = (true, member, true);
        let begun = match &mut self.codec {
            Codec::Plain => Ok(()),
            Codec::Gzip(_) if is_behind_zeros => {
                let message = "expected the beginning of gzip data, found zeros and more data behind them";
                Err(io::Error::new(io::ErrorKind::InvalidData, message))
            }
            Codec::Gzip(member) => member.begin(&mut self.input),
            Codec::Zstd(decoder) => zstd_frames::begin(decoder, &mut self.input),
        };
        if let Err(error) = &begun {
            self.failure = Some((error.kind(), error.to_string()));
        }
        begun.map(|()| true)
    }

    /// Goes to a place of the file and begins again there, as at the beginning of the file.
    pub(super) fn restart(&mut self, position: u64) -> io::Result<()> {
        self.forget();
        self.input.seek(position)
    }

    fn forget(&mut self) {
        (self.at, self.end) = (0, 0);
        (self.in_member, self.is_fresh, self.failure) = (false, false, None);
    }

    /// After damage: goes on from a position in the file, or from the current one, to bytes that may begin a member; in a plain file, a
    /// record. False if there are none.
    pub(super) fn search(&mut self, from: Option<u64>) -> io::Result<bool> {
        self.forget();
        if let Some(position) = from
            && let Err(error) = self.input.seek(position)
            && error.kind() != io::ErrorKind::Unsupported
        {
            return Err(error);
        }
        match self.codec {
            Codec::Plain => {
                let found = self.input.find(&Finder::new(RECORD_LINE))?;
                self.input.consume(usize::from(found));
                Ok(found)
            }
            Codec::Gzip(_) => self.input.find(&Finder::new(&MEMBER_MAGIC)),
            Codec::Zstd(_) => self.input.find(&Finder::new(&FRAME_MAGIC)),
        }
    }

    /// The same in what is unpacked: a record at the beginning of a line or a member.
    pub(super) fn search_unpacked(&mut self) -> io::Result<bool> {
        let line = Finder::new(RECORD_LINE);
        loop {
            let seen = self.peek(RECORD_LINE.len())?;
            let (found, all) = (line.find(seen), seen.len());
            if let Some(at) = found {
                self.consume(at + 1);
                return Ok(true);
            }
            if all >= RECORD_LINE.len() {
                self.consume(all + 1 - RECORD_LINE.len());
                continue;
            }
            self.consume(all);
            if self.fill()?.is_empty() {
                return Ok(false);
            }
            if self.peek(RECORD_LINE.len() - 1)?.starts_with(&RECORD_LINE[1..]) {
                return Ok(true);
            }
        }
    }
}

/// How a record begins on a line of its own.
const RECORD_LINE: &[u8] = b"\nWARC/1.";

/// Reads over zeros. Behind the last member they are padding, as tapes and some file systems leave it.
fn skip_zeros(input: &mut Input) -> io::Result<()> {
    loop {
        let seen = input.fill()?;
        let zeros = seen.iter().take_while(|byte| **byte == 0).count();
        if zeros == 0 {
            return Ok(());
        }
        input.consume(zeros);
    }
}
