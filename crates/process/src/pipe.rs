//! Pipes to a process, which fail with [`io::ErrorKind::TimedOut`] after a time: a process that is stopped neither reads nor writes.
//! Time in which this process was stopped itself, with its whole group, does not count. On systems other than Unix there is no limit.

use crate::limits;
use std::io::{self, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::time::Duration;
#[cfg(unix)]
use std::time::Instant;

/// A pipe, and how long its user may still wait for the other end.
pub(crate) struct Pipe<P> {
    pipe: P,
    pub(crate) left: Duration,
}

/// The time between two looks at the clock. Of a longer time, in which this process was stopped, only this much counts.
#[cfg(unix)]
const SLICE: Duration = Duration::from_secs(1);

impl Pipe<ChildStdin> {
    pub(crate) fn to(pipe: ChildStdin, left: Duration) -> Self {
        // a write to a full pipe must not wait for the reader
        limits::without_waiting(&pipe);
        Self { pipe, left }
    }
}

impl Pipe<ChildStdout> {
    pub(crate) fn from(pipe: ChildStdout, left: Duration) -> Self {
        Self { pipe, left }
    }
}

impl Read for Pipe<ChildStdout> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        wait(&self.pipe, rustix::event::PollFlags::IN, &mut self.left)?;
        self.pipe.read(bytes)
    }
}

impl Write for Pipe<ChildStdin> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.pipe.write(bytes) {
                #[cfg(unix)]
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    wait(&self.pipe, rustix::event::PollFlags::OUT, &mut self.left)?;
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
fn wait(pipe: &impl std::os::fd::AsFd, ready: rustix::event::PollFlags, left: &mut Duration) -> io::Result<()> {
    use rustix::event::{PollFd, Timespec, poll};
    loop {
        let (slice, begun) = (SLICE.min(*left), Instant::now());
        let most = Timespec::try_from(slice).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
        let polled = poll(&mut [PollFd::new(pipe, ready)], Some(&most));
        *left -= begun.elapsed().min(slice);
        match polled {
            Ok(0) if left.is_zero() => return Err(io::ErrorKind::TimedOut.into()),
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
}
