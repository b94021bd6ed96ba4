//! Workbooks read back with another library, and looked at inside.

#[path = "../../tests/fixtures/mod.rs"]
mod fixtures;

use super::*;
use calamine::{Data, Reader};
use lookalike::report::Class;
use std::io::{Cursor, Read};

type Book = calamine::Xlsx<Cursor<Vec<u8>>>;

fn open(report: &Report, limits: Limits) -> Book {
    Book::new(Cursor::new(workbook(report, None, limits).unwrap())).unwrap()
}

fn rows(book: &mut Book, sheet: &str) -> Vec<Vec<Data>> {
    book.worksheet_range(sheet).unwrap().rows().map(<[Data]>::to_vec).collect()
}

/// The cells of a column, without its title.
fn column(rows: &[Vec<Data>], title: &str) -> Vec<Data> {
    let at = rows[0].iter().position(|cell| *cell == Data::String(title.into())).unwrap_or_else(|| panic!("{title}"));
    rows[1..].iter().map(|row| row[at].clone()).collect()
}

fn text(text: &str) -> Data {
    Data::String(text.into())
}

/// The value beside a name on the sheet About.
fn about(book: &mut Book, name: &str) -> Data {
    let rows = rows(book, "About");
    rows.iter().find(|row| row[0] == text(name)).unwrap_or_else(|| panic!("{name}"))[1].clone()
}

/// The XML of a sheet, by its place.
fn xml(report: &Report, sheet: usize, limits: Limits) -> String {
    let mut archive = zip_of(workbook(report, None, limits).unwrap());
    archive.remove(&format!("xl/worksheets/sheet{sheet}.xml")).unwrap()
}

/// Names and contents of the parts of a workbook.
fn zip_of(workbook: Vec<u8>) -> std::collections::BTreeMap<String, String> {
    let mut archive = zip::ZipArchive::new(Cursor::new(workbook)).unwrap();
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    let mut part = |name: &str| {
        let mut content = String::new();
        archive.by_name(name).unwrap().read_to_string(&mut content).unwrap();
        content
    };
    names.iter().map(|name| (name.clone(), part(name))).collect()
}

#[test]
fn clusters_are_rows_that_expand() {
    let report = fixtures::chunks();
    let mut book = open(&report, LIMITS);
    assert_eq!(book.sheet_names(), ["Clusters", "Identical", "Folders", "Templates", "About"]);
    let rows = rows(&mut book, "Clusters");
    let documents: usize = report.clusters.iter().map(|c| 1 + c.members.len()).sum();
    assert_eq!(column(&rows, "Name").iter().filter(|cell| !matches!(cell, Data::Empty)).count(), documents);
    let (clusters, classes, common) =
        (column(&rows, "Cluster"), column(&rows, "Class"), column(&rows, "In common, at least"));
    assert_eq!((&clusters[0], &classes[0], &common[0]), (&Data::Float(1.0), &text("representative"), &Data::Empty));
    assert_eq!((&clusters[14], &classes[14], &common[14]), (&Data::Float(1.0), &text("near"), &Data::Float(19_000.0)));
    assert_eq!((&clusters[15], &classes[15]), (&Data::Float(2.0), &text("representative")));
    let all = column(&rows, "In common, all");
    assert_eq!(all[0..15], vec![Data::Float(14.0 * 19_000.0); 15], "on each row of the cluster");

    let xml = xml(&report, 1, LIMITS);
    for row in 1..=27 {
        let tag = xml.split(&format!("<row r=\"{row}\" ")).nth(1).and_then(|rest| rest.split('>').next()).unwrap();
        let folded = tag.contains("outlineLevel=\"1\"") && tag.contains("hidden=\"1\"");
        assert_eq!(folded, !matches!(row, 1 | 2 | 17 | 26), "row {row}: {tag}");
    }
    assert!(xml.contains("<outlinePr summaryBelow=\"0\"/>"), "the + stands beside the first of a cluster");
    assert!(xml.contains("<autoFilter ref=\"A1:L27\"/>"), "{xml}");
    assert!(xml.contains("state=\"frozen\""));
}

