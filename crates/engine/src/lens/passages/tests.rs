//! Cohorts made by seeded code, in which it is known who copied what.

use crate::lens::passages::engine;
use crate::lens::passages::options::MaxDf;
use crate::lens::passages::tokenizer::{Tokenizer, TokenizerScratch};
use crate::report::passages::{Pair, Passages};
use crate::run::Session;
use crate::testing::Random;
use crate::{Cancel, Error, Input, PassagesOptions, Resources, Scan, ScanOptions, Scanner, Silent};
use lookalike_core::passage::exact::{GramHashes, GramTable, Tiler};
use lookalike_core::recipe::{PassageRecipe, Reading};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

mod evidence;
mod readings;

/// Some statements of a made-up language: names with any operators between them.
fn code(random: &mut Random, statements: usize) -> String {
    const BETWEEN: [&str; 12] = [" + ", " - ", " * ", "(", ") / ", "[", "] ", ", ", " = ", " < ", ".", " & "];
    let mut out = String::new();
    for _ in 0..statements {
        for _ in 0..4 + random.below(4) {
            let (name, between) = (random.below(50), BETWEEN[random.below(12)]);
            write!(out, "v{name}{between}").unwrap();
        }
        out += "end;\n";
    }
    out
}

fn options() -> PassagesOptions {
    PassageRecipe::new(&Reading::Language("other".into()), None, None).unwrap().into()
}

fn run(folder: &Path, options: &PassagesOptions) -> Scan {
    Scanner::new(options.clone()).run(vec![Input::Path(folder.into())]).unwrap()
}

fn section(scan: &Scan) -> &Passages {
    scan.report().passages().unwrap()
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Names of a pair without their folder.
fn names(report: &Passages, pair: &Pair) -> [String; 2] {
    [pair.a, pair.b].map(|at| report.submissions[at].name.rsplit('/').next().unwrap().to_owned())
}

/// Twelve who wrote on their own, and `m`, who has forty statements of `c`.
fn cohort(folder: &Path) {
    let mut random = Random(7);
    let own: Vec<String> = (0..12).map(|_| code(&mut random, 60)).collect();
    for (name, text) in ('a'..).zip(&own) {
        write(folder, &format!("{name}.x"), text);
    }
    let copied: String = own[2].split_inclusive('\n').skip(10).take(40).collect();
    write(folder, "m.x", &format!("{}{copied}{}", code(&mut random, 10), code(&mut random, 10)));
}

#[test]
fn a_copied_passage_is_found_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    cohort(folder.path());
    let run = run(folder.path(), &options());
    let report = section(&run);
    assert_eq!((report.submissions.len(), report.pairs_possible), (13, 78));
    let best = &report.pairs[0];
    assert_eq!(names(report, best), ["c.x", "m.x"]);
    assert!(best.similarity > 0.5 && best.similarity > 2.0 * report.pairs.get(1).map_or(0.0, |p| p.similarity));
    let passage = &best.passages[0];
    assert!(passage.a.line <= 11 && passage.a.last_line >= 50, "{passage:?}");
    assert!(passage.b.line <= 11 && passage.b.last_line >= 50, "{passage:?}");
    assert_eq!(passage.submissions, 2);
    // the stretch is what it says it is
    let text = run.files(best.a).unwrap()[0].clone().unwrap().text;
    let shown = &text[passage.a.start as usize..passage.a.end as usize];
    let lines =
        text.lines().skip(passage.a.line as usize - 1).take((passage.a.last_line - passage.a.line) as usize + 1);
    assert!(lines.collect::<Vec<_>>().join("\n").contains(shown));
}

