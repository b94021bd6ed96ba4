//! Corpora in, corpora out.

mod against;
mod calibrate;
mod common;
mod contamination;
mod cut_common;
mod cut_resume;
mod evidence;
mod first_records;
mod formats;
mod inputs;
mod invariant;
mod made;
mod nothing_lost;
mod output;
mod own_results;
mod paragraphs;
mod policies;
mod presets;
mod reread;
mod resume;
mod substrings;
