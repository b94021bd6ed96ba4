//! The protocol of a pipe to a parser: a greeting, then requests and answers in turn. Numbers are little-endian.
//!
//! ```text
//! greeting  8 bytes that both ends compute
//! request   task (1), bytes of memory that the parser may take (8), length (8), bytes
//! answer    length (8), bytes
//! ```

use crate::Task;
use std::io::{self, Read};

/// The version of requests and answers. Two programs of different versions do not understand each other.
pub const VERSION: u32 = 3;

/// Bytes before an answer.
pub const ANSWER_HEAD: usize = 8;

/// The bytes before those of a request.
pub(crate) fn request_head(task: Task, memory: u64, bytes: usize) -> [u8; 17] {
    let mut head = [match task {
        Task::Code => 0,
        Task::Document => 1,
    }; 17];
    head[1..9].copy_from_slice(&memory.to_le_bytes());
    head[9..].copy_from_slice(&(bytes as u64).to_le_bytes());
    head
}

/// Reads the next request into `bytes`, after `limit` was called with the memory that it may take; none at the end of the input.
pub fn read_request(input: &mut impl Read, bytes: &mut Vec<u8>, limit: impl FnOnce(u64)) -> io::Result<Option<Task>> {
    let mut first = [0];
    if input.read(&mut first)? == 0 {
        return Ok(None);
    }
    let task = match first {
        [0] => Task::Code,
        [1] => Task::Document,
        _ => return Err(io::ErrorKind::InvalidData.into()),
    };
    limit(read_number(input)?);
    let length = read_number(input)?;
    read_bytes(input, length, bytes).map(|()| Some(task))
}

/// The length of an answer. More than `most` is refused as nonsense.
pub(crate) fn read_length(input: &mut impl Read, most: u64) -> io::Result<u64> {
    read_number(input)
        .and_then(|length| if length > most { Err(io::ErrorKind::InvalidData.into()) } else { Ok(length) })
}

fn read_number(input: &mut impl Read) -> io::Result<u64> {
    let mut number = [0; 8];
    input.read_exact(&mut number)?;
    Ok(u64::from_le_bytes(number))
}

/// Reads `length` bytes.
pub(crate) fn read_bytes(input: &mut impl Read, length: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    bytes.clear();
    // in one piece: a vector that grows takes twice as much
    let room = usize::try_from(length).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    bytes.try_reserve_exact(room).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    let read = input.take(length).read_to_end(bytes)?;
    if read as u64 == length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_come_back() {
        for (task, text) in [(Task::Code, &b"fn"[..]), (Task::Document, b"")] {
            let sent = [&request_head(task, 77, text.len())[..], text].concat();
            let (mut read, mut memory) = (Vec::new(), 0);
            assert_eq!(read_request(&mut &sent[..], &mut read, |bytes| memory = bytes).unwrap(), Some(task));
            assert_eq!((&read[..], memory), (text, 77));
            assert!(read_request(&mut &sent[..sent.len() - 1], &mut read, |_| {}).is_err());
        }
        assert_eq!(read_request(&mut &b""[..], &mut Vec::new(), |_| {}).unwrap(), None);
    }

    #[test]
    fn long_answers_are_refused() {
        let answer = [&5_u64.to_le_bytes()[..], b"words"].concat();
        assert!(read_length(&mut &answer[..], 4).is_err());
        let mut rest = &answer[..];
        let (length, mut read) = (read_length(&mut rest, 5).unwrap(), Vec::new());
        read_bytes(&mut rest, length, &mut read).unwrap();
        assert_eq!(read, b"words");
        assert!(read_bytes(&mut &answer[..], u64::MAX, &mut read).is_err(), "no room for so many");
    }
}
