//! How many records of each shard were documents: a shard of which none is one was named or described wrongly.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::skipped::{Reason, Skipped};
use serde::{Deserialize, Serialize};

/// Counts by what the file is called.
#[derive(Debug, Default)]
pub(crate) struct LineCounts(Mutex<BTreeMap<Arc<str>, LineCount>>);

/// What some records of one file were.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct LineCount {
    /// They are rows of a table rather than lines.
    pub(crate) rows: bool,
    pub(crate) documents: u64,
    /// Documents that brought their id.
    pub(crate) named: u64,
    pub(crate) skipped: u64,
    /// The first record that is no document, and why.
    pub(crate) first_skipped: Option<(u64, String)>,
    /// The first document without an id, and its fields in words.
    pub(crate) first_nameless: Option<(u64, String)>,
}

impl LineCounts {
    /// Adds what a batch counted; batches come in any order.
    pub(crate) fn add(&self, label: &Arc<str>, more: LineCount) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(Arc::clone(label)).or_default();
        count.rows |= more.rows;
        count.documents += more.documents;
        count.named += more.named;
        count.skipped += more.skipped;
        count.first_skipped = first(count.first_skipped.take(), more.first_skipped);
        count.first_nameless = first(count.first_nameless.take(), more.first_nameless);
    }

    /// The counts of one file, to be kept.
    pub(crate) fn of(&self, label: &str) -> Option<String> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.get(label).and_then(|count| serde_json::to_string(count).ok())
    }

    /// Takes counts that were kept.
    pub(crate) fn restore(&self, label: &str, counts: &str) {
        if let Ok(count) = serde_json::from_str(counts) {
            self.add(&label.into(), count);
        }
    }

    pub(crate) fn without_documents(&self) -> Vec<Skipped> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let barren = counts.iter().filter(|(_, count)| count.documents == 0);
        let told = barren.filter_map(|(label, count)| {
            let (line, why) = count.first_skipped.as_ref()?;
            let unit = if count.rows { "row" } else { "line" };
            let reason = Reason::NoText(format!("no {unit} of {} is a document; {unit} {line}: {why}", count.skipped));
            Some(Skipped { id: label.to_string(), reason })
        });
        told.collect()
    }

    pub(crate) fn with_documents(&self) -> Vec<String> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.iter().filter(|(_, count)| count.documents > 0).map(|(label, _)| label.to_string()).collect()
    }

    /// A file whose documents all lack their ids, and the fields of the first.
    pub(crate) fn without_ids(&self) -> Option<(String, String)> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let nameless = counts.iter().find(|(_, count)| count.documents > 0 && count.named == 0)?;
        let (label, LineCount { first_nameless: Some((_, fields)), .. }) = nameless else { return None };
        Some((label.to_string(), fields.clone()))
    }
}

/// That of the smaller line.
fn first<T>(a: Option<(u64, T)>, b: Option<(u64, T)>) -> Option<(u64, T)> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.0 < a.0 { b } else { a }),
        (a, b) => a.or(b),
    }
}
