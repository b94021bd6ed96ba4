//! CSV and TSV: what is read, what is written again, and what is wrong in them.

use lookalike_corpus::{Annotation, Body, CopyError, Input, Item, Options, Place, Reason, Ruling};
use proptest::prelude::*;
use tempfile::tempdir;

use crate::common::tables::{Rng, copy, keeping, kept};
use crate::common::{documents, gzip, items_of, open, skipped, texts, write, zstd};

fn items(name: &str, content: &[u8], options: Options) -> Vec<Item<'static>> {
    let dir = tempdir().unwrap();
    let path = dir.path().join(name);
    write(&path, content);
    let strip = format!("{}/", dir.path().display());
    items_of(&path, options)
        .into_iter()
        .map(|item| match item {
            Item::Document(mut document) => {
                document.id = document.id.replace(&strip, "").into();
                Item::Document(document)
            }
            Item::Skipped(mut skipped) => {
                skipped.id = skipped.id.replace(&strip, "");
                Item::Skipped(skipped)
            }
        })
        .collect()
}

fn reasons(items: &[Item<'static>]) -> Vec<String> {
    skipped(items).iter().map(|skipped| format!("{} {}", skipped.id, skipped.reason)).collect()
}

const TABLE: &str = "\u{feff}id,text,\"x,y\"\r\n7,\"two\nlines, \"\"quoted\"\"\",1\r\n\r\n,plain,2\r\n8,,\r\n9,é,\"\"";

#[test]
fn records_become_documents() {
    let expected = [("7", "two\nlines, \"quoted\""), ("a:2", "plain"), ("8", ""), ("9", "é")];
    for (name, content) in [
        ("a.csv", TABLE.as_bytes().to_vec()),
        ("a.csv.gz", gzip(TABLE.as_bytes())),
        ("a.csv.zst", zstd(TABLE.as_bytes())),
        ("a.csv.gz", TABLE.as_bytes().to_vec()),
        ("a.tsv", TABLE.replace("\"x,y\"", "z").replace("\"two\nlines, ", "\"two\nlines; ").replace(',', "\t").into()),
    ] {
        for batch_bytes in [1, 5, 1 << 20] {
            let items = items(name, &content, Options { batch_bytes, ..Options::default() });
            let expected = expected.map(|(id, text)| {
                let text = if name == "a.tsv" { text.replace(',', ";") } else { text.into() };
                (id.replace("a:", &format!("{name}:")), text)
            });
            assert_eq!(texts(&items), expected, "{name}");
            assert_eq!(documents(&items)[3].place, Place::Row { source: 0, row: 3 });
        }
    }
}

#[test]
fn a_table_of_something_else_is_a_document() {
    for (name, content) in
        [("a.csv", &b"name,age\nx,1\n"[..]), ("a.csv", b""), ("a.tsv", b"\xff\xfet\0e\0"), ("a.csv", b"\n\n")]
    {
        let items = items(name, content, Options::default());
        assert_eq!(documents(&items)[0].body, Body::Bytes(content.into()), "{name}");
    }
    let options = Options { text_field: "body".into(), ..Options::default() };
    assert_eq!(
        reasons(&items("a.csv", b"name,age\nx,1\n", options)),
        ["a.csv no text: there is no column \"body\"; found \"name\", \"age\""]
    );
    let dir = tempdir().unwrap();
    write(&dir.path().join("a.csv"), b"name,age\nx,1\n");
    write(&dir.path().join("b.csv"), b"text,age\nx,1\n");
    let inputs = ["a.csv", "b.csv"].map(|name| Input::Path(dir.path().join(name)));
    assert_eq!(open(inputs.into(), Options::default()).sources(), [dir.path().join("b.csv")]);
}

#[test]
fn records_that_are_none() {
    let content = b"id,text\n1,a\n2\n3,b,c\n4,\xff\n5,ok\n6,\"open\n7,x\n";
    assert_eq!(
        reasons(&items("a.csv", content, Options::default())),
        [
            "a.csv:2 bad record: it has 1 fields; expected 2, as the header has",
            "a.csv:3 bad record: it has 3 fields; expected 2, as the header has",
            "4 no text: the field \"text\" is no UTF-8 from its byte 1 on; expected text",
            "a.csv:6 bad record: a quote in it is not closed until the end of the file",
        ]
    );
    let long = format!("id,text\n1,a\n2,\"{}\"\n3,b\n4,\"{}\"", "x\n".repeat(900), "y".repeat(3000));
    for batch_bytes in [1, 16, 1000, 1 << 20] {
        let items = items("a.csv", long.as_bytes(), Options { max_size: 100, batch_bytes, ..Options::default() });
        assert_eq!(texts(&items), [("1".into(), "a".into()), ("3".into(), "b".into())]);
        let sizes: Vec<_> = skipped(&items).into_iter().map(|skipped| (skipped.id, skipped.reason)).collect();
        let too_large = |bytes| Reason::TooLarge { bytes, limit: 100 };
        assert_eq!(sizes, [("a.csv:2".into(), too_large(1804)), ("a.csv:4".into(), too_large(3004))]);
    }
    let cut = gzip(TABLE.repeat(99).as_bytes());
    let items = items("a.csv.gz", &cut[..cut.len() - 9], Options::default());
    assert!(skipped(&items).iter().any(|skipped| matches!(skipped.reason, Reason::Truncated(_))));
}

#[test]
fn features_are_json() {
    let options = Options { features_field: Some("f".into()), ..Options::default() };
    let items = items("a.csv", b"f\n\"[\"\"a\"\",1]\"\n\"[null]\"\nx\n", options);
    assert_eq!(documents(&items)[0].body, Body::Features(vec!["\"a\"".into(), "1".into()]));
    assert_eq!(reasons(&items).len(), 2);
}

#[test]
fn a_copy_has_the_same_bytes() {
    for (dropped, expected) in [
        (vec![], TABLE.to_owned()),
        (vec![0], TABLE.replace("7,\"two\nlines, \"\"quoted\"\"\",1\r\n", "")),
        (vec![1, 3], TABLE.replace(",plain,2\r\n", "").replace("9,é,\"\"", "")),
        (vec![0, 1, 2, 3], "\u{feff}id,text,\"x,y\"\r\n\r\n".to_owned()),
    ] {
        let rule = |row| Ruling { keep: !dropped.contains(&row), ..Ruling::KEEP };
        let (copied, out) = copy("a.csv", TABLE.as_bytes(), false, rule);
        assert_eq!(copied.unwrap().records, 4);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}

#[test]
fn annotations_and_cuts() {
    let annotation = Annotation {
        duplicate_of: Some("a, \"b\"".into()),
        cluster: Some(3),
        class: Some("near"),
        ..Annotation::default()
    };
    let rule = |row| Ruling {
        annotation: if row == 0 { annotation.clone() } else { Annotation::default() },
        cuts: (row == 0).then_some(0..4).into_iter().collect(),
        ..Ruling::KEEP
    };
    let (copied, out) = copy("a.csv", b"text,x\r\n\"one, two\",1\r\nb,2", true, rule);
    copied.unwrap();
    let names = Annotation::FIELDS.join(",");
    let expected = format!("text,x,{names}\r\n\" two\",1,\"a, \"\"b\"\"\",,,near,3\r\nb,2,,,,,");
    assert_eq!(String::from_utf8(out.clone()).unwrap(), expected);
    let (copied, _) = copy("a.csv", &out, true, |_| Ruling::KEEP);
    assert!(matches!(copied, Err(CopyError::Unsupported { .. })));
    let (copied, _) =
        copy("a.csv", b"text\naa\n", false, |_| Ruling { cuts: std::iter::once(1..9).collect(), ..Ruling::KEEP });
    assert!(matches!(copied, Err(CopyError::Unsupported { .. })));
}

proptest! {
    #[test]
    fn tables_of_others_are_read_and_written(seed: u64, count in 0u64..120, block in 1usize..300, annotate: bool) {
        let mut rng = Rng(seed);
        let mut to = csv::Writer::from_writer(Vec::new());
        let records: Vec<[String; 3]> = (0..count).map(|row| [row.to_string(), rng.text(), rng.text()]).collect();
        to.write_record(["id", "text", "more"]).unwrap();
        records.iter().try_for_each(|record| to.write_record(record)).unwrap();
        let content = to.into_inner().unwrap();
        let found = texts(&items("a.csv", &content, Options { batch_bytes: block, ..Options::default() }));
        let expected: Vec<_> = records.iter().map(|[id, text, _]| (id.clone(), text.clone())).collect();
        prop_assert_eq!(found, expected);
        let kept = kept(count, &mut rng);
        let (copied, out) = copy("a.csv", &content, annotate, keeping(&kept));
        copied.unwrap();
        let out: Vec<Vec<String>> = csv::Reader::from_reader(&out[..]).records()
            .map(|record| record.unwrap().iter().take(3).map(str::to_owned).collect()).collect();
        let expected: Vec<_> = records.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(record, _)| record.to_vec()).collect();
        prop_assert_eq!(out, expected);
    }

    #[test]
    fn any_bytes_have_as_many_records_for_the_reader_as_for_the_writer(
        body in prop::collection::vec(prop::sample::select(&b"ab,,\"\"\n\r"[..]), 0..60),
        block in 1usize..20,
    ) {
        let content = [b"text,b\n", &body[..]].concat();
        let items = items("a.csv", &content, Options { batch_bytes: block, ..Options::default() });
        let (copied, out) = copy("a.csv", &content, false, |_| Ruling::KEEP);
        prop_assert_eq!(copied.unwrap().records, items.len() as u64);
        prop_assert_eq!(out, content);
    }
}
