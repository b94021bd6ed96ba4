//! Web archives: what their records become, and what damage costs.

use std::path::Path;

use lookalike_corpus::{Body, Document, Input, Item, Options, Place};

use crate::common::packing::zip_of;
use crate::common::warcs::{HTTP, crawl, info, packed, page, record, response, with_dictionary};
use crate::common::{documents, gzip, items_of, kinds, open, read, skipped, write};

fn items_in_file(name: &str, bytes: &[u8], options: Options) -> Vec<Item<'static>> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    write(&path, bytes);
    let root = format!("{}/", dir.path().display());
    items_of(&path, options)
        .into_iter()
        .map(|item| match item {
            Item::Skipped(mut skipped) => {
                skipped.id = skipped.id.replace(&root, "");
                Item::Skipped(skipped)
            }
            document @ Item::Document(_) => document,
        })
        .collect()
}

fn content(document: &Document<'static>) -> String {
    String::from_utf8_lossy(document.body.as_bytes().unwrap()).into_owned()
}

/// Ids, rows and texts.
fn rows(items: &[Item<'static>]) -> Vec<(String, u64, String)> {
    let row =
        |document: &Document<'static>| (document.id.to_string(), document.place.record().unwrap().1, content(document));
    documents(items).iter().map(row).collect()
}

fn expected(pages: u32) -> Vec<(String, u64, String)> {
    let text = |number: u32| {
        let record = String::from_utf8(page(number)).unwrap();
        record.rsplit_once("\r\n\r\n<").map(|(_, body)| format!("<{}", body.trim_end())).unwrap()
    };
    (1..=pages).map(|number| (format!("http://example.org/{number}"), u64::from(number) * 2, text(number))).collect()
}

#[test]
fn every_way_of_packing_gives_the_same() {
    let records = crawl(9);
    let mut files = packed(&records).to_vec();
    files.push(("dictionary.warc.zst", with_dictionary(&records, false)));
    files.push(("packed-dictionary.warc.zst", with_dictionary(&records, true)));
    // the name may be wrong
    files.push(("plain.warc.gz", records.concat()));
    for (name, bytes) in files {
        for batch_bytes in [1, 1000, 1 << 20] {
            let items = items_in_file(name, &bytes, Options { batch_bytes, ..Options::default() });
            assert_eq!(rows(&items), expected(9), "{name}");
            let told: Vec<String> = skipped(&items).iter().map(|skipped| skipped.reason.to_string()).collect();
            assert_eq!(
                told,
                ["no documents: 9 records of type request", "no documents: 1 records of type warcinfo"],
                "{name}"
            );
            assert!(skipped(&items).iter().all(|skipped| skipped.id == name));
        }
    }
}

#[test]
fn documents_and_what_is_none() {
    let html = "HTTP/1.1 200 OK\r\nContent-Type: text/html";
    let text = |kind: &str, more: &[(&str, &str)]| record(1, kind, "<http://a/t>", more, b"plain text");
    let records = [
        response(1, "<http://a/brackets>", html, b"<p>piece"),
        response(2, "http://a/404", "HTTP/1.1 404 Not Found\r\nContent-Type: text/html", b"no"),
        response(3, "http://a/img", "HTTP/1.1 200 OK\r\nContent-Type: image/png", b"\x89PNG"),
        response(4, "http://a/204", "HTTP/1.1 204 No Content", b""),
        response(5, "http://a/koi8", "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=koi8-r", b"\xf0\xd2\xc9"),
        response(6, "http://a/br", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: br", b"x"),
        response(7, "http://a/gz", &format!("{html}\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked"), &{
            let packed = gzip(b"<html>packed");
            [format!("{:x}\r\n", packed.len()).as_bytes(), &packed, b"\r\n0\r\n\r\n"].concat()
        }),
        record(8, "response", "http://a/odd", &[HTTP], b"not HTTP"),
        record(9, "response", "dns:a", &[("Content-Type", "text/dns")], b"a. 1 IN A 1.2.3.4"),
        text("conversion", &[("Content-Type", "text/plain")]),
        text("resource", &[("content-type", "application/zip")]),
        text("resource", &[]),
        text("revisit", &[]),
        text("unheard-of", &[]),
        response(10, "", html, b"<html>no address"),
    ];
    let items = items_in_file("a.warc", &records.concat(), Options::default());
    let row = |row: &(String, u64, String)| format!("{} {} {}", row.1, row.0.rsplit('/').next().unwrap(), row.2);
    let found: Vec<String> = rows(&items).iter().map(row).collect();
    assert_eq!(
        found,
        [
            "0 brackets <html><p>piece",
            "3 204 ",
            "4 koi8 При",
            "6 gz <html>packed",
            "9 t plain text",
            "11 t plain text",
            "14 a.warc:15 <html>no address"
        ]
    );
    assert_eq!(
        kinds(&items, Path::new("-")),
        [
            ("http://a/img", "not text"),
            ("http://a/br", "not unpacked"),
            ("http://a/odd", "bad record"),
            ("http://a/t", "not text"),
            ("a.warc", "no documents"),
            ("a.warc", "no documents"),
            ("a.warc", "no documents"),
            ("a.warc", "no documents"),
        ]
        .map(|(id, kind)| (id.to_owned(), kind))
    );
    assert!(matches!(documents(&items)[5].body, Body::Bytes(_)), "nobody says what it is");
}

#[test]
fn fields_that_are_asked_for() {
    let options = Options {
        id_field: "warc-record-id".into(),
        category_field: Some("WARC-Type".into()),
        rank_field: Some("WARC-Date".into()),
        ..Options::default()
    };
    let document = documents(&items_in_file("a.warc", &page(7), options)).remove(0);
    assert_eq!(document.id, "<urn:uuid:00000000-0000-4000-8000-000000000007>");
    assert_eq!(document.category.as_deref(), Some("response"));
    assert_eq!(document.rank.as_deref(), Some("2026-01-02T03:04:07Z"));
    assert_eq!(document.place, Place::Row { source: 0, row: 0 });
}

#[test]
fn sizes_are_bounded() {
    let options = Options { max_size: 100, min_size: 5, ..Options::default() };
    let html = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX: ";
    let records = [
        response(1, "http://a/fits", &format!("{html}{}", "x".repeat(3000)), &[b'a'; 100]),
        response(2, "http://a/over", html, &[b'a'; 101]),
        response(3, "http://a/bomb", &format!("{html}\r\nContent-Encoding: gzip"), &gzip(&vec![b'a'; 1 << 20])),
        response(4, "http://a/huge", html, &vec![b'a'; (1 << 20) + 200]),
        response(5, "http://a/tiny", html, b"a"),
        page(1),
    ];
    for (name, bytes) in packed(&records) {
        let items = items_in_file(name, &bytes, options.clone());
        let ids: Vec<String> = documents(&items).iter().map(|document| document.id.to_string()).collect();
        assert_eq!(ids, ["http://a/fits", "http://example.org/1"], "{name}");
        let expected = [("over", "too large"), ("bomb", "too large"), ("huge", "too large"), ("tiny", "too small")];
        assert_eq!(
            kinds(&items, Path::new("-")),
            expected.map(|(id, kind)| (format!("http://a/{id}"), kind)),
            "{name}"
        );
    }
}

/// Damaged, what is delivered is some of what was there, and what is missing is told.
fn check_damage(name: &str, bytes: &[u8], whole: &[(String, u64, String)], is_checked: bool, what: &str) {
    let items = items_in_file(name, bytes, Options { batch_bytes: 64, ..Options::default() });
    let found = rows(&items);
    let has_damage = skipped(&items).iter().any(|skipped| skipped.reason.is_damage());
    if is_checked {
        for (id, _, text) in &found {
            assert!(whole.iter().any(|(known, _, all)| known == id && all == text), "{name} {what}: {id} {text}");
        }
        assert!(has_damage || found == whole, "{name} {what}: {found:?}");
    }
}

#[test]
fn cut_at_every_byte() {
    let records = [info(), page(1), page(2), page(3)];
    for (name, bytes) in packed(&records) {
        let whole = rows(&items_in_file(name, &bytes, Options::default()));
        assert_eq!(whole.len(), 3);
        let length =
            |count: usize| packed(&records[..count]).into_iter().find(|(other, _)| *other == name).unwrap().1.len();
        let lengths: Vec<usize> = (0..=records.len()).map(length).collect();
        for end in 0..bytes.len() {
            let items = items_in_file(name, &bytes[..end], Options { batch_bytes: 64, ..Options::default() });
            let found = rows(&items);
            assert_eq!(found, whole[..found.len()], "{name} cut at {end}");
            if name.starts_with("blocks") {
                continue;
            }
            // where a record or member ends, nothing shows that more was there; nor do line ends behind the last record
            let tells = skipped(&items).iter().any(|skipped| skipped.reason.is_damage());
            let ends = lengths
                .iter()
                .any(|&all| end == all || name == "plain.warc" && (all.saturating_sub(4)..all).contains(&end));
            assert!(tells || ends, "{name} cut at {end}: {items:?}");
        }
    }
}

#[test]
fn flipped_bits() {
    let records = [info(), page(1), page(2), page(3)];
    for (name, bytes) in packed(&records) {
        let whole = rows(&items_in_file(name, &bytes, Options::default()));
        // of a file that is compressed as a whole, the checksum comes after the documents
        let is_checked = name.starts_with("members") || name.starts_with("frames");
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            check_damage(name, &flipped, &whole, is_checked, &format!("bit flipped at {at}"));
        }
    }
}

#[test]
fn damage_costs_one_record() {
    let records = crawl(6);
    for (name, bytes) in
        packed(&records).into_iter().filter(|(name, _)| !name.starts_with("whole") && !name.starts_with("blocks"))
    {
        // in the middle of the third page
        let before: usize = packed(&records[..6]).iter().find(|(other, _)| *other == name).unwrap().1.len();
        let middle = before + (packed(&records[6..7]).iter().find(|(other, _)| *other == name).unwrap().1.len()) / 2;
        let mut cut = bytes.clone();
        cut.drain(middle..middle + 20);
        let items = items_in_file(name, &cut, Options::default());
        let ids: Vec<u64> = rows(&items).iter().map(|row| row.1).collect();
        assert_eq!(ids, [2, 4, 8, 10, 12], "{name}: {:?}", skipped(&items));
        let damage: Vec<_> = skipped(&items).into_iter().filter(|skipped| skipped.reason.is_damage()).collect();
        assert_eq!(damage.len(), 1, "{name}");
        assert_eq!(damage[0].id, format!("{name}:7"));
        assert!(damage[0].reason.to_string().contains(&format!("record 7 at byte {before}")), "{}", damage[0].reason);
    }
}

#[test]
fn lengths_that_are_wrong() {
    let right = crawl(4);
    for (name, _) in packed(&[]) {
        for (length, is_long) in [("1", false), ("99999", true), ("18446744073709551615", true), ("x", false)] {
            let mut records = right.clone();
            let text = String::from_utf8(records[4].clone()).unwrap();
            let line = text.lines().find(|line| line.starts_with("Content-Length")).unwrap();
            records[4] = text.replace(line, &format!("Content-Length: {length}")).into_bytes();
            let bytes = packed(&records).into_iter().find(|(other, _)| *other == name).unwrap().1;
            let items = items_in_file(name, &bytes, Options::default());
            let found: Vec<u64> = rows(&items).iter().map(|row| row.1).collect();
            // what a wrong length swallowed cannot be unpacked again if it lies in the same member
            let is_swallowed = is_long && (name.starts_with("whole") || name.starts_with("blocks"));
            let rest: &[u64] = if is_swallowed { &[2] } else { &[2, 6, 8] };
            assert_eq!(found, rest, "{name} {length}: {:?}", skipped(&items));
            assert!(skipped(&items).iter().any(|skipped| skipped.reason.is_damage()), "{name}");
        }
    }
}

#[test]
fn nothing_but_damage_ends_soon() {
    let start = [0x1f, 0x8b, 8, 0].repeat(100_000);
    let lines = b"\nWARC/1.0\r\nContent-Length: 999999999\r\n\r\n".repeat(20_000);
    let first = gzip(&page(1));
    for (name, bytes) in
        [("a.warc.gz", [first, start].concat()), ("b.warc", lines), ("c.warc", vec![]), ("d.warc", b"PK".to_vec())]
    {
        let items = items_in_file(name, &bytes, Options::default());
        assert!(skipped(&items).iter().any(|skipped| skipped.reason.is_damage()), "{name}");
    }
}

#[test]
fn archives_in_a_wacz() {
    let dir = tempfile::tempdir().unwrap();
    let gz: Vec<u8> = crawl(2).iter().flat_map(|record| gzip(record)).collect();
    let zip = zip_of(&[
        ("datapackage.json", b"{}"),
        ("archive/a.warc.gz", &gz),
        ("archive/b.warc", &page(3)),
        ("pages/pages.jsonl", b"{}\n"),
    ]);
    write(&dir.path().join("sub/x.wacz"), &zip);
    for input in [dir.path().to_owned(), dir.path().join("sub/x.wacz")] {
        let corpus = open(vec![Input::Path(input)], Options::default());
        let items = read(&corpus);
        let places: Vec<Place> = documents(&items).into_iter().map(|document| document.place).collect();
        assert_eq!(places, [(0, 2), (0, 4), (1, 0)].map(|(source, row)| Place::Row { source, row }));
        let names: Vec<String> = corpus.sources().iter().map(|path| path.display().to_string()).collect();
        assert!(names[0].ends_with("sub/x.wacz!/archive/a.warc.gz") && names[1].ends_with("x.wacz!/archive/b.warc"));
        assert_eq!(
            skipped(&items).last().unwrap().reason.to_string(),
            "no documents: 2 members that are no web archives, such as its index"
        );
    }
    // one that is a file like others
    assert_eq!(items_of(dir.path(), Options { shards: false, ..Options::default() }).len(), 1);
    for end in [0, 10, zip.len() / 2, zip.len() - 1] {
        let items = items_in_file("x.wacz", &zip[..end], Options::default());
        assert!(skipped(&items).iter().any(|skipped| skipped.reason.is_damage()), "{end}: {items:?}");
    }
}
