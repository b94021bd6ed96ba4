//! Folders: what is read, in which order, and what is skipped for which reason.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use crate::common::{documents, gzip, ids, items, items_of, kinds, make, open, read, skipped, write, zstd};
use lookalike_corpus::{Body, Corpus, Error, GlobRole, Input, Options, Place, Reason};
use tempfile::tempdir;

#[test]
fn files_come_sorted_by_the_bytes_of_their_names() {
    let dir = tempdir().unwrap();
    make(dir.path(), &["b/z", "b/a", "a.txt", "Z", "b.txt", "a/1", "ä"]);
    let items = items_of(dir.path(), Options::default());
    assert_eq!(ids(&items, dir.path()), ["Z", "a/1", "a.txt", "b/a", "b/z", "b.txt", "ä"]);
    assert_eq!(kinds(&items, dir.path()), []);
    let first = &documents(&items)[0];
    assert_eq!(first.body, Body::Bytes(b"Z"[..].into()));
    assert_eq!(first.place, Place::File(dir.path().join("Z")));
}

#[test]
fn batches_are_limited_by_files_and_bytes_and_change_nothing() {
    let dir = tempdir().unwrap();
    let names: Vec<String> = (0..150).map(|n| format!("{n:03}")).collect();
    make(dir.path(), &names.iter().map(String::as_str).collect::<Vec<_>>());
    let sizes = |options: Options| {
        let corpus = open(vec![Input::Path(dir.path().into())], options);
        let (mut reader, mut sizes, mut seen) = (corpus.reader(), Vec::new(), Vec::new());
        while let Some(batch) = reader.next() {
            let batch = batch.unwrap();
            let (bytes, before) = (batch.bytes(), seen.len());
            batch.read(&mut |item| seen.push(item.into_owned()));
            assert_eq!(bytes, 3 * (seen.len() - before) as u64);
            sizes.push(seen.len() - before);
        }
        assert_eq!(ids(&seen, dir.path()), names);
        sizes
    };
    assert_eq!(sizes(Options::default()), [64, 64, 22]);
    assert_eq!(sizes(Options { batch_bytes: 180, ..Options::default() }), [60, 60, 30]);
    assert_eq!(sizes(Options { batch_bytes: 1, batch_files: 0, ..Options::default() }), [1; 150]);
}

#[test]
fn hidden_and_ignored_files_need_a_word() {
    let dir = tempdir().unwrap();
    make(dir.path(), &[".h/x", ".hidden", "a.log", "a.txt", "keep.log", "sub/b.log", "sub/c.tmp", "out/x"]);
    write(&dir.path().join(".gitignore"), b"*.log\n!keep.log\nout/\n");
    write(&dir.path().join("sub/.ignore"), b"*.tmp\n");
    let read = |options| ids(&items_of(dir.path(), options), dir.path());
    assert_eq!(read(Options::default()), ["a.txt", "keep.log"]);
    let left_out = |options| kinds(&items_of(dir.path(), options), dir.path());
    let hidden = |name: &str| (name.to_owned(), "hidden");
    let ignored = |name: &str| (name.to_owned(), "ignored");
    assert_eq!(
        left_out(Options::default()),
        [
            hidden(".gitignore"),
            hidden(".h"),
            hidden(".hidden"),
            ignored("a.log"),
            ignored("out"),
            hidden("sub/.ignore"),
            ignored("sub/b.log"),
            ignored("sub/c.tmp")
        ]
    );
    assert_eq!(left_out(Options { hidden: true, no_ignore: true, ..Options::default() }), []);
    // Nobody misses what was not asked for.
    let narrow =
        Options { include: vec!["*.txt".into()], exclude: vec!["out".into(), "sub".into()], ..Options::default() };
    assert_eq!(left_out(narrow), [hidden(".h")]);
    // The rules of the folders above hold too.
    assert_eq!(ids(&items_of(&dir.path().join("sub"), Options::default()), dir.path()), [""; 0]);
    assert_eq!(
        read(Options { hidden: true, ..Options::default() }),
        [".gitignore", ".h/x", ".hidden", "a.txt", "keep.log", "sub/.ignore"]
    );
    assert_eq!(
        read(Options { no_ignore: true, ..Options::default() }),
        ["a.log", "a.txt", "keep.log", "out/x", "sub/b.log", "sub/c.tmp"]
    );
}

