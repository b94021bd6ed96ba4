//! Which file is kept, which are touched, and what is said of the rest; a dry run says the same.

use super::faulty::{Fault, Lacks};
use super::*;
use crate::options::{ActionKind, DecidedSet, KeepPolicy};
use std::os::unix::fs::symlink;

fn hardlink() -> ActOptions {
    ActOptions::new(Action::Hardlink)
}

#[test]
fn links_lead_to_the_kept_file() {
    let stage = Stage::usual();
    let acted = stage.act(&hardlink());
    assert_eq!((acted.totals.sets, acted.totals.done, acted.totals.bytes, acted.totals.freed), (2, 3, 63, 63));
    assert_eq!(inode(&stage.at("in/a")), inode(&stage.at("k")));
    assert_eq!(of(&acted, "in/a").note.as_deref(), Some("will have the rights of the kept file: 0640, not 0641"));
    // a second time there is nothing to do
    let again = stage.act(&hardlink());
    assert_eq!((again.totals.done, again.totals.untouched, again.totals.failed), (0, 3, 0), "{again:?}");

    let stage = Stage::usual();
    let acted = stage.act(&ActOptions::new(Action::Symlink));
    assert_eq!(fs::read_link(stage.at("in/a")).unwrap(), Path::new("../k"));
    assert_eq!(fs::read_link(stage.at("x2")).unwrap(), Path::new("x"));
    assert_eq!(of(&acted, "in/a").to.as_deref(), Some("../k"));
    let again = stage.act(&ActOptions::new(Action::Symlink));
    assert_eq!((again.totals.done, again.totals.untouched, again.totals.failed), (0, 3, 0), "{again:?}");
}

#[test]
fn who_is_kept() {
    let mut stage = Stage::new();
    // the first is the newest
    stage.set(b"content", &["docs/long-name", "b", "a", "docs/x"]);
    let kept = |options: ActOptions| stage.dry_run(&options).sets[0].kept.clone().unwrap_or_default();
    let keep = |keep: KeepPolicy| kept(ActOptions { keep, ..hardlink() });
    assert_eq!(keep(KeepPolicy::Newest), "docs/long-name");
    assert_eq!(keep(KeepPolicy::Oldest), "docs/x");
    assert_eq!(keep(KeepPolicy::ShortestPath), "a", "of equals the first by id");
    assert_eq!(keep(KeepPolicy::Under(stage.at("docs"))), "docs/x", "the shortest there");
    let reference = vec![stage.at("docs")];
    assert_eq!(kept(ActOptions { reference: reference.clone(), ..hardlink() }), "docs/x");
    assert_eq!(kept(ActOptions { reference, keep: KeepPolicy::Newest, ..hardlink() }), "docs/long-name");
}

#[test]
fn under_a_folder_where_there_is_none() {
    let stage = Stage::usual();
    let acted = stage.act(&ActOptions { keep: KeepPolicy::Under(stage.at("in")), ..hardlink() });
    assert_eq!(acted.sets[0].kept.as_deref(), Some("in/a"));
    assert_eq!((acted.totals.done, acted.totals.untouched), (2, 2));
    says(&acted, "x2", Outcome::Untouched, "no file of this set is below");
    let options = ActOptions { keep: KeepPolicy::Under(stage.at("nowhere")), ..hardlink() };
    let error = stage.act_with(&Faulty::default(), &options, true).unwrap_err().to_string();
    assert!(error.contains("nowhere") && error.contains("name a folder that exists"), "{error}");
}

#[test]
fn reference_folders_are_never_touched() {
    for action in 0..6 {
        let mut stage = Stage::new();
        stage.set(b"one", &["a", "ref/longer", "ref/long", "b"]);
        stage.set(b"two", &["c", "ref/only"]);
        fs::create_dir(stage.at("other")).unwrap();
        symlink(stage.at("other"), stage.at("ref/way")).unwrap();
        stage.set(b"three", &["d", "ref/way/x"]);
        let options = ActOptions { reference: vec![stage.at("ref")], ..stage.actions()[action].clone() };
        let traces = |stage: &Stage| {
            stage
                .traces()
                .into_iter()
                .filter(|t| t.0.starts_with("ref/") || t.0.starts_with("other/"))
                .collect::<Vec<_>>()
        };
        let before = traces(&stage);
        let acted = stage.act(&options);
        assert_eq!((acted.totals.done, acted.totals.failed), (4, 0), "{acted:?}");
        assert_eq!(acted.sets[0].kept.as_deref(), Some("ref/long"));
        says(&acted, "ref/longer", Outcome::Untouched, "reference folder");
        assert_eq!(acted.sets[2].kept.as_deref(), Some("ref/way/x"), "below it by what it is called");
        // a hard link changes when the kept inode was changed, and nothing else
        let shape =
            |all: Vec<(String, u64, u64, i64, i64)>| all.into_iter().map(|t| (t.0, t.1, t.2, t.3)).collect::<Vec<_>>();
        assert_eq!(shape(traces(&stage)), shape(before));
    }
}

