//! The sheet of clusters: a row for the representative, and folded under it its members.

use super::sheet::{Cell, Sheet, SheetColumn};
use crate::attributes::Attributes;
use crate::words::{share_of_smaller, verdict_name};
use lookalike::report::{Cluster, Member, Report};
use rust_xlsxwriter::XlsxError;

/// What decides which columns there are: what a report does not tell has none.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "columns that do not depend on each other")]
struct Facts {
    chunks: bool,
    simhash: bool,
    exact: bool,
    estimate: bool,
    reviewed: bool,
}

/// A document in a cluster: the representative, or a member.
#[derive(Clone, Copy)]
struct SheetRow<'a> {
    cluster: &'a Cluster,
    /// Of all documents of the cluster: their bytes, and those that members have in common with the representative.
    bytes: u64,
    common: u64,
    member: Option<&'a Member>,
}

struct SheetClusterColumn {
    column: SheetColumn,
    is_in: fn(Facts) -> bool,
    value: for<'a> fn(SheetRow<'a>) -> Cell<'a>,
}

const fn column(
    title: &'static str,
    width: f64,
    is_in: fn(Facts) -> bool,
    value: for<'a> fn(SheetRow<'a>) -> Cell<'a>,
) -> SheetClusterColumn {
    SheetClusterColumn { column: SheetColumn(title, width), is_in, value }
}

/// Numbers of a whole cluster are the same on all its rows: who sorts or filters by them keeps it together.
const COLUMNS: &[SheetClusterColumn] = &[
    column("Cluster", 9.0, |_| true, |row| Cell::Whole(row.cluster.id)),
    column("Class", 16.0, |_| true, |row| Cell::Text(row.member.map_or("representative", |m| m.class.name()))),
    column(
        "Name",
        40.0,
        |_| true,
        |row| row.member.map_or(Cell::Text(&row.cluster.representative), |m| Cell::Indented(&m.id)),
    ),
    column("Documents", 12.0, |_| true, |row| Cell::Whole(1 + row.cluster.members.len() as u64)),
    column("Bytes of all", 14.0, |_| true, |row| Cell::Whole(row.bytes)),
    column("In common, all", 16.0, |facts| facts.chunks, |row| Cell::Whole(row.common)),
    column("Bytes", 14.0, |_| true, |row| Cell::Whole(row.member.map_or(row.cluster.bytes, |m| m.bytes))),
    column("Of the smaller", 16.0, |facts| facts.chunks, |row| Cell::share(row.member.and_then(share_of_smaller))),
    column(
        "In common, at least",
        20.0,
        |facts| facts.chunks,
        |row| Cell::whole(row.member.and_then(|m| m.shared_bytes)),
    ),
    column("In common, exactly", 20.0, |facts| facts.exact, |row| Cell::whole(row.member.and_then(|m| m.exact_bytes))),
    column(
        "Distance",
        10.0,
        |facts| facts.simhash,
        |row| Cell::whole(row.member.and_then(|m| m.distance).map(u64::from)),
    ),
    column("Resemblance", 14.0, |_| true, |row| Cell::share(row.member.and_then(|m| m.resemblance))),
    column("Containment", 14.0, |_| true, |row| Cell::share(row.member.and_then(|m| m.containment))),
    column("Contained by", 14.0, |_| true, |row| Cell::share(row.member.and_then(|m| m.contained_by))),
    column("Low", 9.0, |facts| facts.estimate, |row| interval_end(row, 0)),
    column("High", 9.0, |facts| facts.estimate, |row| interval_end(row, 1)),
    column(
        "Decision",
        16.0,
        |facts| facts.reviewed,
        |row| row.cluster.decision.as_ref().map_or(Cell::Empty, |d| Cell::Text(verdict_name(d.verdict))),
    ),
];

/// What the disk tells of a file.
const ATTRIBUTES: [SheetColumn; 3] =
    [SheetColumn("Changed (UTC)", 20.0), SheetColumn("Owner", 14.0), SheetColumn("Permissions", 14.0)];

fn interval_end(row: SheetRow<'_>, end: usize) -> Cell<'_> {
    Cell::share(row.member.and_then(|m| m.intervals.as_ref()).map(|i| i.resemblance[end]))
}

pub(super) fn fill(
    sheet: &mut Sheet<'_>,
    report: &Report,
    attributes: Option<&Attributes<'_>>,
) -> Result<(), XlsxError> {
    let facts = Facts {
        chunks: report.chunks().is_some(),
        simhash: report.simhash().is_some(),
        exact: report.clusters.iter().flat_map(|c| &c.members).any(|m| m.exact_bytes.is_some()),
        estimate: report.is_estimate(),
        reviewed: report.head.reviewed.is_some(),
    };
    let columns: Vec<&SheetClusterColumn> = COLUMNS.iter().filter(|column| (column.is_in)(facts)).collect();
    let of_files = attributes.iter().flat_map(|_| ATTRIBUTES);
    sheet.header(&columns.iter().map(|column| column.column).chain(of_files).collect::<Vec<_>>())?;
    for cluster in &report.clusters {
        sheet.group(cluster.members.len())?;
        let bytes = cluster.bytes + cluster.members.iter().map(|m| m.bytes).sum::<u64>();
        let common = cluster.members.iter().filter_map(|m| m.exact_bytes.or(m.shared_bytes)).sum();
        for member in [None].into_iter().chain(cluster.members.iter().map(Some)) {
            let row = SheetRow { cluster, bytes, common, member };
            let id = member.map_or(&cluster.representative, |member| &member.id);
            let file = attributes.map(|attributes| attributes(id).unwrap_or_default());
            let mut cells: Vec<Cell<'_>> = columns.iter().map(|column| (column.value)(row)).collect();
            if let Some(file) = &file {
                let changed = file.modified.map_or(Cell::Empty, Cell::Time);
                cells.extend([changed, Cell::Text(&file.owner), Cell::Text(&file.permissions)]);
            }
            sheet.row(member.is_none(), &cells)?;
        }
    }
    Ok(())
}