/// Every pair, found without fingerprints: tiling of all tokens of all pairs.
#[test]
fn no_pair_is_lost_on_the_way() {
    let folder = tempfile::tempdir().unwrap();
    cohort(folder.path());
    let options = PassagesOptions { min_similarity: Some(0.05), limit: Some(10_000), ..options() };
    let run = run(folder.path(), &options);
    let report = section(&run);
    let tokenizer = Tokenizer::new(&options.recipe, "").unwrap();
    let mut scratch = TokenizerScratch::default();
    let mut tokens = Vec::new();
    for at in 0..report.submissions.len() {
        let text = run.files(at).unwrap()[0].clone().unwrap().text;
        let body = lookalike_corpus::Body::Text(text.into());
        tokens.push(tokenizer.read("x.x", &body, &mut scratch).unwrap().ids);
    }
    let k = report.recipes[0].k as usize;
    for a in 0..tokens.len() {
        for b in a + 1..tokens.len() {
            let [grams_a, grams_b] = [a, b].map(|at| GramHashes::of(&tokens[at], k));
            let passages = Tiler::new(k).passages(&GramTable::new(&tokens[a], &grams_a), &tokens[b], &grams_b);
            let overlap: u64 = passages.iter().map(|p| u64::from(p.equal)).sum();
            let longest = passages.iter().map(|p| u64::from(p.equal)).max().unwrap_or(0);
            let listed = report.pairs.iter().find(|pair| (pair.a, pair.b) == (a, b));
            if let Some(pair) = listed {
                assert_eq!((pair.overlap, pair.longest, pair.passages.len()), (overlap, longest, passages.len()));
            } else {
                // what is not listed is below the least similarity, which never exceeds the plain share
                let share = 2.0 * overlap as f64 / (tokens[a].len() + tokens[b].len()) as f64;
                assert!(share < 0.15, "{a} {b}: {share}");
            }
        }
    }
}

#[test]
fn base_code_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(11);
    let base = code(&mut random, 40);
    for name in 'a'..'g' {
        write(folder.path(), &format!("in/{name}.x"), &format!("{base}{}", code(&mut random, 30)));
    }
    write(folder.path(), "base.x", &base);
    let with = |base: bool| {
        let base = if base { vec![folder.path().join("base.x")] } else { Vec::new() };
        run(&folder.path().join("in"), &PassagesOptions { base, ..options() })
    };
    let (without, given) = (with(false), with(true));
    let (without, given) = (section(&without), section(&given));
    assert!(without.pairs.iter().all(|pair| pair.share_a > 0.4), "all share the base");
    assert_eq!(without.pairs_all, 15);
    assert!(given.pairs.iter().all(|pair| pair.similarity < 0.2), "{:?}", given.pairs.first());
    assert_eq!(given.ignored.base_files, 1);
    assert!(given.submissions.iter().all(|s| s.excluded * 10 > s.tokens * 4));
    let shown = given.pairs.first().map_or(0, |pair| pair.a);
    assert!(given.pairs.is_empty() || !given.submissions[shown].files[0].excluded.is_empty());
}

#[test]
fn what_too_many_share_is_ignored_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(13);
    let idiom = code(&mut random, 30);
    let mut texts: Vec<String> =
        (0..10).map(|_| format!("{}{idiom}{}", code(&mut random, 20), code(&mut random, 20))).collect();
    texts[9] = format!("{idiom}{}", texts[8].split_inclusive('\n').skip(50).collect::<String>());
    for (name, text) in ('a'..).zip(&texts) {
        write(folder.path(), &format!("{name}.x"), text);
    }
    let options = PassagesOptions { max_df: MaxDf::Submissions(4), ..options() };
    let run = run(folder.path(), &options);
    let report = section(&run);
    assert_eq!(names(report, &report.pairs[0]), ["i.x", "j.x"]);
    assert!(report.pairs.iter().skip(1).all(|pair| pair.similarity < 0.3), "{:?}", report.pairs.get(1));
    assert!(report.ignored.frequent_tokens > 0);
    let most = &report.ignored.frequent[0];
    assert_eq!(most.submissions, 10);
    assert!(most.tokens > 100, "the idiom is one passage: {:?}", report.ignored.frequent);
    assert_eq!(report.rules.max_df, Some(4));
}

