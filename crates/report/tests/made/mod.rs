//! Made-up reports whose numbers are known.

use lookalike::chunks::{
    AppliedTemplate, Chunks, CommonChunks, FolderPair, IdenticalFile, IdenticalSet, Parameters, Refined, Suggestion,
};
use lookalike::{Candidates, Class, Cluster, Linkage, Member, Policy, Report, SCHEMA, Skip, Summary, Template};

/// A report without documents.
pub(crate) fn empty() -> Report {
    Report {
        schema: SCHEMA,
        lookalike: "0.1.0",
        recipe: "auto|words|shingles:w=10|sample=nested:100|v=2".into(),
        policy: Policy::default(),
        candidates: Candidates::Shingles,
        common: 1000,
        whole: false,
        estimate: false,
        documents: 0,
        bytes: 0,
        unsampled: 0,
        repeated_ids: 0,
        summary: Summary::default(),
        reviewed: None,
        against: None,
        chunks: None,
        simhash: None,
        skipped: Vec::new(),
        clusters: Vec::new(),
        templates: Vec::new(),
        phases: Vec::new(),
        usage: None,
    }
}

/// What the chunks lens says of no documents.
pub(crate) fn no_chunks() -> Chunks {
    Chunks {
        parameters: Parameters::for_mean(1000).unwrap(),
        chunks: 0,
        distinct: 0,
        mean: 0.0,
        empty: 0,
        alone: 0,
        components: 0,
        largest_component: 0,
        common_share: 0.5,
        common: Vec::new(),
        templates: Vec::new(),
        suggestions: Vec::new(),
        identical: Vec::new(),
        folders: Vec::new(),
        refined: None,
        base: None,
    }
}

/// A member of `bytes` bytes of which `common` are in a representative of `of` bytes.
pub(crate) fn member(id: &str, class: Class, bytes: u64, common: u64, of: u64) -> Member {
    let share = |all: u64| Some(common as f64 / all as f64);
    Member {
        id: id.into(),
        class,
        resemblance: share(bytes + of - common),
        containment: share(bytes),
        contained_by: share(of),
        intervals: None,
        bytes,
        distance: None,
        common_bytes: Some(common),
        exact_bytes: None,
        document: 1,
    }
}

pub(crate) fn cluster(id: u64, representative: &str, bytes: u64, members: Vec<Member>) -> Cluster {
    Cluster { id, representative: representative.into(), bytes, members, decision: None, document: 0 }
}

pub(crate) fn set(bytes: u64, content: &str, ids: &[&str]) -> IdenticalSet {
    let file = |id: &&str| IdenticalFile { id: (*id).into(), modified: Some(1_700_000_000_123_456_789) };
    IdenticalSet { bytes, content: content.repeat(16), files: ids.iter().map(file).collect() }
}

fn folders() -> Vec<FolderPair> {
    let pair = |folder: &str, inside: u64, bytes: u64, other: &str, other_inside: u64, other_bytes: u64| FolderPair {
        folder: folder.into(),
        files: 1203,
        bytes,
        inside,
        share: inside as f64 / bytes as f64,
        other: other.into(),
        other_files: 2400,
        other_bytes,
        other_inside,
        other_share: other_inside as f64 / other_bytes as f64,
    };
    vec![
        pair("acme/docs", 43_200_000, 45_000_000, "globex/docs", 43_100_000, 90_000_000),
        pair("acme/img", 999_999, 1_000_000, "globex/\u{202e}gmi", 999_999, 999_999),
        pair("", 1000, 4000, "initech", 1000, 2000),
    ]
}

