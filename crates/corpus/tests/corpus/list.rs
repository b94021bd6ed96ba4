//! The files of the inputs, listed without being read; and records, counted while they are read.

use std::fs;
use std::path::{Path, PathBuf};

use lookalike_corpus::{Input, Listed, Options, ShardRecords};
use tempfile::tempdir;

use crate::common::packing::zip_of;
use crate::common::{open, read};

fn listed(folder: &Path, options: Options) -> Vec<String> {
    let mut found = Vec::new();
    let name = |path: &Path| path.strip_prefix(folder).unwrap().display().to_string();
    open(vec![Input::Path(folder.to_owned())], options).list(|listed| {
        found.push(match listed {
            Listed::File(path) => name(&path),
            Listed::Archive(path) => format!("archive {}", name(&path)),
            Listed::LeftOut(skipped) => format!("{} {}", skipped.reason.kind(), name(&PathBuf::from(skipped.id))),
        });
    });
    found
}

#[test]
fn every_file_is_listed_or_left_out() {
    let dir = tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    file("a.jsonl", b"{\"text\":1}\n");
    file("b.parquet", b"no Parquet");
    file("c.csv.gz", b"");
    file("sub/d.zip", &zip_of(&[("x.txt", b"text")]));
    file("sub/e.wacz", b"");
    file("sub/f.txt", b"text");
    file(".hidden", b"");
    file(".ignore", b"ignored.txt\n");
    file("ignored.txt", b"");
    fs::hard_link(dir.path().join("a.jsonl"), dir.path().join("sub/g.jsonl")).unwrap();
    let archives = Options { archives: true, ..Options::default() };
    assert_eq!(
        listed(dir.path(), archives.clone()),
        [
            "hidden .hidden",
            "hidden .ignore",
            "a.jsonl",
            "b.parquet",
            "c.csv.gz",
            "ignored ignored.txt",
            "sub/d.zip",
            "sub/e.wacz",
            "sub/f.txt",
            "same file sub/g.jsonl",
        ]
    );
    let include = Options { include: vec!["*.txt".into()], no_ignore: true, ..archives };
    assert_eq!(listed(dir.path(), include), ["ignored.txt", "archive sub/d.zip", "sub/f.txt"]);
}

#[test]
fn records_are_counted_whether_they_are_documents_or_not() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("a.jsonl"), "{\"text\":\"a\"}\n\n{\"text\":null}\nno JSON\n \t\n{\"text\":\"b\"}")
        .unwrap();
    fs::write(dir.path().join("b.csv"), "id,text\n1,a\n\n2\n3,\"two\nlines\"\n").unwrap();
    for batch_bytes in [1, 1 << 20] {
        let options = Options { batch_bytes, ..Options::default() };
        let corpus = open(vec![Input::Path(dir.path().to_owned())], options);
        // a second reader counts anew
        for _ in 0..2 {
            read(&corpus);
            assert_eq!(corpus.records(), [ShardRecords { all: 6, blank: 2 }, ShardRecords { all: 3, blank: 0 }]);
        }
    }
    let long = Options { batch_bytes: 1, max_size: 8, ..Options::default() };
    let corpus = open(vec![Input::Path(dir.path().to_owned())], long);
    read(&corpus);
    assert_eq!(corpus.records().iter().map(|records| records.all).collect::<Vec<_>>(), [6, 3]);
}
