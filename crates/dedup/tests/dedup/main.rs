//! Corpora in, corpora out.

mod against;
mod common;
mod evidence;
mod output;
mod policies;
mod resume;
