//! Arbitrary bytes as a shard or an archive that is written again. The first byte says which, the second what becomes of it.

use lookalike_corpus::{
    Annotation, Body, CopyError, CopyOptions, Item, Options, Place, Reason, Ruling, copy_archive, copy_shard,
};
use crate::shards::{contents, is_damaged, options, place, read};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::ops::Range;

const SHARDS: [&str; 6] = ["x.jsonl", "x.csv", "x.tsv", "x.parquet", "x.arrow", "x.warc"];
const ARCHIVES: [&str; 2] = ["x.zip", "x.tar"];

/// Bits of the second byte.
const ANNOTATE: u8 = 1;
const CUT: u8 = 2;

const MAX_ROWS: u64 = 1 << 16;

pub(crate) fn fuzz(bytes: &[u8]) {
    let [format, how, bytes @ ..] = bytes else { return };
    let at = usize::from(*format) % (SHARDS.len() + ARCHIVES.len());
    match SHARDS.get(at) {
        Some(name) => shard(name, bytes, *how),
        None => archive(ARCHIVES[at - SHARDS.len()], bytes),
    }
}

fn shard(name: &str, bytes: &[u8], how: u8) {
    let (path, copy) = (place(name), place(&format!("copy-{name}")));
    fs::write(&path, bytes).expect("the folder is ours");
    let items = read(&path, &options());
    // a table without texts is one document
    let is_shard = !items.iter().any(|item| matches!(item, Item::Document(found) if found.place.record().is_none()));
    // columns that nobody reads may be damaged
    let is_known = is_shard && !is_damaged(&items) && !["x.parquet", "x.arrow"].contains(&name);
    // what the copy holds, unless there is nothing in it
    let written = |annotate: bool, rule: &dyn Fn(u64) -> Ruling| {
        let to = File::create(&copy).expect("the folder is ours");
        let copy_options = CopyOptions { text_field: "text".into(), annotate };
        let mut next = 0;
        let copied = copy_shard(&path, to, &copy_options, &mut |row| {
            assert_eq!(row, next, "each record is asked for once");
            next += 1;
            // a few bytes can claim to be billions of rows
            if row < MAX_ROWS { Ok(rule(row)) } else { Err("too many rows".into()) }
        });
        if let Err(error @ (CopyError::Read { .. } | CopyError::Write(_))) = &copied {
            assert!(!is_known, "{error}");
        }
        let copied = copied.ok()?;
        assert_eq!(copied.records, next);
        (copied.records > 0).then(|| read(&copy, &options()))
    };
    let is_whole = is_shard && !is_damaged(&items);
    if let Some(same) = written(false, &|_| Ruling::KEEP).filter(|_| is_whole) {
        assert_eq!(contents(&same), contents(&items));
    }
    let texts = items.iter().filter_map(text).collect::<BTreeMap<u64, Body<'_>>>();
    let dropped: BTreeSet<u64> = texts.keys().copied().skip(1).step_by(2).collect();
    let cuts = |row| texts.get(&row).filter(|_| how & CUT != 0).and_then(cut_of);
    let annotation = Annotation { duplicate_of: Some("a\",\n\tb".into()), cluster: Some(7), ..Annotation::default() };
    let rule = |row: u64| Ruling {
        keep: !dropped.contains(&row),
        cuts: cuts(row).into_iter().collect(),
        annotation: if row.is_multiple_of(3) { annotation.clone() } else { Annotation::default() },
        original: None,
    };
    if let Some(others) = written(how & ANNOTATE != 0, &rule).filter(|_| is_whole) {
        let expected = items.iter().filter(|item| record(item).is_none_or(|row| !dropped.contains(&row)));
        let expected = expected.cloned().map(|mut item| {
            let cuts = record(&item).and_then(cuts);
            if let (Item::Document(document), Some(cut)) = (&mut item, cuts) {
                document.body = without(&document.body, cut);
            }
            item
        });
        assert_eq!(contents(&others), contents(&expected.collect::<Vec<_>>()));
    }
}

fn record(item: &Item<'_>) -> Option<u64> {
    match item {
        Item::Document(document) => Some(document.place.record()?.1),
        Item::Skipped(_) => None,
    }
}

fn text(item: &Item<'static>) -> Option<(u64, Body<'static>)> {
    let Item::Document(document) = item else { return None };
    Some((document.place.record()?.1, document.body.clone()))
}

/// The first letter of a text.
fn cut_of(body: &Body<'_>) -> Option<Range<usize>> {
    let Body::Text(text) = body else { return None };
    text.chars().next().map(|first| 0..first.len_utf8())
}

fn without(body: &Body<'_>, cut: Range<usize>) -> Body<'static> {
    let Body::Text(text) = body else { unreachable!("only texts are cut") };
    let mut text = text.to_string();
    text.replace_range(cut, "");
    Body::Text(text.into())
}

fn archive(name: &str, bytes: &[u8]) {
    let (path, copy) = (place(name), place(&format!("copy-{name}")));
    fs::write(&path, bytes).expect("the folder is ours");
    let options = Options { archives: true, hidden: true, ..options() };
    let items = read(&path, &options);
    let written = |dropped: &BTreeSet<&str>| {
        let to = File::create(&copy).expect("the folder is ours");
        copy_archive(&path, to, &mut |member| !dropped.contains(member)).map(|_| read(&copy, &options))
    };
    match written(&BTreeSet::new()) {
        Ok(same) if !is_damaged(&items) => assert_eq!(contents(&same), contents(&items)),
        _ => {}
    }
    let members = items.iter().filter_map(member);
    // those of an archive inside of it stay
    let dropped: BTreeSet<&str> = members.filter(|name| !name.contains("!/")).skip(1).step_by(2).collect();
    // a second member of a name comes to light when the first goes
    let has_twins = items.iter().any(|item| matches!(item, Item::Skipped(skipped) if is_twin(&skipped.reason)));
    if let Ok(others) = written(&dropped)
        && !is_damaged(&items)
        && !has_twins
    {
        let is_left = |item: &&Item<'_>| member(item).is_none_or(|name| !dropped.contains(name));
        let expected: Vec<_> = items.iter().filter(is_left).cloned().collect();
        assert_eq!(contents(&others), contents(&expected));
    }
}

fn member<'a>(item: &'a Item<'_>) -> Option<&'a str> {
    match item {
        Item::Document(document) => match &document.place {
            Place::Member { name, .. } => Some(name),
            _ => None,
        },
        Item::Skipped(_) => None,
    }
}

fn is_twin(reason: &Reason) -> bool {
    matches!(reason, Reason::Packed(why) if why.contains("same name"))
}
