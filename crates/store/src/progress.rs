//! How long work reports where it is, and how it is asked to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Watches long work. The libraries never print.
pub trait Progress: Sync {
    /// A phase begins: its name, what it counts, and how many if that is known.
    fn begin(&self, phase: &'static str, unit: Unit, total: Option<u64>);
    /// So many more are done.
    fn advance(&self, by: u64);
    /// The phase is over.
    fn end(&self);
    /// Something that the user should know before the result is there.
    fn note(&self, message: &str) {
        let _ = message;
    }
}

/// What a phase counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of input.
    Bytes,
    /// Documents.
    Documents,
    /// Pairs of documents.
    Pairs,
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &'static str, _: Unit, _: Option<u64>) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
}

/// The work was asked to stop, and did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("stopped; nothing was written")]
pub struct Cancelled;

/// A switch that stops work at its next step. Clones share the switch.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks for a stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Fails once a stop was asked for.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// Whether a stop was asked for.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
