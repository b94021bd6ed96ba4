//! What reviewers decided, beside what they reviewed: a file that is only appended to, and synced before it is answered. Of several verdicts
//! on a cluster the newest holds.

use crate::clock;
use crate::error::Error;
use crate::groups::{decode, encode};
use crate::problem::Problem;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use utoipa::ToSchema;

/// What can be decided, in the words of `--decisions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ReviewVerdict {
    /// Some are kept, the others can go.
    Keep,
    /// All of them are needed.
    NotDuplicates,
    /// They share boilerplate only.
    Template,
    /// Not sure yet.
    Later,
}

/// A document that a verdict is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReviewedDocument {
    /// Its name.
    pub(crate) id: String,
    /// Its content id, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) content: Option<String>,
}

/// A verdict on a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewVerdict {
    /// The cluster: the content id of its representative; of a saved run the name of it.
    pub(crate) cluster: String,
    /// What was decided; null takes back what was.
    pub(crate) verdict: Option<ReviewVerdict>,
    /// Names of the documents to keep.
    #[serde(default)]
    pub(crate) keep: Vec<String>,
    /// Why.
    #[serde(default)]
    pub(crate) note: String,
    /// Who says so.
    #[serde(default)]
    pub(crate) who: String,
    /// The documents that it was about.
    #[serde(default)]
    pub(crate) documents: Vec<ReviewedDocument>,
}

/// The same as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct KeptVerdict {
    /// Its number: later ones have higher ones.
    pub(crate) number: u64,
    /// The cluster.
    pub(crate) cluster: String,
    /// What was decided; null if it was taken back.
    pub(crate) verdict: Option<ReviewVerdict>,
    /// Names of the documents to keep.
    pub(crate) keep: Vec<String>,
    /// Why.
    pub(crate) note: String,
    /// Who said so.
    pub(crate) who: String,
    /// When, in seconds since 1970.
    pub(crate) when: u64,
    /// The documents that it was about.
    pub(crate) documents: Vec<ReviewedDocument>,
}

/// The verdicts on the clusters of an index or a run.
pub(crate) struct VerdictLog {
    path: PathBuf,
    read_only: bool,
    state: Mutex<LogState>,
}

#[derive(Default)]
struct LogState {
    /// Bytes of whole groups; what stands behind them was never acknowledged.
    bytes: u64,
    last: u64,
    newest: BTreeMap<String, KeptVerdict>,
}

impl LogState {
    fn take(&mut self, verdict: KeptVerdict) {
        self.last = self.last.max(verdict.number);
        self.newest.insert(verdict.cluster.clone(), verdict);
    }
}

impl VerdictLog {
    /// The verdicts in the folder of an index or a run; none yet if there is no file.
    pub(crate) fn open(folder: &Path, read_only: bool) -> Result<Self, Error> {
        let path = folder.join("verdicts.log");
        let state = read(&path);
        let state =
            state.map_err(|source| Error::System { what: format!("cannot read {}", path.display()), source })?;
        Ok(Self { path, read_only, state: Mutex::new(state) })
    }

    fn state(&self) -> MutexGuard<'_, LogState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Verdicts with numbers above one, the oldest first, and the number of the last of all.
    pub(crate) fn after(&self, number: u64) -> Result<(Vec<KeptVerdict>, u64), Problem> {
        let mut state = self.state();
        // another server may write what this one only reads
        if self.read_only && fs::metadata(&self.path).map_or(0, |file| file.len()) != state.bytes {
            *state = read(&self.path).map_err(|error| Problem::of_io(&error))?;
        }
        let mut found: Vec<KeptVerdict> =
            state.newest.values().filter(|verdict| verdict.number > number).cloned().collect();
        found.sort_unstable_by_key(|verdict| verdict.number);
        Ok((found, state.last))
    }

