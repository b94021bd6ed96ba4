//! What a page is given of a scan by chunks. The scan is made by hand: here it matters what becomes of it, not how it was found.

use super::data::ScanData;
use super::listing::Listing;
use super::texts::TextWriter;
use super::{HtmlOptions, PageSubject, pairs, write_html};
use crate::scan_view::ScanView;
use lookalike::report::{
    AppliedTemplate, Chunks, Class, Cluster, FolderPair, FrequentChunks, IdenticalFile, IdenticalSet, Member, Policy,
    Report, Section, Shingles, Suggestion,
};
use lookalike::templates::Parameters;
use lookalike::{ComparedPair, DocumentView, Error, Format, Progress, Recipe, Text, Unit};
use lookalike_web::Page;
use serde_json::{Value, json};
use std::sync::Mutex;

/// Five documents: a report, its copy, a draft of as many bytes, a longer one, and a picture.
struct Fixture {
    report: Report,
    pairs: Vec<ComparedPair>,
}

const IDS: [&str; 5] = ["b/report.txt", "a/report.txt", "b/draft.txt", "b/long.txt", "b/picture.png"];
const SIZES: [u32; 5] = [4000, 4000, 4000, 9000, 3000];
/// The order of representatives: the draft comes before the report, whatever their names.
const ORDER: [u32; 5] = [3, 2, 1, 0, 4];

impl ScanView for Fixture {
    fn report(&self) -> &Report {
        &self.report
    }

    fn explored(&self) -> Result<f64, Error> {
        Ok(0.3)
    }

    fn view(&self, document: u32) -> Result<DocumentView, Error> {
        let at = document as usize % IDS.len();
        Ok(DocumentView {
            id: format!("{}{}", IDS[at], "+".repeat(document as usize / IDS.len())),
            bytes: u64::from(SIZES[at]) + 500,
            size: SIZES[at],
            length: SIZES[at],
            content: if at == 1 { 0 } else { at as u128 },
            modified: None,
            tie_break: 0,
            duplicate_of: (at == 1).then_some((0, Class::Identical)),
        })
    }

    fn text(&self, document: u32) -> Result<Option<Text>, Error> {
        let text =
            |visible: &str| Text { visible: visible.into(), source: None, format: Format::Text, chunks: Vec::new() };
        Ok((document != 4).then(|| text("the words of the document")))
    }

    fn compared(&self, each: &mut dyn FnMut(ComparedPair) -> Result<(), Error>) -> Result<(), Error> {
        self.pairs.iter().try_for_each(|pair| each(*pair))
    }

    fn ranked(&self, mut documents: Vec<u32>) -> Result<Vec<u32>, Error> {
        documents.sort_by_key(|document| ORDER.iter().position(|at| at == document));
        Ok(documents)
    }
}

/// Two documents and the bytes of both.
fn pair(a: u32, b: u32, features: [u32; 3]) -> ComparedPair {
    ComparedPair { a, b, features, sample: features, is_exhaustive: true }
}

fn member(document: u32, class: Class, shared: u64, exact: Option<u64>) -> Member {
    Member {
        id: IDS[document as usize].into(),
        class,
        resemblance: Some(0.4),
        containment: Some(0.9),
        contained_by: Some(0.4),
        intervals: None,
        bytes: 4500,
        distance: None,
        shared_bytes: Some(shared),
        exact_bytes: exact,
        relation: None,
        document,
    }
}

fn folders(n: usize) -> Vec<FolderPair> {
    let pair = |at: usize| FolderPair {
        folder: format!("a{at}"),
        files: 1,
        bytes: 4500,
        inside: 4500,
        share: 1.0,
        other: "b".into(),
        other_files: 4,
        other_bytes: 22_000,
        other_inside: 4500,
        other_share: 0.2,
    };
    (0..n).map(pair).collect()
}

