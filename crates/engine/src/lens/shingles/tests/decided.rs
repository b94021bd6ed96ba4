//! Decisions and pairs below the threshold: what people said before holds, and what is listed for them changes no answer.

use super::*;
use crate::report::cluster::Cluster;
use crate::report::decisions::{DecidedDocument, Decision, Verdict};
use crate::run::view::ComparedPair;
use lookalike_corpus::content_name;

/// Pairs below the threshold are listed for whoever wants to look at them; the report stays as it was.
#[test]
fn exploring_changes_nothing_but_the_list() {
    let documents = corpus(400);
    for (name, change) in [
        ("star", (|_| {}) as fn(&mut TestOptions<ShinglesOptions>)),
        ("contained", |o| o.policy.contained = Some(0.8)),
        ("single", |o| o.policy.linkage = Linkage::Single),
        ("estimate", |o| o.estimate = true),
        ("min", |o| o.recipe.sampling = "min:60".parse().unwrap()),
        ("common 20", |o| o.max_df = 20),
        ("whole", |o| (o.include_boilerplate, o.max_df) = (true, 20)),
    ] {
        let plain = options(change);
        let wide = plain.with(|o| (o.explore, o.all_pairs) = (Some(0.2), true));
        let (plain, wide) = (run(jsonl(&documents, false), &plain, 2), run(jsonl(&documents, false), &wide, 2));
        let shown = |scan: &DocumentScan| serde_json::to_value(&scan.report.clusters).unwrap();
        assert_eq!(shown(&plain), shown(&wide), "{name}");
        let mut below = 0;
        let mut count = |pair: ComparedPair| {
            below += usize::from(pair.resemblance() < 0.25);
            Ok::<_, Error>(())
        };
        wide.compared(&mut count).unwrap();
        let explores = name != "whole";
        assert_eq!((below > 10, wide.pairs.explored() < 0.5), (explores, explores), "{name}: {below}");
    }
}

fn decision(scan: &DocumentScan, verdict: Verdict, ids: &[&str]) -> Decision {
    let content = |id: &str| {
        let number = (0..scan.documents.catalogue.len() as u32)
            .find(|d| scan.documents.catalogue.id(*d).unwrap() == id)
            .unwrap();
        content_name(scan.view(number).unwrap().content)
    };
    let documents = ids.iter().map(|id| DecidedDocument { id: (*id).to_owned(), content: content(id) });
    let documents = documents.collect();
    Decision { representative: ids[0].into(), verdict, keep: vec![], note: "as agreed".into(), documents }
}

fn names(cluster: &Cluster) -> Vec<&str> {
    let mut names: Vec<&str> =
        cluster.members.iter().map(|m| m.id.as_str()).chain([&*cluster.representative]).collect();
    names.sort_unstable();
    names
}