#[test]
fn what_is_not_as_the_report_says() {
    let mut stage = Stage::new();
    let names = ["k", "gone", "longer", "touched", "differs", "link", "folder", "hard", "fine", "way/to", "twice/to"];
    fs::create_dir_all(stage.at("way")).unwrap();
    symlink(stage.at("way"), stage.at("twice")).unwrap();
    stage.set(b"content", &names);
    stage.sets[0].files.push(IdenticalFile { id: "other.lka:x".into(), modified: None });
    stage.sets[0].files.push(IdenticalFile { id: "no/such/folder/x".into(), modified: Some(5) });
    fs::remove_file(stage.at("gone")).unwrap();
    fs::write(stage.at("longer"), "content and more").unwrap();
    fs::write(stage.at("touched"), "content").unwrap();
    stage.write("differs", b"CONTENT", 4);
    for name in ["link", "folder", "hard"] {
        fs::remove_file(stage.at(name)).unwrap();
    }
    symlink(stage.at("fine"), stage.at("link")).unwrap();
    fs::create_dir(stage.at("folder")).unwrap();
    fs::hard_link(stage.at("k"), stage.at("hard")).unwrap();
    for action in 0..6 {
        let options = &stage.actions()[action];
        let traces = stage.traces();
        let foreseen = stage.dry_run(options);
        assert_eq!(stage.traces(), traces, "a dry run touches nothing");
        assert!(!stage.log().exists() || action > 0);
        let acted = stage.act(options);
        for acted in [&foreseen, &acted] {
            says(acted, "gone", Outcome::Untouched, "is gone");
            says(acted, "no/such/folder/x", Outcome::Untouched, "is gone");
            says(acted, "other.lka:x", Outcome::Untouched, "not a file of this machine");
            says(acted, "longer", Outcome::Failed, "it had 7 bytes and has 16");
            says(acted, "touched", Outcome::Failed, "written to at another time");
            says(acted, "differs", Outcome::Failed, "has not the same content");
            says(acted, "link", Outcome::Failed, "is a symbolic link");
            says(acted, "folder", Outcome::Failed, "is not a regular file");
            says(acted, "hard", Outcome::Untouched, "leads to the kept file already");
            says(acted, "twice/to", Outcome::Untouched, "the same as way/to, by another way");
            assert_eq!((acted.totals.failed, acted.totals.untouched), (5, 5));
        }
        says(&acted, "fine", Outcome::Done, "");
        says(&acted, "way/to", Outcome::Done, "");
        assert_eq!((foreseen.totals.planned, foreseen.totals.freed), (acted.totals.done, acted.totals.freed));
        assert!(stage.at("k").exists() && inode(&stage.at("hard")) == inode(&stage.at("k")));
        assert_eq!(stage.undo().done, 2);
    }
}

#[test]
fn hard_links_among_the_duplicates_free_once() {
    let mut stage = Stage::new();
    stage.set(b"content", &["k", "one"]);
    fs::hard_link(stage.at("one"), stage.at("two")).unwrap();
    fs::hard_link(stage.at("one"), stage.at("three")).unwrap();
    stage.sets.clear();
    stage.list(&["k", "one", "two"]);
    let freed = |acted: &ActReport| (acted.totals.planned + acted.totals.done, acted.totals.freed);
    assert_eq!(freed(&stage.dry_run(&hardlink())), (2, 0), "the third name holds it");
    fs::remove_file(stage.at("three")).unwrap();
    assert_eq!(freed(&stage.dry_run(&hardlink())), (2, 7));
    assert_eq!(freed(&stage.act(&hardlink())), (2, 7));
    assert_eq!(inode(&stage.at("two")), inode(&stage.at("k")));
}

#[test]
fn never_a_hard_link_to_another_device() {
    let mut stage = Stage::new();
    stage.set(b"content", &["k", "elsewhere/d"]);
    let files = Faulty::new(Lacks { one_device: true, ..Default::default() });
    for yes in [false, true] {
        let acted = stage.act_with(&files, &hardlink(), yes).unwrap();
        says(&acted, "elsewhere/d", Outcome::Failed, "another device than the kept file; a symbolic link would do");
    }
    let acted = stage.act_with(&files, &ActOptions::new(Action::Symlink), true).unwrap();
    says(&acted, "elsewhere/d", Outcome::Done, "");
}

