//! What the journal holds becomes part of the index, many documents at once. Doing it again changes nothing.

use super::record::Record;
use lookalike::index::IndexWriter;
use lookalike::{Cancel, Error, Input, Resources, StoreError};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What records come to: names that go, then documents that come, by sweep.
#[derive(Debug, Default, PartialEq, Eq)]
struct Net {
    gone: BTreeMap<Option<String>, BTreeSet<String>>,
    documents: BTreeMap<Option<String>, BTreeMap<String, String>>,
}

fn net(records: &[Record]) -> Net {
    let mut net = Net::default();
    for record in records.iter().cloned() {
        match record {
            Record::Put { id, text, sweep } => {
                net.documents.entry(sweep).or_default().insert(id, text);
            }
            Record::Delete { id, sweep } => {
                for (of, documents) in &mut net.documents {
                    if sweep.is_none() || *of == sweep {
                        documents.remove(&id);
                    }
                }
                net.gone.entry(sweep).or_default().insert(id);
            }
        }
    }
    net.documents.retain(|_, documents| !documents.is_empty());
    net
}

/// Changes the index.
pub(super) fn fold(
    path: &Path,
    key: &str,
    resources: &Resources,
    cancel: &Cancel,
    records: &[Record],
) -> Result<(), Error> {
    let writer = IndexWriter::new(path).key(key).resources(resources.clone()).cancel(cancel);
    let Net { gone, documents } = net(records);
    for (sweep, names) in gone {
        writer.remove(&names.into_iter().collect::<Vec<_>>(), sweep.as_deref())?;
    }
    for (sweep, documents) in documents {
        let changed = writer.add(vec![Input::documents(&documents)], sweep.as_deref())?;
        for skip in &changed.skipped {
            tracing::warn!(document = skip.id, reason = skip.reason, "a document is not in the index");
        }
    }
    Ok(())
}

/// Whether the same may go well later.
pub(super) fn is_passing(error: &Error) -> bool {
    matches!(
        error,
        Error::Cancelled
            | Error::Store(
                StoreError::Locked { .. }
                    | StoreError::Write { .. }
                    | StoreError::Temp { .. }
                    | StoreError::Read { .. }
                    | StoreError::Threads { .. }
            )
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_counts() {
        let put = |id: &str, text: &str, sweep: Option<&str>| Record::Put {
            id: id.into(),
            text: text.into(),
            sweep: sweep.map(Into::into),
        };
        let delete = |id: &str, sweep: Option<&str>| Record::Delete { id: id.into(), sweep: sweep.map(Into::into) };
        let may = Some("2026-05-01");
        let found = net(&[
            put("a", "old", None),
            put("a", "new", None),
            put("a", "dated", may),
            put("b", "x", None),
            delete("b", None),
            put("c", "x", may),
            delete("c", Some("2026-06-01")),
            delete("d", None),
            put("d", "back", None),
        ]);
        let text = |id: &str, text: &str| (id.to_owned(), text.to_owned());
        assert_eq!(found.documents[&None], BTreeMap::from([text("a", "new"), text("d", "back")]));
        assert_eq!(found.documents[&may.map(str::to_owned)], BTreeMap::from([text("a", "dated"), text("c", "x")]));
        assert_eq!(found.gone[&None], BTreeSet::from(["b".to_owned(), "d".to_owned()]));
    }
}
