//! Which verb takes which lens: the table of the guide, of which every cell is run. What has a meaning works; what has none is refused with
//! the reason, and nothing is left of it.

use crate::command::{Outcome, lookalike, root, run_with};
use crate::dir::Dir;
use crate::words::Random;
use std::fs;

const LENSES: [&str; 5] = ["shingles", "chunks", "simhash", "passages", "all"];

/// What a verb does with a lens.
enum Cell {
    /// It works, and tells what there is to tell.
    Works,
    /// It is refused, for this reason.
    Refused(&'static str),
}
use Cell::{Refused, Works};

/// A verb, what it does with each lens, and the commands that show it: the last of them answers, and tells this.
struct Row {
    verb: &'static str,
    cells: [Cell; 5],
    tells: &'static str,
    commands: fn(&str) -> Vec<String>,
}

/// The name of a document that is a version of another.
const VERSION: &str = "b.txt";
const NO_WORDS: &str = "not shingles; lookalike query and lookalike index ask it";
const ONE_LENS: &str = "build one for each lens";
const COPIES: &str = "use lookalike copies";

const TABLE: &[Row] = &[
    Row {
        verb: "scan",
        tells: VERSION,
        cells: [Works, Works, Works, Refused(COPIES), Works],
        commands: |lens| vec![format!("scan docs --lens {lens} --json")],
    },
    Row {
        verb: "scan --save",
        tells: VERSION,
        cells: [Works, Works, Works, Refused(COPIES), Refused("save a scan by one lens")],
        commands: |lens| vec![format!("scan docs --lens {lens} --save run --json")],
    },
    Row {
        verb: "recluster",
        tells: VERSION,
        cells: [Works, Works, Works, Refused(COPIES), Refused("save a scan by one lens")],
        commands: |lens| vec![format!("scan docs --lens {lens} --save run -o first"), "recluster run --json".into()],
    },
    Row {
        verb: "templates mark",
        tells: VERSION,
        cells: [
            Refused("no saved run of the chunks lens"),
            Works,
            Refused("no saved run of the chunks lens"),
            Refused(COPIES),
            Refused("save a scan by one lens"),
        ],
        commands: |lens| {
            let list = "templates list run --json".to_owned();
            let save = format!("scan docs --lens {lens} --save run -o first");
            vec![save, "templates mark run --cluster 1 --name b.txt".into(), list]
        },
    },
    Row {
        verb: "compare",
        tells: VERSION,
        cells: [Works, Refused("leave out --lens"), Works, Refused("leave out --lens"), Works],
        commands: |lens| vec![format!("compare docs/a.txt docs/b.txt --lens {lens} --json")],
    },
    Row {
        verb: "sketch",
        tells: VERSION,
        cells: [Works, Works, Works, Refused(COPIES), Refused("write one for each lens")],
        commands: |lens| {
            let estimate = if lens == "shingles" { " --estimate" } else { "" };
            vec![format!("sketch docs -o ours.lka --lens {lens}"), format!("scan ours.lka --json{estimate}")]
        },
    },
    Row {
        verb: "index",
        tells: VERSION,
        cells: [Works, Works, Works, Works, Refused(ONE_LENS)],
        commands: |lens| {
            let rest = ["add it docs", "remove it docs/c.txt", "merge it", "verify it", "info it", "list it --json"];
            let build = format!("index build it docs/a.txt docs/c.txt --lens {lens}");
            [build].into_iter().chain(rest.map(|rest| format!("index {rest}"))).collect()
        },
    },
    Row {
        verb: "query",
        tells: VERSION,
        cells: [Works, Works, Works, Works, Refused(ONE_LENS)],
        commands: |lens| vec![format!("index build it docs --lens {lens}"), "query it docs/a.txt --json".into()],
    },
    Row {
        verb: "query --batch",
        tells: VERSION,
        cells: [Works, Works, Works, Refused("lookalike copies NEW --archive OLD"), Refused(ONE_LENS)],
        commands: |lens| vec![format!("index build it docs --lens {lens}"), "query it --batch lines.jsonl".into()],
    },
    Row {
        verb: "scan --against",
        tells: VERSION,
        cells: [
            Works,
            Refused("an index of this lens is asked with lookalike query"),
            Refused("an index of this lens is asked with lookalike query"),
            Refused("has passages, not shingles"),
            Refused("an index of this lens is asked with lookalike query"),
        ],
        commands: |lens| {
            let (index, lens) = match lens {
                "passages" => (lens, "shingles"),
                "all" => ("shingles", lens),
                _ => (lens, lens),
            };
            let build = format!("index build it docs/a.txt --lens {index}");
            vec![build, format!("scan docs --lens {lens} --against it --json")]
        },
    },
    Row { verb: "lost", tells: VERSION, cells: PAST, commands: |lens| past(lens, "lost it docs/a.txt --json") },
    Row { verb: "holders", tells: VERSION, cells: PAST, commands: |lens| past(lens, "holders it docs/a.txt --json") },
    Row { verb: "changes", tells: "\"died\":2", cells: PAST, commands: |lens| past(lens, "changes it --json") },
    Row { verb: "collapse", tells: VERSION, cells: PAST, commands: |lens| past(lens, "collapse it --json") },
];

/// What asks about the past.
const PAST: [Cell; 5] = [Works, Refused(NO_WORDS), Refused(NO_WORDS), Refused(NO_WORDS), Refused(ONE_LENS)];

fn past(lens: &str, question: &str) -> Vec<String> {
    let build = format!("index build it docs --sweep 2026-01-01 --lens {lens}");
    vec![build, "index add it docs/b.txt docs/c.txt --sweep 2026-02-01".into(), question.into()]
}

/// Two versions of a text, a copy of the first, and another text.
fn corpus() -> Dir {
    let dir = Dir::new();
    let mut random = Random(31);
    let words = random.words(3000);
    let text = words.join(" ");
    let newer = format!("{} another few words {}", words[..1500].join(" "), words[1500..].join(" "));
    dir.write("docs/a.txt", &text);
    dir.write("docs/b.txt", &newer);
    dir.write("docs/copy.txt", &text);
    dir.write("docs/c.txt", random.words(3000).join(" "));
    dir.write("lines.jsonl", serde_json::json!({ "id": "x", "text": text }).to_string() + "\n");
    dir
}

/// Runs commands until one fails; what the last of them left.
fn outcome(dir: &Dir, commands: &[String]) -> Outcome {
    let mut last = None;
    for command in commands {
        let mut command = lookalike(command.split(' '));
        let outcome = run_with(command.current_dir(dir.path()), b"docs/b.txt\ndocs/copy.txt\n");
        if outcome.code != Some(0) {
            return outcome;
        }
        last = Some(outcome);
    }
    last.expect("a row has commands")
}

#[test]
fn every_cell_of_the_table_is_so() {
    for row in TABLE {
        for (lens, cell) in LENSES.iter().zip(&row.cells) {
            let dir = corpus();
            let commands = (row.commands)(lens);
            let what = format!("{} with {lens}: {commands:?}", row.verb);
            let outcome = outcome(&dir, &commands);
            assert!(!outcome.stderr.contains("panicked"), "{what}: {}", outcome.stderr);
            match cell {
                Works => {
                    assert_eq!(outcome.code, Some(0), "{what}: {}", outcome.stderr);
                    assert!(outcome.stdout.contains(row.tells), "{what}: {:.600}", outcome.stdout);
                }
                Refused(why) => {
                    assert_eq!(outcome.code, Some(2), "{what}: {:.300}", outcome.stdout);
                    assert!(outcome.stderr.contains(why), "{what}: {}", outcome.stderr);
                    assert_eq!(outcome.stderr.trim_end().lines().count(), 1, "one sentence: {}", outcome.stderr);
                    assert_eq!(outcome.stdout, "", "{what}");
                }
            }
        }
    }
}

#[test]
fn the_guide_has_this_table() {
    let guide = fs::read_to_string(root().join("docs/guide/README.md")).expect("the guide");
    let named = format!("| | {} |", LENSES.map(|lens| format!("`{lens}`")).join(" | "));
    let (_, table) = guide.split_once(&named).expect("its head");
    let told: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    let row = |row: &Row| {
        let cells = row.cells.each_ref().map(|cell| if matches!(cell, Works) { "yes" } else { "–" });
        format!("| `{}` | {} |", row.verb, cells.join(" | "))
    };
    assert_eq!(told, TABLE.iter().map(row).collect::<Vec<_>>());
}
