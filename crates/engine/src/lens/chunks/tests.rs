//! Whole scans against what the paper says, computed the slow way.

use crate::error::OptionName;
use crate::lens::chunks::recluster::{Mark, mark};
use crate::lens::chunks::templates::TemplateList;
use crate::report::cluster::{Class, Cluster};
use crate::report::decisions::{DecidedDocument, Decision, Verdict};
use crate::report::policy::Policy;
use crate::run::exchange::{ExchangeSummary, Names};
use crate::testing::TestOptions;
use crate::{ChunksOptions, Error, Input, Report, Scan, ScanOptions, recluster};
use lookalike_core::chunk::{Chunker, Parameters};
use lookalike_core::cluster::Linkage;
use lookalike_corpus::content_name;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Words from a seed: text that has its own chunks.
fn text(seed: u64, words: usize) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..words).fold(String::new(), |text, _| text + &format!("{:x} ", next() % 100_000))
}

/// Families of files: versions, copies, parts inside others, a header that all have, and files of their own.
fn write_corpus(root: &Path, header: &str) -> usize {
    let mut files = 0;
    let mut put = |name: String, body: &str| {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, body).unwrap();
        files += 1;
    };
    for family in 0..12u64 {
        let body = text(family + 1, 700);
        put(format!("a/family{family}/first.txt"), &format!("{header}{body}"));
        put(format!("b/family{family}/copy.txt"), &format!("{header}{body}"));
        put(format!("b/family{family}/edited.txt"), &format!("{header}{}changed here{}", &body[..1500], &body[1530..]));
        put(format!("c/part{family}.txt"), &body[1000..2600]);
        put(format!("c/own{family}.txt"), &format!("{header}{}", text(family + 1000, 300)));
    }
    put("c/empty.txt".into(), "");
    put("c/bytes.bin".into(), &"\0\u{1}\u{2}".repeat(3000));
    files
}

fn options(change: impl FnOnce(&mut TestOptions<ChunksOptions>)) -> TestOptions<ChunksOptions> {
    let lens = ChunksOptions { mean: 100, ..ChunksOptions::default() };
    let mut options = TestOptions { lens, scan: ScanOptions::default() };
    options.scan.resources.threads = 2;
    change(&mut options);
    options
}

fn scan(inputs: Vec<Input>, options: &TestOptions<ChunksOptions>) -> Result<Scan, Error> {
    options.scanner().run(inputs)
}

fn run(root: &Path, options: &TestOptions<ChunksOptions>) -> Scan {
    scan(vec![Input::Path(root.to_owned())], options).unwrap()
}

fn sketch(root: &Path, options: &TestOptions<ChunksOptions>, names: Names, out: &Path) -> ExchangeSummary {
    options.scanner().sketch(vec![Input::Path(root.to_owned())], names, out).unwrap()
}

fn names(cluster: &Cluster) -> BTreeSet<String> {
    std::iter::once(&cluster.representative).chain(cluster.members.iter().map(|m| &m.id)).cloned().collect()
}

/// Multisets of chunks, counted without any of the machinery.
fn naive_common(a: &[u8], b: &[u8], chunker: &Chunker) -> u64 {
    let count = |data: &[u8]| {
        let mut times: BTreeMap<(u128, usize), u64> = BTreeMap::new();
        chunker.chunks(data, |chunk| *times.entry((chunk.hash, chunk.length)).or_default() += 1);
        times
    };
    let (a, b) = (count(a), count(b));
    a.iter().map(|(chunk, n)| chunk.1 as u64 * n.min(b.get(chunk).unwrap_or(&0))).sum()
}

