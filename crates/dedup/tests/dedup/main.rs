//! Corpora in, corpora out.

mod common;
mod evidence;
mod output;
mod policies;
mod resume;
