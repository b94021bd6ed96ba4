//! Which clusters, pairs and documents a page lists, and under which numbers.

use super::pairs::{self, Listed};
use crate::scan_view::ScanView;
use lookalike::report::{Class, Cluster};
use lookalike::{ComparedPair, DocumentView, Error};
use rustc_hash::FxHashMap;

/// Documents of clusters that a page lists. Beyond this a browser would no longer be quick; the largest clusters come first.
const DOCUMENTS: usize = 100_000;

/// Pairs by all lenses that a page lists, the closest relations first.
pub(super) const RELATED: usize = 20_000;

/// A document of a page: of a [`DocumentView`] what there may be a hundred thousand of.
pub(super) struct ListedDocument {
    pub(super) id: Box<str>,
    /// Its place in the catalogue.
    pub(super) document: u32,
    tie_break: u32,
    pub(super) bytes: u64,
    pub(super) size: u32,
    pub(super) length: u32,
    pub(super) modified: Option<u64>,
    pub(super) duplicate_of: Option<(u32, Class)>,
}

/// What a page lists.
pub(super) struct Listing<'a> {
    pub(super) clusters: Vec<&'a Cluster>,
    /// Clusters that are not listed, and their documents.
    pub(super) left_out: (usize, usize),
    /// Their documents are those of the page, the first one first.
    pub(super) pairs: Listed,
    /// In the order of their ids.
    pub(super) documents: Vec<ListedDocument>,
    /// From the catalogue to the page.
    pub(super) numbers: FxHashMap<u32, usize>,
    /// By document of the page: its place in the order of representatives.
    pub(super) ranks: Vec<usize>,
    /// Content ids, each once.
    pub(super) contents: Vec<u128>,
    /// By document of the page: which of them it has.
    pub(super) content_of: Vec<usize>,
}

impl<'a> Listing<'a> {
    pub(super) fn new(scan: &'a dyn ScanView) -> Result<Self, Error> {
        let of = |cluster: &&Cluster| {
            [cluster.document].into_iter().chain(cluster.members.iter().map(|m| m.document)).collect::<Vec<u32>>()
        };
        let mut room = DOCUMENTS;
        let (clusters, rest): (Vec<&Cluster>, Vec<&Cluster>) = scan.report().clusters.iter().partition(|cluster| {
            let fits = cluster.members.len() < room;
            room -= if fits { 1 + cluster.members.len() } else { 0 };
            fits
        });
        let mut hidden: Vec<u32> = rest.iter().flat_map(of).collect();
        hidden.sort_unstable();
        let mut pairs = pairs::list(scan, |document| hidden.binary_search(&document).is_err())?;
        let mut numbers: FxHashMap<u32, usize> = FxHashMap::default();
        let related = scan.report().relations().map_or(&[][..], |found| &found.links);
        let related = related.iter().take(RELATED).flat_map(|link| link.documents);
        let paired = pairs.pairs.iter().flat_map(|p| [p.a, p.b]);
        let all = clusters.iter().flat_map(of).chain(paired).chain(related);
        let mut in_catalogue: Vec<u32> = all.filter(|document| numbers.insert(*document, 0).is_none()).collect();
        in_catalogue.sort_unstable();
        let mut documents = Vec::with_capacity(numbers.len());
        let mut contents_by_document = Vec::with_capacity(numbers.len());
        for document in in_catalogue.iter().copied() {
            let DocumentView { id, bytes, size, length, content, modified, tie_break, duplicate_of } =
                scan.view(document)?;
            let id = id.into_boxed_str();
            documents.push(ListedDocument { id, document, tie_break, bytes, size, length, modified, duplicate_of });
            contents_by_document.push((document, content));
        }
        // a stable sort would take half as much memory again
        documents.sort_unstable_by(|a, b| (&a.id, a.tie_break, a.document).cmp(&(&b.id, b.tie_break, b.document)));
        for (at, listed) in documents.iter().enumerate() {
            numbers.insert(listed.document, at);
        }
        for pair in &mut pairs.pairs {
            *pair = on_page(*pair, &numbers);
        }
        let (contents, content_of) = distinct(&documents, &contents_by_document);
        let mut ranks = vec![0; documents.len()];
        for (rank, document) in scan.ranked(in_catalogue)?.into_iter().enumerate() {
            ranks[numbers[&document]] = rank;
        }
        let left_out = (rest.len(), hidden.len());
        Ok(Self { clusters, left_out, pairs, documents, numbers, ranks, contents, content_of })
    }
}

/// A pair by the numbers of the page, the first document first.
fn on_page(pair: ComparedPair, numbers: &FxHashMap<u32, usize>) -> ComparedPair {
    let [a, b] = [pair.a, pair.b].map(|document| numbers[&document] as u32);
    if a < b {
        return ComparedPair { a, b, ..pair };
    }
    let swapped = |[of_a, of_b, shared]: [u32; 3]| [of_b, of_a, shared];
    ComparedPair { a: b, b: a, features: swapped(pair.features), sample: swapped(pair.sample), ..pair }
}

/// Content ids in the order in which documents have them, each once, and which of them each document has. `by_document`: the content of each,
/// in the order of the catalogue.
fn distinct(documents: &[ListedDocument], by_document: &[(u32, u128)]) -> (Vec<u128>, Vec<usize>) {
    let mut known: FxHashMap<u128, usize> = FxHashMap::default();
    let mut contents = Vec::new();
    let place = |listed: &ListedDocument| {
        let at = by_document.partition_point(|(document, _)| *document < listed.document);
        let content = by_document[at].1;
        *known.entry(content).or_insert_with(|| {
            contents.push(content);
            contents.len() - 1
        })
    };
    let content_of = documents.iter().map(place).collect();
    (contents, content_of)
}
