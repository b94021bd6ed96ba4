//! Corpora in, corpora out.

mod against;
mod calibrate;
mod common;
mod contamination;
mod cut_common;
mod cut_resume;
mod evidence;
mod formats;
mod output;
mod own_results;
mod paragraphs;
mod policies;
mod presets;
mod resume;
mod substrings;
