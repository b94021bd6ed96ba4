//! Gzip: members in a row are one stream, and zeros may follow the last, as tapes and some file systems leave them.

use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};

pub(crate) struct Gunzip<R> {
    /// None when the end was reached.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Gunzip<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { member: Some(GzDecoder::new(input)) }
    }

    /// Goes on with what follows a member.
    fn next(mut input: R) -> io::Result<Option<GzDecoder<R>>> {
        let mut padded = false;
        loop {
            let rest = input.fill_buf()?;
            let zeros = rest.iter().take_while(|byte| **byte == 0).count();
            padded |= zeros > 0;
            match (rest.is_empty(), zeros == rest.len()) {
                (true, _) => return Ok(None),
                (false, true) => input.consume(zeros),
                (false, false) if padded => {
                    return Err(io::Error::new(
                        io::ErrorKind::InvalidData,
                        "expected nothing but zeros after gzip data",
                    ));
                }
                (false, false) => return Ok(Some(GzDecoder::new(input))),
            }
        }
    }
}

impl<R: BufRead> Read for Gunzip<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while !out.is_empty() {
            let Some(member) = &mut self.member else { return Ok(0) };
            let read = member.read(out)?;
            if read > 0 {
                return Ok(read);
            }
            let ended = self.member.take().expect("it was just read");
            self.member = Self::next(ended.into_inner())?;
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
