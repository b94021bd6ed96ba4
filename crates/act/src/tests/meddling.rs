//! Somebody else changes files at every moment of an action. What they write is never lost, and neither is what they did not destroy.

use super::faults::systems;
use super::faulty::{Faulty, Lacks};
use super::*;

const STRANGE: &[u8] = b"what somebody else wrote";
const CONTENT: &[u8] = b"the content of the two";

/// What somebody does to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meddling {
    /// Writes into it, if it is there.
    Overwrite,
    /// Puts another file in its place.
    Replace,
    /// Removes it.
    Remove,
    /// Makes a folder of it.
    Folder,
}

const ALL: [Meddling; 4] = [Meddling::Overwrite, Meddling::Replace, Meddling::Remove, Meddling::Folder];

impl Meddling {
    fn writes(self) -> bool {
        matches!(self, Self::Overwrite | Self::Replace)
    }

    /// Does it; false if there was nothing to do it to.
    fn do_to(self, path: &Path) -> bool {
        let is_file = path.is_file();
        match self {
            Self::Overwrite if is_file => fs::write(path, STRANGE).is_ok(),
            Self::Remove if is_file => fs::remove_file(path).is_ok(),
            Self::Replace => {
                let new = path.with_extension("new");
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&new, STRANGE).and_then(|()| fs::rename(&new, path)).is_ok()
            }
            Self::Folder => {
                let _ = fs::remove_file(path);
                fs::create_dir_all(path).and_then(|()| fs::write(path.join("inside"), STRANGE)).is_ok()
            }
            _ => false,
        }
    }
}

/// Distinct files with the content of the two.
fn copies(stage: &Stage) -> BTreeSet<u64> {
    let mut all = BTreeSet::new();
    walk(stage.dir.path(), &mut |path| {
        if path.symlink_metadata().unwrap().is_file() && fs::read(path).unwrap() == CONTENT {
            all.insert(inode(path));
        }
    });
    all
}

/// Runs with somebody meddling at each operation, until there are no more.
fn meddle(lacks: Lacks, action: usize, name: &str, meddling: Meddling) {
    for at in 0.. {
        let mut stage = Stage::new();
        stage.set(CONTENT, &["k", "in/d"]);
        let options = &stage.actions()[action];
        let target = if name == "to" { stage.elsewhere().join("in/d") } else { stage.at(name) };
        let moment = format!("{:?}: {meddling:?} {name} at {at} with {lacks:?}", options.action.kind());
        let (mut did, mut last, mut survives, mut is_link) = (false, "", false, false);
        let files = Faulty::meddled(lacks, at, |operation| {
            last = operation;
            // a copy is destroyed only if no other name leads to it, or if it is written into
            let destroyed = target.metadata().map_or(0, |m| m.ino());
            let links = target.metadata().map_or(0, |m| m.nlink());
            let rest = copies(&stage).into_iter().filter(|ino| *ino != destroyed).count();
            survives = rest > 0 || (meddling != Meddling::Overwrite && links > 1);
            is_link = target.metadata().is_ok_and(|m| m.ino() == stage.at("k").metadata().map_or(0, |k| k.ino()));
            did = meddling.do_to(&target);
        });
        let acted = stage.act_with(&files, options, true).expect(&moment);
        let happened = files.has_happened();
        drop(files);
        if !happened {
            assert!(at > 10, "{moment}");
            break;
        }
        // on a file system that has neither renames that do not replace nor hard links, looking first must do
        let unlucky = lacks.hard_links && last == "rename" && name == "to";
        if did && meddling != Meddling::Remove && !unlucky {
            assert!(stage.has(STRANGE), "{moment}: what was written is lost; {acted:?}");
        }
        // Who destroys the kept file after it was checked for the last time and before the duplicate goes cannot be helped,
        // nor can who writes into it through the link.
        let too_late = last == "remove" && (name == "k" || meddling == Meddling::Overwrite);
        let content_is_there = !copies(&stage).is_empty();
        assert!(content_is_there || !survives || too_late, "{moment}: the content is lost; {acted:?}");
        if !did {
            assert!(content_is_there, "{moment}");
        }
        // and the way back loses nothing either
        let undone = stage.undo();
        assert!(!did || meddling == Meddling::Remove || unlucky || stage.has(STRANGE), "{moment}: {undone:?}");
        assert!(copies(&stage).is_empty() != content_is_there, "{moment}: {undone:?}");
        // what is written into a link is written into the kept file
        if meddling.writes() && name == "in/d" && did && acted.totals.done == 0 && !is_link {
            assert_eq!(
                fs::read(stage.at("in/d")).unwrap(),
                STRANGE,
                "{moment}: it is where it was written; {undone:?}"
            );
        }
    }
}

#[test]
fn the_duplicate_changes() {
    for lacks in systems() {
        for action in 0..6 {
            for meddling in ALL {
                meddle(lacks, action, "in/d", meddling);
            }
        }
    }
}

#[test]
fn the_kept_file_changes() {
    for lacks in systems() {
        for action in 0..6 {
            for meddling in ALL {
                meddle(lacks, action, "k", meddling);
            }
        }
    }
}

#[test]
fn the_new_place_is_taken() {
    for lacks in systems() {
        for meddling in ALL {
            meddle(lacks, 2, "to", meddling);
        }
    }
}

/// Two people clean up at once, and each wants to keep what the other wants to be rid of.
#[test]
fn two_runs_at_once() {
    for lacks in systems() {
        for (one, two) in (0..4).flat_map(|one| (0..4).map(move |two| (one, two))) {
            for at in 0.. {
                let mut stage = Stage::new();
                stage.set(CONTENT, &["a", "bb"]);
                let options = &stage.actions()[one];
                let mut other = stage.actions()[two].clone();
                other.keep = crate::options::KeepPolicy::Oldest;
                let files = Faulty::meddled(lacks, at, |_| {
                    let (report, log) = (stage.report(), stage.dir.path().join("other.jsonl"));
                    let request = ActRequest {
                        report: &report,
                        decisions: None,
                        name: "r.json",
                        options: &other,
                        log: &log,
                        apply: true,
                    };
                    let context =
                        ActContext { files: &Faulty::new(lacks), progress: &Silent, cancel: &Cancel::default() };
                    act_on(context, &request).unwrap();
                });
                let acted = stage.act_with(&files, options, true).unwrap();
                let happened = files.has_happened();
                drop(files);
                assert!(stage.has(CONTENT), "{one} and {two} at {at} with {lacks:?}: {acted:?}");
                if !happened {
                    break;
                }
            }
        }
    }
}
