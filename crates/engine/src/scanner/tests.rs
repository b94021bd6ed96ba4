//! What every lens that scans documents does alike: who represents, and saved runs.

use super::*;
use crate::report::cluster::Cluster;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// Words from a seed.
fn words(seed: u64, many: u64) -> Vec<String> {
    let word = |at: u64| (seed + 1).wrapping_mul(at + 7).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50;
    (0..many).map(|at| word(at).to_string()).collect()
}

/// Four near-copies (the longest, the newest, the first, one in a folder), and three identical files.
fn write_files(root: &Path) {
    let body = words(1, 3000);
    let with = |changed: usize, end: u64| {
        let mut body = body.clone();
        body[changed] = "changed".into();
        body.extend(words(changed as u64 + 10, end));
        body.join(" ")
    };
    let same = words(99, 2000).join(" ");
    let files = [
        ("b-longest.txt", with(100, 30), 5),
        ("c-newest.txt", with(700, 10), 9),
        ("a-first.txt", with(1500, 5), 3),
        ("wanted/d.md", with(2200, 20), 4),
        ("x-same.txt", same.clone(), 2),
        ("y-same.md", same.clone(), 7),
        ("z-same.txt", same, 6),
    ];
    for (name, text, hours) in files {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000 + hours * 3600)).unwrap();
    }
}

fn lenses() -> [LensOptions; 3] {
    [
        ShinglesOptions::default().into(),
        ChunksOptions { mean: 200, ..ChunksOptions::default() }.into(),
        SimhashOptions { distance: 7, ..SimhashOptions::default() }.into(),
    ]
}

fn end(root: &Path, id: &str) -> String {
    id.strip_prefix(&format!("{}/", root.display())).unwrap().to_owned()
}

#[test]
fn the_document_that_is_wanted_represents() {
    let dir = tempfile::tempdir().unwrap();
    write_files(dir.path());
    let globs = |globs: &[&str]| Keep::Paths(globs.iter().map(|glob| (*glob).to_owned()).collect());
    for lens in lenses() {
        let by_lens = lens.lens();
        for (keep, of_near, of_same) in [
            (Keep::Longest, "b-longest.txt", "x-same.txt"),
            (Keep::First, "a-first.txt", "x-same.txt"),
            (Keep::Newest, "c-newest.txt", "y-same.md"),
            (globs(&["*.md"]), "wanted/d.md", "y-same.md"),
            // the earliest glob wins; of those that match it, and of those that match none, the longest
            (globs(&["c-*", "*.md"]), "c-newest.txt", "y-same.md"),
            (globs(&["**/wanted/**", "z-*"]), "wanted/d.md", "z-same.txt"),
            (globs(&["no-such"]), "b-longest.txt", "x-same.txt"),
        ] {
            let scanner = Scanner::new(lens.clone()).keep(keep.clone());
            let report = scanner.run(vec![Input::Path(dir.path().to_owned())]).unwrap().into_report();
            let stars: BTreeMap<String, usize> = report
                .clusters
                .iter()
                .map(|cluster| (end(dir.path(), &cluster.representative), cluster.members.len()))
                .collect();
            let expected = BTreeMap::from([(of_near.to_owned(), 3), (of_same.to_owned(), 2)]);
            assert_eq!(stars, expected, "{by_lens:?} {keep:?}");
        }
        let wrong = Scanner::new(lens).keep(globs(&["a[", "*"])).run(Vec::new());
        assert!(matches!(wrong.err(), Some(Error::Glob { glob, .. }) if glob == "a["), "{by_lens:?}");
    }
}