#[test]
fn names_are_texts_and_harmless() {
    let parts = zip_of(workbook(&fixtures::chunks(), None, LIMITS).unwrap());
    for (name, content) in &parts {
        assert!(!content.contains("<f>") && !content.contains("<hyperlink"), "{name}");
        assert!(!content.chars().any(|c| c.is_control() && c != '\n'), "{name}");
    }
    let mut book = open(&fixtures::chunks(), LIMITS);
    let names = column(&rows(&mut book, "Clusters"), "Name");
    assert!(names.contains(&text("=HYPERLINK(\"http://evil\")\\u{1b}[2J")), "{names:?}");
    let names = column(&rows(&mut book, "Identical"), "Name");
    assert_eq!(names[8..11], ["-rf", "@SUM(A1)", "caf\\xE9\\u{a}name"].map(text));
    let odd = fixtures::cluster(1, "_x0041_", 1, vec![fixtures::member("007", Class::Near, 1, 1, 1)]);
    let mut report = fixtures::chunks();
    report.clusters = vec![odd];
    let mut book = open(&report, LIMITS);
    assert_eq!(column(&rows(&mut book, "Clusters"), "Name")[..2], ["_x0041_", "007"].map(text));
}

#[test]
fn the_other_sheets() {
    let mut report = fixtures::chunks();
    // the numbers of a finer pass are not those of a run
    let mut book = open(&report, LIMITS);
    assert_eq!(column(&rows(&mut book, "Templates"), "To mark it")[1], Data::Empty);
    fixtures::chunks_of(&mut report).totals.refined = None;
    let mut book = open(&report, LIMITS);
    let identical = rows(&mut book, "Identical");
    assert_eq!(column(&identical, "Set")[2..6], vec![Data::Float(2.0); 4]);
    assert_eq!(column(&identical, "Nr")[2..6], [1.0, 2.0, 3.0, 4.0].map(Data::Float));
    assert_eq!(column(&identical, "Bytes to be freed")[2], Data::Float(3.0 * 45_200.0));
    let Data::DateTime(changed) = column(&identical, "Changed (UTC)")[0] else { panic!("a time") };
    assert_eq!(((changed.as_f64() - 25_569.0) * 86_400.0).round() as u64, 1_700_000_000);
    let folders = rows(&mut book, "Folders");
    assert_eq!(column(&folders, "is inside")[0], Data::Float(0.96));
    assert_eq!(column(&folders, "Folder")[2], text("."));
    assert_eq!(column(&folders, "Other folder")[1], text("globex/\\u{202e}gmi"));
    let templates = rows(&mut book, "Templates");
    assert_eq!(column(&templates, "Kind")[..], ["ignored", "suggested", "frequent"].map(text));
    let Data::String(begins) = &column(&templates, "Begins with")[1] else { panic!("a text") };
    assert!(begins.starts_with("<!DOCTYPE html> <html lang=\"en\"> <head> <script>"), "{begins}");
    assert_eq!(column(&templates, "To mark it")[1], text("lookalike templates mark RUN --cluster 1"));
    assert_eq!(about(&mut book, "Parameters of TTTD"), text("Tmin 453, Tmax 2759, D 532.2, D′ 266.1"));
    assert_eq!(about(&mut book, "Skipped: unreadable"), Data::Float(1.0));
    assert_eq!(about(&mut book, "Texts that were cut"), Data::Float(0.0));
}