#[test]
fn copies_of_one_file_are_one_group() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(17);
    let text = code(&mut random, 50);
    for n in 0..200 {
        write(folder.path(), &format!("copy{n:03}.x"), &text);
    }
    for n in 0..20 {
        write(folder.path(), &format!("own{n:02}.x"), &code(&mut random, 50));
    }
    let options = PassagesOptions { limit: Some(50), ..options() };
    let run = run(folder.path(), &options);
    let report = section(&run);
    assert_eq!(report.submissions.iter().filter(|s| s.same_as == Some(0)).count(), 199);
    assert_eq!(report.pairs.len(), 20, "one family does not fill the list");
    let folded: u64 = report.pairs.iter().map(|pair| pair.folded).sum();
    assert_eq!(folded + 20, report.pairs_all, "and says how large it is");
    assert!(report.pairs_all >= 199 && report.pairs_all < 600, "{}", report.pairs_all);
    assert!(report.pairs.iter().all(|pair| pair.similarity > 0.999 && pair.a == 0));
    assert_eq!(report.clusters[0].submissions.len(), 200);
    assert!(report.submissions[..200].iter().all(|s| s.highest > 0.999));
}

#[test]
fn threads_memory_and_order_do_not_show() {
    let folder = tempfile::tempdir().unwrap();
    cohort(folder.path());
    let with = |threads, memory, paths: Vec<&str>| {
        let options = PassagesOptions { min_similarity: Some(0.02), winnowing: true, ..options() };
        let submissions = paths.iter().map(|path| Input::Path(folder.path().join(path))).collect();
        let resources = Resources { memory, threads, ..Resources::default() };
        let scan = ScanOptions { resources, ..ScanOptions::default() };
        let cancel = Cancel::default();
        // less memory than a scanner takes
        let session = Session::new(&scan, &Silent, &cancel).unwrap();
        let pool = scan.resources.pool().unwrap();
        let mut report = pool.install(|| engine::scan(submissions, &options, &session)).unwrap().report;
        report.head.phases.clear();
        serde_json::to_string(&report).unwrap()
    };
    let names: Vec<String> = ('a'..='m').map(|name| format!("{name}.x")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let expected = with(1, 1 << 30, names.clone());
    assert_eq!(with(2, 1 << 30, names.clone()), expected);
    assert_eq!(with(2, 1 << 14, names.clone()), expected, "in little memory");
    assert_eq!(with(2, 1 << 30, names.iter().rev().copied().collect()), expected, "in another order");
}

#[test]
fn statistics_are_those_of_the_paper() {
    let folder = tempfile::tempdir().unwrap();
    // random bytes: what is expected holds
    let mut random = Random(19);
    let bytes: Vec<u8> = (0..200_000).map(|_| random.below(256) as u8).collect();
    fs::write(folder.path().join("random"), bytes).unwrap();
    fs::write(folder.path().join("zeros"), vec![0u8; 20_000]).unwrap();
    let options =
        PassagesOptions { winnowing: true, ..PassageRecipe::new(&Reading::Bytes, None, None).unwrap().into() };
    let run = run(folder.path(), &options);
    let report = section(&run);
    let [stats] = report.winnowing.as_deref().unwrap() else { panic!("one family") };
    assert_eq!((stats.family, stats.w), ("bytes", 100));
    assert_eq!(stats.hashes, 200_000 + 20_000 - 2 * 49);
    // zeros have one of a hundred, random bytes two of 101
    let expected = 200_000.0 * 2.0 / 101.0 + 20_000.0 / 100.0;
    assert!((stats.fingerprints as f64 / expected - 1.0).abs() < 0.03, "{} for {expected}", stats.fingerprints);
    assert!(stats.longest_gap < 100);
    // twenty thousand equal hashes are 0 mod p all together or not at all
    assert!(stats.zero_mod.longest_gap >= 19_000 || stats.zero_mod.fingerprints > 20_000);
    assert_eq!(stats.ranks[0].frequency, 199, "the k-gram of zeros");
}

#[test]
fn what_cannot_be_compared_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "short.x", "a = 1;\n");
    write(folder.path(), "empty.x", "");
    fs::write(folder.path().join("binary.x"), b"\x7fELF\x00\x00\x00\x01").unwrap();
    let report = run(folder.path(), &options()).into_report();
    let kinds: Vec<(&str, &str)> =
        report.skipped.iter().map(|s| (s.id.rsplit('/').next().unwrap(), s.kind.as_str())).collect();
    assert_eq!(kinds, [("binary.x", "binary"), ("empty.x", "empty"), ("short.x", "too short")]);
    let wrong = PassageRecipe::new(&Reading::Language("klingon".into()), None, None).unwrap();
    let error = Scanner::new(PassagesOptions::from(wrong)).run(vec![Input::Path(folder.path().into())]).err().unwrap();
    assert!(matches!(&error, Error::UnknownLanguage { found } if found == "klingon"), "{error}");
}

