//! CSV: a row for each document in a cluster.

use lookalike::{Class, Report};
use std::io::{self, Write};

/// Columns: cluster, role, id, class, resemblance, containment, `contained_by`, bytes; for estimates also the ends of the
/// resemblance's interval.
pub fn write_csv(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    let mut write = |record: &[&str]| rows.write_record(record).map_err(io_error);
    let header =
        ["cluster", "role", "id", "class", "resemblance", "containment", "contained_by", "bytes", "low", "high"];
    let columns = if report.estimate { 10 } else { 8 };
    write(&header[..columns])?;
    let number = |n: Option<f64>| n.map_or_else(String::new, |n| n.to_string());
    for cluster in &report.clusters {
        let (id, bytes) = (cluster.id.to_string(), cluster.bytes.to_string());
        write(&[&id, "representative", &cluster.representative, "", "", "", "", &bytes, "", ""][..columns])?;
        for m in &cluster.members {
            let shares = [m.resemblance, m.containment, m.contained_by].map(number);
            let ends = [0, 1].map(|end| number(m.intervals.map(|i| i.resemblance[end])));
            let (class, bytes) = (class_name(m.class), m.bytes.to_string());
            let row = [&id, "member", &m.id, class, &shares[0], &shares[1], &shares[2], &bytes, &ends[0], &ends[1]];
            write(&row[..columns])?;
        }
    }
    rows.flush()
}

/// The error behind an error of the CSV writer: a closed pipe must be known as one.
pub(crate) fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
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
