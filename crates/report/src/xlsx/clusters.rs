//! The sheet of clusters: a row for the representative, and folded under it its members.

use super::sheet::{Cell, Column, Sheet};
use crate::chunks::share_of_smaller;
use crate::csv::{class_name, verdict_name};
use lookalike::{Cluster, Member, Report};
use rust_xlsxwriter::XlsxError;

/// Which columns there are: what a report does not tell has none.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "columns that do not depend on each other")]
struct Which {
    chunks: bool,
    simhash: bool,
    exact: bool,
    estimate: bool,
    verdict: bool,
}

pub(super) fn fill(sheet: &mut Sheet<'_>, report: &Report) -> Result<(), XlsxError> {
    let which = Which {
        chunks: report.chunks.is_some(),
        simhash: report.simhash.is_some(),
        exact: report.clusters.iter().flat_map(|c| &c.members).any(|m| m.exact_bytes.is_some()),
        estimate: report.estimate,
        verdict: report.reviewed.is_some(),
    };
    sheet.header(&columns(which))?;
    report.clusters.iter().try_for_each(|cluster| write_cluster(sheet, cluster, which))
}

fn columns(which: Which) -> Vec<Column> {
    let mut columns = vec![Column("Cluster", 9.0), Column("Class", 16.0), Column("Name", 40.0)];
    columns.extend([Column("Documents", 12.0), Column("Bytes of all", 14.0)]);
    if which.chunks {
        columns.push(Column("In common, all", 16.0));
    }
    columns.push(Column("Bytes", 14.0));
    if which.chunks {
        columns.extend([Column("Of the smaller", 16.0), Column("In common, at least", 20.0)]);
    }
    if which.exact {
        columns.push(Column("In common, exactly", 20.0));
    }
    if which.simhash {
        columns.push(Column("Distance", 10.0));
    }
    columns.extend([Column("Resemblance", 14.0), Column("Containment", 14.0), Column("Contained by", 14.0)]);
    if which.estimate {
        columns.extend([Column("Low", 9.0), Column("High", 9.0)]);
    }
    if which.verdict {
        columns.push(Column("Decision", 16.0));
    }
    columns
}

fn write_cluster(sheet: &mut Sheet<'_>, cluster: &Cluster, which: Which) -> Result<(), XlsxError> {
    sheet.group(cluster.members.len())?;
    // the same on all rows of a cluster, so that who sorts or filters by them keeps it together
    let mut of_all = vec![
        Cell::Whole(1 + cluster.members.len() as u64),
        Cell::Whole(cluster.bytes + cluster.members.iter().map(|m| m.bytes).sum::<u64>()),
    ];
    if which.chunks {
        of_all.push(Cell::Whole(cluster.members.iter().filter_map(|m| m.exact_bytes.or(m.common_bytes)).sum()));
    }
    let verdict = cluster.decision.as_ref().map_or(Cell::Empty, |d| Cell::Text(verdict_name(d.verdict)));
    let mut write = |class: &str, name: Cell<'_>, bytes: u64, member: Option<&Member>| {
        let mut row = vec![Cell::Whole(cluster.id), Cell::Text(class), name];
        row.extend(&of_all);
        row.push(Cell::Whole(bytes));
        row.extend(evidence(member, which));
        row.extend(which.verdict.then_some(verdict));
        sheet.row(member.is_none(), &row)
    };
    write("representative", Cell::Text(&cluster.representative), cluster.bytes, None)?;
    let mut members = cluster.members.iter();
    members.try_for_each(|m| write(class_name(m.class), Cell::Indented(&m.id), m.bytes, Some(m)))
}

/// How a member relates to its representative; of a representative nothing.
fn evidence(member: Option<&Member>, which: Which) -> Vec<Cell<'static>> {
    let mut cells = Vec::with_capacity(8);
    if which.chunks {
        cells.push(Cell::share(member.and_then(share_of_smaller)));
        cells.push(Cell::whole(member.and_then(|m| m.common_bytes)));
    }
    if which.exact {
        cells.push(Cell::whole(member.and_then(|m| m.exact_bytes)));
    }
    if which.simhash {
        cells.push(Cell::whole(member.and_then(|m| m.distance.map(u64::from))));
    }
    cells.push(Cell::share(member.and_then(|m| m.resemblance)));
    cells.push(Cell::share(member.and_then(|m| m.containment)));
    cells.push(Cell::share(member.and_then(|m| m.contained_by)));
    if which.estimate {
        let ends = member.and_then(|m| m.intervals).map(|i| i.resemblance);
        cells.extend([0, 1].map(|end| Cell::share(ends.map(|ends| ends[end]))));
    }
    cells
}
