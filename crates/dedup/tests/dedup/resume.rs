//! Runs that are stopped, and go on.

use crate::common::{Text, files, line, options, run, shards, texts};
use flate2::write::GzEncoder;
use lookalike_dedup::{Dedup, DedupOptions, Error, KeptRun, kept_run};
use lookalike_store::{Cancel, Progress, Unit};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
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
    let (mut stopped, mut phases_done_twice, mut in_reading) = (0, 0, 0);
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
                in_reading += u32::from(matches!(kept_run(&out), Some(KeptRun::Files { .. })));
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
    assert!(stopped > 10 && in_reading > 2, "{stopped}, {in_reading} of them while reading");
    assert!(phases_done_twice > 0);
}

/// Leaves a run that was stopped after its reading step.
fn stopped(input: &Path, out: &Path, options: &DedupOptions) {
    let partial = out.with_file_name("out.partial");
    for times in 1.. {
        // A run that was stopped earlier would be refused, or would not read again.
        let _ = fs::remove_dir_all(&partial);
        let stop = StopAfter::new(times);
        let run = Dedup::new(options.clone()).progress(&stop).cancel(&stop.cancel).run(&[input.to_owned()], Some(out));
        assert!(run.is_err_and(|error| error.is_cancelled()));
        if partial.join("work/read.step").exists() {
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

/// Every kind of input: shards that can be read again record by record or not, archives, single files, and what is skipped on the way.
fn mixed(dir: &Path) -> PathBuf {
    let all = texts(90);
    let input = shards(dir, &all[..80], 2);
    let lines = |texts: &[Text]| texts.iter().map(line).collect::<String>();
    let mut gzip = GzEncoder::new(File::create(input.join("a.jsonl.gz")).unwrap(), flate2::Compression::fast());
    gzip.write_all(lines(&all[40..100]).as_bytes()).unwrap();
    gzip.finish().unwrap();
    for (at, (_, text)) in all[90..110].iter().enumerate() {
        fs::write(input.join(format!("single-{at:02}.txt")), text).unwrap();
    }
    let mut zip = zip::ZipWriter::new(File::create(input.join("pages.zip")).unwrap());
    for (id, text) in &all[100..130] {
        zip.start_file(format!("{id}.txt"), zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    fs::write(input.join("odd.jsonl"), lines(&all[..3]) + "not JSON\n{\"id\":\"no text\"}\n").unwrap();
    fs::write(input.join("empty.jsonl"), "").unwrap();
    fs::write(input.join("image.png"), b"\x89PNG\0\0\0").unwrap();
    fs::write(input.join(".hidden"), "hidden").unwrap();
    input
}

#[test]
fn files_that_were_read_are_kept_whatever_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let input = mixed(dir.path());
    let options = options(|o| {
        o.scan.resources.threads = 2;
        o.allow_damaged = true;
    });
    let whole = dir.path().join("whole");
    run(&input, Some(&whole), &options).unwrap();
    let expected = files(&whole);
    let mut kept = Vec::new();
    for times in 1..80 {
        let out = dir.path().join(format!("out{times}"));
        let mut options = options.clone();
        // stopped again and again, each time a little later
        for more in 0.. {
            let stop = StopAfter::new(times + more);
            let dedup = Dedup::new(options.clone()).progress(&stop).cancel(&stop.cancel);
            match dedup.run(std::slice::from_ref(&input), Some(&out)) {
                Ok(_) => break,
                Err(error) => assert!(error.is_cancelled(), "{error}"),
            }
            if let Some(KeptRun::Files { files, .. }) = kept_run(&out) {
                kept.push(files);
            }
            options.resume = true;
        }
        assert!(files(&out) == expected, "stopped after {times}");
    }
    kept.sort_unstable();
    kept.dedup();
    // how many batches are on their way when a run is stopped depends on the machine
    assert!(kept.len() > 2, "{kept:?}");
}

#[test]
fn a_file_that_changed_while_the_run_was_stopped_is_read_again() {
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(400), 6);
    let options = options(|o| o.scan.resources.threads = 2);
    let out = dir.path().join("out");
    for times in 1.. {
        let stop = StopAfter::new(times);
        let run = Dedup::new(options.clone()).progress(&stop).cancel(&stop.cancel);
        assert!(run.run(std::slice::from_ref(&input), Some(&out)).is_err(), "it never was in the middle of reading");
        match kept_run(&out) {
            Some(KeptRun::Files { files, last }) if files >= 2 => {
                assert!(last.ends_with(&format!("shard-{}.jsonl", files - 1)), "{files} {last}");
                break;
            }
            Some(_) => fs::remove_dir_all(dir.path().join("out.partial")).unwrap(),
            None => assert!(!dir.path().join("out.partial").exists()),
        }
    }
    let shard = input.join("shard-0.jsonl");
    let less = fs::read_to_string(&shard).unwrap().split_inclusive('\n').skip(3).collect::<String>();
    fs::write(&shard, less).unwrap();
    fs::write(input.join("shard-00.jsonl"), line(&("new".into(), "a file that is new".into()))).unwrap();
    run(&input, Some(&out), &resuming(&options)).unwrap();
    let whole = dir.path().join("whole");
    run(&input, Some(&whole), &options).unwrap();
    assert!(files(&out) == files(&whole));
}

#[test]
fn damage_in_what_reading_kept_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let input = mixed(dir.path());
    let options = options(|o| o.allow_damaged = true);
    let (out, work) = (dir.path().join("out"), dir.path().join("out.partial/work"));
    for times in 5.. {
        let stop = StopAfter::new(times);
        let run = Dedup::new(options.clone()).progress(&stop).cancel(&stop.cancel);
        run.run(std::slice::from_ref(&input), Some(&out)).err().expect("it is stopped");
        match kept_run(&out) {
            Some(KeptRun::Files { files, .. }) if files > 3 => break,
            Some(_) => fs::remove_dir_all(dir.path().join("out.partial")).unwrap(),
            None => {}
        }
    }
    for name in ["reading-records", "reading-files"] {
        let path = work.join(name);
        let whole = fs::read(&path).unwrap();
        let mut broken = whole.clone();
        broken[20] ^= 4;
        fs::write(&path, broken).unwrap();
        assert!(run(&input, Some(&out), &resuming(&options)).is_err(), "{name}");
        assert!(!out.exists(), "{name}");
        fs::write(&path, whole).unwrap();
    }
    run(&input, Some(&out), &resuming(&options)).unwrap();
}