#[test]
fn moved_files_keep_their_paths_and_overwrite_nothing() {
    let mut stage = Stage::new();
    let whole = id_of(&stage.at("e")).into_owned();
    stage.set(b"content", &["k", "in/a", "../outside", "taken", "sly/b", "dd", &whole]);
    let to = stage.elsewhere();
    fs::create_dir_all(to.join("taken/deeper")).unwrap();
    symlink(stage.dir.path(), to.join("sly")).unwrap();
    let inside = |path: &Path| to.join(path.strip_prefix("/").unwrap());
    let roots = vec![stage.dir.path().to_owned()];
    let options = ActOptions { roots, ..ActOptions::new(Action::Move(to.clone())) };
    let foreseen = stage.dry_run(&options);
    let acted = stage.act(&options);
    assert_eq!((acted.totals.done, acted.totals.failed, acted.totals.freed), (4, 2, 0), "{acted:?}");
    assert_eq!(foreseen.totals.planned, 4);
    for acted in [&foreseen, &acted] {
        says(acted, "taken", Outcome::Failed, "exists already");
        says(acted, "sly/b", Outcome::Failed, "is not a folder");
    }
    let real = stage.root().parent().unwrap().to_owned();
    for place in [to.join("in/a"), to.join("dd"), inside(&real.join("outside")), inside(Path::new(&whole))] {
        assert_eq!(fs::read(&place).unwrap(), b"content", "{place:?}");
    }
    // what is there already is no duplicate any more
    stage.sets.clear();
    stage.list(&["k", "../elsewhere/dd"]);
    let acted = stage.act(&options);
    says(&acted, "../elsewhere/dd", Outcome::Untouched, "is in the folder that duplicates are moved to");
}

#[test]
fn two_files_for_one_place() {
    let mut stage = Stage::new();
    // an absolute and a relative path that come to the same place
    let whole = id_of(&stage.at("x")).into_owned();
    let relative = whole.trim_start_matches('/').to_owned();
    stage.set(b"content", &["k", &whole, &relative]);
    let options = ActOptions::new(Action::Move(stage.elsewhere()));
    let (foreseen, acted) = (stage.dry_run(&options), stage.act(&options));
    assert_eq!((foreseen.totals.planned, foreseen.totals.failed), (1, 1), "{foreseen:?}");
    assert_eq!((acted.totals.done, acted.totals.failed), (1, 1), "{acted:?}");
}

#[test]
fn a_dry_run_tells_what_was_interrupted() {
    for at in 0.. {
        let stage = Stage::usual();
        let options = &stage.actions()[3];
        let _ = stage.act_with(&Faulty::failing(Lacks::default(), Fault::Killed, at), options, true);
        if leftovers(&stage.files()).is_empty() {
            continue;
        }
        let acted = stage.dry_run(options);
        assert_eq!(acted.interrupted.len(), 1, "{acted:?}");
        assert_eq!(acted.interrupted[0].outcome, Outcome::Planned);
        says(&acted, "in/a", Outcome::Untouched, "it is put back first");
        let acted = stage.act(options);
        assert_eq!((acted.interrupted[0].outcome, acted.totals.done), (Outcome::Done, 3));
        return;
    }
}

#[test]
fn small_and_empty_files_are_left_alone() {
    let mut stage = Stage::new();
    stage.set(b"", &["empty", "empty2"]);
    stage.set(b"small", &["small", "small2"]);
    stage.set(b"large enough", &["large", "large2"]);
    let acted = stage.act(&ActOptions { min_size: 6, ..ActOptions::new(Action::Remove) });
    assert_eq!((acted.totals.sets, acted.totals.done), (1, 1));
    let acted = stage.act(&ActOptions { min_size: 0, ..ActOptions::new(Action::Remove) });
    assert_eq!((acted.totals.sets, acted.totals.done), (2, 1));
    assert!(stage.at("empty").exists() && stage.at("empty2").exists());
}

#[test]
fn stopping_leaves_nothing_half_done() {
    for (action, at) in (0..6).flat_map(|action| (0..60).map(move |at| (action, at))) {
        let stage = Stage::usual();
        let (before, report, log, cancel) = (stage.files(), stage.report(), stage.log(), Cancel::default());
        let options = &stage.actions()[action];
        let files = Faulty::meddled(Lacks::default(), at, |_| cancel.cancel());
        let request = ActRequest { report: &report, decisions: None, name: "r.json", options, log: &log, apply: true };
        let acted = act_on(ActContext { files: &files, progress: &Silent, cancel: &cancel }, &request).unwrap();
        assert!(acted.stopped.is_some() || acted.totals.done == 3, "{at}: {acted:?}");
        assert_eq!(leftovers(&stage.files()), Vec::<&String>::new(), "{at}: {acted:?}");
        assert_eq!(stage.undo().done, acted.totals.done, "{at}: {acted:?}");
        assert_eq!(stage.files(), before, "{at}");
    }
}

