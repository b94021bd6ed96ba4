//! A made-up cohort whose numbers are known.

use lookalike::copies::{
    COPIES_SCHEMA, Calibration, CalibrationRow, CommonPassage, Copies, CopyCluster, FamilyRecipe, Ignored, Pair,
    RankRow, Rules, Shared, SourceFile, Stretch, Submission, WinnowStats, ZeroMod,
};
use lookalike::{Phase, Skip, Usage};
use std::collections::BTreeMap;

pub(crate) fn file(name: &str, language: &'static str, bytes: u64) -> SourceFile {
    SourceFile {
        name: name.into(),
        language,
        bytes,
        lines: bytes / 30,
        tokens: bytes / 4,
        content: format!("{bytes:032x}"),
        degraded: None,
        given: Vec::new(),
        document: 0,
    }
}

/// A submission that is one file.
pub(crate) fn submission(name: &str, bytes: u64) -> Submission {
    let last = name.rsplit('/').next().unwrap();
    folder(name, vec![file(last, "python", bytes)])
}

pub(crate) fn folder(name: &str, files: Vec<SourceFile>) -> Submission {
    let tokens = files.iter().map(|file| file.tokens).sum();
    Submission {
        name: name.into(),
        owner: None,
        label: None,
        full_name: None,
        created_at: None,
        created: None,
        archive: false,
        files,
        tokens,
        given: 0,
        highest: 0.0,
        same_as: None,
    }
}

pub(crate) fn stretch(file: usize, start: u32, end: u32, lines: [u32; 2]) -> Stretch {
    Stretch { file, start, end, line: lines[0], last_line: lines[1] }
}

pub(crate) fn passage(a: Stretch, b: Stretch, tokens: u64, submissions: u64) -> Shared {
    Shared { a, b, tokens, equal: tokens, submissions }
}

pub(crate) fn pair(a: usize, b: usize, similarity: f64, passages: Vec<Shared>) -> Pair {
    let longest = passages.iter().map(|p| p.tokens).max().unwrap_or_default();
    Pair {
        a,
        b,
        similarity,
        share_a: similarity,
        share_b: similarity,
        overlap: passages.iter().map(|p| p.tokens).sum(),
        longest,
        passages_all: passages.len() as u64,
        rarity: 1.0,
        expected: Some(0.0),
        passages,
    }
}

/// A report without submissions.
pub(crate) fn empty() -> Copies {
    Copies {
        schema: COPIES_SCHEMA,
        lookalike: "0.1.0",
        recipes: Vec::new(),
        rules: Rules { min: 0.1, limit: 1000, max_share: None, identifiers: false, literals: false, comments: false },
        submissions: Vec::new(),
        pairs: Vec::new(),
        pairs_all: 0,
        pairs_possible: 0,
        pairs_estimated: 0,
        clusters: Vec::new(),
        calibration: Calibration {
            pairs: 0,
            median: 0.0,
            p95: 0.0,
            threshold: 0.5,
            source: "default",
            table: Vec::new(),
            histogram: vec![0; 100],
            reasoning: vec!["There are too few pairs to tell what is usual here.".into()],
        },
        ignored: Ignored::default(),
        winnowing: None,
        warnings: Vec::new(),
        skipped: Vec::new(),
        phases: Vec::new(),
        usage: None,
    }
}

