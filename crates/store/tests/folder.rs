//! An index folder under faults, beside readers and beside other writers.

use lookalike_store::{Disk, Error, Fault, FaultyDisk, Folder, RealDisk, Segment, SegmentFile, Snapshot, copy_folder};
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn real() -> Arc<dyn Disk> {
    Arc::new(RealDisk)
}

fn segment(folder: &mut Folder, text: &str) -> Result<SegmentFile, Error> {
    let mut writer = folder.segment()?;
    writer.section(0)?;
    writer.write(text.as_bytes())?;
    writer.finish()
}

/// What a reader finds: what the commit said, and the text of each segment.
fn state(path: &Path) -> (String, Vec<String>) {
    let snapshot: Snapshot<String> = Snapshot::open(path).unwrap();
    (snapshot.meta, snapshot.segments.iter().map(text).collect())
}

fn text(segment: &Segment) -> String {
    assert!(segment.verify().is_empty());
    String::from_utf8(segment.bytes(0, 0..segment.len_of(0)).unwrap().to_vec()).unwrap()
}

fn names(path: &Path) -> BTreeSet<String> {
    fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// The folder holds an index and nothing else.
fn tidy(path: &Path) -> bool {
    let snapshot: Snapshot<String> = Snapshot::open(path).unwrap();
    let ours = snapshot.segments.iter().map(|segment| segment.file().name.clone());
    names(path) == ours.chain(["lock".to_owned(), "manifest.json".to_owned()]).collect()
}

fn build(path: &Path, disk: Arc<dyn Disk>) -> Result<(), Error> {
    let mut folder = Folder::create(path, disk)?;
    let files = vec![segment(&mut folder, "rose")?, segment(&mut folder, "lily")?];
    folder.commit(files, &"old".to_owned()).map(drop)
}

/// Keeps one file, leaves another out and adds two.
fn change(path: &Path, disk: Arc<dyn Disk>, meta: &str) -> Result<u64, Error> {
    let mut folder = Folder::lock(path, disk)?;
    let kept = folder.files()[0].clone();
    let files = vec![segment(&mut folder, "iris")?, kept, segment(&mut folder, "aster")?];
    folder.commit(files, &meta.to_owned())
}

fn old() -> (String, Vec<String>) {
    ("old".into(), vec!["rose".into(), "lily".into()])
}

fn new() -> (String, Vec<String>) {
    ("new".into(), vec!["iris".into(), "rose".into(), "aster".into()])
}

/// Every kind of fault at every operation: `check(result, went, case)` is told what `run` returned and whether its rename went through.
fn for_every_fault(run: impl Fn(Arc<dyn Disk>) -> Result<(), Error>, check: impl Fn(Result<(), Error>, bool, &str)) {
    for fault in [Fault::Full, Fault::Short, Fault::Broken, Fault::Killed] {
        for once in [false, true] {
            for at in 0.. {
                let disk = Arc::new(if once { FaultyDisk::once(fault, at) } else { FaultyDisk::new(fault, at) });
                let result = run(Arc::clone(&disk) as _);
                let log = disk.log();
                let hit = |number| if once { number == at } else { number >= at };
                let rename = log.iter().position(|operation| *operation == "rename");
                let went = rename.is_some_and(|number| fault == Fault::Short || !hit(number));
                check(result, went, &format!("{fault:?} at {at}, once {once}: {log:?}"));
                if log.len() <= at {
                    assert!(at > 10, "there was something to disturb");
                    break;
                }
            }
        }
    }
}

#[test]
fn a_commit_happens_or_does_not() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    let run = |disk: Arc<dyn Disk>| {
        let _ = fs::remove_dir_all(&path);
        build(&path, real()).unwrap();
        change(&path, disk, "new").map(drop)
    };
    for_every_fault(run, |result, went, case| {
        assert_eq!(state(&path), if went { new() } else { old() }, "{case}");
        assert!(went || result.is_err(), "{case}");
        assert!(!case.starts_with("Short") || result.is_ok(), "{case}");
        // and the next writer is not hindered
        let generation = change(&path, real(), "next").unwrap();
        assert_eq!(generation, 2 + u64::from(went));
        let (meta, texts) = state(&path);
        assert_eq!((meta.as_str(), texts.len()), ("next", 3), "{case}");
        assert!(tidy(&path), "{case}: {:?}", names(&path));
    });
}

