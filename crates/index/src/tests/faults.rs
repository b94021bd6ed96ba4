//! What was committed is there, what was not is invisible, and the next command works: whatever the disk does, and wherever it does it.
//! And no flipped byte gives a wrong answer.

use crate::tests::support::{Documents, corpus, jsonl, resources};
use crate::tests::{everything, options, wide};
use crate::{Index, IndexWriter, Query, verify};
use lookalike_engine::report::policy::Policy;
use lookalike_engine::{Cancel, Error, ShinglesOptions};
use lookalike_store::{Disk, Fault, FaultyDisk, RealDisk};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The ways to change an index.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Build,
    Add,
    Remove,
    Merge,
}

fn take(step: Step, path: &Path, disk: Arc<dyn Disk>, options: &ShinglesOptions) -> Result<(), Error> {
    take_with(&corpus(120), step, path, disk, options)
}

fn take_with(
    all: &Documents,
    step: Step,
    path: &Path,
    disk: Arc<dyn Disk>,
    options: &ShinglesOptions,
) -> Result<(), Error> {
    let writer = IndexWriter::new(path).resources(resources(16 << 20, 2)).disk(disk);
    let half = |odd: bool| -> Documents {
        all.iter()
            .enumerate()
            .filter(|(at, _)| (at % 2 == 1) == odd)
            .map(|(_, (n, t))| (n.clone(), t.clone()))
            .collect()
    };
    let changed = match step {
        Step::Build => writer.build(options.clone(), jsonl(&half(false)), Some("2026-01-01")),
        Step::Add => writer.add(jsonl(&half(true)), Some("2026-02-01")),
        Step::Remove => writer.remove(&all.keys().take(40).cloned().collect::<Vec<_>>(), None),
        Step::Merge => writer.merge(),
    };
    changed.map(|_| ())
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[test]
fn every_fault_at_every_operation() {
    let options = options(8, Policy::default());
    let dir = tempfile::tempdir().unwrap();
    let real = || -> Arc<dyn Disk> { Arc::new(RealDisk) };
    let mut before: Option<std::path::PathBuf> = None;
    for step in [Step::Build, Step::Add, Step::Remove, Step::Merge] {
        let after = dir.path().join(format!("{step:?}"));
        if let Some(before) = &before {
            copy(before, &after);
        }
        let counting = FaultyDisk::new(Fault::Short, usize::MAX);
        take(step, &after, Arc::new(counting.clone()), &options).unwrap();
        let (old, new) = (before.as_deref().map(everything), everything(&after));
        assert!(step == Step::Merge || old.as_ref() != Some(&new), "{step:?} changes something");
        for fault in [Fault::Full, Fault::Short, Fault::Broken, Fault::Killed] {
            for at in 0..counting.operations() {
                let place = dir.path().join("attempt");
                if let Some(before) = &before {
                    copy(before, &place);
                }
                let disk = FaultyDisk::new(fault, at);
                let result = take(step, &place, Arc::new(disk), &options);
                let what = format!("{step:?} with {fault:?} at operation {at}: {result:?}");
                assert!(fault != Fault::Short || result.is_ok(), "{what}");
                match Index::open(&place, "") {
                    Ok(_) => {
                        let found = everything(&place);
                        // after an error it may be the new state too: the last steps of a commit can fail when it holds already
                        assert!(found == new || result.is_err() && old.as_ref() == Some(&found), "{what}");
                        assert!(verify(&place).unwrap().damages.is_empty(), "{what}");
                    }
                    Err(error) => {
                        assert!(step == Step::Build && result.is_err(), "{what}: {error}");
                        assert!(error.to_string().contains("no index"), "{what}: {error}");
                    }
                }
                // the next command works, and leaves what it should
                if before.is_some() || Index::open(&place, "").is_err() {
                    take(step, &place, real(), &options).unwrap_or_else(|e| panic!("{what}, then {e}"));
                }
                assert_eq!(everything(&place), new, "{what}");
                let files = fs::read_dir(&place).unwrap().count();
                assert_eq!(files, fs::read_dir(&after).unwrap().count(), "{what}: rubbish is left");
                fs::remove_dir_all(&place).unwrap();
            }
        }
        before = Some(after);
    }
}

#[test]
fn a_build_that_is_stopped_leaves_nothing() {
    let options = options(8, Policy::default());
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    let cancel = Cancel::default();
    cancel.cancel();
    let writer = IndexWriter::new(&path).resources(resources(16 << 20, 2)).cancel(&cancel);
    let build = || writer.build(options.clone(), jsonl(&corpus(20)), None);
    assert!(matches!(build(), Err(Error::Cancelled)));
    assert!(!path.exists());
    fs::create_dir(&path).unwrap();
    assert!(build().is_err());
    assert!(path.exists(), "a folder that was there before stays");
}

#[test]
fn no_flipped_byte_gives_a_wrong_answer() {
    let options = options(8, Policy::default());
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    let few = corpus(24);
    take_with(&few, Step::Build, &path, Arc::new(RealDisk), &options).unwrap();
    take_with(&few, Step::Add, &path, Arc::new(RealDisk), &options).unwrap();
    let ask = || -> Result<String, Error> {
        let index = Index::open(&path, "")?;
        let mut answers = format!("{:?}", index.sweeps());
        index.for_each_history(|url, history| {
            let answer = index.query(&Query::Document(history[history.len() - 1].1), &wide(false))?;
            answers.extend([url, ": ", &serde_json::to_string(&answer).unwrap(), "\n"]);
            Ok(())
        })?;
        Ok(answers)
    };
    let noticed = flip(&path, 1, 61, ask);
    assert!(noticed > 50, "{noticed}");
}

/// Flips a bit of every `step`th byte of every file of an index. Verify names each; every `seldom`th is asked about too, which gives the
/// truth or an error. How many errors there were.
pub(crate) fn flip(path: &Path, step: usize, seldom: usize, ask: impl Fn() -> Result<String, Error>) -> usize {
    let truth = ask().unwrap();
    let mut noticed = 0;
    for entry in fs::read_dir(path).unwrap() {
        let file = entry.unwrap().path();
        let good = fs::read(&file).unwrap();
        if file.ends_with("lock") {
            assert!(good.is_empty());
            continue;
        }
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        for (number, at) in (0..good.len()).step_by(step).enumerate() {
            let mut bad = good.clone();
            bad[at] ^= 1 << (at % 8);
            fs::write(&file, &bad).unwrap();
            let damages = verify(path).unwrap().damages;
            assert!(!damages.is_empty(), "byte {at} of {name} is not noticed");
            assert!(damages.iter().all(|d| d.contains(&name) && d.contains("damaged at byte")), "{damages:?}");
            if number % seldom == 0 {
                match ask() {
                    Ok(answers) => assert_eq!(answers, truth, "byte {at} of {name} gives a wrong answer"),
                    Err(error) => {
                        noticed += 1;
                        assert!(error.to_string().contains(&name), "{error}");
                    }
                }
            }
        }
        fs::write(&file, &good).unwrap();
    }
    assert_eq!(ask().unwrap(), truth);
    noticed
}
