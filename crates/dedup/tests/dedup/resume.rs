//! Runs that are stopped, and go on.

use crate::common::{files, options, run, shards, texts};
use lookalike_dedup::{Dedup, DedupOptions, Error};
use lookalike_store::{Cancel, Progress, Unit};
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Stops the run when progress was told so many times.
pub(crate) struct StopAfter {
    left: AtomicU64,
    pub(crate) cancel: Cancel,
    pub(crate) phases: Mutex<Vec<&'static str>>,
}

impl StopAfter {
    pub(crate) fn new(times: u64) -> Self {
        Self { left: AtomicU64::new(times), cancel: Cancel::default(), phases: Mutex::default() }
    }

    fn tell(&self) {
        if self.left.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.cancel.cancel();
        }
    }
}

impl Progress for StopAfter {
    fn begin(&self, phase: &'static str, _: Unit, _: Option<u64>) {
        self.phases.lock().unwrap().push(phase);
        self.tell();
    }

    fn advance(&self, _: u64) {
        self.tell();
    }

    fn end(&self) {
        self.tell();
    }
}

pub(crate) fn resuming(options: &DedupOptions) -> DedupOptions {
    let mut options = options.clone();
    options.resume = true;
    options
}

#[test]
fn whenever_it_is_stopped_the_result_is_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(400), 6);
    let options = options(|o| o.scan.resources.threads = 2);
    let whole = dir.path().join("whole");
    run(&input, Some(&whole), &options).unwrap();
    let expected = files(&whole);
    let (mut stopped, mut phases_done_twice) = (0, 0);
    for times in 1..40 {
        let out = dir.path().join(format!("out{times}"));
        let stop = StopAfter::new(times);
        let first = Dedup::new(options.clone())
            .progress(&stop)
            .cancel(&stop.cancel)
            .run(std::slice::from_ref(&input), Some(&out));
        match first {
            Ok(_) => {}
            Err(error) => {
                assert!(error.is_cancelled(), "{error}");
                assert!(!out.exists(), "nothing looks complete");
                stopped += 1;
                let again = StopAfter::new(u64::MAX);
                Dedup::new(resuming(&options)).progress(&again).run(std::slice::from_ref(&input), Some(&out)).unwrap();
                let (first, again) = (stop.phases.into_inner().unwrap(), again.phases.into_inner().unwrap());
                // only the phase that was stopped, or the one step that several phases are
                let twice: Vec<_> = again.iter().filter(|phase| first.contains(phase)).collect();
                assert!(twice.len() <= 2, "{first:?} {again:?}");
                phases_done_twice += twice.len();
            }
        }
        assert!(files(&out) == expected, "stopped after {times}");
        assert!(!dir.path().join(format!("out{times}.partial")).exists());
    }
    assert!(stopped > 10, "{stopped}");
    assert!(phases_done_twice > 0);
}

fn stopped(input: &Path, out: &Path, options: &DedupOptions) {
    for times in 1.. {
        let stop = StopAfter::new(times);
        let run = Dedup::new(options.clone()).progress(&stop).cancel(&stop.cancel).run(&[input.to_owned()], Some(out));
        assert!(run.is_err_and(|error| error.is_cancelled()));
        if out.with_file_name("out.partial").join("work/read.step").exists() {
            return;
        }
    }
}

#[test]
fn a_stopped_run_goes_on_only_as_it_was_begun() {
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(100), 2);
    let (out, options) = (dir.path().join("out"), options(|_| {}));
    stopped(&input, &out, &options);
    assert!(matches!(run(&input, Some(&out), &options), Err(Error::Stopped { .. })));
    let mut other = resuming(&options);
    other.shingles.policy.threshold = 0.9;
    let Err(Error::OtherRun { what, .. }) = run(&input, Some(&out), &other) else { panic!("another policy was taken") };
    assert_eq!(what, "policy");
    run(&input, Some(&out), &resuming(&options)).unwrap();
    assert!(out.is_dir());
}

#[test]
fn what_changed_meanwhile_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(100), 2);
    let (out, options) = (dir.path().join("out"), options(|_| {}));
    // stopped before anything was compared
    stopped(&input, &out, &options);
    let work = out.with_file_name("out.partial").join("work");
    assert!(work.join("stamps.step").exists() && !work.join("links.step").exists());
    let shard = input.join("shard-1.jsonl");
    let mut lines = fs::read(&shard).unwrap();
    lines.extend(b"{\"id\":\"new\",\"text\":\"came later\"}\n");
    fs::write(&shard, lines).unwrap();
    let Err(Error::Damaged { id, .. }) = run(&input, Some(&out), &resuming(&options)) else { panic!("it went on") };
    assert!(id.ends_with("shard-1.jsonl"), "{id}");
}

#[test]
fn damaged_steps_are_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(100), 2);
    let (out, options) = (dir.path().join("out"), options(|_| {}));
    stopped(&input, &out, &options);
    let work = dir.path().join("out.partial/work");
    for name in ["sizes", "entries", "read.step"] {
        let path = work.join(name);
        let whole = fs::read(&path).unwrap();
        let mut broken = whole.clone();
        broken[whole.len() / 2] ^= 4;
        fs::write(&path, broken).unwrap();
        assert!(run(&input, Some(&out), &resuming(&options)).is_err(), "{name}");
        assert!(!out.exists(), "{name}");
        fs::write(&path, whole).unwrap();
    }
    run(&input, Some(&out), &resuming(&options)).unwrap();
}
