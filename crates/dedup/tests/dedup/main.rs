//! Corpora in, corpora out.

mod against;
mod calibrate;
mod common;
mod evidence;
mod output;
mod policies;
mod resume;
