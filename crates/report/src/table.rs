//! A report as one table: what its columns are called and where their values come from. Lenses differ in columns, not in code.

use crate::attributes::Attributes;
use crate::section::Findings;
use crate::words::verdict_name;
use lookalike::report::{Cluster, Member, RelationLink, Relations, Report, Section};
use lookalike::report::{Pair, PairVerdict, Passages, Submission};
use std::borrow::Cow;

/// The rows of a report as text, for forms that have rows. A value that is not known is empty.
pub struct Table<'a> {
    /// What the columns are called.
    pub header: Vec<&'static str>,
    /// As many values as there are columns.
    pub rows: Box<dyn Iterator<Item = Vec<Cow<'a, str>>> + 'a>,
}

impl<'a> Table<'a> {
    pub(crate) fn new(findings: Findings<'a>, attributes: Option<&'a Attributes<'a>>) -> Self {
        match findings {
            Findings::Clusters(Report { section: Section::Relations(found), .. }) => relations(found),
            Findings::Clusters(report) => clusters(report, attributes.filter(|_| report.chunks().is_some())),
            Findings::Passages(_, passages) => pairs(passages),
        }
    }
}

/// A document in a cluster: the representative, or a member.
#[derive(Clone, Copy)]
struct ClusterRow<'a> {
    cluster: &'a Cluster,
    member: Option<&'a Member>,
}

impl<'a> ClusterRow<'a> {
    fn id(self) -> &'a str {
        self.member.map_or(&self.cluster.representative, |member| &member.id)
    }
}

struct TableColumn {
    name: &'static str,
    /// Whether a report has this column.
    is_in: fn(&Report) -> bool,
    value: for<'a> fn(ClusterRow<'a>) -> Cow<'a, str>,
}

const CLUSTER_COLUMNS: &[TableColumn] = &[
    TableColumn { name: "cluster", is_in: |_| true, value: |row| row.cluster.id.to_string().into() },
    TableColumn {
        name: "role",
        is_in: |_| true,
        value: |row| if row.member.is_some() { "member" } else { "representative" }.into(),
    },
    TableColumn { name: "id", is_in: |_| true, value: |row| row.id().into() },
    TableColumn { name: "class", is_in: |_| true, value: |row| row.member.map_or("", |m| m.class.name()).into() },
    TableColumn { name: "resemblance", is_in: |_| true, value: |row| number(row.member.and_then(|m| m.resemblance)) },
    TableColumn { name: "containment", is_in: |_| true, value: |row| number(row.member.and_then(|m| m.containment)) },
    TableColumn { name: "contained_by", is_in: |_| true, value: |row| number(row.member.and_then(|m| m.contained_by)) },
    TableColumn {
        name: "bytes",
        is_in: |_| true,
        value: |row| row.member.map_or(row.cluster.bytes, |m| m.bytes).to_string().into(),
    },
    // the ends of the resemblance's interval
    TableColumn { name: "low", is_in: |report| report.is_estimate(), value: |row| interval_end(row, 0) },
    TableColumn { name: "high", is_in: |report| report.is_estimate(), value: |row| interval_end(row, 1) },
    TableColumn {
        name: "verdict",
        is_in: |report| report.head.reviewed.is_some(),
        value: |row| row.cluster.decision.as_ref().map_or("", |d| verdict_name(d.verdict)).into(),
    },
    TableColumn {
        name: "shared_bytes",
        is_in: |report| report.chunks().is_some(),
        value: |row| number(row.member.and_then(|m| m.shared_bytes)),
    },
    TableColumn {
        name: "exact_bytes",
        is_in: |report| report.chunks().is_some(),
        value: |row| number(row.member.and_then(|m| m.exact_bytes)),
    },
    TableColumn {
        name: "distance",
        is_in: |report| report.simhash().is_some(),
        value: |row| number(row.member.and_then(|m| m.distance)),
    },
];

fn interval_end(row: ClusterRow<'_>, end: usize) -> Cow<'_, str> {
    number(row.member.and_then(|m| m.intervals.as_ref()).map(|i| i.resemblance[end]))
}

/// Columns of what the disk tells of a file.
const ATTRIBUTES: [&str; 3] = ["modified", "owner", "permissions"];

fn clusters<'a>(report: &'a Report, attributes: Option<&'a Attributes<'a>>) -> Table<'a> {
    let columns: Vec<&TableColumn> = CLUSTER_COLUMNS.iter().filter(|column| (column.is_in)(report)).collect();
    let header = columns.iter().map(|column| column.name);
    let header = header.chain(attributes.iter().flat_map(|_| ATTRIBUTES)).collect();
    let rows = report.clusters.iter().flat_map(|cluster| {
        let members = cluster.members.iter().map(Some);
        [None].into_iter().chain(members).map(move |member| ClusterRow { cluster, member })
    });
    let values = move |row: ClusterRow<'a>| {
        let of_file = attributes.iter().flat_map(move |attributes| {
            let file = attributes(row.id()).unwrap_or_default();
            [file.date(), file.owner, file.permissions].map(Cow::Owned)
        });
        columns.iter().map(|column| (column.value)(row)).chain(of_file).collect()
    };
    Table { header, rows: Box::new(rows.map(values)) }
}