#[test]
fn members_share_what_the_report_says() {
    let dir = tempfile::tempdir().unwrap();
    let files = write_corpus(dir.path(), "");
    let o = options(|o| (o.exact, o.all_pairs) = (true, true));
    let scan = run(dir.path(), &o);
    let chunks = scan.report().chunks().unwrap();
    assert_eq!((scan.report().head.documents as usize, chunks.totals.empty), (files - 1, 1));
    assert_eq!(scan.report().clusters.len(), 12);
    let chunker = Chunker::new(chunks.totals.parameters, "");
    for cluster in &scan.report().clusters {
        assert_eq!(cluster.members.len(), 3, "{cluster:?}");
        let representative = std::fs::read(&cluster.representative).unwrap();
        for member in &cluster.members {
            let body = std::fs::read(&member.id).unwrap();
            let common = naive_common(&representative, &body, &chunker);
            assert_eq!(member.shared_bytes, Some(common), "{member:?}");
            assert!(member.exact_bytes.unwrap() >= common && member.exact_bytes.unwrap() <= member.bytes);
            assert!((member.containment.unwrap() - common as f64 / body.len() as f64).abs() < 1e-12);
            let class = if representative == body {
                Class::Identical
            } else if common as f64 >= 0.5 * (representative.len() + body.len()) as f64 - 0.5 * common as f64 {
                Class::Near
            } else {
                Class::Contained
            };
            assert_eq!(member.class, class);
        }
    }
    assert_eq!(chunks.identical.len(), 12);
    assert!(chunks.identical.iter().all(|set| set.files.len() == 2 && set.files.iter().all(|f| f.modified.is_some())));
    // every pair of files, the slow way
    let mut listed = BTreeSet::new();
    scan.pairs(|row| {
        listed.insert((row.a, row.b));
        Ok::<_, Error>(())
    })
    .unwrap();
    let mut bodies = BTreeMap::new();
    for at in 0..scan.report().head.documents as u32 {
        let id = scan.view(at).unwrap().id;
        bodies.insert(id.clone(), std::fs::read(id).unwrap());
    }
    let mut expected = BTreeSet::new();
    for (a, of_a) in &bodies {
        for (b, of_b) in bodies.range(a.clone()..).skip(1) {
            let smaller = of_a.len().min(of_b.len());
            if naive_common(of_a, of_b, &chunker) as f64 / smaller as f64 >= 0.5 {
                expected.insert((a.clone(), b.clone()));
            }
        }
    }
    assert_eq!(listed, expected);
}

#[test]
fn threads_memory_and_order_do_not_show() {
    let dir = tempfile::tempdir().unwrap();
    write_corpus(dir.path(), &text(77, 60));
    let shown = |scan: Scan| {
        let mut report = serde_json::to_value(scan.report()).unwrap();
        // the order of reading is that of the inputs, and nothing else is
        report["phases"].take();
        report
    };
    for change in [
        (|_| {}) as fn(&mut TestOptions<ChunksOptions>),
        |o| o.linkage = Linkage::Single,
        |o| (o.share, o.min_shared) = (0.2, 700),
        |o| o.max_df = 0.01,
        |o| (o.mean, o.refine) = (1000, Some(100)),
    ] {
        let first = shown(run(dir.path(), &options(change)));
        for (threads, memory) in [(1, 16 << 20), (3, 1 << 30)] {
            let mut o = options(change);
            (o.scan.resources.threads, o.scan.resources.memory) = (threads, memory);
            assert_eq!(shown(run(dir.path(), &o)), first);
        }
        let folders = ["c", "b", "a"].map(|name| Input::Path(dir.path().join(name)));
        let scan = scan(folders.into(), &options(change)).unwrap();
        assert_eq!(shown(scan), first);
    }
}

/// Parts are packed by threads and memory; what all have must not compare documents that happen to lie in one part.
#[test]
fn how_parts_are_packed_does_not_show() {
    let dir = tempfile::tempdir().unwrap();
    let header = text(1, 400);
    for at in 0..80u64 {
        let body = text(at + 100, 1500);
        std::fs::write(dir.path().join(format!("large{at}a")), format!("{header}{body}")).unwrap();
        std::fs::write(dir.path().join(format!("large{at}b")), format!("{header}{body}{}", text(at + 900, 20)))
            .unwrap();
        if at < 20 {
            std::fs::write(dir.path().join(format!("small{at}")), format!("{header}{}", text(at + 2000, 100))).unwrap();
        }
    }
    let clusters = |threads: usize, memory: u64, all_pairs: bool| {
        let mut o = options(|_| {});
        (o.scan.resources.threads, o.scan.resources.memory, o.all_pairs) = (threads, memory, all_pairs);
        let scan = run(dir.path(), &o);
        let mut pairs = Vec::new();
        scan.pairs(|row| {
            pairs.push(row);
            Ok::<_, Error>(())
        })
        .unwrap();
        (serde_json::to_value(scan.report()).unwrap(), pairs)
    };
    let first = clusters(1, 1 << 30, true);
    assert_eq!(first.0["clusters"].as_array().unwrap().len(), 81, "eighty pairs, and what is little but header");
    assert!(!first.0["chunks"]["frequent"].as_array().unwrap().is_empty());
    for (threads, memory) in [(2, 1 << 30), (5, 1 << 30), (8, 16 << 20)] {
        assert_eq!(clusters(threads, memory, true), first, "{threads} threads, {memory} bytes");
    }
}

