//! The data of a page: what `web/js/types.js` describes.

use super::chunks::PageChunks;
use super::listing::{ListedDocument, Listing};
use super::relations::PageRelations;
use super::texts::TextPlaces;
use crate::page::HtmlOptions;
use crate::scan_view::ScanView;
use crate::section::ReportNumbers;
use lookalike::report::{Class, Decision, Member, Report, Skip, Template};
use lookalike::{ComparedPair, content_name};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// Skipped documents that a page lists.
const SKIPPED: usize = 10_000;

#[derive(Serialize)]
pub(super) struct ScanData<'a> {
    kind: &'static str,
    name: String,
    made: u64,
    inputs: &'a [String],
    command: &'a [String],
    report: PageHead<'a>,
    skipped: &'a [Skip],
    skipped_all: usize,
    templates: Vec<Template>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chunks: Option<PageChunks<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    relations: Option<PageRelations<'a>>,
    documents: Documents<'a>,
    #[serde(serialize_with = "content_names")]
    contents: &'a [u128],
    clusters: PageClusters<'a>,
    left_out: LeftOut,
    pairs: Pairs<'a>,
    texts: &'a TextPlaces,
    decisions: &'a [Decision],
}

#[derive(Serialize)]
struct PageHead<'a> {
    #[serde(flatten)]
    numbers: ReportNumbers<'a>,
    /// The recipe of what was compared: by the simhash lens those are shingles, if anything was.
    compared_by: &'a str,
}

impl<'a> PageHead<'a> {
    fn new(report: &'a Report) -> Self {
        let verified = report.simhash().and_then(|simhash| simhash.verified.as_ref());
        let compared_by = verified.map_or(&report.head.recipe, |verified| &verified.recipe);
        Self { numbers: ReportNumbers::new(report), compared_by }
    }
}

/// Columns, one entry for each document.
struct Documents<'a>(&'a Listing<'a>);

/// A list that is made as it is written, not held.
struct Each<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Each<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// Content ids as people write them.
fn content_names<S: Serializer>(contents: &[u128], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(contents.iter().map(|content| content_name(*content)))
}

/// Clusters, each made when it is written.
struct PageClusters<'a>(&'a Listing<'a>);

#[derive(Serialize)]
struct PageCluster {
    representative: usize,
    members: Vec<PageMember>,
    /// By member: bytes in common with the representative, at least and exactly. Only of the chunks lens.
    #[serde(skip_serializing_if = "Option::is_none")]
    shared: Option<Vec<Option<u64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<Vec<Option<u64>>>,
}

/// Document, class, resemblance, containment, contained by, interval of the resemblance.
#[derive(Serialize)]
struct PageMember(usize, Class, Option<f64>, Option<f64>, Option<f64>, Option<[f64; 2]>);

#[derive(Serialize)]
struct LeftOut {
    clusters: usize,
    documents: usize,
}

/// The pairs as columns. Samples are left out where there are none: where everything is compared whole.
struct Pairs<'a> {
    listing: &'a Listing<'a>,
    has_samples: bool,
}

type PairNumber = fn(&ComparedPair) -> u32;

impl<'a> ScanData<'a> {
    pub(super) fn new(
        scan: &'a dyn ScanView,
        listing: &'a Listing<'a>,
        texts: &'a TextPlaces,
        options: &'a HtmlOptions<'_>,
    ) -> Self {
        // whoever wants no texts in the file wants none of those either
        let template = |template: Template| {
            if options.embed_limit == 0 { Template { text: None, ..template } } else { template }
        };
        let report = scan.report();
        Self {
            kind: "scan",
            name: name(&report.head.recipe, &options.place),
            made: options.made,
            inputs: &options.inputs,
            command: &options.command,
            report: PageHead::new(report),
            skipped: &report.skipped[..report.skipped.len().min(SKIPPED)],
            skipped_all: report.skipped.len(),
            templates: report.shingles().iter().flat_map(|s| &s.templates).cloned().map(template).collect(),
            chunks: report.chunks().map(|found| PageChunks::new(found, listing, options.embed_limit > 0)),
            relations: report.relations().map(|found| PageRelations::new(found, listing)),
            documents: Documents(listing),
            contents: &listing.contents,
            clusters: PageClusters(listing),
            left_out: LeftOut { clusters: listing.left_out.0, documents: listing.left_out.1 },
            pairs: Pairs { listing, has_samples: report.chunks().is_none() },
            texts,
            decisions: options.decisions,
        }
    }
}

