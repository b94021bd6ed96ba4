//! Undo: from links, moved and removed files back to what was there, whatever fails on the way.

use super::faults::systems;
use super::faulty::{Fault, Faulty, Lacks};
use super::*;

#[test]
fn what_was_done_is_undone() {
    for action in 0..6 {
        let stage = Stage::usual();
        let (before, options) = (stage.files(), stage.actions()[action].clone());
        let acted = stage.act(&options);
        assert_eq!((acted.totals.done, acted.totals.failed), (3, 0), "{acted:?}");
        // of shared blocks nothing can be seen
        assert_eq!(stage.files() == before, options.action == Action::Reflink);

        let traces = stage.traces();
        let foreseen = stage.undo_with(&Faulty::default(), false).unwrap();
        assert_eq!((foreseen.planned, foreseen.done, foreseen.dry_run), (3, 0, true));
        assert_eq!(stage.traces(), traces, "a dry run touches nothing");

        let undone = stage.undo();
        assert_eq!((undone.done, undone.failed), (3, 0), "{undone:?}");
        assert_eq!(stage.files(), before, "content, rights and times");
        assert!(stage.undo().entries.is_empty());
        // and all of it once more
        assert_eq!(stage.act(&options).totals.done, 3);
        assert_eq!(stage.undo().done, 3);
        assert_eq!(stage.files(), before);
    }
}

#[test]
fn what_has_changed_since_is_left_alone() {
    let stage = Stage::usual();
    let [hardlink, symlink, moving, removing, ..] = stage.actions();
    let failed = |stage: &Stage, reason: &str| {
        let foreseen = stage.undo_with(&Faulty::default(), false).unwrap();
        let undone = stage.undo();
        assert_eq!((undone.done, undone.failed), (2, 1), "{undone:?}");
        let entry = undone.entries.iter().find(|entry| entry.outcome == Outcome::Failed).unwrap();
        assert!(entry.reason.contains(reason), "{entry:?}");
        let told = foreseen.entries.iter().find(|entry| entry.outcome == Outcome::Failed).unwrap();
        assert_eq!(told, entry, "a dry run says the same");
    };
    stage.act(&hardlink);
    fs::remove_file(stage.at("x2")).unwrap();
    failed(&stage, "is gone since then");

    let stage = Stage::usual();
    stage.act(&symlink);
    fs::write(stage.at("x"), "the kept file changes").unwrap();
    failed(&stage, "has changed since then");
    assert!(stage.at("x2").is_symlink());

    let stage = Stage::usual();
    stage.act(&ActOptions { action: Action::Move(stage.elsewhere()), ..moving });
    fs::write(stage.at("x2"), "somebody is there").unwrap();
    failed(&stage, "something else is there now");
    assert!(stage.elsewhere().join("x2").exists());

    let stage = Stage::usual();
    stage.act(&removing);
    fs::remove_file(stage.at("x")).unwrap();
    failed(&stage, "has changed since then");
}

#[test]
fn every_fault_of_an_undo() {
    for lacks in systems() {
        // moved between what are two devices for it, so that it must copy back
        for action in 0..6 {
            for fault in [Fault::Once, Fault::Lying, Fault::Full, Fault::Killed] {
                // with one kind it is enough to see that who goes on instead gets to the end, too
                for again in [false, true].into_iter().filter(|again| !again || fault == Fault::Killed) {
                    for at in 0.. {
                        let stage = Stage::small();
                        let (before, options) = (stage.files(), &stage.actions()[action]);
                        stage.act(options);
                        let files = Faulty::failing(lacks, fault, at);
                        let moment = format!("{:?} {fault:?} at {at} with {lacks:?}", options.action.kind());
                        // without the log nothing is done
                        let Ok(undone) = stage.undo_with(&files, true) else { continue };
                        if !files.has_happened() {
                            assert!(at > 5 && !undone.has_failed(), "{moment}");
                            break;
                        }
                        for (name, (content, ..)) in &before {
                            assert!(stage.has(content), "{moment}: the content of {name} is lost");
                        }
                        if again {
                            let acted = stage.act(options);
                            assert!(!acted.has_failed(), "{moment}: {acted:?}");
                        }
                        let undone = stage.undo();
                        assert!(!undone.has_failed(), "{moment}: {undone:?}");
                        assert_eq!(stage.files(), before, "{moment}");
                    }
                }
            }
        }
    }
}

#[test]
fn meddling_while_it_is_undone() {
    const STRANGE: &[u8] = b"what somebody else wrote";
    for lacks in [Lacks::default(), Lacks { one_device: true, ..Lacks::default() }] {
        for (action, name) in (0..6).flat_map(|action| ["in/a", "in/b", "x2"].map(|name| (action, name))) {
            for at in 0.. {
                let stage = Stage::usual();
                stage.act(&stage.actions()[action]);
                let files = Faulty::meddled(lacks, at, |_| {
                    let new = stage.at("new");
                    fs::write(&new, STRANGE).unwrap();
                    fs::rename(&new, stage.at(name)).unwrap();
                });
                let undone = stage.undo_with(&files, true).unwrap();
                let happened = files.has_happened();
                drop(files);
                if !happened {
                    break;
                }
                let found = fs::read(stage.at(name)).unwrap();
                assert_eq!(found, STRANGE, "{action} {name} at {at} with {lacks:?}: {undone:?}");
                assert!(stage.has(b"the first content") && stage.has(b"another content, a longer one"));
            }
        }
    }
}