    /// Keeps a verdict; returns when it is on the disk.
    pub(crate) fn append(&self, new: NewVerdict) -> Result<KeptVerdict, Problem> {
        let NewVerdict { cluster, verdict, keep, note, who, documents } = new;
        let mut state = self.state();
        let number = state.last + 1;
        let kept = KeptVerdict { number, cluster, verdict, keep, note, who, when: clock::seconds(), documents };
        state.bytes = self.write(state.bytes, &kept).map_err(|error| Problem::of_io(&error))?;
        state.take(kept.clone());
        Ok(kept)
    }

    /// Writes behind what is whole; gives the bytes that are whole now.
    fn write(&self, whole: u64, verdict: &KeptVerdict) -> io::Result<u64> {
        let group = encode(std::iter::once(verdict))?;
        let is_new = !self.path.exists();
        let mut file = OpenOptions::new().create(true).append(true).open(&self.path)?;
        // behind a torn group nothing would be found
        file.set_len(whole)?;
        file.write_all(&group)?;
        file.sync_data()?;
        if is_new && let Some(folder) = self.path.parent() {
            File::open(folder)?.sync_all()?;
        }
        Ok(whole + group.len() as u64)
    }
}

fn read(path: &Path) -> io::Result<LogState> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        read => read?,
    };
    let (verdicts, torn) = decode(&bytes);
    if torn > 0 {
        tracing::warn!(file = %path.display(), bytes = torn, "the end of the verdicts was never acknowledged, and is left out");
    }
    let mut state = LogState { bytes: (bytes.len() - torn) as u64, ..LogState::default() };
    for verdict in verdicts {
        state.take(verdict);
    }
    Ok(state)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(cluster: &str, who: &str) -> NewVerdict {
        NewVerdict {
            cluster: cluster.into(),
            verdict: Some(ReviewVerdict::Keep),
            keep: vec!["a".into()],
            note: "why\nnot".into(),
            who: who.into(),
            documents: vec![ReviewedDocument { id: "a".into(), content: None }],
        }
    }

    #[test]
    fn the_newest_holds_and_a_torn_end_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let log = VerdictLog::open(folder.path(), false).unwrap();
        log.append(verdict("x", "ann")).unwrap();
        log.append(verdict("y", "ann")).unwrap();
        log.append(NewVerdict { verdict: None, ..verdict("x", "ben") }).unwrap();
        let (found, last) = log.after(0).unwrap();
        assert_eq!(last, 3);
        assert_eq!(
            found.iter().map(|v| (v.number, &*v.cluster, &*v.who)).collect::<Vec<_>>(),
            [(2, "y", "ann"), (3, "x", "ben")]
        );
        assert_eq!(log.after(2).unwrap().0.len(), 1);
        // killed while it wrote
        let path = folder.path().join("verdicts.log");
        let mut bytes = fs::read(&path).unwrap();
        let whole = bytes.len();
        let group = encode(std::iter::once(&found[0])).unwrap();
        bytes.extend_from_slice(&group[..group.len() - 3]);
        fs::write(&path, bytes).unwrap();
        let again = VerdictLog::open(folder.path(), false).unwrap();
        assert_eq!(again.after(0).unwrap(), (found, 3));
        again.append(verdict("z", "carla")).unwrap();
        assert_eq!(fs::read(&path).unwrap()[..whole].len(), whole);
        let last = VerdictLog::open(folder.path(), false).unwrap();
        assert_eq!(last.after(0).unwrap().0.len(), 3, "what came after the torn end is found");
    }

    #[test]
    fn a_reader_sees_what_another_process_writes() {
        let folder = tempfile::tempdir().unwrap();
        let reader = VerdictLog::open(folder.path(), true).unwrap();
        assert_eq!(reader.after(0).unwrap(), (Vec::new(), 0));
        VerdictLog::open(folder.path(), false).unwrap().append(verdict("x", "ann")).unwrap();
        assert_eq!(reader.after(0).unwrap().1, 1);
    }
}