/// A report of the chunks lens with something of everything, and hostile names.
pub(crate) fn chunks() -> Report {
    let near = |id: &str, bytes, common| member(id, Class::Near, bytes, common, 45_200);
    let manuals = vec![
        member("acme/docs/manual-copy.html", Class::Identical, 45_200, 45_200, 45_200),
        member("globex/docs/manual.html", Class::Identical, 45_200, 45_200, 45_200),
        member("globex/docs/manual (1).html", Class::Identical, 45_200, 45_200, 45_200),
        near("globex/docs/manual-b.html", 45_000, 44_100),
        near("globex/docs/manual-b-copy.html", 45_000, 44_100),
        near("=HYPERLINK(\"http://evil\")\x1b[2J", 40_000, 30_000),
        member("initech/chapter-1.html", Class::Contained, 12_300, 12_299, 45_200),
        Member {
            resemblance: None,
            containment: None,
            contained_by: None,
            distance: None,
            common_bytes: None,
            ..member("initech/chain.html", Class::Chained, 700, 1, 1)
        },
    ];
    let ticket = |n| member(&format!("tickets/{n:04}.html"), Class::Near, 20_000, 19_000, 20_100);
    let logos = vec![member("globex/img/logo.png", Class::Identical, 1_100_000, 1_100_000, 1_100_000)];
    let clusters = vec![
        cluster(1, "tickets/template.html", 20_100, (0..14).map(ticket).collect()),
        cluster(2, "acme/docs/manual.html", 45_200, manuals),
        cluster(3, "acme/img/logo.png", 1_100_000, logos),
    ];
    let summary = Summary {
        clusters: 3,
        clustered: 26,
        identical: 4,
        near: 17,
        contained: 1,
        chained: 1,
        redundant_bytes: 1_659_000,
        ..Summary::default()
    };
    let identical = vec![
        set(1_100_000, "c1", &["acme/img/logo.png", "globex/img/logo.png"]),
        set(
            45_200,
            "c2",
            &[
                "acme/docs/manual-copy.html",
                "acme/docs/manual.html",
                "globex/docs/manual (1).html",
                "globex/docs/manual.html",
            ],
        ),
        set(45_000, "c3", &["globex/docs/manual-b-copy.html", "globex/docs/manual-b.html"]),
        set(10, "c4", &["-rf", "@SUM(A1)", "caf\\xE9\nname", "d", "e", "f"]),
    ];
    let text =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<script>var tracking = {account: 17, mode: 'full'};</script>";
    let found = Chunks {
        chunks: 332_145,
        distinct: 287_001,
        mean: 987.4,
        empty: 3,
        alone: 40_712,
        components: 412,
        largest_component: 1203,
        common: vec![CommonChunks {
            documents: 30_001,
            chunks: 3,
            bytes: 2900,
            text: Some("/* reset */".into()),
            example: "acme/docs/a.css".into(),
        }],
        templates: vec![AppliedTemplate { name: "page-header".into(), chunks: 17, bytes: 12_300, documents: 185 }],
        suggestions: vec![Suggestion { cluster: 1, documents: 15, chunks: 18, bytes: 18_700, text: Some(text.into()) }],
        identical,
        folders: folders(),
        refined: Some(Refined {
            parameters: Parameters::for_mean(100).unwrap(),
            documents: 1234,
            bytes: 12_300_000,
            clustered_before: 20,
        }),
        base: Some("/srv/library".into()),
        ..no_chunks()
    };
    Report {
        recipe: "bytes|chunks:mean=1000|hash=xxh3-128|v=1".into(),
        policy: Policy { threshold: 0.5, contained: Some(0.5), min_common: 1000, linkage: Linkage::Single },
        documents: 52_125,
        bytes: 327_000_000,
        summary,
        clusters,
        chunks: Some(found),
        simhash: None,
        skipped: vec![Skip {
            id: "acme/secret\x07".into(),
            reason: "unreadable: permission denied".into(),
            kind: "unreadable".into(),
            damage: false,
        }],
        ..empty()
    }
}

/// A report of the shingles lens.
pub(crate) fn shingles() -> Report {
    let plain = |m: Member| Member { common_bytes: None, ..m };
    let members = vec![
        plain(member("b.txt", Class::Identical, 1000, 1000, 1000)),
        plain(member("c.txt", Class::Near, 900, 800, 1000)),
    ];
    let template = Template {
        documents: 1700,
        shingles: 51,
        text: Some("All rights reserved".into()),
        example: "a.txt".into(),
        named: false,
    };
    Report {
        documents: 5,
        bytes: 5000,
        summary: Summary {
            clusters: 2,
            clustered: 5,
            identical: 1,
            near: 2,
            redundant_bytes: 2700,
            ..Summary::default()
        },
        clusters: vec![
            cluster(1, "a.txt", 1000, members),
            cluster(2, "d.txt", 1000, vec![plain(member("e.txt", Class::Near, 800, 800, 1000))]),
        ],
        templates: vec![template],
        ..empty()
    }
}
