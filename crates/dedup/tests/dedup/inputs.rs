//! Inputs that name the same file several times, that are patterns, or that have something in them that is no input.

use crate::common::{files, line, options, run, shards, texts};
use crate::cut_common::summary;
use crate::resume::{StopAfter, resuming};
use lookalike_corpus::RESULT_MARKER;
use lookalike_dedup::{Dedup, DedupOptions, DedupResult, Error};
use std::fs;
use std::path::{Path, PathBuf};

fn dedup(inputs: &[PathBuf], out: &Path, options: &DedupOptions) -> Result<DedupResult, Error> {
    Ok(Dedup::new(options.clone()).run(inputs, Some(out))?.documents().expect("whole documents"))
}

/// Shards `a.jsonl` and `b.jsonl` of some texts in a folder `k`.
fn corpus(dir: &Path) -> (PathBuf, Vec<u8>) {
    let folder = dir.join("k");
    fs::create_dir(&folder).unwrap();
    let lines = |from: usize| texts(20).iter().skip(from).step_by(2).map(line).collect::<String>();
    fs::write(folder.join("a.jsonl"), lines(0)).unwrap();
    fs::write(folder.join("b.jsonl"), lines(1)).unwrap();
    (folder, lines(0).into_bytes())
}

#[cfg(unix)]
#[test]
fn a_file_with_two_names_is_read_and_written_once() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().unwrap();
    let (k, _) = corpus(dir.path());
    let single = dedup(&[k.join("a.jsonl")], &dir.path().join("single"), &options(|_| {})).unwrap();
    let expected = fs::read(dir.path().join("single/corpus/a.jsonl")).unwrap();
    symlink(&k, dir.path().join("lk")).unwrap();
    symlink(k.join("a.jsonl"), dir.path().join("link.jsonl")).unwrap();
    let dotted = dir.path().join("k/./a.jsonl");
    for (at, second) in [k.join("a.jsonl"), dotted, dir.path().join("lk/a.jsonl"), dir.path().join("link.jsonl")]
        .into_iter()
        .enumerate()
    {
        let out = dir.path().join(format!("out{at}"));
        let result = dedup(&[k.join("a.jsonl"), second], &out, &options(|_| {})).unwrap();
        assert_eq!(result.summary.documents, single.summary.documents, "{at}");
        let written = result.summary.written.unwrap();
        assert_eq!((written.files, written.shards.len()), (1, 1), "{at}");
        let corpus = files(&out.join("corpus"));
        assert!(corpus.len() == 1 && corpus.values().all(|bytes| *bytes == expected), "{at}: {:?}", corpus.keys());
    }
    // a folder, and a file in it
    let whole = dedup(std::slice::from_ref(&k), &dir.path().join("whole"), &options(|_| {})).unwrap();
    let both = dedup(&[k.clone(), k.join("b.jsonl")], &dir.path().join("both"), &options(|_| {})).unwrap();
    assert_eq!(whole.summary.documents, both.summary.documents);
    assert_eq!(files(&dir.path().join("both/corpus")).len(), 2);
}

#[cfg(unix)]
#[test]
fn a_shard_that_would_be_missing_is_an_error() {
    use std::os::unix::fs::symlink;
    type Make = fn(&Path);
    type Change = fn(&mut DedupOptions);
    let text = "{\"id\":1,\"text\":\"words that nothing else in the corpus has\"}\n";
    let cases: [(&str, &str, Make, Option<Change>); 9] = [
        ("k/.a.jsonl", "hidden", |_| {}, Some(|o| o.scan.corpus.hidden = true)),
        ("k/.hidden/a.parquet.zip", "hidden", |_| {}, None),
        ("k/a.csv", "ignored", |dir| fs::write(dir.join("k/.gitignore"), "*.csv").unwrap(), None),
        (
            "k/data/x.jsonl",
            "ignored",
            |dir| fs::write(dir.join(".ignore"), "data/").unwrap(),
            Some(|o| o.scan.corpus.no_ignore = true),
        ),
        ("k/__MACOSX/a.jsonl", "system file", |_| {}, Some(|o| o.scan.corpus.hidden = true)),
        (
            "elsewhere/x.jsonl",
            "symbolic link",
            |dir| symlink("../elsewhere/x.jsonl", dir.join("k/x.jsonl")).unwrap(),
            Some(|o| o.scan.corpus.follow_links = true),
        ),
        ("elsewhere/x.jsonl", "symbolic link", |dir| symlink("../elsewhere", dir.join("k/more")).unwrap(), None),
        ("k/x.jsonl", "same file", |dir| fs::hard_link(dir.join("k/x.jsonl"), dir.join("k/y.jsonl")).unwrap(), None),
        ("k/.hidden/deep/x.warc.gz", "hidden", |_| {}, None),
    ];
    for (name, kind, make, allow) in cases {
        let dir = tempfile::tempdir().unwrap();
        let (k, _) = corpus(dir.path());
        let file = dir.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        make(dir.path());
        let out = dir.path().join("out");
        let told = dedup(std::slice::from_ref(&k), &out, &options(|_| {}));
        let Err(Error::LeftOut { left_out, .. }) = told else { panic!("{name}: {:?}", told.err()) };
        assert_eq!(left_out.kind, kind, "{name}");
        assert!(!out.exists() && !dir.path().join("out.partial").exists(), "{name}");
        if let Some(allow) = allow {
            let result = dedup(std::slice::from_ref(&k), &out, &options(allow)).unwrap();
            assert_eq!(result.summary.written.unwrap().shards.len(), 3, "{name}");
        }
        let exclude = ["y.jsonl", "x.jsonl", "more", "a.csv", ".a.jsonl", ".hidden", "data", "__MACOSX"];
        let excluding = options(|o| o.scan.corpus.exclude = exclude.map(str::to_owned).into());
        dedup(&[k], &dir.path().join("other"), &excluding).unwrap();
    }
}

