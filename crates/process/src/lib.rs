//! Strangers' files are read in processes of their own: a crash, an endless loop or the use of all memory costs one file
//! and not the run.
//!
//! [`ParserPool`] starts the processes and sends them requests, [`serve`] is their main loop, `frame.rs` is the protocol,
//! and `limits.rs` sets their limits of memory and time. [`MemoryBudget`] bounds the memory of all of them together. What the
//! bytes of a request mean is defined by the callers.

mod budget;
mod frame;
mod limits;
mod pool;
mod server;

pub use budget::{MemoryBudget, Permit};
pub use pool::{Allowance, Failure, ParserPool, chosen, parse_apart, parser_memory};
pub use server::serve;

/// What a process is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// To parse source code.
    Code,
    /// To take the text out of a document.
    Document,
}