#[test]
fn globs_choose_and_exclusion_wins() {
    let dir = tempdir().unwrap();
    make(dir.path(), &["a.rs", "a.txt", "src/b.rs", "src/deep/c.rs", "target/d.rs", "x/target/e.rs"]);
    let read = |include: &[&str], exclude: &[&str]| {
        let owned = |globs: &[&str]| globs.iter().map(|&glob| glob.to_owned()).collect();
        let options = Options { include: owned(include), exclude: owned(exclude), ..Options::default() };
        ids(&items_of(dir.path(), options), dir.path())
    };
    assert_eq!(read(&["*.rs"], &["target"]), ["a.rs", "src/b.rs", "src/deep/c.rs"]);
    assert_eq!(read(&["src/*.rs", "a.*"], &["*.txt"]), ["a.rs", "src/b.rs"]);
    assert_eq!(read(&["src/"], &[]), ["src/b.rs", "src/deep/c.rs"]);
    assert_eq!(read(&[], &["src/**", "target/"]), ["a.rs", "a.txt"]);
    // What is named is read, whatever the globs say.
    let options = Options { include: vec!["*.rs".into()], exclude: vec!["a.*".into()], ..Options::default() };
    assert_eq!(ids(&items_of(&dir.path().join("a.txt"), options), dir.path()), ["a.txt"]);
}

#[test]
fn sizes_out_of_bounds_are_reported() {
    let dir = tempdir().unwrap();
    for len in [0, 1, 5, 6] {
        write(&dir.path().join(len.to_string()), &vec![b'x'; len]);
    }
    let options = Options { min_size: 1, max_size: 5, ..Options::default() };
    for inputs in [vec![""], vec!["0", "1", "5", "6"]] {
        let inputs = inputs.iter().map(|name| Input::Path(dir.path().join(name))).collect();
        let items = items(inputs, options.clone());
        assert_eq!(ids(&items, dir.path()), ["1", "5"]);
        let reasons: Vec<Reason> = skipped(&items).into_iter().map(|skipped| skipped.reason).collect();
        assert_eq!(reasons, [Reason::TooSmall { bytes: 0, limit: 1 }, Reason::TooLarge { bytes: 6, limit: 5 }]);
    }
}

#[test]
fn a_file_that_grows_after_the_walk_stops_at_the_limit() {
    let dir = tempdir().unwrap();
    make(dir.path(), &["a"]);
    let corpus = open(vec![Input::Path(dir.path().into())], Options { max_size: 5, ..Options::default() });
    let batch = corpus.reader().next().unwrap().unwrap();
    write(&dir.path().join("a"), b"longer now");
    let mut seen = Vec::new();
    batch.read(&mut |item| seen.push(item.into_owned()));
    assert_eq!(skipped(&seen)[0].reason, Reason::TooLarge { bytes: 10, limit: 5 });
}

/// `/proc` has files that claim no size and yet have content; the limit is on what is read.
#[cfg(target_os = "linux")]
#[test]
fn a_size_that_lies_does_not_help() {
    let items = items_of(Path::new("/proc/self/status"), Options { max_size: 10, ..Options::default() });
    assert_eq!(skipped(&items)[0].reason, Reason::TooLarge { bytes: 11, limit: 10 });
}

