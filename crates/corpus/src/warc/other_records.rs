//! Records that are no documents, counted.

use std::collections::BTreeMap;

use crate::skipped::{Reason, Skipped};

/// The kinds of the standard that hold nothing that somebody wrote.
const KINDS: [&str; 5] = ["warcinfo", "request", "metadata", "revisit", "continuation"];

/// By what they are, in words.
#[derive(Debug, Default)]
pub(super) struct OtherRecords(BTreeMap<String, u64>);

impl OtherRecords {
    /// A record of a kind that is no document.
    pub(super) fn add_kind(&mut self, kind: &str) {
        let what = match KINDS.iter().find(|known| **known == kind) {
            Some(known) => format!("records of type {known}"),
            // a file may name as many as it likes
            None => "records of other types".to_owned(),
        };
        *self.0.entry(what).or_default() += 1;
    }

    pub(super) fn add_dns(&mut self) {
        *self.0.entry("answers of name servers".to_owned()).or_default() += 1;
    }

    pub(super) fn add_status(&mut self, status: u16) {
        *self.0.entry(format!("HTTP responses with status {status}")).or_default() += 1;
    }

    /// A line for each kind.
    pub(super) fn skipped(&mut self, label: &str) -> Vec<Skipped> {
        let lines = std::mem::take(&mut self.0).into_iter();
        lines
            .map(|(what, count)| Skipped {
                id: label.to_owned(),
                reason: Reason::NotDocument(format!("{count} {what}")),
            })
            .collect()
    }
}
