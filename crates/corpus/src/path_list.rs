//! Paths from a list, as `find` prints it.

use std::collections::VecDeque;
use std::io::Read;
use std::path::PathBuf;

use crate::error::Error;
use crate::input_path;
use crate::lines::{Block, Cut, Cutter};
use crate::skipped::{Reason, Skipped};
use crate::source::{Piece, ReadAhead, Source, WalkState};

/// No system takes a longer path; what is longer is no path but, say, a file that was given in place of a list.
const MAX_PATH_BYTES: u64 = 32 << 10;
/// Lists are short, and nothing runs while a block is waited for.
const BLOCK_BYTES: usize = 64 << 10;

/// A list of paths, one a line or separated by NUL; the bytes are taken as they are.
pub(crate) struct PathListSource {
    cutter: Cutter<Box<dyn Read + Send>>,
    waiting: VecDeque<Result<PathBuf, Skipped>>,
}

impl PathListSource {
    pub(crate) fn new(input: Box<dyn Read + Send>, nul: bool) -> PathListSource {
        let separator = if nul { 0 } else { b'\n' };
        PathListSource { cutter: Cutter::new(input, separator, BLOCK_BYTES, MAX_PATH_BYTES), waiting: VecDeque::new() }
    }

    fn take(&mut self, block: &Block) {
        let paths = block.lines().filter(|line| !line.bytes.is_empty()).map(|line| {
            if line.bytes.len() as u64 > MAX_PATH_BYTES {
                Err(too_long(line.number, line.bytes.len() as u64))
            } else {
                path_from(line.bytes)
            }
        });
        self.waiting.extend(paths);
    }
}

impl Source for PathListSource {
    fn next(&mut self, state: &mut WalkState) -> Option<Result<Piece, Error>> {
        loop {
            match self.waiting.pop_front() {
                Some(Ok(path)) => return Some(Ok(input_path::piece(path, state))),
                Some(Err(skipped)) => return Some(Ok(Piece::Skip(skipped))),
                None => {}
            }
            match self.cutter.next()? {
                Cut::Lines(block) => self.take(&block),
                Cut::TooLong { number, bytes } => {
                    self.waiting.push_back(Err(too_long(number, bytes)));
                }
                Cut::Failed(error) => {
                    let reason = Reason::Truncated(format!("the list of paths could not be read to its end: {error}"));
                    self.waiting.push_back(Err(Skipped { id: "-".into(), reason }));
                }
            }
        }
    }

    fn read_ahead(&self) -> ReadAhead {
        ReadAhead::List
    }
}

fn too_long(number: u64, bytes: u64) -> Skipped {
    let message = format!("a path of {bytes} bytes; expected a list of paths, none longer than {MAX_PATH_BYTES} bytes");
    Skipped { id: format!("-:{number}"), reason: Reason::Unreadable(message) }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere not every byte string is a path")]
fn path_from(bytes: &[u8]) -> Result<PathBuf, Skipped> {
    use std::os::unix::ffi::OsStrExt;
    Ok(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
fn path_from(bytes: &[u8]) -> Result<PathBuf, Skipped> {
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    std::str::from_utf8(bytes).map(PathBuf::from).map_err(|error| Skipped {
        id: String::from_utf8_lossy(bytes).into_owned(),
        reason: Reason::Unreadable(error.to_string()),
    })
}