fn fixture() -> Fixture {
    let mut chunks = Chunks::new(Parameters::for_mean(1000).unwrap(), 0.5);
    let totals = &mut chunks.totals;
    (totals.chunks, totals.distinct, totals.mean, totals.empty) = (25, 12, 980.5, 2);
    (totals.alone, totals.components, totals.largest_component) = (1, 1, 4);
    chunks.frequent = vec![FrequentChunks {
        documents: 4,
        chunks: 1,
        bytes: 900,
        text: Some("Legal".into()),
        example: IDS[0].into(),
    }];
    chunks.templates = vec![AppliedTemplate { name: "footer".into(), chunks: 1, bytes: 500, documents: 5 }];
    chunks.suggestions = vec![
        Suggestion { cluster: 1, documents: 4, chunks: 2, bytes: 1900, text: Some("Menu".into()) },
        Suggestion { cluster: 9, documents: 2, chunks: 1, bytes: 900, text: None },
    ];
    chunks.identical = vec![IdenticalSet {
        bytes: 4500,
        content: "0".into(),
        files: [0, 1].map(|at| IdenticalFile { id: IDS[at].into(), modified: None }).into(),
    }];
    chunks.folders = folders(1);
    let recipe: Recipe = "bytes|chunks:mean=1000|hash=xxh3-128|v=1".parse().unwrap();
    let policy = Policy { threshold: 0.5, contained: Some(0.5), min_shared: 800, ..Policy::default() };
    let mut report = Report::new(&recipe, policy, Section::Chunks(chunks));
    (report.head.documents, report.head.bytes) = (6, 27_000);
    report.clusters = vec![Cluster {
        id: 1,
        representative: IDS[3].into(),
        bytes: 9500,
        members: vec![
            member(0, Class::Contained, 3600, Some(3700)),
            member(1, Class::Contained, 3600, None),
            member(4, Class::Contained, 2000, None),
        ],
        decision: None,
        document: 3,
    }];
    let pairs = vec![pair(3, 0, [9000, 4000, 3600]), pair(2, 3, [4000, 9000, 1300]), pair(3, 4, [9000, 3000, 2000])];
    Fixture { report, pairs }
}

fn options(embed_limit: u64) -> HtmlOptions<'static> {
    HtmlOptions {
        inputs: vec!["docs".into()],
        place: vec!["/docs".into()],
        command: vec!["scan".into(), "docs".into()],
        made: 0,
        embed_limit,
        decisions: &[],
        pair_decisions: &[],
        progress: None,
    }
}

fn data(scan: &Fixture, embed_limit: u64) -> Value {
    let options = options(embed_limit);
    let listing = Listing::new(scan).unwrap();
    let mut out = Vec::new();
    let mut page = super::begin(&mut out, Page::Scan, &options.inputs, &[]).unwrap();
    let texts = TextWriter::write_scan(scan, &listing, &options, &mut page).unwrap();
    serde_json::to_value(ScanData::new(scan, &listing, &texts, &options)).unwrap()
}

/// Notes what it is told.
#[derive(Default)]
struct Watch(Mutex<Vec<String>>);

impl Progress for Watch {
    fn begin(&self, phase: &'static str, _: Unit, total: Option<u64>) {
        self.0.lock().unwrap().push(format!("{phase} of {}", total.unwrap()));
    }
    fn advance(&self, by: u64) {
        self.0.lock().unwrap().push(by.to_string());
    }
    fn end(&self) {
        self.0.lock().unwrap().push("end".into());
    }
}

#[test]
fn a_page_tells_how_far_it_is() {
    let watch = Watch::default();
    let options = HtmlOptions { progress: Some(&watch), ..options(1 << 20) };
    write_html(PageSubject::Scan(&fixture()), &options, &mut Vec::new()).unwrap();
    let told = watch.0.into_inner().unwrap();
    let [first, done @ .., last] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((first.as_str(), last.as_str()), ("page of 4", "end"));
    assert_eq!(done.iter().map(|by| by.parse::<u64>().unwrap()).sum::<u64>(), 4);
}

#[test]
fn a_page_has_what_only_chunks_tell() {
    let page = data(&fixture(), 1 << 20);
    assert_eq!(page["documents"]["id"], json!([IDS[1], IDS[2], IDS[3], IDS[4], IDS[0]]));
    // of each document its place in the one order of representatives
    assert_eq!(page["documents"]["rank"], json!([2, 1, 0, 4, 3]));
    assert_eq!(page["documents"]["canonical"], json!([4, 1, 2, 3, 4]));
    assert_eq!(page["report"]["policy"]["min_shared"], 800);
    let chunks = &page["chunks"];
    assert_eq!(chunks["parameters"]["tmin"], 453);
    assert_eq!([&chunks["chunks"], &chunks["distinct"], &chunks["empty"]], [25, 12, 2]);
    assert_eq!(chunks["templates"][0]["name"], "footer");
    assert_eq!(chunks["frequent"][0]["text"], "Legal");
    assert_eq!(chunks["folders"][0]["share"], 1.0);
    // a suggestion leads to its cluster, if that is there
    assert_eq!(chunks["suggestions"][0]["representative"], 2);
    assert_eq!([&chunks["suggestions"][0]["cluster"], &chunks["suggestions"][0]["bytes"]], [1, 1900]);
    assert_eq!(chunks["suggestions"][1]["representative"], Value::Null);
    assert!(chunks.get("identical").is_none(), "the page tells by the contents");
    let cluster = &page["clusters"][0];
    assert_eq!(cluster["members"][0], json!([4, "contained", 0.4, 0.9, 0.4, null]));
    assert_eq!([&cluster["shared"], &cluster["exact"]], [&json!([3600, 3600, 2000]), &json!([3700, null, null])]);
}