#[test]
fn what_people_told_apart_is_in_no_set() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["a", "b", "c"] {
        std::fs::write(dir.path().join(name), text(1, 300)).unwrap();
    }
    let plain = run(dir.path(), &options(|_| {}));
    let cluster = &plain.report().clusters[0];
    let content = content_name(plain.view(cluster.document).unwrap().content);
    let decided = |ids: &[&str], verdict| Decision {
        representative: String::new(),
        verdict,
        keep: Vec::new(),
        note: String::new(),
        documents: ids
            .iter()
            .map(|id| DecidedDocument { id: dir.path().join(id).display().to_string(), content: content.clone() })
            .collect(),
    };
    let o = options(|o| o.scan.decisions = vec![decided(&["a", "b"], Verdict::NotDuplicates)]);
    let apart = run(dir.path(), &o);
    let sets = &apart.report().chunks().unwrap().identical;
    let names: Vec<&str> = sets.iter().flat_map(|s| &s.files).map(|f| f.id.rsplit('/').next().unwrap()).collect();
    assert_eq!(names, ["a", "c"]);
    // a template that a decision names is ignored
    let o = options(|o| o.scan.decisions = vec![decided(&["a", "b", "c"], Verdict::Template)]);
    let ignored = run(dir.path(), &o);
    assert_eq!(ignored.report().chunks().unwrap().templates[0].documents, 3);
}

#[test]
fn single_linkage_follows_chains() {
    let dir = tempfile::tempdir().unwrap();
    let parts: Vec<String> = (0..4).map(|seed| text(seed + 50, 300)).collect();
    for (name, at) in [("x", 0), ("y", 1), ("z", 2)] {
        std::fs::write(dir.path().join(name), format!("{}{}", parts[at], parts[at + 1])).unwrap();
    }
    let star = run(dir.path(), &options(|o| (o.share, o.min_shared) = (0.4, 0)));
    assert_eq!(star.report().clusters.len(), 1);
    assert_eq!(star.report().clusters[0].members.len(), 1, "x~y and y~z do not make x~z");
    let single = run(
        dir.path(),
        &options(|o| {
            (o.share, o.min_shared) = (0.4, 0);
            o.linkage = Linkage::Single;
        }),
    );
    let classes: Vec<Class> = single.report().clusters[0].members.iter().map(|m| m.class).collect();
    assert_eq!(classes.len(), 2);
    assert!(single.report().clusters[0].members.iter().all(|m| m.class != Class::Chained || m.shared_bytes.is_none()));
}