#[test]
fn special_files_are_never_opened() {
    let dir = tempdir().unwrap();
    make(dir.path(), &["a"]);
    let fifo = dir.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let socket = dir.path().join("socket");
    let _listener = UnixListener::bind(&socket).unwrap();
    let all = items_of(dir.path(), Options::default());
    assert_eq!(ids(&all, dir.path()), ["a"]);
    assert_eq!(kinds(&all, dir.path()), [("fifo".into(), "special file"), ("socket".into(), "special file")]);
    // Named, listed, called JSONL, or fetched: the same.
    assert!(Command::new("mkfifo").arg(dir.path().join("f.jsonl")).status().unwrap().success());
    let named = [fifo.clone(), socket, dir.path().join("f.jsonl"), "/dev/null".into(), "/dev/zero".into()];
    for path in named {
        let corpus = open(vec![Input::Path(path.clone())], Options::default());
        let mut items = read(&corpus);
        corpus.fetch(&Place::File(path), &mut |item| items.push(item.into_owned()));
        assert!(items.len() == 2 && skipped(&items).iter().all(|skipped| skipped.reason.kind() == "special file"));
    }
}

#[test]
fn a_fifo_that_takes_the_place_of_a_file_holds_nobody_up() {
    let dir = tempdir().unwrap();
    make(dir.path(), &["a"]);
    let corpus = open(vec![Input::Path(dir.path().into())], Options::default());
    let batch = corpus.reader().next().unwrap().unwrap();
    fs::remove_file(dir.path().join("a")).unwrap();
    assert!(Command::new("mkfifo").arg(dir.path().join("a")).status().unwrap().success());
    let mut seen = Vec::new();
    batch.read(&mut |item| seen.push(item.into_owned()));
    assert_eq!(skipped(&seen)[0].reason, Reason::Special("a FIFO"));
}

#[test]
fn links_are_followed_when_named_or_asked_for() {
    let dir = tempdir().unwrap();
    make(dir.path(), &["real/a"]);
    symlink("real", dir.path().join("to_dir")).unwrap();
    symlink("real/a", dir.path().join("to_file")).unwrap();
    symlink("nowhere", dir.path().join("dangling")).unwrap();
    let items = items_of(dir.path(), Options::default());
    assert_eq!(ids(&items, dir.path()), ["real/a"]);
    let link = |name: &str| (name.to_owned(), "symbolic link");
    assert_eq!(kinds(&items, dir.path()), [link("dangling"), link("to_dir"), link("to_file")]);
    for (name, id) in [("to_file", "to_file"), ("to_dir", "to_dir/a")] {
        assert_eq!(ids(&items_of(&dir.path().join(name), Options::default()), dir.path()), [id]);
    }
    let items = items_of(dir.path(), Options { follow_links: true, ..Options::default() });
    assert_eq!(ids(&items, dir.path()), ["real/a"]);
    let same = |name: &str| (name.to_owned(), "same file");
    assert_eq!(kinds(&items, dir.path()), [("dangling".into(), "unreadable"), same("to_dir"), same("to_file")]);
}

#[test]
fn link_loops_end() {
    let dir = tempdir().unwrap();
    make(dir.path(), &["a/x", "b/y"]);
    symlink("..", dir.path().join("a/up")).unwrap();
    symlink(".", dir.path().join("a/self")).unwrap();
    symlink("me", dir.path().join("me")).unwrap();
    let options = Options { follow_links: true, ..Options::default() };
    let items = items_of(dir.path(), options.clone());
    assert_eq!(ids(&items, dir.path()), ["a/x", "b/y"]);
    let kinds = kinds(&items, dir.path());
    assert_eq!(kinds[..2], [("a/self".into(), "link loop"), ("a/up".into(), "link loop")]);
    assert_eq!(kinds[2], ("me".into(), "unreadable"));
    // Crosswise links without a loop: 2^40 paths, 41 folders.
    let cross = tempdir().unwrap();
    for level in 0..40 {
        let folder = cross.path().join(format!("{level:02}"));
        fs::create_dir(&folder).unwrap();
        for link in ["l", "r"] {
            symlink(format!("../{:02}", level + 1), folder.join(link)).unwrap();
        }
    }
    make(cross.path(), &["40/leaf"]);
    assert_eq!(documents(&items_of(cross.path(), options)).len(), 1);
}