#[test]
fn pairs_are_bytes_and_have_no_samples() {
    let page = data(&fixture(), 1 << 20);
    let pairs = &page["pairs"];
    // the one of 32.5% of the smaller is a link only below the threshold of the scan
    assert_eq!([&pairs["from"], &pairs["all"]], [&json!(0.3), &json!(3)]);
    assert_eq!([&pairs["a"], &pairs["b"]], [&json!([2, 1, 2]), &json!([4, 2, 3])]);
    assert_eq!([&pairs["of_a"], &pairs["of_b"]], [&json!([9000, 4000, 9000]), &json!([4000, 9000, 3000])]);
    assert_eq!(pairs["shared"], json!([3600, 1300, 2000]));
    assert_eq!(pairs["sample_shared"], json!([]));
}

#[test]
fn what_is_no_text_is_told_from_what_had_no_room() {
    let page = data(&fixture(), 1 << 20);
    let picture = &page["documents"]["content"][3];
    assert_eq!(page["texts"]["without"], json!([picture]));
    assert_eq!(page["texts"]["block"][picture.as_u64().unwrap() as usize], Value::Null);
    assert_eq!(page["texts"]["embedded"], 3);
    let bare = data(&fixture(), 0);
    assert_eq!(bare["texts"]["without"], json!([]));
    // whoever wants no texts in the file wants no excerpts either
    assert_eq!(bare["chunks"]["frequent"][0]["text"], Value::Null);
    assert_eq!(bare["chunks"]["suggestions"][0]["text"], Value::Null);
}

#[test]
fn a_page_of_another_lens_has_none_of_it() {
    let mut scan = fixture();
    scan.report.section = Section::Shingles(Shingles::default());
    for member in &mut scan.report.clusters[0].members {
        (member.shared_bytes, member.exact_bytes) = (None, None);
    }
    let page = data(&scan, 1 << 20);
    assert!(page.get("chunks").is_none() && page["report"].get("chunks").is_none());
    assert_eq!(page["report"]["shingles"]["estimate"], false);
    assert!(page["clusters"][0].get("shared").is_none() && page["clusters"][0].get("exact").is_none());
    // by its resemblance the one of 1300 bytes is below everything that was looked for
    assert_eq!(page["pairs"]["sample_shared"], json!([3600, 2000]));
}

#[test]
fn long_lists_end_and_say_how_long_they_are() {
    let mut scan = fixture();
    let Section::Chunks(chunks) = &mut scan.report.section else { unreachable!() };
    chunks.folders = folders(10_001);
    let page = data(&scan, 1 << 20);
    assert_eq!(page["chunks"]["folders"].as_array().unwrap().len(), 10_000);
    assert_eq!(page["chunks"]["folders_all"], 10_001);
    let mut out = Vec::new();
    write_html(PageSubject::Scan(&scan), &options(1 << 20), &mut out).unwrap();
    assert!(String::from_utf8(out).unwrap().contains("<title>docs · lookalike</title>"));
}

/// Small files inside large ones resemble them little: were they cut by resemblance, what matters would be left out.
#[test]
fn with_too_many_pairs_those_of_the_largest_share_stay() {
    let mut scan = fixture();
    let inside = |n: u32| pair(n, 0, [1000, 1_000_000, 950]);
    let alike = |n: u32| pair(n, 0, [1000, 1000, 500]);
    assert!(inside(1).resemblance() < 0.001 && alike(1).resemblance() > 0.3);
    scan.pairs = (1..=1000).map(inside).chain((1..=300_000).map(alike)).collect();
    let listed = pairs::list(&scan, |_| true).unwrap();
    assert_eq!(listed.pairs.len(), 1000);
    assert!(listed.pairs.iter().all(|pair| pair.features[2] == 950));
    assert_eq!((listed.from, listed.all), (0.501, 301_000));
}
