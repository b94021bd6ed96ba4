//! What the other questions are answered with: two documents, an index and its history, fingerprints, templates, actions.
//!
//! An answer implements [`Show`]; its JSON form comes from its type.

#[cfg(unix)]
mod actions;
mod changes;
mod collapse;
mod comparison;
mod exchange;
mod fingerprints;
mod holders;
mod index;
mod lost;
mod plan;
mod query;
mod templates;

pub use changes::write_changes_csv;
pub use collapse::write_collapsed_text;
pub use comparison::ComparisonView;
pub use exchange::ExchangeFile;
pub use fingerprints::{
    FingerprintMatches, write_batch, write_batch_json, write_near, write_near_json, write_near_pairs,
};
pub use holders::write_holders_csv;
pub use index::{IndexChange, IndexCheck};
pub use plan::DesignPlan;
pub use templates::TemplateChange;

use crate::json::write_versioned_json;
use serde::Serialize;
use std::io::{self, Write};

/// An answer for people and for programs.
pub trait Show: Serialize + Sized {
    /// Writes it as text with colours; the caller strips them where they are not wanted.
    fn show(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Writes it as one JSON object.
    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        write_versioned_json(out, self)
    }
}

impl<T: Show> Show for &T {
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        (**self).show(out)
    }

    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        (**self).write_json(out)
    }
}

/// Writes an answer as JSON or as text.
pub fn write_answer(out: &mut dyn Write, answer: &impl Show, json: bool) -> io::Result<()> {
    if json { answer.write_json(out) } else { answer.show(out) }
}