#[test]
fn decisions_hold_until_a_document_changes() {
    let mut dice = Dice(31);
    let mut documents = BTreeMap::new();
    for group in ["keep", "apart", "same"] {
        let text = dice.words(200);
        for copy in ["a", "b", "c"] {
            let mut text = text.clone();
            if group != "same" {
                text[dice.roll(200)] = "changed".into();
            }
            documents.insert(format!("{group}-{copy}"), text.join(" "));
        }
    }
    let plain = options(|_| {});
    let scan = run(jsonl(&documents, false), &plain, 1);
    assert_eq!(scan.report.clusters.len(), 3);
    assert_eq!(scan.report.head.reviewed, None);
    let group = |name: &str| ["a", "b", "c"].map(|copy| format!("{name}-{copy}"));
    let verdict = |name: &str, verdict: Verdict| decision(&scan, verdict, &group(name).each_ref().map(|s| &**s));
    let decisions = vec![
        verdict("keep", Verdict::Keep),
        verdict("apart", Verdict::NotDuplicates),
        verdict("same", Verdict::NotDuplicates),
    ];
    let decided = plain.with(|o| (o.scan.decisions, o.all_pairs) = (decisions, true));
    let scan = run(jsonl(&documents, false), &decided, 1);
    let mut listed = Vec::new();
    scan.pairs
        .for_each_row(&scan.documents, &mut |pair| {
            listed.push(pair.a);
            Ok(())
        })
        .unwrap();
    assert_eq!(listed.len(), 3, "{listed:?}");
    let report = scan.report;
    assert_eq!(report.clusters.iter().map(names).collect::<Vec<_>>(), [["keep-a", "keep-b", "keep-c"]]);
    assert_eq!(report.clusters[0].decision.as_ref().map(|d| d.note.as_str()), Some("as agreed"));
    let reviewed = report.head.reviewed.unwrap();
    assert_eq!((reviewed.decided, reviewed.undecided, reviewed.not_duplicates, reviewed.stale), (1, 0, 2, 0));

    // a copy that came since brings back those that it is a copy of, but never two that were told apart under each other
    let mut more = documents.clone();
    more.insert("0apart".into(), documents["apart-b"].clone());
    more.insert("0same".into(), documents["same-b"].clone());
    let scan = run(jsonl(&more, false), &decided, 1);
    for cluster in scan.report.clusters.iter().filter(|c| !c.representative.starts_with("keep")) {
        assert!(cluster.representative.starts_with('0'), "{:?}", names(cluster));
    }
    scan.pairs
        .for_each_row(&scan.documents, &mut |pair| {
            let apart = |id: &str| id.starts_with("apart") || id.starts_with("same");
            assert!(!(apart(&pair.a) && apart(&pair.b)), "{pair:?}");
            Ok(())
        })
        .unwrap();

    // one document of each has changed: it is to be looked at again, and with it those that it resembles
    for name in ["keep-c", "apart-c", "same-c"] {
        documents.get_mut(name).unwrap().push_str(" and something new");
    }
    let report = run(jsonl(&documents, false), &decided, 1).report;
    let mut found: Vec<Vec<&str>> = report.clusters.iter().map(names).collect();
    found.sort();
    assert_eq!(found, ["apart", "keep", "same"].map(|name| ["a", "b", "c"].map(|copy| format!("{name}-{copy}"))));
    for cluster in report.clusters.iter().filter(|c| !c.representative.starts_with("keep")) {
        assert!(cluster.representative.ends_with('c'), "the others are linked with the changed one only");
    }
    let reviewed = report.head.reviewed.unwrap();
    assert_eq!((reviewed.decided, reviewed.undecided, reviewed.stale), (0, 3, 3));
}

