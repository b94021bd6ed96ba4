//! Parsing in processes of their own. Grammars are C code, and texts are hostile: a crash, an endless loop or the use of
//! all memory costs one file and not the run.
//!
//! [`ParserPool`] starts the processes and asks them, [`serve_parser`] is what they do, `message.rs` is what they say to
//! each other, and `limits.rs` what they may take of the machine.

mod limits;
pub(super) mod message;
mod pool;
mod server;

pub use pool::{ParserPool, parse_apart};
pub use server::serve_parser;

pub(super) use pool::chosen;
