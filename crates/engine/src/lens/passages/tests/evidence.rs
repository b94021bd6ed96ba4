//! What a report says of its numbers: no more than they carry.

use super::*;

/// What the report says about its threshold.
fn reasoning(report: &Passages) -> String {
    report.calibration.reasoning.join(" ")
}

#[test]
fn striking_pairs_are_counted_once_and_alike_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    cohort(&folder.path().join("in"));
    let base = code(&mut Random(5), 40);
    // two who handed in what they were given: the same tokens, and nothing that counts
    for name in ["x.x", "y.x"] {
        write(folder.path(), &format!("in/{name}"), &base);
    }
    write(folder.path(), "base.x", &base);
    let options = PassagesOptions { base: vec![folder.path().join("base.x")], ..options() };
    let run = run(&folder.path().join("in"), &options);
    let report = section(&run);
    let threshold = report.calibration.threshold;
    let listed = report.pairs.iter().filter(|pair| pair.similarity >= threshold).count() as u64;
    assert_eq!((report.calibration.striking, listed), (1, 1));
    assert!(reasoning(report).contains("One pair reaches it."), "{}", reasoning(report));
    let row = report.calibration.table.iter().rfind(|row| row.threshold <= threshold + 1e-9).unwrap();
    assert_eq!(row.found, 1, "nor in the table");
}

#[test]
fn where_most_are_alike_they_are_listed_and_it_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(3);
    let whole = code(&mut random, 60);
    for name in 'a'..'i' {
        // everybody has the same, but for three statements somewhere
        let at = random.below(50);
        let lines = whole.split_inclusive('\n');
        let own = code(&mut random, 3);
        let text: String = lines.clone().take(at).chain([own.as_str()]).chain(lines.skip(at + 3)).collect();
        write(folder.path(), &format!("{name}.x"), &text);
    }
    let run = run(folder.path(), &options());
    let report = section(&run);
    let said = reasoning(report);
    assert_eq!(report.calibration.source, "alike");
    assert!(said.contains("Most of these submissions are alike: 28 of 28 pairs are 50% similar or more"), "{said}");
    assert!(said.contains("28 pairs reach it."), "{said}");
    assert_eq!((report.calibration.striking, report.clusters.len()), (28, 1));
    assert!(said.contains("Nothing tells unusual from usual here"), "{said}");
}

#[test]
fn several_exercises_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(17);
    for exercise in ["sort", "graph", "parse"] {
        let solution: Vec<String> = (0..40).map(|_| code(&mut random, 2)).collect();
        for at in 0..9 {
            // half of the statements are what the exercise asks for, the others one's own
            let text: String = solution
                .iter()
                .map(|usual| if random.below(2) == 0 { usual.clone() } else { code(&mut random, 2) })
                .collect();
            write(folder.path(), &format!("{exercise}{at}.x"), &text);
        }
    }
    let run = run(folder.path(), &options());
    let said = reasoning(section(&run));
    assert!(said.contains("fall into 3 groups (of 9, 9, 9) that share little with each other"), "{said}");
    assert!(said.contains("compare each by itself"), "{said}");
    let mut one = PassagesOptions { min_similarity: Some(0.5), ..options() };
    let cut = super::run(folder.path(), &one);
    assert!(!reasoning(section(&cut)).contains("groups"), "not known from few pairs");
    one.min_similarity = None;
    let alone = tempfile::tempdir().unwrap();
    cohort(alone.path());
    assert!(!reasoning(section(&super::run(alone.path(), &one))).contains("groups"));
}

#[test]
fn what_others_have_too_is_told_from_what_two_have() {
    let folder = tempfile::tempdir().unwrap();
    cohort(folder.path());
    let mut random = Random(23);
    let public = code(&mut random, 30);
    for name in ["p.x", "q.x", "r.x", "s.x"] {
        write(folder.path(), name, &format!("{public}{}", code(&mut random, 10)));
    }
    let run = run(folder.path(), &PassagesOptions { threshold: Some(0.3), ..options() });
    let report = section(&run);
    let of = |a: &str, b: &str| report.pairs.iter().find(|pair| names(report, pair) == [a, b]).unwrap();
    assert!(of("p.x", "q.x").shared_by_others > 0.9, "{}", of("p.x", "q.x").shared_by_others);
    assert!(of("c.x", "m.x").shared_by_others < 0.1, "{}", of("c.x", "m.x").shared_by_others);
    let said = reasoning(report);
    assert!(said.contains("6 of the 7 that are listed share mainly what other submissions have too"), "{said}");
}

#[test]
fn no_expectation_is_told_without_what_it_assumes_nor_below_a_hundredth() {
    let folder = tempfile::tempdir().unwrap();
    cohort(folder.path());
    let mut random = Random(29);
    // what all exercises ask for: without it nothing is shared, and nothing known of chance
    let asked: Vec<String> = (0..12).map(|_| code(&mut random, 2)).collect();
    for at in 0..14 {
        let some: String = asked.iter().filter(|_| random.below(2) == 0).cloned().collect();
        write(folder.path(), &format!("z{at}.x"), &format!("{}{some}", code(&mut random, 40)));
    }
    let run = run(folder.path(), &options());
    let report = section(&run);
    assert_eq!(report.calibration.source, "estimated");
    let best = report.pairs.iter().find(|pair| names(report, pair) == ["c.x", "m.x"]).unwrap();
    assert_eq!(best.expected, Some(0.01));
    assert!(
        report
            .pairs
            .iter()
            .map(|pair| pair.expected)
            .chain(report.calibration.table.iter().map(|row| row.expected))
            .all(|e| e >= Some(0.01))
    );
    let said = reasoning(report);
    assert!(
        said.contains("it assumes one exercise, no public code, and submissions that were written independently"),
        "{said}"
    );
    assert!(said.contains("On seven labelled sets of programs, people called"), "{said}");
}
