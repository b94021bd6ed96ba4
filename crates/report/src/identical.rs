//! Sets of identical documents, whichever lens found them.

use lookalike::report::{Class, Report};

/// Documents with the same content.
pub(crate) struct Set<'a> {
    /// Bytes of each.
    pub(crate) bytes: u64,
    /// What tells the content, where the lens says.
    pub(crate) content: &'a str,
    /// Their ids, and when the files were changed last, in nanoseconds since 1970.
    pub(crate) files: Vec<(&'a str, Option<i64>)>,
}

/// The sets of a report. The chunks lens lists them; any other tells which members are identical to their representative.
pub(crate) fn sets(report: &Report) -> Box<dyn Iterator<Item = Set<'_>> + '_> {
    if let Some(chunks) = report.chunks() {
        return Box::new(chunks.identical.iter().map(|set| Set {
            bytes: set.bytes,
            content: &set.content,
            files: set.files.iter().map(|file| (&*file.id, file.modified)).collect(),
        }));
    }
    let sets = report.clusters.iter().map(|cluster| {
        let copies = cluster.members.iter().filter(|member| member.class == Class::Identical);
        let ids = [&*cluster.representative].into_iter().chain(copies.map(|member| &*member.id));
        Set { bytes: cluster.bytes, content: "", files: ids.map(|id| (id, None)).collect() }
    });
    Box::new(sets.filter(|set| set.files.len() > 1))
}
