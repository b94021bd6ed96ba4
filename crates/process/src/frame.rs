//! How bytes are sent: a greeting, then requests and answers in turn. Numbers are little-endian.
//!
//! ```text
//! greeting  8 bytes that both ends compute
//! request   task (1), length (8), bytes
//! answer    length (8), bytes
//! ```

use crate::Task;
use std::io::{self, Read};

/// Bytes before an answer.
pub(crate) const ANSWER_HEAD: usize = 8;

/// What stands before the bytes of a request.
pub(crate) fn request_head(task: Task, bytes: usize) -> [u8; 9] {
    let mut head = [match task {
        Task::Code => 0,
        Task::Document => 1,
    }; 9];
    head[1..].copy_from_slice(&(bytes as u64).to_le_bytes());
    head
}

/// Reads the next request into `bytes`; none if there will be no more.
pub(crate) fn read_request(input: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<Option<Task>> {
    let mut first = [0];
    if input.read(&mut first)? == 0 {
        return Ok(None);
    }
    let task = match first {
        [0] => Task::Code,
        [1] => Task::Document,
        _ => return Err(io::ErrorKind::InvalidData.into()),
    };
    read_bytes(input, u64::MAX, bytes).map(|()| Some(task))
}

/// Reads bytes behind their length. More than `most` are not believed.
pub(crate) fn read_bytes(input: &mut impl Read, most: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    let mut length = [0; 8];
    input.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > most {
        return Err(io::ErrorKind::InvalidData.into());
    }
    bytes.clear();
    let read = input.take(length).read_to_end(bytes)?;
    if read as u64 == length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_come_back() {
        for (task, text) in [(Task::Code, &b"fn"[..]), (Task::Document, b"")] {
            let sent = [&request_head(task, text.len())[..], text].concat();
            let mut read = Vec::new();
            assert_eq!(read_request(&mut &sent[..], &mut read).unwrap(), Some(task));
            assert_eq!(read, text);
            assert!(read_request(&mut &sent[..sent.len() - 1], &mut read).is_err());
        }
        assert_eq!(read_request(&mut &b""[..], &mut Vec::new()).unwrap(), None);
    }

    #[test]
    fn long_answers_are_not_believed() {
        let answer = [&5_u64.to_le_bytes()[..], b"words"].concat();
        let mut read = Vec::new();
        assert!(read_bytes(&mut &answer[..], 4, &mut read).is_err());
        read_bytes(&mut &answer[..], 5, &mut read).unwrap();
        assert_eq!(read, b"words");
    }
}
