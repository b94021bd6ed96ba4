//! Documents that an index has already.

use crate::common::{Text, options, removed, run, shards, texts};
use lookalike_dedup::{DedupOptions, Error};
use lookalike_engine::report::cluster::Class;
use std::fs;
use std::path::Path;

fn named(texts: &[Text], prefix: &str) -> Vec<Text> {
    texts.iter().map(|(id, text)| (format!("{prefix}{id}"), text.clone())).collect()
}

/// What a run with `--update` and one with `--against` do.
fn with_index(index: &Path, update: bool) -> DedupOptions {
    options(|o| {
        if update {
            o.update = Some(index.to_owned());
        } else {
            o.against = vec![index.to_owned()];
        }
    })
}

#[test]
fn what_the_index_has_goes_and_the_old_ids_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let all = texts(300);
    let (old, new) = all.split_at(all.len() / 2);
    let index = dir.path().join("old.index");
    let first = dir.path().join("first");
    let old_input = shards(&dir.path().join("old"), &named(old, "old-"), 2);
    run(&old_input, Some(&first), &with_index(&index, true)).unwrap();
    let new_input = shards(&dir.path().join("new"), &named(new, "new-"), 2);
    let result = run(&new_input, None, &with_index(&index, false)).unwrap();
    assert!(result.summary.known > 20, "{}", result.summary.known);
    assert_eq!(result.summary.known_by_estimate, 0, "all originals can be read");
    for copy in result.removals.known() {
        assert!(copy.id.starts_with("old-") && copy.verified && copy.resemblance >= 0.8, "{copy:?}");
    }
    // the same as both in one corpus of which only the new may go
    let both = options(|o| o.scan.drop_only_from = vec![new_input.display().to_string()]);
    let both = lookalike_dedup::Dedup::new(both)
        .run(&[first.join("corpus"), new_input.clone()], None)
        .unwrap()
        .documents()
        .unwrap();
    let gone = |result| removed(result).into_keys().collect::<Vec<String>>();
    assert_eq!(gone(&result), gone(&both));
    // and again with what the index says
    let again = dir.path().join("again");
    run(&new_input, Some(&again), &with_index(&index, false)).unwrap();
    let table = fs::read(again.join("duplicates.parquet")).unwrap();
    assert!(table.len() > 1000);
    // what is gone is known by its sketch only
    fs::remove_dir_all(&first).unwrap();
    let estimated = run(&new_input, None, &with_index(&index, false)).unwrap();
    let near = |copy: &&lookalike_dedup::KnownCopy| copy.class == Class::Near;
    assert!(estimated.removals.known().iter().filter(near).all(|copy| !copy.verified));
    assert!(estimated.summary.known_by_estimate > 5);
}

#[test]
fn an_index_grows_with_every_run() {
    let dir = tempfile::tempdir().unwrap();
    let (index, all) = (dir.path().join("all.index"), texts(90));
    let mut kept = 0;
    for (at, some) in all.chunks(40).enumerate() {
        let input = shards(&dir.path().join(at.to_string()), some, 1);
        let options = options(|o| {
            o.update = Some(index.clone());
            o.against = if index.exists() { vec![index.clone()] } else { Vec::new() };
        });
        kept += run(&input, Some(&dir.path().join(format!("out{at}"))), &options).unwrap().summary.kept;
    }
    let index = lookalike_index::Index::open(&index, "").unwrap();
    assert_eq!(index.info().unwrap().documents, kept);
}

#[test]
fn an_index_of_another_recipe_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(10), 1);
    let index = dir.path().join("index");
    run(&input, Some(&dir.path().join("out")), &with_index(&index, true)).unwrap();
    let mut other = with_index(&index, false);
    other.shingles.recipe.w = 8;
    let refused = run(&input, None, &other);
    assert!(matches!(refused, Err(Error::Engine(lookalike_engine::Error::WrongRecipe { .. }))), "{:?}", refused.err());
}