/// A power cut cannot be played here, so the order is looked at: what a manifest names is on the disk before it, and it is on the disk
/// before anything is removed.
#[test]
fn all_is_synced_in_its_order() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    build(&path, real()).unwrap();
    fs::write(path.join("000009.seg"), "rubbish").unwrap();
    let disk = Arc::new(FaultyDisk::new(Fault::Killed, usize::MAX));
    change(&path, Arc::clone(&disk) as _, "new").unwrap();
    let segment = ["create", "write", "write", "write", "sync"];
    let manifest = ["create", "write", "sync", "sync_folder", "rename", "sync_folder"];
    assert_eq!(disk.log(), [&["sync_folder", "remove"][..], &segment, &segment, &manifest, &["remove"]].concat());
}

#[test]
fn a_first_commit_happens_or_does_not() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    let run = |disk: Arc<dyn Disk>| {
        let _ = fs::remove_dir_all(&path);
        build(&path, disk)
    };
    for_every_fault(run, |result, went, case| {
        assert!(went || result.is_err(), "{case}");
        if went {
            assert!(matches!(build(&path, real()), Err(Error::Exists { .. })), "{case}");
        } else {
            assert!(matches!(Snapshot::<String>::open(&path), Err(Error::NoIndex { .. })), "{case}");
            build(&path, real()).unwrap();
        }
        assert_eq!(state(&path), old(), "{case}");
        assert!(tidy(&path), "{case}: {:?}", names(&path));
    });
}

/// A writer that goes on after an error: no file that a manifest may name is lost, and no number is used twice.
#[test]
fn a_writer_may_try_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    for at in 0.. {
        let _ = fs::remove_dir_all(&path);
        build(&path, real()).unwrap();
        let disk = Arc::new(FaultyDisk::once(Fault::Broken, at));
        let mut folder = Folder::lock(&path, Arc::clone(&disk) as _).unwrap();
        let Ok(file) = segment(&mut folder, "iris") else { continue };
        let first = folder.commit(vec![file.clone()], &"first".to_owned());
        let visible = Snapshot::<String>::open(&path).unwrap();
        let second = folder.commit(vec![file], &"second".to_owned());
        drop(folder);
        if second.is_ok() {
            assert_eq!(state(&path), ("second".into(), vec!["iris".into()]), "at {at}");
            assert!(Snapshot::<String>::open(&path).unwrap().generation > visible.generation);
        }
        assert!(first.is_ok() || second.is_ok(), "at {at}");
        drop(Folder::lock(&path, real()).unwrap());
        assert!(tidy(&path), "at {at}: {:?}", names(&path));
        if disk.operations() <= at {
            break;
        }
    }
}

#[test]
fn every_flipped_byte_of_a_folder_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    build(&path, real()).unwrap();
    for name in names(&path) {
        let file = path.join(&name);
        let good = fs::read(&file).unwrap();
        for at in 0..good.len() {
            let mut broken = good.clone();
            broken[at] ^= 1 << (at % 8);
            fs::write(&file, &broken).unwrap();
            let found = match Snapshot::<String>::open(&path) {
                Ok(snapshot) => snapshot.segments.iter().any(|segment| !segment.verify().is_empty()),
                Err(Error::Damaged { what, .. }) => what.ends_with(&name),
                Err(other) => panic!("{other}"),
            };
            assert!(found, "{name} at {at}");
        }
        fs::write(&file, &good).unwrap();
    }
    // the right names with each other's bytes
    let (a, b) = (path.join("000001.seg"), path.join("000002.seg"));
    fs::rename(&a, path.join("c")).unwrap();
    fs::rename(&b, &a).unwrap();
    fs::rename(path.join("c"), &b).unwrap();
    assert!(matches!(Snapshot::<String>::open(&path), Err(Error::Damaged { .. })));
    fs::remove_file(&a).unwrap();
    assert!(matches!(Snapshot::<String>::open(&path), Err(Error::Read { .. })));
}

