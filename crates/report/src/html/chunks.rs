//! What a page shows of the chunks lens beside clusters and pairs: similar folders, what looks like a template, what was ignored.

use super::listing::Listing;
use lookalike::report::{AppliedTemplate, ChunkTotals, Chunks, FolderPair, FrequentChunks, Suggestion};
use serde::Serialize;

/// Pairs of folders that a page lists, and templates of each kind. Nobody reads more, and JSON has all.
const FOLDERS: usize = 10_000;
const TEMPLATES: usize = 1_000;

/// The part `chunks` of a page; `web/js/types.js` describes it.
#[derive(Serialize)]
pub(super) struct PageChunks<'a> {
    #[serde(flatten)]
    totals: &'a ChunkTotals,
    frequent: Vec<FrequentChunks>,
    frequent_all: usize,
    templates: &'a [AppliedTemplate],
    templates_all: usize,
    suggestions: Vec<Suggested>,
    suggestions_all: usize,
    folders: &'a [FolderPair],
    folders_all: usize,
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
        let frequent = |c: &FrequentChunks| FrequentChunks { text: c.text.clone().filter(|_| texts), ..c.clone() };
        Self {
            totals: &chunks.totals,
            frequent: chunks.frequent.iter().take(TEMPLATES).map(frequent).collect(),
            frequent_all: chunks.frequent.len(),
            templates: first(&chunks.templates, TEMPLATES),
            templates_all: chunks.templates.len(),
            suggestions: chunks.suggestions.iter().take(TEMPLATES).map(suggested).collect(),
            suggestions_all: chunks.suggestions.len(),
            folders: first(&chunks.folders, FOLDERS),
            folders_all: chunks.folders.len(),
        }
    }
}

fn first<T>(list: &[T], most: usize) -> &[T] {
    &list[..list.len().min(most)]
}
