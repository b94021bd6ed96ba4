//! Strangers' files are read in processes of their own: a crash, an endless loop or the use of all memory costs one file
//! and not the run.
//!
//! [`ParserPool`] starts the processes and sends them requests, [`serve`] is their main loop, `frame.rs` is the protocol,
//! `pipe.rs` ends reading and writing at a deadline, `limits.rs` sets the limits of memory and time, and `usage.rs` reads the
//! processor time. [`MemoryBudget`] bounds the memory of all of them together. What the bytes of a request mean is defined by
//! the callers.

mod budget;
mod frame;
mod limits;
mod pipe;
mod pool;
mod server;
mod usage;

pub use budget::{MemoryBudget, Permit};
pub use limits::TimeLimit;
pub use pool::{Allowance, Failure, ParserPool, chosen, end_parsers, parse_apart, parser_memory, processor_time};
pub use server::serve;

/// The task of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// To parse source code.
    Code,
    /// To take the text out of a document.
    Document,
}
