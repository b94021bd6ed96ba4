//! Pieces on their way from one thread to another, at most so many bytes of them.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::source::Piece;
use crate::unit_limit::Turn;

pub(super) struct Queue {
    state: Mutex<QueueState>,
    changed: Condvar,
    limit: u64,
}

#[derive(Default)]
struct QueueState {
    pieces: VecDeque<(Result<Piece, Error>, u64)>,
    bytes: u64,
    /// The reader waits for a piece: all that precede it were taken.
    is_awaited: bool,
    /// Nothing comes after what is there.
    is_ended: bool,
    /// Nobody takes what is there.
    is_closed: bool,
}

impl Queue {
    pub(super) fn new(limit: u64) -> Queue {
        Queue { state: Mutex::default(), changed: Condvar::new(), limit }
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_on<'a>(&self, state: MutexGuard<'a, QueueState>) -> MutexGuard<'a, QueueState> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a piece as soon as there is room for it; there always is if nothing else waits. False if nobody will take it.
    pub(super) fn push(&self, piece: Result<Piece, Error>) -> bool {
        let bytes = size(&piece);
        let mut state = self.state();
        while !state.is_closed && !state.pieces.is_empty() && state.bytes.saturating_add(bytes) > self.limit {
            state = self.wait_on(state);
        }
        if state.is_closed {
            return false;
        }
        state.bytes += bytes;
        state.pieces.push_back((piece, bytes));
        self.changed.notify_all();
        true
    }

    /// The next piece, waited for; none at the end.
    pub(super) fn pop(&self) -> Option<Result<Piece, Error>> {
        let mut state = self.state();
        while state.pieces.is_empty() && !state.is_ended {
            state.is_awaited = true;
            self.changed.notify_all();
            state = self.wait_on(state);
        }
        state.is_awaited = false;
        let (piece, bytes) = state.pieces.pop_front()?;
        state.bytes -= bytes;
        self.changed.notify_all();
        Some(piece)
    }

    pub(super) fn end(&self) {
        self.state().is_ended = true;
        self.changed.notify_all();
    }

    pub(super) fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }
}

impl Turn for Queue {
    /// Waits until the reader waits for the next piece, or nobody will take it.
    fn wait(&self) {
        let mut state = self.state();
        while !state.is_awaited && !state.is_closed {
            state = self.wait_on(state);
        }
    }
}

/// What a piece holds in memory.
fn size(piece: &Result<Piece, Error>) -> u64 {
    /// Of the piece itself.
    const PIECE_BYTES: u64 = 128;
    PIECE_BYTES
        + match piece {
            Ok(Piece::Batch(batch)) => batch.size(),
            Ok(Piece::Skip(skipped)) => skipped.id.len() as u64,
            _ => 0,
        }
}