#[test]
fn a_template_is_suggested_marked_and_ignored() {
    let dir = tempfile::tempdir().unwrap();
    let (root, saved) = (dir.path().join("files"), dir.path().join("run"));
    std::fs::create_dir(&root).unwrap();
    let template = text(9, 900);
    for at in 0..40 {
        std::fs::write(root.join(format!("{at}.html")), format!("{template}{}", text(at + 100, 200))).unwrap();
    }
    // true duplicates in different templates are masked by it
    std::fs::write(root.join("twin.html"), format!("{}{}", text(999, 300), text(100, 200))).unwrap();
    let found = run(&root, &options(|_| {}));
    let report = &found.report();
    assert_eq!(report.clusters.len(), 1);
    assert_eq!(report.clusters[0].members.len(), 39);
    let chunks = report.chunks().unwrap();
    assert_eq!(chunks.suggestions.len(), 1);
    assert_eq!((chunks.suggestions[0].cluster, chunks.suggestions[0].documents), (1, 40));
    assert!(template.contains(chunks.suggestions[0].text.as_deref().unwrap()));
    found.save(&saved).unwrap();
    let again = recluster(&saved, |policy| policy, &TemplateList::default()).unwrap();
    assert_eq!(again.clusters, report.clusters);
    let mut list = TemplateList::default();
    let name = mark(&saved, Mark::Cluster(1), None, |policy| policy, &mut list, "").unwrap();
    assert_eq!(name, "template-1");
    assert_eq!(list.templates[0].bytes(), chunks.suggestions[0].bytes);
    let without = recluster(&saved, |policy| policy, &list).unwrap();
    assert_eq!(without.clusters.len(), 1);
    let end = |id: &str| Path::new(id).file_name().unwrap().to_str().unwrap().to_owned();
    let left: Vec<String> = names(&without.clusters[0]).iter().map(|id| end(id)).collect();
    assert_eq!(left, ["0.html", "twin.html"], "what the template masked");
    assert_eq!(without.chunks().unwrap().templates[0].documents, 40);
    // the same from the start
    let o = options(|o| o.templates = list.clone());
    assert_eq!(run(&root, &o).report().clusters, without.clusters);
    assert!(mark(&saved, Mark::Cluster(9), None, |policy| policy, &mut list, "").is_err());
    assert!(list.unmark("template-1"));
    assert_eq!(recluster(&saved, |policy| policy, &list).unwrap().clusters, report.clusters);
    // a boilerplate file does as well
    let boilerplate = dir.path().join("boilerplate.html");
    std::fs::write(&boilerplate, &template).unwrap();
    mark(&saved, Mark::File(&boilerplate), Some("header"), |policy| policy, &mut list, "").unwrap();
    assert_eq!(recluster(&saved, |policy| policy, &list).unwrap().clusters.len(), 1);
    assert!(recluster(&saved, |policy| Policy { threshold: 0.0, ..policy }, &list).is_err());
}

#[test]
fn what_all_have_connects_nobody_but_those_that_are_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let header = text(5, 100);
    for at in 0..150 {
        std::fs::write(dir.path().join(format!("own{at}")), format!("{header}{}", text(at + 10, 400))).unwrap();
    }
    let plain = run(dir.path(), &options(|_| {}));
    let chunks = plain.report().chunks().unwrap();
    // but for a chunk across the end of the header that two have by chance
    assert!(
        plain.report().clusters.is_empty() && chunks.totals.largest_component <= 3 && chunks.totals.alone > 140,
        "{chunks:?}"
    );
    assert!(chunks.frequent.iter().map(|c| c.chunks).sum::<u64>() > 3, "{:?}", chunks.frequent);
    assert!(chunks.frequent.iter().all(|c| c.documents == 150 && header.contains(c.text.as_deref().unwrap())));
    for at in 0..5 {
        std::fs::write(dir.path().join(format!("short{at}")), format!("{header}{}", text(at + 900, 30))).unwrap();
    }
    let boilerplate = run(dir.path(), &options(|_| {}));
    assert_eq!(boilerplate.report().clusters.len(), 1);
    let together = names(&boilerplate.report().clusters[0]);
    // a chunk across the end of the header may connect them with one of the others, by chance
    assert_eq!(together.iter().filter(|id| id.contains("short")).count(), 5, "{together:?}");
    assert!(together.len() <= 6, "{together:?}");
}

#[test]
fn folders_are_similar_as_a_whole() {
    let dir = tempfile::tempdir().unwrap();
    write_corpus(dir.path(), "");
    let scan = run(dir.path(), &options(|_| {}));
    let folders = &scan.report().chunks().unwrap().folders;
    let first = &folders[0];
    let name = |folder: &str| folder.strip_prefix(&format!("{}/", dir.path().display())).unwrap().to_owned();
    assert_eq!((name(&first.folder), name(&first.other)), ("a".into(), "b".into()));
    assert!(first.share > 0.999 && first.files == 12 && first.other_files == 24, "{first:?}");
    assert_eq!(first.inside, first.bytes);
    let inner = folders.iter().filter(|f| f.folder.contains("family") && f.other.contains("family")).count();
    assert_eq!(inner, 0, "what holds for two folders is not said again of what is in them: {folders:?}");
}