/// Six submissions of this year and one of another: three are copies of each other, one name is hostile, one is long.
pub(crate) fn cohort() -> Copies {
    let mut submissions = vec![
        submission("alice.py", 4000),
        submission("bob.py", 4400),
        folder("carol", vec![file("main.py", "python", 3000), file("lib/util.py", "python", 900)]),
        submission("dave \u{1b}[2J\u{202e}.py", 3000),
        submission("erin_assignment-three_final-version-really-final_2026-05-04.py", 2000),
        submission("frank.py", 4000),
        submission("2024/grace.py", 3900),
    ];
    submissions[0].owner = Some("alice".into());
    submissions[0].full_name = Some("Alice A.".into());
    submissions[0].label = Some("group 1".into());
    submissions[2].given = 300;
    submissions[2].files[1].degraded = Some("an error in line 3 that covers half of the file".into());
    submissions[5].same_as = Some(0);
    submissions[6].archive = true;
    let long = passage(stretch(0, 100, 1900, [4, 58]), stretch(0, 300, 2150, [9, 61]), 410, 2);
    let with_gaps =
        Shared { equal: 88, ..passage(stretch(0, 2000, 2400, [60, 71]), stretch(0, 10, 290, [1, 8]), 97, 3) };
    let small = |at: u32| {
        let place = stretch(0, 3000 + 40 * at, 3020 + 40 * at, [90 + at, 90 + at]);
        passage(place.clone(), place, 20, 2)
    };
    let first = Pair {
        share_a: 0.982,
        share_b: 0.944,
        passages_all: 9,
        ..pair(0, 1, 0.9625, vec![long, with_gaps, small(0), small(1), small(2), small(3)])
    };
    let second = Pair {
        rarity: 0.71,
        expected: Some(0.3),
        share_b: 0.9,
        ..pair(2, 6, 0.62, vec![passage(stretch(1, 0, 800, [1, 30]), stretch(0, 5, 790, [2, 29]), 180, 2)])
    };
    let third = Pair {
        rarity: 0.05,
        expected: Some(1234.5),
        ..pair(3, 4, 0.12, vec![passage(stretch(0, 7, 60, [2, 2]), stretch(0, 3, 70, [1, 3]), 25, 6)])
    };
    Copies {
        recipes: vec![FamilyRecipe {
            family: "code",
            recipe: "tree|tokens|winnow:k=12,t=24|v=1".into(),
            k: 12,
            t: 24,
            files: 8,
        }],
        rules: Rules { max_share: Some(5), ..empty().rules },
        submissions,
        pairs: vec![first, second, third],
        pairs_all: 5,
        pairs_possible: 21,
        pairs_estimated: 0,
        clusters: vec![
            CopyCluster { submissions: vec![0, 1, 5], pairs: 2, mean: 0.97 },
            CopyCluster { submissions: vec![2, 6], pairs: 1, mean: 0.62 },
        ],
        calibration: Calibration {
            pairs: 20,
            median: 0.03,
            p95: 0.21,
            threshold: 0.423,
            source: "estimated",
            table: vec![CalibrationRow { threshold: 0.423, expected: Some(0.9), found: 3 }],
            reasoning: vec![
                "Half of the 20 pairs are less than 3.0 % similar, and 19 of 20 less than 21.0 %.".into(),
                "Above 42.3 % less than one pair of unrelated submissions is expected, and 3 were found.".into(),
            ],
            ..empty().calibration
        },
        ignored: Ignored {
            base_files: 2,
            base_tokens: 300,
            common_tokens: 84,
            common: vec![CommonPassage { submissions: 6, tokens: 14, example: 0, place: stretch(0, 0, 60, [1, 3]) }],
            common_all: 3,
        },
        skipped: vec![Skip {
            id: "notes.docx".into(),
            reason: "binary: not text".into(),
            kind: "binary".into(),
            damage: false,
        }],
        ..empty()
    }
}

/// What winnowing selected, with the paper's own figure 3.
pub(crate) fn with_stats() -> Copies {
    let rank = |rank, frequency| RankRow { rank, frequency };
    let counts = BTreeMap::from([("files", 8), ("read_bytes", 21_200)]);
    Copies {
        winnowing: Some(vec![WinnowStats {
            family: "prose",
            w: 100,
            hashes: 1_940_576_399,
            fingerprints: 38_530_846,
            density: 0.019_855,
            expected: 0.019_802,
            longest_gap: 100,
            zero_mod: ZeroMod { p: 50, fingerprints: 38_761_128, longest_gap: 29_983 },
            occurring: [0.82, 0.1, 0.03, 0.05],
            ranks: vec![rank(1, 8000), rank(10, 1600), rank(100, 320), rank(10_000, 12), rank(500_000, 1)],
            slope: -0.68,
        }]),
        phases: vec![Phase { name: "read", counts, seconds: Some(0.25), cpu_seconds: Some(0.5) }],
        usage: Some(Usage { spilled_bytes: 0, peak_memory: Some(42_000_000) }),
        ..cohort()
    }
}
