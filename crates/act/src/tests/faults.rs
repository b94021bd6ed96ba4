//! Every step of every action fails, in every way, on every kind of file system. Nothing may be lost, and all can be repaired.

use super::faulty::{Fault, Faulty, Lacks};
use super::*;
use crate::options::ActionKind;

const FAULTS: [Fault; 4] = [Fault::Once, Fault::Lying, Fault::Full, Fault::Killed];

/// Kinds of file systems: all that is asked for; no exchange; neither that nor renames that do not replace; no hard links
/// either; and two devices, with and without.
pub(super) fn systems() -> [Lacks; 6] {
    let all = Lacks::default();
    let plain = Lacks { exchange: true, rename_new: true, ..all };
    [
        all,
        Lacks { exchange: true, ..all },
        plain,
        Lacks { hard_links: true, ..plain },
        Lacks { one_device: true, ..all },
        Lacks { one_device: true, ..plain },
    ]
}

/// Each original name has its content, or the log says what became of it; and no content is without a name.
#[track_caller]
fn check_nothing_is_lost(stage: &Stage, before: &BTreeMap<String, Look>, moment: &str) {
    let log = fs::read_to_string(stage.log()).unwrap_or_default();
    let after = stage.files();
    for (name, (content, ..)) in before {
        assert!(after.values().any(|(found, ..)| found == content), "{moment}: the content of {name} is lost");
        let is_there = fs::read(stage.at(name)).is_ok_and(|found| &found == content);
        let is_named = log.contains(&format!("\"path\":\"{}\"", stage.at(name).display()));
        assert!(is_there || is_named, "{moment}: {name} is missing, and the log does not know");
    }
    for name in leftovers(&after) {
        assert!(log.contains(name.rsplit('/').next().unwrap()), "{moment}: {name} is left, and the log does not know");
    }
}

fn every_fault(
    faults: &[Fault],
    mut check: impl FnMut(&Stage, &BTreeMap<String, Look>, &ActOptions, Fault, &ActReport, &str),
) {
    for lacks in systems() {
        for action in 0..6 {
            for &fault in faults {
                let mut at = 0;
                loop {
                    let stage = Stage::small();
                    let options = &stage.actions()[action];
                    let before = stage.files();
                    let files = Faulty::failing(lacks, fault, at);
                    let moment = format!("{:?} {fault:?} at {at} with {lacks:?}", options.action.kind());
                    let acted = stage.act_with(&files, options, true);
                    at += 1;
                    let Ok(acted) = acted else {
                        assert_eq!(stage.files(), before, "{moment}: without a log nothing is done");
                        continue;
                    };
                    if !files.has_happened() {
                        break;
                    }
                    check_nothing_is_lost(&stage, &before, &moment);
                    check(&stage, &before, options, fault, &acted, &moment);
                }
                assert!(at > 5, "there are steps to fail: {at}");
            }
        }
    }
}

#[test]
fn nothing_is_lost_and_undo_restores_all() {
    every_fault(&FAULTS, |stage, before, _, fault, acted, moment| {
        if matches!(fault, Fault::Once | Fault::Lying) {
            let all = acted.totals.done + acted.totals.failed + acted.totals.untouched;
            assert!(acted.stopped.is_some() || all == 2, "{moment}: the rest goes on: {acted:?}");
            let stuck = |file: &FileOutcome| file.reason.as_ref().is_some_and(|reason| reason.contains("tries again"));
            let any_stuck = acted.sets.iter().flat_map(|set| &set.files).any(stuck) || acted.stopped.is_some();
            assert!(any_stuck || leftovers(&stage.files()).is_empty(), "{moment}: leftovers is left");
        }
        let undone = stage.undo();
        assert!(!undone.has_failed(), "{moment}: {undone:?}");
        let after = stage.files();
        assert_eq!(&after, before, "{moment}: undone");
        let inodes: BTreeSet<u64> = after.keys().map(|name| inode(&stage.at(name))).collect();
        assert_eq!(inodes.len(), after.len(), "{moment}: all are separate files again");
        assert!(stage.undo().entries.is_empty(), "{moment}: and that is known");
    });
}

#[test]
fn a_second_run_completes_the_first() {
    let complete = [0, 1, 2, 3, 4, 5].map(|action| {
        let stage = Stage::small();
        assert!(!stage.act(&stage.actions()[action]).has_failed());
        stage.files()
    });
    every_fault(&[Fault::Once, Fault::Killed], |stage, before, options, _, acted, moment| {
        if acted
            .sets
            .iter()
            .flat_map(|set| &set.files)
            .any(|file| file.reason.as_ref().is_some_and(|reason| reason.contains("looked at")))
        {
            // without that file another was kept, and that is no first half of the same thing
            return;
        }
        let action = stage.actions().iter().position(|known| known.action.kind() == options.action.kind()).unwrap();
        let acted = stage.act(options);
        assert!(!acted.has_failed(), "{moment}: {acted:?}");
        // names in the trash depend on the whole path
        if options.action.kind() != ActionKind::Trash {
            assert_eq!(stage.files(), complete[action], "{moment}: completed");
        }
        assert!(!stage.undo().has_failed());
        assert_eq!(&stage.files(), before, "{moment}: undone");
    });
}
