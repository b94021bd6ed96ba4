//! CSV: a row for each document in a cluster.

use lookalike::{Class, Report};
use std::io::{self, Write};

/// Columns: cluster, role, id, class, resemblance, containment, `contained_by`, bytes.
pub fn write_csv(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(["cluster", "role", "id", "class", "resemblance", "containment", "contained_by", "bytes"])?;
    let number = |n: Option<f64>| n.map_or_else(String::new, |n| n.to_string());
    for cluster in &report.clusters {
        let id = cluster.id.to_string();
        rows.write_record([&id, "representative", &cluster.representative, "", "", "", "", ""])?;
        for m in &cluster.members {
            rows.write_record([
                id.as_str(),
                "member",
                &m.id,
                class_name(m.class),
                &number(m.resemblance),
                &number(m.containment),
                &number(m.contained_by),
                &m.bytes.to_string(),
            ])?;
        }
    }
    rows.flush()
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
