//! Copied passages: which stretches of two token sequences come from each other.

pub mod loose;
pub mod prose;
