//! The limits of memory and time of a parser, which both ends know. Limits that a system does not have are left out.

use std::fmt;
use std::time::Duration;

/// Bytes of address space of a parser, whatever a request allows. A tree takes ten to twenty times its text, which is 2 MiB at most; a PDF
/// a few times its size.
pub const MAX_MEMORY: u64 = 4 << 30;

/// Seconds of processor time for one text. The work of a parser is counted and bounded, and takes a few seconds at most;
/// this is for loops that do not count. It is processor time, so that a busy machine changes nothing.
pub const MAX_CPU_SECONDS: u64 = 30;

/// Time for one text on the clock, for a parser that uses no processor time: it is stopped, or waits for something. Ten times the
/// processor time, so that a busy machine changes nothing.
pub(crate) const MAX_WAIT: Duration = Duration::from_mins(5);

/// Bytes that both ends keep for the next request and answer.
pub const MAX_KEPT: usize = 1 << 20;

/// The last words of a process that ran out of memory, before the number of bytes that it asked for: of the standard library and of the
/// parser itself.
pub const OUT_OF_MEMORY: &str = "memory allocation of";

/// The environment variable by which a test asks a parser of a debug build for a fault: `abort`, `hang` or `stop`, a colon, and the word in a
/// request that triggers it.
pub const FAULT: &str = "LOOKALIKE_PARSER_FAULT";

/// [`MAX_WAIT`], or less in a test that stops a parser.
pub(crate) fn max_wait() -> Duration {
    let stops = cfg!(debug_assertions) && std::env::var(FAULT).is_ok_and(|fault| fault.starts_with("stop:"));
    if stops { Duration::from_secs(2) } else { MAX_WAIT }
}

/// A limit of time that a parser reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// Processor time.
    Processor,
    /// Time on the clock.
    Clock,
}

impl fmt::Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Processor => write!(f, "{MAX_CPU_SECONDS} seconds of processor time"),
            Self::Clock => write!(f, "{} minutes", MAX_WAIT.as_secs() / 60),
        }
    }
}

/// From now on reading from a pipe, or writing to it, fails where it would wait.
#[cfg(unix)]
pub fn without_waiting(pipe: impl std::os::fd::AsFd) {
    if let Ok(flags) = rustix::fs::fcntl_getfl(&pipe) {
        let _ = rustix::fs::fcntl_setfl(&pipe, flags | rustix::fs::OFlags::NONBLOCK);
    }
}

/// Does nothing on systems whose pipes always wait.
#[cfg(not(unix))]
pub(crate) fn without_waiting<T>(_pipe: &T) {}
