//! Search results in, groups out: what looks alike is put under the first of its kind.

#[cfg(test)]
mod tests;

use crate::history::archive::Archive;
use lookalike_core::sketch::Estimate;
use lookalike_engine::Error;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Search results, collapsed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CollapseResult {
    /// Results that came in.
    pub results: u64,
    /// Results that are not in the index: they stay as they are.
    pub unknown: u64,
    /// In the order of their first results.
    pub groups: Vec<ResultGroup>,
}

/// A result, and those that look like it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResultGroup {
    /// The place of the first result in the input, from 1.
    pub rank: u64,
    /// Its URL or id.
    pub url: String,
    /// Whether the index has it.
    pub known: bool,
    /// The content id of what the URL had last.
    pub content: Option<String>,
    /// The other results of its cluster, in the order of the input.
    pub others: Vec<FoldedResult>,
}

/// A result that was put under another.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoldedResult {
    /// Its place in the input, from 1.
    pub rank: u64,
    /// Its URL or id.
    pub url: String,
    /// The same bytes as the first result of the group.
    pub identical: bool,
    /// Resemblance to the first result.
    pub resemblance: Estimate,
    /// The content id of what the URL had last.
    pub content: String,
}

/// Puts each result under the first one of its cluster. A URL counts with what it had last.
pub(crate) fn collapse(
    archive: &dyn Archive,
    ranked: impl IntoIterator<Item = String>,
) -> Result<CollapseResult, Error> {
    let mut collapsed = CollapseResult { results: 0, unknown: 0, groups: Vec::new() };
    // the cluster's group, and the document of its first result
    let mut groups: FxHashMap<u32, (usize, u32)> = FxHashMap::default();
    for url in ranked {
        collapsed.results += 1;
        let rank = collapsed.results;
        let Some((_, document)) = archive.find(&url)?.last().copied() else {
            collapsed.unknown += 1;
            collapsed.groups.push(ResultGroup { rank, url, known: false, content: None, others: Vec::new() });
            continue;
        };
        let content = archive.content(document)?;
        let cluster = archive.cluster(document)?;
        if let Some(&(group, lead)) = groups.get(&cluster) {
            let identical = lead == document;
            let resemblance =
                if identical { Estimate::exact(1.0) } else { archive.resemblance(lead, document)?.resemblance };
            collapsed.groups[group].others.push(FoldedResult { rank, url, identical, resemblance, content });
        } else {
            groups.insert(cluster, (collapsed.groups.len(), document));
            let content = Some(content);
            collapsed.groups.push(ResultGroup { rank, url, known: true, content, others: Vec::new() });
        }
    }
    Ok(collapsed)
}