/// A row for each pair by all lenses. Shares are of the first document, then of the second.
fn relations(found: &Relations) -> Table<'_> {
    const COLUMNS: [&str; 14] = [
        "a",
        "b",
        "relation",
        "disagreement",
        "bytes_a",
        "bytes_b",
        "words_a",
        "words_b",
        "distance",
        "passages_a",
        "passages_b",
        "letters_a",
        "letters_b",
        "sentence",
    ];
    fn row(link: &RelationLink) -> Vec<Cow<'_, str>> {
        let RelationLink { a, b, relation, disagreement, sentence, evidence, .. } = link;
        let of = |shares: Option<[f64; 2]>| [0, 1].map(|side| number(shares.map(|shares| shares[side])));
        let [bytes_a, bytes_b] = of(Some(evidence.chunks.shares()));
        let [words_a, words_b] = of(evidence.shingles.map(|found| found.shares()));
        let [passages_a, passages_b] = of(evidence.passages.map(|found| found.shares()));
        let [letters_a, letters_b] = of(evidence.alignment.map(|found| found.shares()));
        let distance = number(evidence.simhash.map(|found| found.distance));
        let disagreement = disagreement.map_or("", |disagreement| disagreement.name());
        vec![
            a.into(),
            b.into(),
            relation.name().into(),
            disagreement.into(),
            bytes_a,
            bytes_b,
            words_a,
            words_b,
            distance,
            passages_a,
            passages_b,
            letters_a,
            letters_b,
            sentence.into(),
        ]
    }
    Table { header: COLUMNS.to_vec(), rows: Box::new(found.links.iter().map(row)) }
}

/// A pair of submissions.
#[derive(Clone, Copy)]
struct SubmissionRow<'a> {
    a: &'a Submission,
    b: &'a Submission,
    pair: &'a Pair,
}

type SubmissionValue = for<'a> fn(SubmissionRow<'a>) -> Cow<'a, str>;

const SUBMISSION_COLUMNS: &[(&str, SubmissionValue)] = &[
    ("a", |row| row.a.name.as_str().into()),
    ("b", |row| row.b.name.as_str().into()),
    ("owner_a", |row| row.a.owner.as_deref().unwrap_or_default().into()),
    ("owner_b", |row| row.b.owner.as_deref().unwrap_or_default().into()),
    ("label_a", |row| row.a.label.as_deref().unwrap_or_default().into()),
    ("label_b", |row| row.b.label.as_deref().unwrap_or_default().into()),
    ("similarity", |row| row.pair.similarity.to_string().into()),
    ("share_a", |row| row.pair.share_a.to_string().into()),
    ("share_b", |row| row.pair.share_b.to_string().into()),
    ("overlap", |row| row.pair.overlap.to_string().into()),
    ("longest", |row| row.pair.longest.to_string().into()),
    ("passages", |row| row.pair.passages_all.to_string().into()),
    ("rarity", |row| short(Some(row.pair.rarity))),
    ("shared_by_others", |row| short(Some(row.pair.shared_by_others))),
    ("expected", |row| short(row.pair.expected)),
];

/// The column of a report that was reviewed.
const VERDICT: (&str, SubmissionValue) = ("verdict", |row| {
    row.pair.decision.as_ref().and_then(|decided| decided.verdict).map_or("", PairVerdict::name).into()
});

fn pairs(report: &Passages) -> Table<'_> {
    let columns = || SUBMISSION_COLUMNS.iter().chain(report.reviewed.is_some().then_some(&VERDICT));
    let header = columns().map(|(name, _)| *name).collect();
    let rows = report.pairs.iter().map(move |pair| {
        let [a, b] = [pair.a, pair.b].map(|at| &report.submissions[at]);
        columns().map(|(_, value)| value(SubmissionRow { a, b, pair })).collect()
    });
    Table { header, rows: Box::new(rows) }
}

/// A number, or nothing where it is not known.
fn number<N: ToString>(n: Option<N>) -> Cow<'static, str> {
    n.map_or_else(String::new, |n| n.to_string()).into()
}

/// The same; what is next to nothing would have very many digits.
fn short(n: Option<f64>) -> Cow<'static, str> {
    let short = |n: f64| if n == 0.0 || n >= 0.001 { n.to_string() } else { format!("{n:.3e}") };
    n.map_or_else(String::new, short).into()
}
