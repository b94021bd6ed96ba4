//! CSV: a row for each document in a cluster.

use lookalike::{Class, Report, Verdict};
use std::io::{self, Write};

/// Columns: cluster, role, id, class, resemblance, containment, `contained_by`, bytes; for estimates also the ends of the
/// resemblance's interval; where decisions were given also the verdict; of the chunks lens also bytes in common, of the simhash lens the distance.
pub fn write_csv(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    let mut write = |[fixed, ends, verdict, bytes, distance]: [&[&str]; 5]| {
        let ends = if report.estimate { ends } else { &[] };
        let verdict = if report.reviewed.is_some() { verdict } else { &[] };
        let bytes = if report.chunks.is_some() { bytes } else { &[] };
        let distance = if report.simhash.is_some() { distance } else { &[] };
        rows.write_record(fixed.iter().chain(ends).chain(verdict).chain(bytes).chain(distance)).map_err(io_error)
    };
    let header = ["cluster", "role", "id", "class", "resemblance", "containment", "contained_by", "bytes"];
    write([&header, &["low", "high"], &["verdict"], &["common_bytes", "exact_bytes"], &["distance"]])?;
    for cluster in &report.clusters {
        let (id, bytes) = (cluster.id.to_string(), cluster.bytes.to_string());
        let verdict = cluster.decision.as_ref().map_or("", |d| verdict_name(d.verdict));
        let row = [&id, "representative", &cluster.representative, "", "", "", "", &bytes];
        write([&row, &["", ""], &[verdict], &["", ""], &[""]])?;
        for m in &cluster.members {
            let shares = [m.resemblance, m.containment, m.contained_by].map(number);
            let ends = [0, 1].map(|end| number(m.intervals.map(|i| i.resemblance[end])));
            let common = [m.common_bytes, m.exact_bytes].map(number);
            let (class, bytes) = (class_name(m.class), m.bytes.to_string());
            let row = [&id, "member", &m.id, class, &shares[0], &shares[1], &shares[2], &bytes];
            write([&row, &[&ends[0], &ends[1]], &[verdict], &[&common[0], &common[1]], &[&number(m.distance)]])?;
        }
    }
    rows.flush()
}

/// A number, or nothing where it is not known.
fn number<N: ToString>(n: Option<N>) -> String {
    n.map_or_else(String::new, |n| n.to_string())
}

/// The error behind an error of the CSV writer: a closed pipe must be known as one.
pub(crate) fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

pub(crate) fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Keep => "keep",
        Verdict::NotDuplicates => "not-duplicates",
        Verdict::Template => "template",
        Verdict::Later => "later",
    }
}

pub(crate) fn class_name(class: Class) -> &'static str {
    match class {
        Class::Identical => "identical",
        Class::Lexical => "lexical",
        Class::Shingle => "shingle",
        Class::Near => "near",
        Class::Contained => "contained",
        Class::Chained => "chained",
    }
}