#[test]
fn no_pattern_matches_a_result() {
    let dir = tempfile::tempdir().unwrap();
    let (k, _) = corpus(dir.path());
    let expected =
        dedup(std::slice::from_ref(&k), &dir.path().join("first"), &options(|_| {})).unwrap().summary.documents;
    dedup(std::slice::from_ref(&k), &k.join("old"), &options(|_| {})).unwrap();
    let stop = StopAfter::new(12);
    let stopped = Dedup::new(options(|_| {})).progress(&stop).cancel(&stop.cancel);
    stopped.run(std::slice::from_ref(&k), Some(&k.join("stopped"))).err().expect("it is stopped");
    for (at, pattern) in ["*", "**/*", "{a,b,old,stopped.partial}*"].into_iter().enumerate() {
        let out = dir.path().join(format!("out{at}"));
        let result = dedup(&[k.join(pattern)], &out, &options(|_| {})).unwrap();
        assert_eq!(result.summary.documents, expected, "{pattern}");
        assert_eq!(result.summary.uncompared.left_out, [("own result".to_owned(), 2)].into(), "{pattern}");
        assert_eq!(files(&out.join("corpus")).len(), 2, "{pattern}");
    }
    for (name, words) in [("old", "old/corpus"), ("stopped.partial", "an unfinished run")] {
        let Err(error) = run(&k.join(name), None, &options(|_| {})) else { panic!("{name} was read") };
        assert!(error.to_string().contains(words), "{error}");
    }
    run(&k.join("old/corpus"), None, &options(|_| {})).unwrap();
}

#[test]
fn a_run_whose_pattern_matches_its_own_folder_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let (k, _) = corpus(dir.path());
    let (pattern, out) = (k.join("*"), k.join("clean"));
    let expected = dedup(std::slice::from_ref(&pattern), &dir.path().join("whole"), &options(|_| {})).unwrap();
    let stop = StopAfter::new(12);
    let first = Dedup::new(options(|_| {})).progress(&stop).cancel(&stop.cancel);
    first.run(std::slice::from_ref(&pattern), Some(&out)).err().expect("it is stopped");
    assert!(k.join("clean.partial").exists());
    let result = dedup(&[pattern], &out, &resuming(&options(|_| {}))).unwrap();
    assert_eq!(result.summary.documents, expected.summary.documents);
    assert!(files(&out) == files(&dir.path().join("whole")));
}

#[cfg(unix)]
#[test]
fn a_pattern_matches_names_that_are_no_unicode() {
    use std::os::unix::ffi::OsStrExt;
    let dir = tempfile::tempdir().unwrap();
    let (k, bytes) = corpus(dir.path());
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.jsonl");
    fs::rename(k.join("a.jsonl"), k.join(name)).unwrap();
    let out = dir.path().join("out");
    let result = dedup(&[k.join("*.jsonl")], &out, &options(|o| o.annotate = false)).unwrap();
    assert_eq!(result.summary.written.unwrap().shards.len(), 2);
    assert!(fs::read(out.join("corpus").join(name)).unwrap().len() <= bytes.len());
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let (k, _) = corpus(dir.path());
    std::os::unix::fs::symlink("nowhere", k.join("link.jsonl")).unwrap();
    for follow_links in [false, true] {
        let out = dir.path().join(format!("out{follow_links}"));
        let result =
            dedup(std::slice::from_ref(&k), &out, &options(|o| o.scan.corpus.follow_links = follow_links)).unwrap();
        assert_eq!(result.summary.uncompared.left_out.values().sum::<u64>(), 1);
        assert_eq!(result.summary.uncompared.not_compared.len(), 0);
        assert_eq!(files(&out.join("corpus")).len(), 2);
    }
}