impl Serialize for PageClusters<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number = |document: u32| self.0.numbers[&document];
        let row = |m: &Member| {
            let interval = m.intervals.as_ref().map(|i| i.resemblance);
            PageMember(number(m.document), m.class, m.resemblance, m.containment, m.contained_by, interval)
        };
        serializer.collect_seq(self.0.clusters.iter().map(|cluster| PageCluster {
            representative: number(cluster.document),
            members: cluster.members.iter().map(row).collect(),
            shared: column(&cluster.members, |member| member.shared_bytes),
            exact: column(&cluster.members, |member| member.exact_bytes),
        }))
    }
}

/// A number of each member; none if nobody has it.
fn column(members: &[Member], number: impl Fn(&Member) -> Option<u64>) -> Option<Vec<Option<u64>>> {
    members.iter().any(|m| number(m).is_some()).then(|| members.iter().map(number).collect())
}

impl Serialize for Documents<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let listing = self.0;
        let all = || listing.documents.iter();
        let canonical = |(at, document): (usize, &ListedDocument)| {
            document.duplicate_of.and_then(|(first, _)| listing.numbers.get(&first).copied()).unwrap_or(at)
        };
        let mut columns = serializer.serialize_struct("documents", 9)?;
        columns.serialize_field("id", &Each(|| all().map(|d| &d.id)))?;
        columns.serialize_field("bytes", &Each(|| all().map(|d| d.bytes)))?;
        columns.serialize_field("size", &Each(|| all().map(|d| d.size)))?;
        columns.serialize_field("length", &Each(|| all().map(|d| d.length)))?;
        columns.serialize_field("modified", &Each(|| all().map(|d| d.modified)))?;
        columns.serialize_field("content", &listing.content_of)?;
        columns.serialize_field("canonical", &Each(|| all().enumerate().map(canonical)))?;
        let same = |d: &ListedDocument| d.duplicate_of.map_or(Class::Identical, |(_, class)| class);
        columns.serialize_field("same", &Each(|| all().map(same)))?;
        // the place of each in the order in which documents are offered as representatives
        columns.serialize_field("rank", &listing.ranks)?;
        columns.end()
    }
}

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let columns: [(&'static str, PairNumber); 9] = [
            ("a", |pair| pair.a),
            ("b", |pair| pair.b),
            ("of_a", |pair| pair.features[0]),
            ("of_b", |pair| pair.features[1]),
            ("shared", |pair| pair.features[2]),
            ("sample_a", |pair| pair.sample[0]),
            ("sample_b", |pair| pair.sample[1]),
            ("sample_shared", |pair| pair.sample[2]),
            ("sample_exhaustive", |pair| u32::from(pair.is_exhaustive)),
        ];
        let mut pairs = serializer.serialize_struct("pairs", 2 + columns.len())?;
        pairs.serialize_field("from", &self.listing.pairs.from)?;
        pairs.serialize_field("all", &self.listing.pairs.all)?;
        for (name, number) in columns {
            if name.starts_with("sample") && !self.has_samples {
                pairs.serialize_field(name, &[(); 0])?;
            } else {
                pairs.serialize_field(name, &Each(|| self.listing.pairs.pairs.iter().map(number)))?;
            }
        }
        pairs.end()
    }
}

/// Equal for the next scan of the same place, so that what a reader has noted is found again: it holds for documents with their content.
pub(super) fn name(recipe: &str, place: &[String]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in std::iter::once(recipe).chain(place.iter().map(String::as_str)) {
        hasher.update(part.as_bytes()).update(b"\0");
    }
    hasher.finalize().to_hex()[..16].to_owned()
}
