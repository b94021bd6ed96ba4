//! Decoders that panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a step of a decoder that is made for files that are whole; what panics in it is damage that it did not foresee.
pub fn guard<T, E>(step: impl FnOnce() -> Result<T, E>, damaged: impl FnOnce(&'static str) -> E) -> Result<T, E> {
    catch_unwind(AssertUnwindSafe(step))
        .unwrap_or_else(|_| Err(damaged("the decoder came upon something impossible; the file is damaged")))
}
