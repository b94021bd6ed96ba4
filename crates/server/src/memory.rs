//! The memory of requests: what bodies and the work on them take, counted together.
//!
//! A request that finds too little left is refused, and may come again: one that waited while it holds a body could wait for another
//! that does the same.

use crate::problem::Problem;
use axum::http::StatusCode;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes of memory for a byte of a body: as it came, as it was read, as it is answered.
const PER_BODY_BYTE: u64 = 3;
/// The part of the memory of the server that is for requests. Another is for parsers.
const SHARE: u64 = 2;
/// Memory is counted in pieces of this many bytes.
const UNIT: u64 = 1 << 10;

/// The memory of all requests.
#[derive(Clone)]
pub(crate) struct Memory {
    units: Arc<Semaphore>,
    all: u32,
}

impl Memory {
    /// For a server that may take this many bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        let all = u32::try_from(bytes / SHARE / UNIT).unwrap_or(u32::MAX).min(Semaphore::MAX_PERMITS as u32);
        Self { units: Arc::new(Semaphore::new(all as usize)), all }
    }

    /// Bytes of all requests together.
    pub(crate) fn bytes(&self) -> u64 {
        u64::from(self.all) * UNIT
    }

    /// Takes memory for some work.
    pub(crate) fn take(&self, bytes: u64) -> Result<OwnedSemaphorePermit, Problem> {
        let units = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX);
        if units > self.all {
            let [needed, allowed] =
                [bytes.saturating_mul(SHARE), self.bytes() * SHARE].map(|bytes| bytes.div_ceil(1 << 20));
            let detail = format!(
                "this takes a memory of {needed} MB, and the server has {allowed} MB; send less, or start it with more"
            );
            return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "memory", detail));
        }
        let taken = Arc::clone(&self.units).try_acquire_many_owned(units);
        taken.map_err(|_| Problem::busy("other requests take all memory that is allowed; try again"))
    }

    /// Waits for the memory of a line that is a body of its own. Whoever waits must hold no other.
    pub(crate) async fn line(&self, bytes: u64) -> Result<OwnedSemaphorePermit, Problem> {
        self.body().check(bytes)?;
        let units = u32::try_from((bytes * PER_BODY_BYTE).div_ceil(UNIT)).unwrap_or(u32::MAX);
        let taken = Arc::clone(&self.units).acquire_many_owned(units).await;
        taken.map_err(|_| Problem::busy("the server is shutting down"))
    }

    /// The memory of the body of a new request; none is taken yet.
    pub(crate) fn body(&self) -> BodyMemory {
        BodyMemory { memory: self.clone(), taken: Arc::default() }
    }
}

/// The memory of the body of a request, taken while the body arrives.
#[derive(Clone)]
pub(crate) struct BodyMemory {
    memory: Memory,
    taken: Arc<Mutex<Option<OwnedSemaphorePermit>>>,
}

impl BodyMemory {
    /// Fails if a body of this many bytes could never be taken.
    pub(crate) fn check(&self, bytes: u64) -> Result<(), Problem> {
        let needed = bytes.saturating_mul(PER_BODY_BYTE);
        if needed > self.memory.bytes() { self.memory.take(needed).map(drop) } else { Ok(()) }
    }

    /// Takes memory for some bytes more, of which `before` came earlier.
    pub(crate) fn more(&self, before: u64, bytes: u64) -> Result<(), Problem> {
        self.check(before + bytes)?;
        let permit = self.memory.take(bytes * PER_BODY_BYTE)?;
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *taken {
            Some(taken) => taken.merge(permit),
            None => *taken = Some(permit),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_share_the_memory() {
        let memory = Memory::new(64 << 20);
        let (first, second) = (memory.body(), memory.body());
        first.more(0, 8 << 20).unwrap();
        let busy = second.more(0, 8 << 20).unwrap_err();
        assert_eq!(busy.status(), StatusCode::SERVICE_UNAVAILABLE);
        second.more(0, 2 << 20).unwrap();
        drop(first);
        second.more(2 << 20, 8 << 20).unwrap();
    }

    #[test]
    fn a_body_that_never_fits_says_what_it_takes() {
        let memory = Memory::new(64 << 20);
        let refused = memory.body().check(12 << 20).unwrap_err();
        assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
        assert!(Memory::new(72 << 20).body().check(12 << 20).is_ok(), "as it says");
        assert!(serde_json::to_string(&refused).unwrap().contains("72 MB"), "{refused:?}");
    }
}
