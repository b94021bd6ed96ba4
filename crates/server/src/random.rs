//! Numbers that nobody can guess.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Such a number.
pub(crate) fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}
