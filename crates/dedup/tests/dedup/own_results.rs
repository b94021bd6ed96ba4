//! Folders that another program or an earlier run made: none is touched, and none is read as a part of the corpus.

use crate::common::{Text, files, options, run, shards, texts};
use crate::resume::{StopAfter, resuming};
use lookalike_dedup::{Dedup, DedupResult, Error};
use lookalike_engine::Error as EngineError;
use lookalike_index::Index;
use lookalike_store::Error as StoreError;
use std::fs;
use std::path::Path;

#[test]
fn a_foreign_partial_folder_is_refused_and_stays_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let good = shards(dir.path(), &texts(20), 2);
    let bad = dir.path().join("bad.jsonl");
    fs::write(&bad, "{\"id\":1").unwrap();
    let (out, partial) = (dir.path().join("out"), dir.path().join("out.partial"));
    for planted in ["mine/thesis.txt", "work/entries", "work/lock", "work/run.step", "result/corpus/a.jsonl"] {
        let file = partial.join(planted);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "precious").unwrap();
        let before = files(&partial);
        for (input, resume) in [(&bad, false), (&good, false), (&good, true)] {
            let options = options(|o| o.resume = resume);
            let Err(Error::Foreign { .. }) = run(input, Some(&out), &options) else { panic!("{planted} {resume}") };
            assert!(files(&partial) == before && !out.exists(), "{planted} {resume}");
        }
        fs::remove_dir_all(&partial).unwrap();
    }
    // an empty folder and a file are no runs either
    fs::create_dir(&partial).unwrap();
    assert!(matches!(run(&good, Some(&out), &options(|_| {})), Err(Error::Foreign { .. })));
    fs::remove_dir(&partial).unwrap();
    fs::write(&partial, "precious").unwrap();
    assert!(matches!(run(&good, Some(&out), &options(|_| {})), Err(Error::Foreign { .. })));
    assert_eq!(fs::read(&partial).unwrap(), b"precious");
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_the_partial_folder_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(100), 2);
    let (out, real) = (dir.path().join("out"), dir.path().join("real"));
    // even a link to the folder of a real run
    let partial = dir.path().join("out.partial");
    for times in 1.. {
        let _ = fs::remove_dir_all(&partial);
        let stop = StopAfter::new(times);
        let dedup = Dedup::new(options(|_| {})).progress(&stop).cancel(&stop.cancel);
        dedup.run(std::slice::from_ref(&input), Some(&out)).err().expect("it is stopped");
        if partial.join("work/read.step").exists() {
            break;
        }
    }
    fs::rename(dir.path().join("out.partial"), &real).unwrap();
    let before = files(&real);
    for target in [&real, &dir.path().join("nowhere")] {
        std::os::unix::fs::symlink(target, dir.path().join("out.partial")).unwrap();
        for resume in [false, true] {
            let told = run(&input, Some(&out), &options(|o| o.resume = resume));
            assert!(matches!(told, Err(Error::Foreign { .. })), "{:?}", told.err());
        }
        fs::remove_file(dir.path().join("out.partial")).unwrap();
    }
    assert!(files(&real) == before && !dir.path().join("nowhere").exists());
}

/// Ids of what was left out as written by lookalike, below a folder.
fn own(result: &DedupResult, folder: &Path) -> Vec<String> {
    let skipped = &result.linked.documents.catalogue.skipped;
    let own = skipped.iter().filter(|skip| skip.kind == "own result");
    own.map(|skip| skip.id.strip_prefix(&format!("{}/", folder.display())).unwrap().to_owned()).collect()
}

#[test]
fn a_result_inside_the_input_is_no_input() {
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(100), 3);
    let outside = dir.path().join("outside");
    let expected = run(&input, Some(&outside), &options(|_| {})).unwrap();
    let corpus = files(&outside.join("corpus"));
    for (at, others) in
        [&["out0.partial"][..], &["out0", "out1.partial"], &["out0", "out1", "out2.partial"]].iter().enumerate()
    {
        let out = input.join(format!("out{at}"));
        let result = run(&input, Some(&out), &options(|_| {})).unwrap();
        assert_eq!(own(&result, &input), *others);
        assert_eq!(result.summary.documents, expected.summary.documents);
        assert!(files(&out.join("corpus")) == corpus, "run {at}");
    }
    // a result that is named is read
    let named = run(&input.join("out0/corpus"), None, &options(|_| {})).unwrap();
    assert_eq!(named.summary.documents, expected.summary.kept);
}

