//! The steps of a dedup, each a function of one partition: an engine that only shuffles rows gets the same clusters and removals from them
//! as one machine, however many partitions there are.
//!
//! A [`Step`] takes Arrow batches and gives Arrow batches. [`Step::shuffle`] says which rows must meet in one partition and how they are sorted
//! there; the rest follows from one row after the other, so a step holds little more than one group of rows. All columns are of
//! types that any engine has: hashes are `Int64`, what only the next step looks into is `Binary`.
//!
//! A [`Task`] is a step on the rows of one partition. It sorts them itself, and packs many that go to one partition into one, so that all an
//! engine has to do is to carry a few values from here to there.
//!
//! ```text
//! id, text ─► sketch ─► duplicates ─► postings ─► frequencies ─► prefixes ─► pairs ─► verify ─► stars ─► removals
//!                └► ids      ├► canonical ─────────────────────────┘           └► members (with texts) ┘  ▲
//!                            └──────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! [`DedupSteps`] makes them for one set of options. The rules are the engine's; what is decided here is only which rows meet.

mod columns;
mod dedup_steps;
mod error;
mod grid;
mod key;
mod output;
mod packing;
mod sample;
mod set_store;
mod sorted_rows;
mod step;
mod steps;
mod task;

pub use dedup_steps::{DedupSteps, DistributedOptions};
pub use error::Error;
pub use grid::cell;
pub use step::{Shuffle, Step};
pub use steps::sketch::document_key;
pub use task::Task;