/// What the compare phase counted.
fn compared(scan: &Scan) -> impl Fn(&str) -> u64 {
    let phases = scan.report().head.phases.clone();
    let counts = phases.into_iter().find(|phase| phase.name == "compare").unwrap().counts;
    move |name: &str| counts[name]
}

#[test]
fn copies_of_a_whole_are_compared_once() {
    let text = code(&mut Random(3), 60);
    let mut tokens = Vec::new();
    for n in [10, 40] {
        let folder = tempfile::tempdir().unwrap();
        (0..n).for_each(|at| write(folder.path(), &format!("s{at:02}.x"), &text));
        let scan = run(folder.path(), &options());
        let report = section(&scan);
        assert_eq!((report.pairs_all, report.pairs_estimated, report.clusters.len()), (n - 1, 0, 1));
        assert!(report.pairs.iter().all(|pair| pair.a == 0 && pair.similarity > 0.99 && pair.passages.len() == 1));
        tokens.push(compared(&scan)("tokens"));
    }
    assert_eq!(tokens[0], tokens[1], "one pair, whatever their number");
}

/// Submissions put together of the same blocks: every pair may be similar.
#[test]
fn the_work_is_bounded_and_what_is_left_is_told() {
    let mut random = Random(5);
    let blocks: Vec<String> = (0..60).map(|_| code(&mut random, 12)).collect();
    let folder = tempfile::tempdir().unwrap();
    for at in 0..64 {
        let text: String = (0..20).map(|_| blocks[random.below(60)].as_str()).collect();
        write(folder.path(), &format!("s{at:02}.x"), &text);
    }
    let of = |n: usize, backwards: bool, memory: u64| {
        let mut paths: Vec<Input> = (0..n).map(|at| Input::Path(folder.path().join(format!("s{at:02}.x")))).collect();
        if backwards {
            paths.reverse();
        }
        let resources = Resources { memory, ..Resources::default() };
        Scanner::new(options()).resources(resources).run(paths).unwrap()
    };
    let mut told = Vec::new();
    for n in [16, 32, 64] {
        let scan = of(n, false, 1 << 28);
        let (report, counts) = (section(&scan), compared(&scan));
        let possible = (n * (n - 1) / 2) as u64;
        // nearly all of them share blocks
        let likely = counts("compared") + report.pairs_estimated;
        assert!((possible * 99 / 100..=possible).contains(&likely), "{likely} of {possible}");
        assert!(counts("tokens") <= engine::MAX_CODE_TOKENS * 3 / 2, "{}", counts("tokens"));
        told.push(report.pairs_estimated);
        let other = of(n, true, 1 << 24);
        assert_eq!(serde_json::to_string(other.report()).unwrap(), serde_json::to_string(scan.report()).unwrap());
    }
    assert!(told[0] == 0 && told[1] > 0 && told[2] > told[1], "{told:?}");
}