#[test]
fn a_file_is_read_once_whatever_its_names() {
    let dir = tempdir().unwrap();
    make(dir.path(), &["one/a", "two/b"]);
    fs::hard_link(dir.path().join("one/a"), dir.path().join("one/z")).unwrap();
    fs::hard_link(dir.path().join("one/a"), dir.path().join("two/c")).unwrap();
    let path = |name: &str| Input::Path(dir.path().join(name));
    let all = items_of(dir.path(), Options::default());
    assert_eq!(ids(&all, dir.path()), ["one/a", "two/b"]);
    let first = format!("same file as {}", dir.path().join("one/a").display());
    assert!(skipped(&all).iter().all(|skipped| skipped.reason.to_string() == first));
    assert_eq!(kinds(&all, dir.path()), [("one/z".into(), "same file"), ("two/c".into(), "same file")]);
    // Two roots, one in the other; then a file after its folder; then twice the same.
    let both = items(vec![path("two"), path(""), path("one/a"), path("one/a")], Options::default());
    assert_eq!(ids(&both, dir.path()), ["two/b", "two/c"]);
    assert_eq!(kinds(&both, dir.path()).len(), 6);
}

#[test]
fn what_the_system_refuses_is_reported() {
    let dir = tempdir().unwrap();
    make(dir.path(), &["a", "closed/x", "secret"]);
    for name in ["closed", "secret"] {
        fs::set_permissions(dir.path().join(name), fs::Permissions::from_mode(0o000)).unwrap();
    }
    let all_powerful = fs::read(dir.path().join("secret")).is_ok();
    let items = items_of(dir.path(), Options::default());
    fs::set_permissions(dir.path().join("closed"), fs::Permissions::from_mode(0o755)).unwrap();
    if all_powerful {
        // Root reads everything; then there is nothing to refuse.
        assert_eq!(documents(&items).len(), 3);
        return;
    }
    assert_eq!(ids(&items, dir.path()), ["a"]);
    assert_eq!(kinds(&items, dir.path()), [("closed".into(), "unreadable"), ("secret".into(), "unreadable")]);
    for skipped in skipped(&items) {
        assert_eq!(skipped.reason.to_string(), "unreadable: Permission denied (os error 13)");
    }
}

#[test]
fn what_vanishes_or_becomes_a_folder_is_reported() {
    let dir = tempdir().unwrap();
    make(dir.path(), &["a", "b"]);
    let corpus = open(vec![Input::Path(dir.path().into())], Options::default());
    let batch = corpus.reader().next().unwrap().unwrap();
    fs::remove_file(dir.path().join("a")).unwrap();
    fs::remove_file(dir.path().join("b")).unwrap();
    fs::create_dir(dir.path().join("b")).unwrap();
    let mut seen = Vec::new();
    batch.read(&mut |item| seen.push(item.into_owned()));
    assert_eq!(kinds(&seen, dir.path()), [("a".into(), "unreadable"), ("b".into(), "unreadable")]);
}

#[test]
fn hostile_names_are_names() {
    let dir = tempdir().unwrap();
    let long = "n".repeat(255);
    make(dir.path(), &["line\nbreak", "\x1b[31mred", "-", " ", "*", "{}", &long]);
    write(&dir.path().join(OsStr::from_bytes(b"caf\xe9")), b"latin");
    let items = items_of(dir.path(), Options::default());
    let mut names = ids(&items, dir.path());
    names.sort();
    assert_eq!(names, ["\x1b[31mred", " ", "*", "-", "caf\\xE9", "line\nbreak", &long, "{}"]);
    assert_eq!(kinds(&items, dir.path()), []);
}

