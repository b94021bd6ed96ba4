//! Corpora in, corpora out.

mod against;
mod common;
mod contamination;
mod evidence;
mod output;
mod policies;
mod presets;
mod resume;