#[test]
fn an_update_is_not_forgotten_by_resuming_without_it() {
    let dir = tempfile::tempdir().unwrap();
    let (k, _) = corpus(dir.path());
    let (out, index) = (dir.path().join("out"), dir.path().join("it.index"));
    let updating = options(|o| o.update = Some(index.clone()));
    let stop = StopAfter::new(12);
    let first = Dedup::new(updating.clone()).progress(&stop).cancel(&stop.cancel);
    first.run(std::slice::from_ref(&k), Some(&out)).err().expect("it is stopped");
    let told = run(&k, Some(&out), &resuming(&options(|_| {})));
    assert!(matches!(&told, Err(Error::OtherRun { what, .. }) if what == "update"), "{:?}", told.err());
    run(&k, Some(&out), &resuming(&updating)).unwrap();
    assert!(index.exists());
    let update = summary(&out)["options"]["update"].clone();
    assert_eq!(update, index.display().to_string());
}

#[test]
fn a_run_does_not_go_on_with_other_decisions() {
    let dir = tempfile::tempdir().unwrap();
    let (k, _) = corpus(dir.path());
    let out = dir.path().join("out");
    let deciding = |verdict: &str| {
        let decision = serde_json::json!({ "verdict": verdict, "documents": [] });
        options(|o| o.scan.decisions = vec![serde_json::from_value(decision.clone()).unwrap()])
    };
    let stop = StopAfter::new(12);
    let first = Dedup::new(deciding("keep")).progress(&stop).cancel(&stop.cancel);
    first.run(std::slice::from_ref(&k), Some(&out)).err().expect("it is stopped");
    let told = run(&k, Some(&out), &resuming(&deciding("later")));
    assert!(matches!(&told, Err(Error::OtherRun { what, .. }) if what == "decisions_hash"), "{:?}", told.err());
    run(&k, Some(&out), &resuming(&deciding("keep"))).unwrap();
}

#[test]
fn a_folder_in_place_of_the_result_is_no_result() {
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(60), 2);
    let (out, index) = (dir.path().join("out"), dir.path().join("it.index"));
    let updating = options(|o| o.update = Some(index.clone()));
    run(&input, Some(&dir.path().join("first")), &updating).unwrap();
    let held = fs::File::options().write(true).open(index.join("lock")).unwrap();
    held.try_lock().unwrap();
    assert!(matches!(run(&input, Some(&out), &updating), Err(Error::NotUpdated { .. })));
    held.unlock().unwrap();
    fs::remove_dir_all(&out).unwrap();
    fs::create_dir_all(out.join("corpus")).unwrap();
    fs::write(out.join("corpus/mine.jsonl"), "{\"id\":1,\"text\":\"somebody else's\"}\n").unwrap();
    let before = files(&index);
    assert!(matches!(run(&input, Some(&out), &resuming(&updating)), Err(Error::Exists { .. })));
    assert!(files(&index) == before && files(&out).len() == 1);
    assert_eq!(RESULT_MARKER.0, ".lookalike");
}

/// Makes an empty folder in place of the result when the files are about to be written.
struct TakeName<'a>(&'a Path);

impl lookalike_store::Progress for TakeName<'_> {
    fn begin(&self, phase: &'static str, _: lookalike_store::Unit, _: Option<u64>) {
        if phase == "write" {
            fs::create_dir(self.0).unwrap();
        }
    }

    fn advance(&self, _: u64) {}

    fn end(&self) {}
}

#[test]
fn an_empty_folder_that_appears_meanwhile_stays() {
    let dir = tempfile::tempdir().unwrap();
    let (k, _) = corpus(dir.path());
    let out = dir.path().join("out");
    let told = Dedup::new(options(|_| {})).progress(&TakeName(&out)).run(&[k], Some(&out));
    assert!(matches!(told, Err(Error::Exists { .. })), "{:?}", told.err());
    assert_eq!(fs::read_dir(&out).unwrap().count(), 0);
}
