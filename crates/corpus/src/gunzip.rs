//! Gzip: members in a row are one stream, and zeros may follow the last, as tapes and some file systems leave them.

use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};

pub(crate) struct Gunzip<R>(State<R>);

enum State<R> {
    Member(Box<GzDecoder<R>>),
    /// After a member; whether zeros were read over. What is read here may fail and be tried again.
    Between(R, bool),
    End,
}

impl<R: BufRead> Gunzip<R> {
    pub(crate) fn new(input: R) -> Self {
        Self(State::Member(Box::new(GzDecoder::new(input))))
    }
}

impl<R: BufRead> Read for Gunzip<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while !out.is_empty() {
            match &mut self.0 {
                State::Member(member) => {
                    let read = member.read(out)?;
                    if read > 0 {
                        return Ok(read);
                    }
                }
                State::Between(input, padded) => {
                    let rest = input.fill_buf()?;
                    let zeros = rest.iter().take_while(|byte| **byte == 0).count();
                    let (is_end, is_padding) = (rest.is_empty(), zeros == rest.len());
                    *padded |= zeros > 0;
                    if !is_end && !is_padding && *padded {
                        let reason = "expected nothing but zeros after gzip data";
                        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
                    }
                    if !is_end && is_padding {
                        input.consume(zeros);
                        continue;
                    }
                    if is_end {
                        self.0 = State::End;
                        return Ok(0);
                    }
                }
                State::End => return Ok(0),
            }
            self.0 = match std::mem::replace(&mut self.0, State::End) {
                State::Member(ended) => State::Between(ended.into_inner(), false),
                State::Between(input, _) => State::Member(Box::new(GzDecoder::new(input))),
                State::End => State::End,
            };
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::{BufReader, Write};

    fn member(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn unpack(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        // a buffer that is smaller than what follows
        Gunzip::new(BufReader::with_capacity(16, bytes)).read_to_end(&mut out)?;
        Ok(out)
    }

    #[test]
    fn members_and_zeros() {
        let two = [member(b"one "), member(b""), member(b"two")].concat();
        assert_eq!(unpack(&two).unwrap(), b"one two");
        for zeros in [1, 7, 512, 5000] {
            assert_eq!(unpack(&[&two[..], &vec![0; zeros]].concat()).unwrap(), b"one two");
        }
    }

    #[test]
    fn what_is_cut_or_followed_by_something_else() {
        let two = [member(b"one "), member(b"two")].concat();
        for wrong in
            [&two[..two.len() - 1], &[&two[..], b"x"].concat(), &[&two[..], &[0, 0, 1]].concat(), b"", &[0; 64]]
        {
            assert!(unpack(wrong).is_err(), "{wrong:?}");
        }
    }
}
