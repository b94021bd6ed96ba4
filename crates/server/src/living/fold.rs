//! Changes of the journal become part of the index, many documents at once. Repeating that changes nothing.

use super::record::Record;
use lookalike::index::IndexWriter;
use lookalike::{Cancel, Error, Input, Resources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Records with their numbers.
type Numbered = [(u64, Record)];

/// The net effect of records: names to remove, then documents to add, by sweep.
#[derive(Debug, Default, PartialEq, Eq)]
struct Net<'a> {
    removed: BTreeMap<Option<&'a str>, BTreeSet<&'a str>>,
    /// By name: the number of the record, and the text.
    documents: BTreeMap<Option<&'a str>, BTreeMap<&'a str, (u64, &'a str)>>,
}

fn net(records: &Numbered) -> Net<'_> {
    let mut net = Net::default();
    for (number, record) in records {
        match record {
            Record::Put { id, text, sweep } => {
                net.documents.entry(sweep.as_deref()).or_default().insert(id, (*number, text));
            }
            Record::Delete { id, sweep } => {
                for (of, documents) in &mut net.documents {
                    if sweep.is_none() || *of == sweep.as_deref() {
                        documents.remove(id.as_str());
                    }
                }
                net.removed.entry(sweep.as_deref()).or_default().insert(id);
            }
        }
    }
    net.documents.retain(|_, documents| !documents.is_empty());
    net
}

/// Changes of one index.
pub(super) struct Fold<'a> {
    pub(super) path: &'a Path,
    pub(super) key: &'a str,
    pub(super) resources: &'a Resources,
    pub(super) switch: &'a Switch,
}

/// Stops changes of an index. A change that fails cancels its own threads by the switch that it was given, so each change gets another one.
#[derive(Default)]
pub(super) struct Switch(Mutex<SwitchState>);

#[derive(Default)]
struct SwitchState {
    stopped: bool,
    current: Cancel,
}

impl Switch {
    /// Stops the change that is made, and all later ones.
    pub(super) fn stop(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.stopped = true;
        state.current.cancel();
    }

    /// The switch of the next change.
    fn next(&self) -> Cancel {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !state.stopped {
            state.current = Cancel::default();
        }
        state.current.clone()
    }
}

impl Fold<'_> {
    /// Changes the index; returns the numbers of the records that it did not take, and why.
    pub(super) fn run(&self, records: &Numbered) -> Result<BTreeMap<u64, String>, Error> {
        let mut refused = BTreeMap::new();
        self.fold(records, &mut refused)?;
        Ok(refused)
    }

    /// If a change fails because of a document, tries each half by itself, until only such documents are left out.
    fn fold(&self, records: &Numbered, refused: &mut BTreeMap<u64, String>) -> Result<(), Error> {
        match self.fold_together(records, refused) {
            Err(error) if is_about_documents(&error) => {
                if let [(number, _)] = records {
                    refused.insert(*number, error.to_string());
                    return Ok(());
                }
                let (first, second) = records.split_at(records.len() / 2);
                self.fold(first, refused)?;
                self.fold(second, refused)
            }
            result => result,
        }
    }

    fn writer(&self) -> IndexWriter<'_> {
        IndexWriter::new(self.path).key(self.key).resources(self.resources.clone()).cancel(&self.switch.next())
    }

    fn fold_together(&self, records: &Numbered, refused: &mut BTreeMap<u64, String>) -> Result<(), Error> {
        let Net { removed, documents } = net(records);
        for (sweep, names) in removed {
            self.writer().remove(&names.into_iter().map(str::to_owned).collect::<Vec<_>>(), sweep)?;
        }
        for (sweep, documents) in documents {
            let texts = documents.iter().map(|(id, (_, text))| (id, text));
            let changed = self.writer().add(vec![Input::documents(texts)], sweep)?;
            for skip in changed.skipped.iter().filter(|skip| changed.left_out.contains(&skip.id)) {
                if let Some((number, _)) = documents.get(skip.id.as_str()) {
                    refused.insert(*number, skip.reason.clone());
                }
            }
        }
        Ok(())
    }
}

/// Whether a change fails because of its documents. Anything else may go well later, and the changes wait.
fn is_about_documents(error: &Error) -> bool {
    matches!(
        error,
        Error::Document { .. }
            | Error::DocumentMemory { .. }
            | Error::DocumentsMemory { .. }
            | Error::PairMemory { .. }
            | Error::SegmentFull { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::Index;

    #[test]
    fn the_last_record_of_a_name_counts() {
        let put = |id: &str, text: &str, sweep: Option<&str>| Record::Put {
            id: id.into(),
            text: text.into(),
            sweep: sweep.map(Into::into),
        };
        let delete = |id: &str, sweep: Option<&str>| Record::Delete { id: id.into(), sweep: sweep.map(Into::into) };
        let may = Some("2026-05-01");
        let records = [
            put("a", "old", None),
            put("a", "new", None),
            put("a", "dated", may),
            put("b", "x", None),
            delete("b", None),
            put("c", "x", may),
            delete("c", Some("2026-06-01")),
            delete("d", None),
            put("d", "back", None),
        ];
        let records: Vec<(u64, Record)> = (1..).zip(records).collect();
        let found = net(&records);
        assert_eq!(found.documents[&None], BTreeMap::from([("a", (2, "new")), ("d", (9, "back"))]));
        assert_eq!(found.documents[&may], BTreeMap::from([("a", (3, "dated")), ("c", (6, "x"))]));
        assert_eq!(found.removed[&None], BTreeSet::from(["b", "d"]));
    }

    /// Of many documents only those that take too much memory are left out, wherever they are.
    #[test]
    fn only_what_fails_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index");
        let first = vec![Input::documents([("first", "some words that are there")])];
        IndexWriter::new(&path).build(lookalike::PassagesOptions::default(), first, None).unwrap();
        let resources = Resources { memory: 16 << 20, threads: 1, ..Resources::default() };
        let put = |number: u64| {
            let text = if number == 3 || number == 8 {
                "large words ".repeat(200_000)
            } else {
                format!("words of {number} ").repeat(20)
            };
            (number, Record::Put { id: format!("d{number}"), text, sweep: None })
        };
        let records: Vec<_> = (1..=11).map(put).collect();
        let fold = Fold { path: &path, key: "", resources: &resources, switch: &Switch::default() };
        let refused = fold.run(&records).unwrap();
        assert_eq!(refused.keys().copied().collect::<Vec<_>>(), [3, 8], "{refused:?}");
        assert!(refused[&3].contains("memory"), "{refused:?}");
        let index = Index::open(&path, "").unwrap();
        for (number, record) in &records {
            assert_eq!(index.find(record.id()).unwrap().is_empty(), refused.contains_key(number), "{number}");
        }
    }
}