/// A wish never brings together what does not resemble: whoever joins is linked with the one that represents.
#[test]
fn a_wish_changes_no_evidence() {
    // each version changes a tenth: neighbours resemble, the ends do not
    let mut body = words(5, 2000);
    let mut texts = Vec::new();
    for version in 0..8 {
        texts.push(body.join(" "));
        body[version * 200..version * 200 + 200].clone_from_slice(&words(version as u64 + 40, 200));
    }
    let dir = tempfile::tempdir().unwrap();
    for (at, text) in texts.iter().enumerate() {
        std::fs::write(dir.path().join(format!("v{at}.txt")), text).unwrap();
    }
    let lenses: [LensOptions; 2] =
        [ShinglesOptions::default().into(), ChunksOptions { mean: 100, ..ChunksOptions::default() }.into()];
    for lens in lenses {
        for keep in [Keep::Longest, Keep::First, Keep::Newest, Keep::Paths(vec!["*7.txt".into()])] {
            let scanner = Scanner::new(lens.clone()).keep(keep.clone());
            let report = scanner.run(vec![Input::Path(dir.path().to_owned())]).unwrap().into_report();
            assert!(!report.clusters.is_empty());
            for member in report.clusters.iter().flat_map(|cluster| &cluster.members) {
                let near = member.resemblance.unwrap().max(member.containment.unwrap());
                assert!(near.max(member.contained_by.unwrap()) >= 0.5, "{keep:?} {member:?}");
            }
            if matches!(keep, Keep::Paths(_)) {
                let last = |cluster: &&Cluster| cluster.representative.ends_with("v7.txt");
                assert_eq!(report.clusters.iter().filter(last).count(), 1, "{:?}", report.clusters);
            }
        }
    }
}

/// Files of families: versions of which a part is the same.
fn write_versions(root: &Path) {
    for family in 0..12u64 {
        let body = words(family + 300, 900);
        for version in 0..4 {
            let mut body = body.clone();
            let changed = 200 * version as usize;
            body[..changed].clone_from_slice(&words(family * 10 + version + 1000, changed as u64));
            body.truncate(900 - 31 * (family as usize * version as usize % 5));
            std::fs::write(root.join(format!("f{family:02}v{version}.txt")), body.join(" ")).unwrap();
        }
    }
}

fn stars(report: &Report) -> BTreeMap<String, BTreeSet<(String, Option<u64>)>> {
    let members = |c: &Cluster| c.members.iter().map(|m| (m.id.clone(), m.shared_bytes)).collect();
    report.clusters.iter().map(|cluster| (cluster.representative.clone(), members(cluster))).collect()
}

#[test]
fn chunks_clustered_again_are_a_scan_with_that_share() {
    let (dir, runs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write_versions(dir.path());
    let options =
        |share: f64, all_pairs: bool| ChunksOptions { mean: 100, share, all_pairs, ..ChunksOptions::default() };
    let inputs = || vec![Input::Path(dir.path().to_owned())];
    let mut members = 0;
    for (at, keep) in
        [Keep::Longest, Keep::First, Keep::Newest, Keep::Paths(vec!["*v2.txt".into()])].into_iter().enumerate()
    {
        // what was written last is not always what comes last by name
        for (order, name) in ["f03v2.txt", "f05v0.txt", "f07v3.txt"].into_iter().enumerate() {
            let file = std::fs::File::options().write(true).open(dir.path().join(name)).unwrap();
            file.set_modified(SystemTime::now() + Duration::from_secs(3600 * (order as u64 + 1))).unwrap();
        }
        let run = |share: f64, all_pairs: bool| {
            Scanner::new(options(share, all_pairs)).keep(keep.clone()).run(inputs()).unwrap()
        };
        let scan = run(0.3, true);
        assert_eq!(stars(scan.report()), stars(run(0.3, false).report()), "{keep:?}: all pairs do not show");
        let saved: PathBuf = runs.path().join(at.to_string());
        scan.save(&saved).unwrap();
        for share in [0.3, 0.5, 0.8] {
            let again = recluster(&saved, |policy| Policy { threshold: share, ..policy }, &TemplateList::default());
            let (again, scanned) = (again.unwrap(), run(share, false));
            assert_eq!(stars(&again), stars(scanned.report()), "{keep:?} {share}");
            members += again.clusters.iter().map(|cluster| cluster.members.len()).sum::<usize>();
        }
    }
    assert!(members > 100, "{members}");
}
