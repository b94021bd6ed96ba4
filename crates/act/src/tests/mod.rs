//! A stage for act: trees of identical files, reports about them, and what must hold whatever happens.

mod choices;
mod faults;
mod faulty;
mod forged;
mod logs;
mod meddling;
mod undoing;

use crate::context::ActContext;
use crate::error::Error;
use crate::file_system::FileSystem;
use crate::identical_files::{IdenticalFile, IdenticalSet};
use crate::options::{ActOptions, Action};
use crate::outcome::{ActReport, FileOutcome, Outcome, UndoReport};
use crate::run::{ActRequest, act_on};
use crate::undo::undo_log;
use faulty::Faulty;
use lookalike_corpus::{id_of, path_of};
use lookalike_store::{Cancel, Silent};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, FileTimes, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

/// A folder with files, a report about them, and a log.
struct Stage {
    dir: tempfile::TempDir,
    sets: Vec<IdenticalSet>,
}

/// Everything that can be seen of a file without its inode.
type Look = (Vec<u8>, u32, i64);

impl Stage {
    fn new() -> Self {
        // in memory where that is possible: tens of thousands of trees are made, and a disk would do most of the waiting
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let stage = Self { dir, sets: Vec::new() };
        fs::create_dir(stage.root()).unwrap();
        stage
    }

    /// Two sets, one with two duplicates in another folder, one with a duplicate beside it.
    fn usual() -> Self {
        let mut stage = Self::new();
        stage.set(b"the first content", &["k", "in/a", "in/b"]);
        stage.set(b"another content, a longer one", &["x", "x2"]);
        stage
    }

    /// One set with two duplicates, where all must be gone through many thousand times.
    fn small() -> Self {
        let mut stage = Self::new();
        stage.set(b"the first content", &["k", "k2", "in/b"]);
        stage
    }

    fn root(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join("tree")
    }

    fn at(&self, name: &str) -> PathBuf {
        self.root().join(path_of(name))
    }

    fn log(&self) -> PathBuf {
        self.dir.path().join("log.jsonl")
    }

    /// Writes identical files and puts them in the report. Each has its own time and attributes.
    fn set(&mut self, content: &[u8], names: &[&str]) {
        for (order, name) in names.iter().enumerate() {
            self.write(name, content, order as u64);
        }
        self.list(names);
    }

    fn write(&self, name: &str, content: &[u8], order: u64) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640 + u32::try_from(order % 4).unwrap())).unwrap();
        let time = UNIX_EPOCH + Duration::new(1_000_000_000 - order, 123_456_789);
        File::options().write(true).open(&path).unwrap().set_times(FileTimes::new().set_modified(time)).unwrap();
    }

    /// Puts files in the report as one set, as they are.
    fn list(&mut self, names: &[&str]) {
        let file = |name: &&str| {
            let modified = self.at(name).metadata().ok().map(|m| m.mtime() * 1_000_000_000 + m.mtime_nsec());
            IdenticalFile { id: (*name).to_owned(), modified }
        };
        let bytes = self.at(names[0]).metadata().unwrap().len();
        let files = names.iter().map(file).collect();
        self.sets.push(IdenticalSet { bytes, files });
    }

    fn report(&self) -> Vec<u8> {
        let report = serde_json::json!({
            "schema": 1, "recipe": "bytes|chunks:mean=1000|hash=xxh3-128|v=1",
            "chunks": {"identical": self.sets, "base": id_of(&self.root())},
        });
        serde_json::to_vec(&report).unwrap()
    }

    fn act_with(&self, files: &dyn FileSystem, options: &ActOptions, apply: bool) -> Result<ActReport, Error> {
        let (report, log, cancel) = (self.report(), self.log(), Cancel::default());
        let request = ActRequest { report: &report, decisions: None, name: "r.json", options, log: &log, apply };
        act_on(ActContext { files, progress: &Silent, cancel: &cancel }, &request)
    }

    #[track_caller]
    fn act(&self, options: &ActOptions) -> ActReport {
        self.act_with(&Faulty::default(), options, true).unwrap()
    }

    #[track_caller]
    fn dry_run(&self, options: &ActOptions) -> ActReport {
        self.act_with(&Faulty::default(), options, false).unwrap()
    }

    fn undo_with(&self, files: &dyn FileSystem, apply: bool) -> Result<UndoReport, Error> {
        undo_log(ActContext { files, progress: &Silent, cancel: &Cancel::default() }, &self.log(), apply)
    }

    #[track_caller]
    fn undo(&self) -> UndoReport {
        self.undo_with(&Faulty::default(), true).unwrap()
    }

    /// All files of the stage but the log, by name; symbolic links are not followed.
    fn files(&self) -> BTreeMap<String, Look> {
        let mut all = BTreeMap::new();
        walk(self.dir.path(), &mut |path| {
            let found = path.symlink_metadata().unwrap();
            if found.is_file() && path != self.log() {
                let time = found.mtime() * 1_000_000_000 + found.mtime_nsec();
                all.insert(self.name(path), (fs::read(path).unwrap(), found.mode() & 0o7777, time));
            }
        });
        all
    }

    /// Everything but the log: names with inode, size and time. Equal before and after if nothing was touched.
    fn traces(&self) -> BTreeSet<(String, u64, u64, i64, i64)> {
        let mut all = BTreeSet::new();
        walk(self.dir.path(), &mut |path| {
            let m = path.symlink_metadata().unwrap();
            if path != self.log() {
                all.insert((self.name(path), m.ino(), m.len(), m.mtime_nsec(), m.ctime_nsec()));
            }
        });
        all
    }

    fn name(&self, path: &Path) -> String {
        let path = path.strip_prefix(self.dir.path()).unwrap();
        id_of(path.strip_prefix("tree").unwrap_or(path)).into_owned()
    }

    /// Whether some name leads to this content.
    fn has(&self, content: &[u8]) -> bool {
        self.files().values().any(|(found, ..)| found == content)
    }

    /// The folder that files are moved to.
    fn elsewhere(&self) -> PathBuf {
        self.dir.path().join("elsewhere")
    }

    fn actions(&self) -> [ActOptions; 6] {
        let (elsewhere, trash) = (self.elsewhere(), self.elsewhere().join("Trash"));
        [
            Action::Hardlink,
            Action::Symlink,
            Action::Move(elsewhere),
            Action::Remove,
            Action::Reflink,
            Action::Trash(trash),
        ]
        .map(ActOptions::new)
    }
}

fn walk(folder: &Path, each: &mut dyn FnMut(&Path)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.symlink_metadata().unwrap().is_dir() {
            walk(&path, each);
        } else {
            each(&path);
        }
    }
}

/// Temporary names that were left behind.
fn leftovers(files: &BTreeMap<String, Look>) -> Vec<&String> {
    files.keys().filter(|name| name.contains(".lookalike-act-")).collect()
}

/// What became of a file.
#[track_caller]
fn of<'a>(acted: &'a ActReport, id: &str) -> &'a FileOutcome {
    acted.sets.iter().flat_map(|set| &set.files).find(|file| file.id == id).unwrap_or_else(|| panic!("no {id}"))
}

#[track_caller]
fn says(acted: &ActReport, id: &str, outcome: Outcome, reason: &str) {
    let file = of(acted, id);
    assert!(file.outcome == outcome && file.reason.as_deref().unwrap_or_default().contains(reason), "{file:?}");
}

fn inode(path: &Path) -> u64 {
    path.metadata().unwrap().ino()
}
