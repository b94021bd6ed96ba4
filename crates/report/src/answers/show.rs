//! What every answer can do: be shown to people, and written for programs.

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
