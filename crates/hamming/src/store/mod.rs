//! A store of fingerprints that changes while it is asked.
//!
//! ```no_run
//! use lookalike_hamming::store::{OnlineStore, StoreOptions};
//!
//! let store: OnlineStore<u64> = OnlineStore::open("crawl.near".as_ref(), &StoreOptions::default())?;
//! match store.check_and_insert(0x0123_4567_89ab_cdef, 42, 3, 10)? {
//!     None => println!("new"),
//!     Some(found) => println!("{} are near, the nearest is {}", found.count, found.matches[0].id),
//! }
//! # Ok::<(), lookalike_hamming::Error>(())
//! ```
//!
//! Changes go to a log and to a table in memory (`memtable`). A full one becomes a level on disk (`level`), and levels are merged as they
//! become many (`state`). A query sees a view of all of them that does not change under it, and waits for nothing but what its answer
//! rests on: an answer never tells of something that could still be lost.

mod build;
mod level;
mod memtable;
mod names;
mod online;
mod options;
mod reader;
mod record;
mod state;
#[cfg(test)]
mod tests;
mod view;

pub use build::{BuildOptions, BuildSummary};
pub use names::{NAMES_FILE, StoreNames};
pub use online::{OnlineStore, OperationGroup};
pub use options::StoreOptions;
pub use reader::StoreReader;
pub use view::{Match, Matches};
