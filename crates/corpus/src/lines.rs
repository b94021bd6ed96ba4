//! Cutting a stream into blocks of whole lines, in bounded memory.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memrchr};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Whole lines that follow each other.
#[derive(Debug)]
pub struct Block {
    bytes: Vec<u8>,
    /// Where the block begins in the stream.
    offset: u64,
    /// The number of its first line, from 1.
    first: u64,
    separator: u8,
}

/// One line without its separator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Where it begins in the stream.
    pub offset: u64,
    /// From 1.
    pub number: u64,
}

impl Block {
    /// How many bytes it has.
    #[expect(clippy::len_without_is_empty, reason = "a block is never empty")]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The lines, in order.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let end = if self.bytes.last() == Some(&self.separator) { None } else { Some(self.bytes.len()) };
        let mut start = 0;
        memchr_iter(self.separator, &self.bytes).chain(end).zip(self.first..).map(move |(end, number)| {
            let line = Line { bytes: &self.bytes[start..end], offset: self.offset + start as u64, number };
            start = end + 1;
            line
        })
    }
}

/// What comes next in the stream.
#[derive(Debug)]
pub enum Cut {
    /// Whole lines.
    Lines(Block),
    /// A line of so many bytes, more than are allowed, was read over. Shorter blocks may still hold lines that are too
    /// long; only what does not end within a block is found here.
    TooLong {
        /// From 1.
        number: u64,
        /// How many it has.
        bytes: u64,
    },
    /// The stream broke; the line it broke in is lost. Nothing comes after this.
    Failed(io::Error),
}

enum End {
    Clean,
    Broken(io::Error),
}

/// Reads blocks and cuts each at its last separator; the rest waits for the next block.
pub struct Cutter<R> {
    input: R,
    separator: u8,
    block: usize,
    /// Whole lines are handed over as soon as they are there, rather than by the block.
    prompt: bool,
    longest: u64,
    buffer: Vec<u8>,
    /// This much of the buffer holds no separator.
    searched: usize,
    /// Where the buffer begins in the stream.
    offset: u64,
    /// The number of the line the buffer begins with.
    number: u64,
    end: Option<End>,
}

impl<R: Read> Iterator for Cutter<R> {
    type Item = Cut;

    fn next(&mut self) -> Option<Cut> {
        loop {
            if self.end.is_none() && self.searched == self.buffer.len() {
                self.fill();
            }
            let last = memrchr(self.separator, &self.buffer[self.searched..]);
            let cut = match (&self.end, last) {
                (Some(End::Clean), _) => self.buffer.len(),
                (_, Some(last)) => self.searched + last + 1,
                (_, None) => 0,
            };
            if cut > 0 {
                return Some(Cut::Lines(self.split(cut)));
            }
            self.searched = self.buffer.len();
            match self.end.take() {
                Some(End::Clean) => {
                    self.end = Some(End::Clean);
                    return None;
                }
                Some(End::Broken(error)) => {
                    self.buffer = Vec::new();
                    self.searched = 0;
                    self.end = Some(End::Clean);
                    return Some(Cut::Failed(error));
                }
                None if self.buffer.len() as u64 > self.longest => {
                    if let Some(cut) = self.read_over() {
                        return Some(cut);
                    }
                }
                None => {}
            }
        }
    }
}

impl<R: Read> Cutter<R> {
    /// Never holds more than about `longest` + `block` bytes.
    pub fn new(input: R, separator: u8, block: usize, longest: u64) -> Cutter<R> {
        let block = block.max(1);
        let buffer = Vec::new();
        Cutter { input, separator, block, prompt: false, longest, buffer, searched: 0, offset: 0, number: 1, end: None }
    }

    /// The same, but lines are handed over as soon as they are there: whoever writes them may wait for an answer.
    #[must_use]
    pub fn promptly(self, prompt: bool) -> Cutter<R> {
        Cutter { prompt, ..self }
    }

    /// The same, but a byte order mark at the beginning belongs to no line.
    #[must_use]
    pub fn without_bom(mut self) -> Cutter<R> {
        let block = self.block;
        // Enough to see the mark, however small the blocks are.
        self.block = block.max(BOM.len());
        self.fill();
        while self.end.is_none() && self.buffer.len() < BOM.len() && BOM.starts_with(&self.buffer) {
            self.fill();
        }
        self.block = block;
        if self.buffer.starts_with(BOM) {
            self.buffer.drain(..BOM.len());
            self.offset = BOM.len() as u64;
        }
        self
    }

    /// Appends one block to the buffer.
    fn fill(&mut self) {
        if self.prompt {
            return self.fill_promptly();
        }
        self.buffer.reserve(self.block);
        match (&mut self.input).take(self.block as u64).read_to_end(&mut self.buffer) {
            Ok(read) if read < self.block => self.end = Some(End::Clean),
            Ok(_) => {}
            Err(error) => self.end = Some(End::Broken(error)),
        }
    }

