//! Documents that other people wrote are parsed by processes of their own: a crash, an endless loop or the use of all memory
//! costs one document and not the run.
//!
//! [`ParserPool`] starts the processes and sends them requests. `pipe.rs` ends reading and writing at a deadline, and
//! `usage.rs` reads the processor time. [`MemoryBudget`] bounds the memory of all processes together. [`frame`] is the protocol
//! and [`limits`] the bounds that both ends know; the other end is the crate `lookalike-parser`. The meaning of the bytes of a
//! request is defined by the callers.

mod budget;
pub mod frame;
pub mod limits;
mod pipe;
mod pool;
mod usage;

pub use budget::{MemoryBudget, Permit};
pub use limits::TimeLimit;
pub use pool::{
    Allowance, Failure, NoParser, ParserPool, chosen, end_parsers, parser_memory, processor_time, use_parser,
};

/// The name of the parser program, without the ending that some systems add.
pub const PROGRAM: &str = "lookalike-parser";

/// The task of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// To parse source code.
    Code,
    /// To extract the text of a document.
    Document,
}
