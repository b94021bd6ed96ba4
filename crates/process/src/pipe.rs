//! Pipes to a process, which fail with [`io::ErrorKind::TimedOut`] at a deadline: a process that is stopped neither reads nor writes.
//! On systems other than Unix there is no deadline.

use crate::limits;
use std::io::{self, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::time::Instant;

/// A pipe, and the time at which its user gives up.
pub(crate) struct Pipe<P> {
    pipe: P,
    pub(crate) until: Instant,
}

impl Pipe<ChildStdin> {
    pub(crate) fn to(pipe: ChildStdin, until: Instant) -> Self {
        // a write to a full pipe must not wait for the reader
        limits::without_waiting(&pipe);
        Self { pipe, until }
    }
}

impl Pipe<ChildStdout> {
    pub(crate) fn from(pipe: ChildStdout, until: Instant) -> Self {
        Self { pipe, until }
    }
}

impl Read for Pipe<ChildStdout> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        wait(&self.pipe, rustix::event::PollFlags::IN, self.until)?;
        self.pipe.read(bytes)
    }
}

impl Write for Pipe<ChildStdin> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.pipe.write(bytes) {
                #[cfg(unix)]
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    wait(&self.pipe, rustix::event::PollFlags::OUT, self.until)?;
                }
                written => return written,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pipe.flush()
    }
}

/// Waits until a pipe can be read or written, or its other end is closed.
#[cfg(unix)]
fn wait(pipe: &impl std::os::fd::AsFd, ready: rustix::event::PollFlags, until: Instant) -> io::Result<()> {
    use rustix::event::{PollFd, Timespec, poll};
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
        match poll(&mut [PollFd::new(pipe, ready)], Some(&left)) {
            Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
            Ok(_) => return Ok(()),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