    /// Appends what is there, at most one block; waits if nothing is.
    fn fill_promptly(&mut self) {
        let held = self.buffer.len();
        self.buffer.resize(held + self.block, 0);
        let read = loop {
            match self.input.read(&mut self.buffer[held..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.buffer.truncate(held + read.as_ref().map_or(0, |read| *read));
        match read {
            Ok(0) => self.end = Some(End::Clean),
            Ok(_) => {}
            Err(error) => self.end = Some(End::Broken(error)),
        }
    }

    /// Takes the first `cut` bytes, whole lines, off the buffer; the rest holds no separator.
    fn split(&mut self, cut: usize) -> Block {
        let rest = self.buffer.split_off(cut);
        let bytes = std::mem::replace(&mut self.buffer, rest);
        let block = Block { offset: self.offset, first: self.number, separator: self.separator, bytes };
        self.searched = self.buffer.len();
        self.offset += cut as u64;
        self.number += memchr_iter(self.separator, &block.bytes).count() as u64;
        block
    }

    /// The buffer is the beginning of a line that is too long: forgets it and reads on to its end, counting.
    /// `None` if the stream broke before.
    fn read_over(&mut self) -> Option<Cut> {
        let number = self.number;
        let mut bytes = self.buffer.len() as u64;
        self.buffer = Vec::new();
        loop {
            self.buffer.clear();
            self.searched = 0;
            self.fill();
            if let Some(end) = memchr(self.separator, &self.buffer) {
                bytes += end as u64;
                self.buffer.drain(..=end);
                self.offset += bytes + 1;
                self.number += 1;
                return Some(Cut::TooLong { number, bytes });
            }
            bytes += self.buffer.len() as u64;
            match self.end {
                None => {}
                Some(End::Clean) => {
                    self.buffer.clear();
                    return Some(Cut::TooLong { number, bytes });
                }
                Some(End::Broken(_)) => {
                    self.buffer.clear();
                    return None;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A line as far as both ways of cutting agree on it: where, which number, and its bytes or only their count.
    type Seen = (u64, Result<(u64, Vec<u8>), u64>);

    fn cut(stream: impl Read, block: usize, longest: u64) -> (Vec<Seen>, Option<io::Error>) {
        let mut cutter = Cutter::new(stream, b'\n', block, longest).without_bom();
        let (mut seen, mut failed) = (Vec::new(), None);
        while let Some(cut) = cutter.next() {
            assert!(failed.is_none(), "nothing after a failure");
            assert!(cutter.buffer.len() as u64 <= longest + block.max(3) as u64);
            match cut {
                Cut::Lines(block) => seen.extend(block.lines().map(|line| {
                    let bytes = line.bytes.len() as u64;
                    (line.number, if bytes > longest { Err(bytes) } else { Ok((line.offset, line.bytes.to_vec())) })
                })),
                Cut::TooLong { number, bytes } => seen.push((number, Err(bytes))),
                Cut::Failed(error) => failed = Some(error),
            }
        }
        (seen, failed)
    }

    /// The naive twin: all at once.
    fn split(stream: &[u8], longest: u64) -> Vec<Seen> {
        let mut offset = if stream.starts_with(BOM) { 3 } else { 0 };
        let stream = &stream[offset as usize..];
        let whole = stream.strip_suffix(b"\n").unwrap_or(stream);
        if stream.is_empty() {
            return Vec::new();
        }
        let mut seen = Vec::new();
        for (line, number) in whole.split(|&byte| byte == b'\n').zip(1..) {
            let bytes = line.len() as u64;
            seen.push((number, if bytes > longest { Err(bytes) } else { Ok((offset, line.to_vec())) }));
            offset += bytes + 1;
        }
        seen
    }

    /// Gives some bytes, then fails.
    struct Breaking<'a>(&'a [u8]);

    impl Read for Breaking<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() { Err(io::Error::other("broken")) } else { self.0.read(out) }
        }
    }

    fn stream() -> impl Strategy<Value = Vec<u8>> {
        let byte = prop_oneof![3 => Just(b'a'), 1 => Just(b'\n'), 1 => Just(b'\r'), 1 => Just(0xefu8)];
        let bytes = prop::collection::vec(byte, 0..120);
        (any::<bool>(), bytes).prop_map(|(bom, bytes)| if bom { [BOM, &bytes].concat() } else { bytes })
    }

    /// Gives at most so many bytes at a time.
    struct Trickle<'a>(&'a [u8], usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let len = out.len().min(self.1);
            self.0.read(&mut out[..len])
        }
    }

    proptest! {
        #[test]
        fn prompt_lines_are_the_same(stream in stream(), block in 1usize..40, longest in 0u64..30, each in 1usize..9) {
            let mut cutter = Cutter::new(Trickle(&stream, each), b'\n', block, longest).promptly(true).without_bom();
            let mut seen: Vec<Seen> = Vec::new();
            for cut in &mut cutter {
                match cut {
                    Cut::Lines(block) => seen.extend(block.lines().map(|line| {
                        let bytes = line.bytes.len() as u64;
                        (line.number, if bytes > longest { Err(bytes) } else { Ok((line.offset, line.bytes.to_vec())) })
                    })),
                    Cut::TooLong { number, bytes } => seen.push((number, Err(bytes))),
                    Cut::Failed(error) => panic!("{error}"),
                }
            }
            prop_assert_eq!(seen, split(&stream, longest));
        }

        #[test]
        fn any_block_size_gives_the_same_lines(stream in stream(), block in 1usize..40, longest in 0u64..30) {
            let (seen, failed) = cut(&stream[..], block, longest);
            prop_assert!(failed.is_none());
            prop_assert_eq!(seen, split(&stream, longest));
        }

        #[test]
        fn whole_lines_before_a_break_are_delivered(stream in stream(), block in 1usize..40, longest in 0u64..30) {
            let (seen, failed) = cut(Breaking(&stream), block, longest);
            prop_assert!(failed.is_some());
            let whole = memrchr(b'\n', &stream).map_or(0, |last| last + 1);
            prop_assert_eq!(seen, split(&stream[..whole], longest));
        }
    }

    #[test]
    fn the_end_stays_the_end() {
        let mut cutter = Cutter::new(&b"a\n"[..], b'\n', 4, 10);
        assert!(cutter.next().is_some());
        assert!(cutter.next().is_none());
        assert!(cutter.next().is_none());
    }
}
