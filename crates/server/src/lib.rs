//! `lookalike serve`: an HTTP service over living indexes. It answers what the command answers, in the same JSON, and has no logic of its
//! own: documents are compared by the facade, answers are written by `lookalike-report`.
//!
//! `collection` says what is served: an index of documents (`living`), a store of fingerprints (`store`) or a saved run (`saved_run`).
//! `verdicts` are kept beside it. `guard` stands before every handler of `routes`; `listen` before that. What is refused is a [`problem::Problem`].

mod app;
mod clock;
mod collection;
mod content;
mod error;
mod guard;
mod jobs;
mod listen;
mod living;
mod memory;
mod metrics;
mod options;
mod pace;
mod page;
mod problem;
mod random;
mod request_ids;
mod routes;
mod saved_run;
mod server;
mod shares;
mod store;
#[cfg(test)]
mod tests;
mod tokens;
mod verdicts;

pub use error::Error;
pub use options::{Limits, ServerOptions};
pub use problem::Problem;
pub use server::{Server, Stop, run};
pub use tokens::Tokens;