#[test]
fn a_report_of_shingles() {
    let mut book = open(&fixtures::shingles(), LIMITS);
    assert_eq!(book.sheet_names(), ["Clusters", "Identical", "Templates", "About"]);
    let clusters = rows(&mut book, "Clusters");
    assert_eq!(column(&clusters, "Name")[..5], ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"].map(text));
    assert_eq!(column(&clusters, "Containment")[4], Data::Float(1.0));
    assert!(!clusters[0].contains(&text("In common, at least")));
    assert_eq!(column(&rows(&mut book, "Identical"), "Name")[..2], ["a.txt", "b.txt"].map(text));
    assert_eq!(column(&rows(&mut book, "Templates"), "Shingles")[0], Data::Float(51.0));
    assert_eq!(about(&mut book, "Least containment"), text("not looked for"));
}

#[test]
fn what_does_not_fit_is_counted() {
    let limits = Limits { rows: 20, text: 10, ..LIMITS };
    let mut book = open(&fixtures::chunks(), limits);
    let clusters = rows(&mut book, "Clusters");
    let names = column(&clusters, "Name");
    assert_eq!(names.iter().filter(|name| !matches!(name, Data::Empty)).count(), 19);
    assert_eq!(names[0], text("tickets/t…"));
    let mut book = open(&fixtures::chunks(), Limits { rows: 20, ..LIMITS });
    assert_eq!(about(&mut book, "Rows that do not fit sheet Clusters"), Data::Float(7.0));
    assert_eq!(about(&mut book, "Rows that do not fit sheet Identical"), Data::Float(0.0));
    let long = fixtures::cluster(1, &"é".repeat(40_000), 1, vec![fixtures::member("b", Class::Near, 1, 1, 1)]);
    let mut report = fixtures::chunks();
    report.clusters = vec![long];
    let mut book = open(&report, LIMITS);
    assert_eq!(about(&mut book, "Texts that were cut"), Data::Float(1.0));
    let Data::String(name) = &column(&rows(&mut book, "Clusters"), "Name")[0] else { panic!("a text") };
    assert_eq!(name.chars().count(), 32_767);
    assert!(name.ends_with("é…"));
}

#[test]
fn equal_reports_give_equal_bytes() {
    for report in [fixtures::chunks(), fixtures::shingles(), fixtures::empty()] {
        let mut once = Vec::new();
        Xlsx.render(&Source::new(&report), &mut once).unwrap();
        let mut again = Vec::new();
        Xlsx.render(&Source::new(&report.clone()), &mut again).unwrap();
        assert!(once == again && once.len() > 1000);
    }
}

/// A large sheet goes through a file, and cannot be folded: then nothing may be hidden.
#[test]
fn large_sheets_read_the_same() {
    let (small, large) = (LIMITS, Limits { folded: 10, ..LIMITS });
    let report = fixtures::chunks();
    let (mut one, mut other) = (open(&report, small), open(&report, large));
    for sheet in ["Clusters", "Identical", "Folders", "Templates"] {
        assert_eq!(rows(&mut one, sheet), rows(&mut other, sheet), "{sheet}");
    }
    let folded = |limits| xml(&report, 1, limits).matches("hidden=\"1\"").count();
    assert_eq!((folded(small), folded(large)), (23, 0));
    assert!(rows(&mut other, "About").iter().any(|row| row[0] == text("Not folded: sheet Clusters")));
    assert!(!rows(&mut one, "About").iter().any(|row| row[0] == text("Not folded: sheet Clusters")));
    assert_eq!(workbook(&report, None, large).unwrap(), workbook(&report, None, large).unwrap());
}

/// Owner, age and permissions have columns of their own where somebody can tell them.
#[test]
fn what_the_disk_tells_of_files() {
    let report = fixtures::chunks();
    let attributes = |id: &str| {
        let owner = format!("owner of {id}");
        Some(crate::FileAttributes { modified: Some(0), owner, permissions: "rw-r-----".into() })
    };
    let bytes = workbook(&report, Some(&attributes), LIMITS).unwrap();
    let mut book = Book::new(Cursor::new(bytes)).unwrap();
    for sheet in ["Clusters", "Identical"] {
        let rows = rows(&mut book, sheet);
        let (names, owners) = (column(&rows, "Name"), column(&rows, "Owner"));
        for (name, owner) in names.iter().zip(&owners) {
            assert_eq!(owner, &text(&format!("owner of {name}")));
        }
        assert_eq!(column(&rows, "Permissions")[0], text("rw-r-----"));
        assert_eq!(column(&rows, "Changed (UTC)").len(), names.len());
    }
}
