//! What is wrong with a record.

use std::io;

use crate::skipped::{Reason, Skipped};

/// A record that cannot be read, and where it is.
#[derive(Debug)]
pub(crate) struct Damage {
    /// The records before it.
    pub(crate) row: u64,
    /// Where in the file it begins; of a compressed one, where its member does.
    pub(crate) position: u64,
    /// The same, if a reader can begin there.
    pub(super) start: Option<u64>,
    pub(crate) cause: Cause,
}

#[derive(Debug)]
pub(crate) enum Cause {
    /// The file cannot be read or unpacked.
    Input(io::Error),
    /// The file ends before the record does.
    Cut { length: u64, found: u64 },
    /// No record follows where this one should end.
    Length(u64),
    /// Its head is none.
    Layout(String),
}

impl Cause {
    /// Whether the bytes are wrong, rather than what they say.
    pub(super) fn is_of_input(&self) -> bool {
        matches!(self, Cause::Input(_))
    }
}

impl From<io::Error> for Cause {
    fn from(error: io::Error) -> Self {
        Cause::Input(error)
    }
}

impl Damage {
    pub(crate) fn reason(&self) -> Reason {
        let at = format!("record {} at byte {}", self.row + 1, self.position);
        match &self.cause {
            Cause::Input(error) => Reason::Truncated(format!("{at}: {error}")),
            Cause::Cut { length, found } => {
                Reason::Truncated(format!("{at}: expected {length} bytes behind its head, found {found}"))
            }
            Cause::Length(length) => Reason::BadRecord(format!(
                "{at}: its Content-Length is {length}, but neither a record nor the end comes after so many bytes"
            )),
            Cause::Layout(message) => Reason::BadRecord(format!("{at}: {message}")),
        }
    }

    pub(super) fn skipped(&self, label: &str) -> Skipped {
        Skipped { id: record_id(label, self.row), reason: self.reason() }
    }
}

/// What a record is called that has no name of its own.
pub(super) fn record_id(label: &str, row: u64) -> String {
    format!("{label}:{}", row + 1)
}