#[test]
fn owners_exchange_hashes_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("files");
    write_corpus(&root, "");
    let whole = run(&root, &options(|_| {}));
    let give = |folder: &str, file: &str, names: Names, o: &TestOptions<ChunksOptions>| {
        let path = dir.path().join(file);
        let sketched = sketch(&root.join(folder), o, names, &path);
        assert!(sketched.written < sketched.bytes / 3, "{sketched:?}");
        path
    };
    let join =
        |paths: Vec<PathBuf>, o: &TestOptions<ChunksOptions>| scan(paths.into_iter().map(Input::Path).collect(), o);
    let o = options(|_| {});
    let assignments =
        join(vec![give("a", "a.lka", Names::Plain, &o), give("b", "b.lka", Names::Plain, &o), root.join("c")], &o)
            .unwrap();
    assert_eq!(assignments.report().clusters.len(), whole.report().clusters.len());
    let shape = |report: &Report| {
        let mut all: Vec<Vec<(Class, Option<u64>)>> =
            report.clusters.iter().map(|c| c.members.iter().map(|m| (m.class, m.shared_bytes)).collect()).collect();
        for cluster in &mut all {
            cluster.sort_unstable();
        }
        all.sort_unstable();
        all
    };
    assert_eq!(shape(assignments.report()), shape(whole.report()));
    let folders = &assignments.report().chunks().unwrap().folders;
    assert!(folders.iter().any(|f| f.folder.contains("a.lka") && f.other.contains("b.lka")), "{folders:?}");
    // keyed: only the key opens it
    let keyed = options(|o| o.scan.key = "secret".into());
    let (a, b) = (give("a", "ka.lka", Names::Hashed, &keyed), give("b", "kb.lka", Names::Hashed, &keyed));
    assert_eq!(join(vec![a.clone(), b.clone()], &keyed).unwrap().report().clusters.len(), 12);
    for wrong in
        [&o, &options(|o| o.scan.key = "other".into()), &options(|o| (o.scan.key, o.mean) = ("secret".into(), 200))]
    {
        assert!(join(vec![a.clone(), b.clone()], wrong).is_err());
    }
    let bytes = std::fs::read(&a).unwrap();
    let holds = |what: &[u8]| bytes.windows(what.len()).any(|window| window == what);
    assert!(!holds(b"family") && !holds(b"first.txt") && !holds(b"secret"));
    let mut hashes = 0;
    let body = std::fs::read(root.join("a/family1/first.txt")).unwrap();
    Chunker::new(o_parameters(&o), "").chunks(&body, |chunk| {
        hashes += 1;
        assert!(!holds(&chunk.hash.to_le_bytes()));
    });
    assert!(hashes > 10);
    // damage is noticed wherever it is
    for at in (0..bytes.len()).step_by(97) {
        let mut broken = bytes.clone();
        broken[at] ^= 1 << (at % 8);
        std::fs::write(&a, broken).unwrap();
        let damaged = join(vec![a.clone(), b.clone()], &keyed);
        // what no longer looks like an exchange file is read as a document of its own
        assert!(damaged.map_or(true, |scan| scan.report().head.documents < 30 + 1 && at < 40), "byte {at}");
    }
    for cut in [20, 100, bytes.len() / 2, bytes.len() - 1] {
        std::fs::write(&a, &bytes[..cut]).unwrap();
        assert!(join(vec![a.clone(), b.clone()], &keyed).map_or(true, |_| cut < 40), "cut at {cut}");
    }
}

fn o_parameters(options: &TestOptions<ChunksOptions>) -> Parameters {
    Parameters::for_mean(options.mean).unwrap()
}