/// A stage with a decision: `k` is kept, `same` is identical to it, `near` only resembles it, `other` nobody decided upon.
fn decided_stage() -> (Stage, Vec<DecidedSet>) {
    let mut stage = Stage::new();
    stage.set(b"the first content", &["k", "same", "other"]);
    stage.write("near", b"the first content, edited", 1);
    let content = |name: &str| blake3::hash(&fs::read(stage.at(name)).unwrap()).to_hex()[..32].to_owned();
    let documents = ["k", "same", "near"].map(|name| (name.to_owned(), content(name))).to_vec();
    let decided = vec![DecidedSet { keep: vec!["k".to_owned()], documents }];
    (stage, decided)
}

fn act_decided(stage: &Stage, decided: &[DecidedSet], options: &ActOptions) -> ActReport {
    let (log, root) = (stage.log(), stage.root());
    let decisions = Some((decided, root.as_path()));
    let request = ActRequest { report: b"", decisions, name: "d.json", options, log: &log, apply: true };
    let context = ActContext { files: &Faulty::default(), progress: &Silent, cancel: &Cancel::default() };
    act_on(context, &request).unwrap()
}

/// Only what people decided is acted on; what is not identical is moved or trashed, never linked or removed.
#[test]
fn decisions_of_people() {
    for action in 0..6 {
        let (stage, decided) = decided_stage();
        let before = stage.files();
        let options = &stage.actions()[action];
        let acted = act_decided(&stage, &decided, options);
        let is_moved = matches!(options.action.kind(), ActionKind::Move | ActionKind::Trash);
        assert_eq!(of(&acted, "same").outcome, Outcome::Done, "{acted:?}");
        let near = of(&acted, "near");
        assert_eq!(near.outcome, if is_moved { Outcome::Done } else { Outcome::Untouched }, "{near:?}");
        assert_eq!(stage.at("near").exists(), !is_moved);
        assert!(is_moved || near.reason.as_ref().unwrap().contains("not identical"));
        let after = stage.files();
        assert_eq!((&after["k"], &after["other"]), (&before["k"], &before["other"]), "nobody decided upon it");
        assert!(stage.has(b"the first content, edited"));
        assert!(!stage.undo().has_failed());
        assert_eq!(stage.files(), before, "{:?}", options.action.kind());
    }
}

#[test]
fn what_has_changed_since_it_was_decided() {
    for (changed, told) in [("near", "has changed since it was decided"), ("k", "the kept file k has changed")] {
        let (stage, decided) = decided_stage();
        stage.write(changed, b"something new", 1);
        let before = stage.files();
        let acted = act_decided(&stage, &decided, &stage.actions()[5]);
        says(&acted, "near", Outcome::Failed, told);
        assert_eq!(stage.files()["near"], before["near"]);
        assert_eq!(stage.files()[changed], before[changed]);
    }
    // ids that lead out of the folder are refused
    let (stage, mut decided) = decided_stage();
    fs::write(stage.dir.path().join("outside"), b"the first content").unwrap();
    let content = decided[0].documents[0].1.clone();
    decided[0].documents.push(("../outside".to_owned(), content));
    let acted = act_decided(&stage, &decided, &stage.actions()[3]);
    says(&acted, "../outside", Outcome::Failed, "is not below");
}

/// What the desktop needs to restore a file from the trash.
#[test]
fn the_trash_knows_where_a_file_came_from() {
    let stage = Stage::usual();
    let before = stage.files();
    assert_eq!(stage.act(&stage.actions()[5]).totals.done, 3);
    let trash = stage.elsewhere().join("Trash");
    let mut names = Vec::new();
    for entry in fs::read_dir(trash.join("files")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let info = fs::read_to_string(trash.join("info").join(format!("{name}.trashinfo"))).unwrap();
        let path = info.lines().find_map(|line| line.strip_prefix("Path=")).unwrap().to_owned();
        names.push(path.strip_prefix(&format!("{}/", stage.root().display())).unwrap().to_owned());
        assert!(info.starts_with("[Trash Info]\n") && info.contains("\nDeletionDate=20"), "{info}");
    }
    names.sort();
    assert_eq!(names, ["in/a", "in/b", "x2"]);
    assert!(!stage.undo().has_failed());
    assert_eq!(stage.files(), before);
}

/// Where the file system cannot share blocks, that is told, and nothing is done.
#[test]
fn a_file_system_without_reflinks() {
    let stage = Stage::usual();
    let before = stage.files();
    let acted = stage.act_with(&crate::file_system::OsFileSystem, &stage.actions()[4], true).unwrap();
    if acted.totals.failed > 0 {
        says(&acted, "x2", Outcome::Failed, "cannot share blocks");
        assert_eq!(acted.totals.failed, 3);
    }
    assert_eq!(stage.files(), before, "shared or not, nothing can be seen of it");
}
