//! Verdicts of reviewers: a log beside the clusters that they reviewed, safe on the disk before a request is answered. Of several verdicts
//! on a cluster the newest holds.

use crate::clock;
use crate::error::Error;
use crate::living::report;
use crate::problem::Problem;
use lookalike::StoreError;
use lookalike::log::{Log, LogFiles, LogOptions, RealDisk, Replay};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use utoipa::ToSchema;

/// A verdict, in the words of `--decisions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, JsonSchema)]
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
    /// The verdict; null takes the last one back.
    pub(crate) verdict: Option<ReviewVerdict>,
    /// Names of the documents to keep.
    #[serde(default)]
    pub(crate) keep: Vec<String>,
    /// Why.
    #[serde(default)]
    pub(crate) note: String,
    /// The name of the reviewer.
    #[serde(default)]
    pub(crate) who: String,
    /// The documents that it was about.
    #[serde(default)]
    pub(crate) documents: Vec<ReviewedDocument>,
}

/// The same as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct KeptVerdict {
    /// Its number: later ones have higher ones.
    pub(crate) number: u64,
    /// The cluster.
    pub(crate) cluster: String,
    /// The verdict; null if it was taken back.
    pub(crate) verdict: Option<ReviewVerdict>,
    /// Names of the documents to keep.
    pub(crate) keep: Vec<String>,
    /// Why.
    pub(crate) note: String,
    /// The name of the reviewer.
    pub(crate) who: String,
    /// When, in seconds since 1970.
    pub(crate) when: u64,
    /// The documents that it was about.
    pub(crate) documents: Vec<ReviewedDocument>,
}

/// The verdicts on the clusters of an index or a run.
pub(crate) struct VerdictLog {
    files: LogFiles,
    /// None if nothing is to be changed.
    log: Option<Log>,
    state: Mutex<LogState>,
}

#[derive(Default)]
struct LogState {
    /// The lengths of the files that were read.
    lengths: Vec<(u64, u64)>,
    last: u64,
    newest: BTreeMap<String, KeptVerdict>,
    /// Verdicts that could not be read.
    missing: u64,
}

impl VerdictLog {
    /// The verdicts in the folder of an index or a run, which the caller has locked unless they are only read.
    pub(crate) fn open(folder: &Path, read_only: bool) -> Result<Self, Error> {
        let old = folder.join("verdicts.log");
        if old.exists() {
            let error = StoreError::Format { what: old.display().to_string(), expected: 2, found: 1 };
            return Err(lookalike::Error::from(error).into());
        }
        let files = LogFiles::new(folder, "verdicts", *b"verdicts");
        let (state, replay) = read(&files).map_err(lookalike::Error::from)?;
        report(&replay);
        let log = (!read_only).then(|| Log::new(files.clone(), Arc::new(RealDisk), LogOptions::default(), &replay));
        let log = log.transpose().map_err(lookalike::Error::from)?;
        Ok(Self { files, log, state: Mutex::new(state) })
    }

    fn state(&self) -> MutexGuard<'_, LogState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Verdicts that could not be read.
    pub(crate) fn missing(&self) -> u64 {
        self.state().missing
    }

    /// Verdicts with numbers above one, the oldest first, and the number of the last of all.
    pub(crate) fn after(&self, number: u64) -> Result<(Vec<KeptVerdict>, u64), Problem> {
        let mut state = self.state();
        // another server may write
        if self.log.is_none() && self.files.lengths()? != state.lengths {
            *state = read(&self.files)?.0;
        }
        let mut found: Vec<KeptVerdict> =
            state.newest.values().filter(|verdict| verdict.number > number).cloned().collect();
        found.sort_unstable_by_key(|verdict| verdict.number);
        Ok((found, state.last))
    }

    /// Keeps a verdict; returns when it is on the disk.
    pub(crate) fn append(&self, new: NewVerdict) -> Result<KeptVerdict, Problem> {
        let log = self.log.as_ref().ok_or_else(|| Problem::forbidden("this server changes nothing"))?;
        let NewVerdict { cluster, verdict, keep, note, who, documents } = new;
        let mut state = self.state();
        // no other thread appends while the state is locked
        let number = log.safe() + 1;
        let kept = KeptVerdict { number, cluster, verdict, keep, note, who, when: clock::seconds(), documents };
        let body = serde_json::to_vec(&kept).map_err(|error| Problem::internal(&error))?;
        if let Err(error) = log.wait(log.append(&body)) {
            log.recover();
            return Err(error.into());
        }
        state.last = number;
        state.newest.insert(kept.cluster.clone(), kept.clone());
        Ok(kept)
    }
}

fn read(files: &LogFiles) -> Result<(LogState, Replay), StoreError> {
    let mut state = LogState { lengths: files.lengths()?, ..LogState::default() };
    let replay = files.replay(None, |record| {
        let verdict: KeptVerdict = serde_json::from_slice(record.body)
            .map_err(|error| format!("expected a verdict, found something else: {error}"))?;
        state.newest.insert(verdict.cluster.clone(), verdict);
        Ok(())
    })?;
    (state.last, state.missing) = (replay.last, replay.missing());
    Ok((state, replay))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
    fn the_newest_verdict_holds_and_a_torn_end_is_left_out() {
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
        drop(log);
        // a process that was killed while it wrote
        let path = folder.path().join("verdicts-000001");
        let whole = fs::read(&path).unwrap();
        let torn = [&whole[..], &whole[32..90]].concat();
        fs::write(&path, &torn).unwrap();
        let again = VerdictLog::open(folder.path(), false).unwrap();
        assert_eq!((again.after(0).unwrap(), again.missing()), ((found, 3), 0));
        again.append(verdict("z", "carla")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), torn, "nothing is cut off");
        let last = VerdictLog::open(folder.path(), false).unwrap();
        assert_eq!(last.after(0).unwrap().0.len(), 3, "verdicts behind the torn end are found");
    }

    /// A flipped bit costs one verdict, and what follows is neither hidden nor overwritten.
    #[test]
    fn damage_costs_one_verdict() {
        let folder = tempfile::tempdir().unwrap();
        let log = VerdictLog::open(folder.path(), false).unwrap();
        for number in 0..10 {
            log.append(verdict(&format!("cluster {number}"), "ann")).unwrap();
        }
        drop(log);
        let path = folder.path().join("verdicts-000001");
        let mut bytes = fs::read(&path).unwrap();
        let second = bytes.windows(9).position(|word| word == b"cluster 1").unwrap();
        bytes[second] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let log = VerdictLog::open(folder.path(), false).unwrap();
        let (found, last) = log.after(0).unwrap();
        assert_eq!(found.iter().map(|verdict| verdict.number).collect::<Vec<_>>(), [1, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!((last, log.missing()), (10, 1));
        assert_eq!(log.append(verdict("another", "ben")).unwrap().number, 11);
        assert_eq!(fs::read(&path).unwrap(), bytes);
        drop(log);
        assert_eq!(VerdictLog::open(folder.path(), false).unwrap().after(0).unwrap().0.len(), 10);
    }

    #[test]
    fn the_format_before_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("verdicts.log"), b"LKJ1").unwrap();
        let error = VerdictLog::open(folder.path(), false).map(drop).unwrap_err().to_string();
        assert!(error.contains("verdicts.log has format 1, expected 2"), "{error}");
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