#[test]
fn a_finer_pass_finds_what_the_coarse_one_misses() {
    let dir = tempfile::tempdir().unwrap();
    let body = text(3, 3000);
    // an edit in every 500 bytes: no chunk of 1000 survives, most of 100 do
    let mut edited = String::new();
    for (at, piece) in body.as_bytes().chunks(500).enumerate() {
        edited.push_str(std::str::from_utf8(piece).unwrap());
        edited.extend(["<edit ", at.to_string().as_str(), ">"]);
    }
    let shared = text(8, 400);
    std::fs::write(dir.path().join("old"), format!("{body}{shared}")).unwrap();
    std::fs::write(dir.path().join("new"), format!("{edited}{shared}")).unwrap();
    for at in 0..6 {
        std::fs::write(dir.path().join(format!("copy{at}")), text(20 + at / 2, 6000) + &at.to_string()).unwrap();
    }
    std::fs::write(dir.path().join("far"), text(500, 20_000)).unwrap();
    let coarse = run(dir.path(), &options(|o| o.mean = 1000));
    assert_eq!(coarse.report().clusters.len(), 3, "the three pairs of near copies: {:?}", coarse.report().clusters);
    let both = run(dir.path(), &options(|o| (o.mean, o.refine) = (1000, Some(100))));
    assert_eq!(both.report().clusters.len(), 4);
    let refined = both.report().chunks().unwrap().totals.refined.as_ref().unwrap();
    // old, new and the representatives of the three pairs; neither their followers nor the long one that shares nothing
    assert_eq!((refined.documents, refined.clustered_before), (5, 6));
    // what is only known by its chunks cannot be cut again, and keeps its links
    let input = dir.path().join("input.lka");
    let o = options(|o| (o.mean, o.refine) = (1000, Some(100)));
    sketch(&dir.path().join("copy1"), &o, Names::Plain, &input);
    let inputs = vec![Input::Path(dir.path().join("copy0")), Input::Path(input.clone())];
    assert_eq!(scan(inputs, &o).unwrap().report().clusters.len(), 1);
    std::fs::remove_file(input).unwrap();
    let fine = run(dir.path(), &options(|_| {}));
    let sets = |scan: &Scan| scan.report().clusters.iter().map(names).collect::<BTreeSet<_>>();
    assert_eq!(sets(&both), sets(&fine));
}

#[test]
fn a_finer_pass_ignores_templates_too() {
    let dir = tempfile::tempdir().unwrap();
    let (root, saved) = (dir.path().join("files"), dir.path().join("run"));
    std::fs::create_dir(&root).unwrap();
    let template = text(4, 3000);
    for at in 0..30 {
        std::fs::write(root.join(at.to_string()), format!("{template}{}", text(at + 70, 600))).unwrap();
    }
    run(&root, &options(|o| o.mean = 1000)).save(&saved).unwrap();
    let mut list = TemplateList::default();
    mark(&saved, Mark::Cluster(1), None, |policy| policy, &mut list, "").unwrap();
    for refine in [None, Some(100)] {
        let o = options(|o| (o.mean, o.refine, o.templates) = (1000, refine, list.clone()));
        let scan = run(&root, &o);
        for member in scan.report().clusters.iter().flat_map(|cluster| &cluster.members) {
            assert!(member.containment.unwrap() <= 1.0 && member.resemblance.unwrap() <= 1.0, "{member:?}");
        }
        let most = scan.report().clusters.iter().map(|c| c.members.len()).max().unwrap_or_default();
        assert!(most < 10, "the template is no reason any more: {most} of 30 with {refine:?}");
    }
}

#[test]
fn deep_folders_and_forged_lengths() {
    let dir = tempfile::tempdir().unwrap();
    let deep =
        |name: &str| format!("{{\"id\": \"{}{name}\", \"text\": \"{}\"}}\n", "a/".repeat(20_000), text(1, 200).trim());
    let lines = dir.path().join("deep.jsonl");
    std::fs::write(&lines, deep("x") + &deep("y")).unwrap();
    assert_eq!(run(&lines, &options(|_| {})).report().clusters.len(), 1);
}

#[test]
fn wrong_options_are_refused() {
    type Expected = fn(&Error) -> bool;
    fn out_of_range(error: &Error, expected: OptionName) -> bool {
        matches!(error, Error::OutOfRange { option, .. } if *option == expected)
    }
    #[expect(clippy::type_complexity, reason = "a table of cases")]
    let cases: [(fn(&mut TestOptions<ChunksOptions>), Expected); 7] = [
        (|o| o.mean = 10, |e| matches!(e, Error::Core(_))),
        (|o| o.share = 0.0, |e| out_of_range(e, OptionName::Threshold)),
        (|o| o.share = 1.01, |e| out_of_range(e, OptionName::Threshold)),
        (|o| o.max_df = 0.0, |e| out_of_range(e, OptionName::MaxDf)),
        (|o| o.refine = Some(100), |e| out_of_range(e, OptionName::Refine)),
        (|o| o.scan.resources.memory = 1, |e| matches!(e, Error::Store(_))),
        (|o| o.templates.recipe = Some("bytes|chunks:mean=7".into()), |e| e.to_string().contains("recipe")),
    ];
    for (change, is_expected) in cases {
        let error = scan(Vec::new(), &options(change)).err().unwrap();
        assert!(is_expected(&error), "{error:?}");
    }
}