#[test]
fn one_writer_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    build(&path, real()).unwrap();
    let held = Folder::lock(&path, real()).unwrap();
    let refused = Folder::lock(&path, real()).unwrap_err();
    assert!(matches!(&refused, Error::Locked { .. }));
    assert!(refused.to_string().ends_with("is being written by another process; wait until it has finished"));
    assert_eq!(state(&path), old(), "readers do not mind");
    drop(held);
    assert_eq!(change(&path, real(), "new").unwrap(), 2);
}

/// Not a test by itself: the process that `a_killed_writer_leaves_no_lock` kills.
#[test]
fn holder() {
    let Some(path) = std::env::var_os("LOOKALIKE_TEST_HOLD") else { return };
    let mut folder = Folder::lock(Path::new(&path), real()).unwrap();
    segment(&mut folder, "rubbish").unwrap();
    fs::write(Path::new(&path).join("manifest.new"), "half").unwrap();
    // to the pipe and not to the test's own output, which is held back
    std::io::Write::write_all(&mut std::io::stdout(), b"\nheld\n").unwrap();
    std::thread::sleep(std::time::Duration::from_mins(1));
}

#[test]
fn a_killed_writer_leaves_no_lock() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    build(&path, real()).unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "holder", "--nocapture"])
        .env("LOOKALIKE_TEST_HOLD", &path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == "held"));
    assert!(matches!(Folder::lock(&path, real()), Err(Error::Locked { .. })));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(names(&path).contains("000003.seg") && names(&path).contains("manifest.new"));
    assert_eq!(state(&path), old());
    change(&path, real(), "new").unwrap();
    assert_eq!(state(&path), new());
    assert!(tidy(&path));
    assert!(names(&path).contains("000004.seg"), "the number of the rubbish is not used again");
}

#[test]
fn a_reader_keeps_what_it_opened() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    build(&path, real()).unwrap();
    let before: Snapshot<String> = Snapshot::open(&path).unwrap();
    change(&path, real(), "new").unwrap();
    assert!(!path.join("000002.seg").exists());
    assert_eq!(before.segments.iter().map(text).collect::<Vec<_>>(), old().1);
    assert_eq!((before.generation, before.meta.as_str()), (1, "old"));
    assert_eq!(state(&path), new());
}

#[test]
fn readers_beside_a_writer_that_never_rests() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    build(&path, real()).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut last = 0;
                while !done.load(Ordering::Relaxed) {
                    let snapshot: Snapshot<String> = Snapshot::open(&path).unwrap();
                    assert!(snapshot.generation >= last);
                    last = snapshot.generation;
                    let texts: Vec<String> = snapshot.segments.iter().map(text).collect();
                    assert!(snapshot.meta == "old" || texts.iter().all(|text| *text == snapshot.meta), "{texts:?}");
                }
            });
        }
        let mut folder = Folder::lock(&path, real()).unwrap();
        for number in 0..300 {
            let meta = format!("commit {number}");
            let files = (0..3).map(|_| segment(&mut folder, &meta).unwrap()).collect();
            folder.commit(files, &meta).unwrap();
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(tidy(&path));
}

#[test]
fn what_is_not_ours_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    assert!(matches!(Snapshot::<String>::open(&path), Err(Error::NoIndex { .. })));
    assert!(matches!(Folder::lock(&path, real()), Err(Error::NoIndex { .. })));
    assert!(matches!(Folder::create(&path.join("deeper"), real()), Err(Error::Write { .. })));

    // an empty folder is as good as none, a folder with files of others is not, even if their names look like ours
    fs::create_dir(&path).unwrap();
    fs::write(path.join("000001.jpg"), "a picture").unwrap();
    assert!(matches!(Folder::create(&path, real()), Err(Error::Exists { .. })));
    assert!(matches!(Folder::lock(&path, real()), Err(Error::NoIndex { .. })));
    assert_eq!(names(&path), BTreeSet::from(["000001.jpg".to_owned()]));
    fs::remove_file(path.join("000001.jpg")).unwrap();
    build(&path, real()).unwrap();

    fs::write(path.join("notes.txt"), "mine").unwrap();
    fs::write(path.join("000099.seg"), "rubbish").unwrap();
    let mut folder = Folder::lock(&path, real()).unwrap();
    assert!(!path.join("000099.seg").exists());
    assert_eq!(folder.next_name("seg"), "000100.seg");
    let foreign = SegmentFile { name: "../x.seg".into(), bytes: 0, checksum: 0 };
    assert!(matches!(folder.commit(vec![foreign], &()), Err(Error::Write { .. })));
    drop(folder);
    assert_eq!(fs::read_to_string(path.join("notes.txt")).unwrap(), "mine");
    assert_eq!(state(&path), old());

    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(matches!(Folder::create(&file, real()), Err(Error::Exists { .. })));
    assert!(matches!(Folder::lock(&file, real()), Err(Error::NoIndex { .. })));
    let said = Snapshot::<String>::open(&file).unwrap_err().to_string();
    assert!(said.ends_with("is no index: expected a folder with manifest.json"));
}

