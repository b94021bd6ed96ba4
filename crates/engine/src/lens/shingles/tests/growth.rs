//! What is looked at where very many documents share something, and what is found nevertheless.

use super::*;

/// Documents put together of the same blocks, each of which so many have; and near-copies of every tenth.
fn blocks(documents: usize) -> BTreeMap<String, String> {
    let mut dice = Dice(11);
    let blocks: Vec<String> = (0..60).map(|_| dice.words(24).join(" ")).collect();
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    for at in 0..documents {
        let text: Vec<&str> = (0..15).map(|_| blocks[dice.roll(60)].as_str()).collect();
        if at % 10 == 0 {
            all.insert(format!("d{at:04}-copy"), format!("{} and some words more", text.join(" ")));
        }
        all.insert(format!("d{at:04}"), text.join(" "));
    }
    all
}

fn followed(report: &crate::report::Report) -> u64 {
    report.head.phases.iter().find(|phase| phase.name == "pairs").unwrap().counts["followed"]
}

#[test]
fn documents_of_common_blocks_follow_a_bounded_number_of_places() {
    let options = options(|o| o.max_df = 2000);
    let mut work = Vec::new();
    for n in [375, 750, 1500] {
        let documents = blocks(n);
        let report = run(jsonl(&documents, false), &options, 2).report;
        work.push((followed(&report) / documents.len() as u64, report.shingles().unwrap().thinned));
        // a copy resembles its source by far more than others do, and is found
        let clustered: Vec<&str> = report
            .clusters
            .iter()
            .flat_map(|c| c.members.iter().map(|m| m.id.as_str()).chain([c.representative.as_str()]))
            .collect();
        let copies: Vec<&String> = documents.keys().filter(|id| id.ends_with("copy")).collect();
        let found = copies.iter().filter(|id| clustered.contains(&id.as_str())).count();
        assert!(found * 100 >= copies.len() * 99, "{found} of {}", copies.len());
    }
    assert_eq!(work[0].1, 0, "nothing is thinned where there are few: {work:?}");
    assert!(work[2].1 > 0 && work[2].0 <= 4096, "{work:?}");
    assert!(work[2].0 < work[1].0 * 3 / 2, "twice the documents, not four times the work: {work:?}");
}

/// Which of two documents is read first decides which looks for the other; memory decides in how many blocks.
#[test]
fn neither_order_nor_memory_show_in_what_is_thinned() {
    let documents = blocks(1200);
    for change in [(|_| {}) as fn(&mut TestOptions<ShinglesOptions>), |o| o.policy.contained = Some(0.8)] {
        let plenty = options(|o| {
            o.max_df = 2000;
            change(o);
        });
        let expected = run(jsonl(&documents, false), &plenty, 2).report;
        assert!(expected.shingles().unwrap().thinned > 0);
        let little = plenty.with(|o| o.scan.resources = Resources { memory: 1 << 20, ..Resources::default() });
        let report = run(jsonl(&documents, true), &little, 2).report;
        assert_eq!(serde_json::to_string(&report).unwrap(), serde_json::to_string(&expected).unwrap());
    }
}