#[test]
fn a_template_that_people_named_is_ignored() {
    let mut dice = Dice(37);
    let form = dice.words(150).join(" ");
    let mut documents = BTreeMap::new();
    for at in 0..5 {
        documents.insert(format!("form{at}"), format!("{form} {}", dice.words(8).join(" ")));
    }
    let twin = dice.words(60).join(" ");
    documents.insert("twin0".into(), format!("{form} {twin}"));
    documents.insert("twin1".into(), format!("{form} {twin} more"));
    let plain = options(|_| {});
    let scan = run(jsonl(&documents, false), &plain, 1);
    assert_eq!(scan.report.head.summary.clustered, 7, "the form joins all");
    let ids: Vec<String> = (0..5).map(|at| format!("form{at}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let decisions = vec![decision(&scan, Verdict::Template, &ids)];
    let decided = plain.with(|o| o.scan.decisions = decisions);
    let report = run(jsonl(&documents, false), &decided, 1).report;
    assert_eq!(
        report.clusters.iter().map(names).collect::<Vec<_>>(),
        [["twin0", "twin1"]],
        "what is left is their own"
    );
    assert_eq!(report.shingles().unwrap().templates.len(), 1);
    assert!(form.starts_with(&report.shingles().unwrap().templates[0].text.as_ref().unwrap()[..100]));
    assert_eq!(report.head.reviewed.unwrap().templates, 1);
    // forms that came since are of the same template
    for at in 5..9 {
        documents.insert(format!("form{at}"), format!("{form} {}", dice.words(8).join(" ")));
    }
    let report = run(jsonl(&documents, false), &decided, 1).report;
    assert_eq!(report.clusters.iter().map(names).collect::<Vec<_>>(), [["twin0", "twin1"]]);
}

/// What is kept apart counts once where it is asked how common a text is.
#[test]
fn copies_that_are_kept_apart_make_nothing_common() {
    let mut dice = Dice(41);
    let text = dice.words(120);
    let mut documents: BTreeMap<String, String> = (0..200).map(|at| (format!("same{at:03}"), text.join(" "))).collect();
    for (name, place) in [("near0", 10), ("near1", 90)] {
        let mut near = text.clone();
        near[place] = "changed".into();
        documents.insert(name.into(), near.join(" "));
    }
    let plain = options(|_| {});
    let scan = run(jsonl(&documents, false), &plain, 1);
    let same: Vec<&str> = documents.keys().map(String::as_str).filter(|id| id.starts_with("same")).collect();
    let decided = plain.with(|o| o.scan.decisions = vec![decision(&scan, Verdict::NotDuplicates, &same)]);
    let report = run(jsonl(&documents, false), &decided, 1).report;
    assert_eq!(report.shingles().unwrap().templates.len(), 0);
    assert_eq!(report.clusters.len(), 1);
    let found = names(&report.clusters[0]);
    assert!(found.contains(&"near0") && found.contains(&"near1"), "{found:?}");
}

/// Whatever the names and the order: what people told apart is apart, and what is a copy of something else is still shown.
#[test]
fn nobody_vanishes_because_a_copy_was_told_apart() {
    let mut dice = Dice(43);
    let text = dice.words(150);
    let mut near = text.clone();
    near[70] = "changed".into();
    let (text, near) = (text.join(" "), near.join(" "));
    let check = |documents: &[(&str, &str)], apart: &[&[&str]], expected: &[&[&str]]| {
        let documents: BTreeMap<String, String> =
            documents.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect();
        let plain = options(|_| {});
        let scan = run(jsonl(&documents, false), &plain, 1);
        let decisions = apart.iter().map(|ids| decision(&scan, Verdict::NotDuplicates, ids)).collect();
        let report = run(jsonl(&documents, true), &plain.with(|o| o.scan.decisions = decisions), 1).report;
        let mut found: Vec<Vec<&str>> = report.clusters.iter().map(names).collect();
        found.sort();
        assert_eq!(found, expected, "{apart:?}");
        let clustered: usize = found.iter().map(Vec::len).sum();
        assert_eq!(report.head.summary.clustered, clustered as u64);
    };
    // two copies that are both told apart from a third document, of which a copy came
    let all = [("r", &*text), ("r2", &*text), ("m", &*near), ("m2", &*near)];
    check(&all, &[&["r", "m"], &["r", "m2"]], &[&["m", "m2"], &["r", "r2"]]);
    check(&all[..1], &[], &[]);
    check(&[all[0], all[2], all[3]], &[&["r", "m"], &["r", "m2"]], &[&["m", "m2"]]);
    // of three copies one is told apart from both others
    let same = [("a", &*text), ("b", &*text), ("c", &*text)];
    check(&same, &[&["a", "b"], &["a", "c"]], &[&["b", "c"]]);
    // a copy that came since, whether its name is the first or the last
    check(&same, &[&["a", "b"]], &[&["a", "b", "c"]]);
    check(&same, &[&["b", "c"]], &[&["a", "b", "c"]]);
    check(&same, &[&["a", "b", "c"]], &[]);
    // a copy of one of two that were told apart
    check(&[("m", &*near), ("r", &*text), ("r2", &*text)], &[&["m", "r"]], &[&["r", "r2"]]);
}