/// Beside a writer that commits, and that appends to a log what it takes into the next commit: a copy never misses anything that the log held
/// before, and has nothing twice.
#[test]
fn a_copy_is_what_a_folder_was_at_one_moment() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    build(&path, real()).unwrap();
    fs::create_dir(path.join("journal")).unwrap();
    let (stop, count) = (AtomicBool::new(false), std::sync::atomic::AtomicU64::new(0));
    std::thread::scope(|scope| {
        let _stop = StopOnDrop(&stop);
        scope.spawn(|| {
            let mut folder = Folder::lock(&path, real()).unwrap();
            for number in 0u64.. {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let log = path.join(format!("journal/{number:06}.log"));
                fs::write(&log, number.to_string()).unwrap();
                count.store(number, Ordering::SeqCst);
                let file = segment(&mut folder, "new").unwrap();
                folder.commit(vec![file], &number.to_string()).unwrap();
                fs::remove_file(&log).unwrap();
            }
        });
        for n in 0..30 {
            let known = count.load(Ordering::SeqCst);
            let copy = dir.path().join(format!("copy{n}"));
            copy_folder(&path, &copy, &[]).unwrap();
            let (meta, texts) = state(&copy);
            assert_eq!(texts.len(), if meta == "old" { 2 } else { 1 });
            // one that is being written may have nothing in it yet
            let logs: Vec<u64> = names(&copy.join("journal"))
                .iter()
                .map(|name| fs::read_to_string(copy.join("journal").join(name)).unwrap())
                .filter(|log| !log.is_empty())
                .map(|log| log.parse().unwrap())
                .collect();
            let committed = meta.parse::<u64>().ok();
            assert!(logs.iter().copied().chain(committed).max().unwrap_or(0) >= known, "{meta} {logs:?} {known}");
            // what the log has beside the last commit follows it, or is it
            assert!(
                logs.iter().all(|log| committed.is_none_or(|committed| *log == committed || *log == committed + 1))
            );
            assert!(!names(&copy).contains("lock"));
        }
    });
}

/// Stops a thread also when a test fails, which would wait for it for ever.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_copy_has_all_that_stands_beside_and_within() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    build(&path, real()).unwrap();
    build(&path.join("inner"), real()).unwrap();
    fs::write(path.join("names"), "rose\n").unwrap();
    fs::write(path.join("log-000001"), "log").unwrap();
    fs::write(path.join("inner/COMMITTED"), "").unwrap();
    fs::write(path.join("000099.seg"), "rubbish").unwrap();
    let copy = dir.path().join("copy");
    copy_folder(&path, &copy, &["names"]).unwrap();
    assert_eq!(state(&copy), old());
    assert_eq!(state(&copy.join("inner")), old());
    let expected: BTreeSet<String> =
        ["000001.seg", "000002.seg", "inner", "log-000001", "manifest.json", "names"].map(String::from).into();
    assert_eq!(names(&copy), expected);
    assert!(copy.join("inner/COMMITTED").exists());
    assert!(matches!(copy_folder(&path, &copy, &[]), Err(Error::Exists { .. })));
    assert!(matches!(copy_folder(dir.path(), &dir.path().join("other"), &[]), Err(Error::NoIndex { .. })));
    assert!(!dir.path().join("other").exists());
}
