//! Strangers' files are read in processes of their own: a crash, an endless loop or the use of all memory costs one file
//! and not the run.
//!
//! [`ParserPool`] starts the processes and asks them, [`serve`] is what they do, `frame.rs` is how they send bytes to
//! each other, and `limits.rs` what they may take of the machine. What the bytes mean is known only to those who write
//! and read them.

mod frame;
mod limits;
mod pool;
mod server;

pub use pool::{Crashed, ParserPool, chosen, parse_apart};
pub use server::serve;

/// What a process is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// To parse source code.
    Code,
    /// To take the text out of a document.
    Document,
}