/// Needs two file systems, one mounted in the other; most Linux systems have these.
#[test]
fn other_file_systems_can_be_left_out() {
    use std::os::unix::fs::MetadataExt;
    let device = |path: &str| fs::metadata(path).map(|metadata| metadata.dev()).ok();
    let Ok(file) = tempfile::Builder::new().prefix("lookalike").tempfile_in("/dev/shm") else { return };
    if device("/dev") == device("/dev/shm") {
        return;
    }
    let name = file.path().file_name().unwrap().to_str().unwrap().to_owned();
    for (one_fs, expected) in [(false, 1), (true, 0)] {
        let options = Options { one_fs, include: vec![name.clone()], ..Options::default() };
        assert_eq!(documents(&items_of(Path::new("/dev"), options)).len(), expected);
    }
}

#[test]
fn broken_ignore_rules_are_reported() {
    let dir = tempdir().unwrap();
    make(dir.path(), &["sub/a.txt"]);
    write(&dir.path().join("sub/.gitignore"), b"[z-a]\n");
    let items = items_of(dir.path(), Options::default());
    assert_eq!(ids(&items, dir.path()), ["sub/a.txt"]);
    let rules = |kind| ("sub/.gitignore".to_owned(), kind);
    assert_eq!(kinds(&items, dir.path()), [rules("unreadable"), rules("hidden")]);
}

#[test]
fn jsonl_files_in_a_folder_are_shards() {
    let dir = tempdir().unwrap();
    let lines = b"{\"text\": \"a\"}\n{\"text\": \"b\", \"id\": \"x\"}\n";
    write(&dir.path().join("a.jsonl"), lines);
    write(&dir.path().join("b.jsonl.gz"), &gzip(lines));
    write(&dir.path().join("c.txt"), b"text");
    write(&dir.path().join("sub/d.ndjson.zst"), &zstd(lines));
    let corpus = open(vec![Input::Path(dir.path().into())], Options::default());
    let items = read(&corpus);
    let expected = ["a.jsonl:1", "x", "b.jsonl.gz:1", "x", "c.txt", "sub/d.ndjson.zst:1", "x"];
    assert_eq!(ids(&items, dir.path()), expected);
    // what is not compressed can be read again
    let first = documents(&items).swap_remove(0);
    corpus.fetch(&first.place, &mut |item| assert_eq!(documents(&[item.into_owned()])[0].body, first.body));
    // or they are files like others
    let items = items_of(dir.path(), Options { shards: false, ..Options::default() });
    assert_eq!(ids(&items, dir.path()), ["a.jsonl", "b.jsonl.gz", "c.txt", "sub/d.ndjson.zst"]);
    assert!(matches!(documents(&items)[0].body, Body::Bytes(_)));
}

#[test]
fn opening_checks_what_can_be_checked() {
    let dir = tempdir().unwrap();
    let open = |input: Vec<Input>, options| Corpus::open(input, options).unwrap_err();
    let here = || vec![Input::Path(dir.path().into())];
    let missing = open(vec![Input::Path("no/such/path".into())], Options::default());
    assert!(missing.to_string().starts_with("cannot read no/such/path: No such file"), "{missing}");
    let glob = open(here(), Options { include: vec!["{a".into()], ..Options::default() });
    assert!(matches!(glob, Error::Glob { role: GlobRole::Include, .. }));
    let sizes = open(here(), Options { min_size: 2, max_size: 1, ..Options::default() });
    assert!(matches!(sizes, Error::SizeRange { .. }));
    let field = open(here(), Options { id_field: "text".into(), ..Options::default() });
    assert!(matches!(field, Error::IdIsContent { .. }));
    let twice = open(vec![Input::Stdin, Input::PathList { nul: true }], Options::default());
    assert!(matches!(twice, Error::StdinNamedTwice));
}
