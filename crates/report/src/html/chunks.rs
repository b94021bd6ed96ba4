//! What a page shows of the chunks lens beside clusters and pairs: similar folders, what looks like a template, what was ignored.

use super::listing::Listing;
use lookalike::Described;
use lookalike::chunks::{AppliedTemplate, Chunks, CommonChunks, FolderPair, Parameters, Refined, Suggestion};
use serde::Serialize;
use std::cmp::Reverse;

/// Pairs of folders that a page lists, and templates of each kind. Nobody reads more, and JSON has all.
const FOLDERS: usize = 10_000;
const TEMPLATES: usize = 1_000;

/// The part `chunks` of a page; `web/js/types.js` describes it.
#[expect(clippy::struct_field_names, reason = "the page calls it as the report does")]
#[derive(Serialize)]
pub(super) struct PageChunks<'a> {
    parameters: Parameters,
    chunks: u64,
    distinct: u64,
    mean: f64,
    empty: u64,
    alone: u64,
    components: u64,
    largest_component: u64,
    common_share: f64,
    common: Vec<CommonChunks>,
    common_all: usize,
    templates: &'a [AppliedTemplate],
    templates_all: usize,
    suggestions: Vec<Suggested>,
    suggestions_all: usize,
    folders: &'a [FolderPair],
    folders_all: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    refined: Option<&'a Refined>,
}

/// What looks like a template, and where its cluster is on the page.
#[derive(Serialize)]
struct Suggested {
    #[serde(flatten)]
    suggestion: Suggestion,
    /// The cluster's representative; none if the cluster is left out.
    representative: Option<usize>,
}

impl<'a> PageChunks<'a> {
    /// `texts`: whether the file may hold anything of the documents.
    pub(super) fn new(chunks: &'a Chunks, listing: &Listing<'_>, texts: bool) -> Self {
        let place =
            |number: u64| listing.clusters.iter().find(|c| c.id == number).map(|c| listing.numbers[&c.document]);
        let suggested = |s: &Suggestion| Suggested {
            suggestion: Suggestion { text: s.text.clone().filter(|_| texts), ..s.clone() },
            representative: place(s.cluster),
        };
        let common = |c: &CommonChunks| CommonChunks { text: c.text.clone().filter(|_| texts), ..c.clone() };
        Self {
            parameters: chunks.parameters,
            chunks: chunks.chunks,
            distinct: chunks.distinct,
            mean: chunks.mean,
            empty: chunks.empty,
            alone: chunks.alone,
            components: chunks.components,
            largest_component: chunks.largest_component,
            common_share: chunks.common_share,
            common: chunks.common.iter().take(TEMPLATES).map(common).collect(),
            common_all: chunks.common.len(),
            templates: first(&chunks.templates, TEMPLATES),
            templates_all: chunks.templates.len(),
            suggestions: chunks.suggestions.iter().take(TEMPLATES).map(suggested).collect(),
            suggestions_all: chunks.suggestions.len(),
            folders: first(&chunks.folders, FOLDERS),
            folders_all: chunks.folders.len(),
            refined: chunks.refined.as_ref(),
        }
    }
}

fn first<T>(list: &[T], most: usize) -> &[T] {
    &list[..list.len().min(most)]
}

/// By document of the page: its place among those of equal size in the order in which documents may represent others. That order goes by content, which
/// the page does not have in full.
pub(super) fn ranks(documents: &[(u32, Described)]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..documents.len()).collect();
    order.sort_by_key(|at| (Reverse(documents[*at].1.size), documents[*at].1.salt, *at));
    let mut ranks = vec![0; documents.len()];
    for pair in order.windows(2) {
        if documents[pair[0]].1.size == documents[pair[1]].1.size {
            ranks[pair[1]] = ranks[pair[0]] + 1;
        }
    }
    ranks
}