#[test]
fn an_unfinished_run_inside_the_input_is_no_input() {
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(100), 3);
    let expected = run(&input, None, &options(|_| {})).unwrap();
    let stop = StopAfter::new(12);
    let dedup = Dedup::new(options(|_| {})).progress(&stop).cancel(&stop.cancel);
    dedup.run(std::slice::from_ref(&input), Some(&input.join("stopped"))).err().expect("it is stopped");
    assert!(input.join("stopped.partial").exists());
    let result = run(&input, None, &options(|_| {})).unwrap();
    assert_eq!(own(&result, &input), ["stopped.partial"]);
    assert_eq!(result.summary.documents, expected.summary.documents);
}

#[test]
fn an_update_that_fails_is_finished_by_resuming() {
    let dir = tempfile::tempdir().unwrap();
    let all = texts(120);
    let (old, new): (&[Text], &[Text]) = all.split_at(all.len() / 2);
    let index = dir.path().join("it.index");
    let updating = options(|o| o.update = Some(index.clone()));
    run(&shards(&dir.path().join("old"), old, 2), Some(&dir.path().join("first")), &updating).unwrap();
    let input = shards(&dir.path().join("new"), new, 2);
    let (out, plain) = (dir.path().join("out"), dir.path().join("plain"));
    let corpus = |result: &Path| files(&result.join("corpus"));
    run(&input, Some(&plain), &options(|_| {})).unwrap();
    let before = Index::open(&index, "").unwrap().info().unwrap().documents;
    let held = fs::File::options().write(true).open(index.join("lock")).unwrap();
    held.try_lock().unwrap();
    for resume in [false, true] {
        let options = if resume { resuming(&updating) } else { updating.clone() };
        let Err(Error::NotUpdated { source, .. }) = run(&input, Some(&out), &options) else { panic!("{resume}") };
        assert!(matches!(*source, EngineError::Store(StoreError::Locked { .. })), "{source}");
        assert!(corpus(&out) == corpus(&plain), "the result is complete");
    }
    assert!(matches!(run(&input, Some(&out), &updating), Err(Error::Exists { .. })));
    assert_eq!(Index::open(&index, "").unwrap().info().unwrap().documents, before);
    held.unlock().unwrap();
    let result = run(&input, Some(&out), &resuming(&updating)).unwrap();
    let after = Index::open(&index, "").unwrap().info().unwrap().documents;
    assert!(after > before && result.summary.kept > 0, "{before} {after}");
    assert!(corpus(&out) == corpus(&plain) && !dir.path().join("out.partial").exists());
    assert!(matches!(run(&input, Some(&out), &resuming(&updating)), Err(Error::Exists { .. })));
}

#[test]
fn an_index_of_another_recipe_is_refused_before_anything_is_made() {
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(30), 2);
    let index = dir.path().join("it.index");
    run(&input, Some(&dir.path().join("first")), &options(|o| o.update = Some(index.clone()))).unwrap();
    let other = |change: fn(&mut lookalike_dedup::DedupOptions, &Path)| {
        options(|o| {
            o.shingles.recipe.w += 1;
            change(o, &index);
        })
    };
    for options in [
        other(|o, index| o.against = vec![index.to_owned()]),
        other(|o, index| o.update = Some(index.to_owned())),
        other(|o, index| o.contamination.benchmarks = vec![index.with_file_name("missing.jsonl")]),
    ] {
        assert!(run(&input, Some(&dir.path().join("out")), &options).is_err());
        assert!(!dir.path().join("out").exists() && !dir.path().join("out.partial").exists());
    }
}
