//! Web archives written again.

use std::fs::{self, File};
use std::path::Path;

use lookalike_corpus::{
    Copied, CopyError, CopyOptions, Item, NEAR_DUPLICATE_PROFILE, Options, Original, Ruling, copy_shard,
};

use crate::common::packing::zip_of;
use crate::common::warcs::{crawl, info, packed, page, record, with_dictionary};
use crate::common::{documents, gzip, items_of, skipped, write};

fn options() -> CopyOptions {
    CopyOptions { text_field: "text".into(), annotate: false }
}

fn copy_path(from: &Path, to: &Path, rule: impl Fn(u64) -> Ruling) -> Result<Copied, CopyError> {
    copy_shard(from, File::create(to).unwrap(), &options(), &mut |row| Ok(rule(row)))
}

/// Writes a web archive again under the same name in another folder: what it says, its bytes, and what is in it.
fn copy(
    name: &str,
    content: &[u8],
    rule: impl Fn(u64) -> Ruling,
) -> (Result<Copied, CopyError>, Vec<u8>, Vec<Item<'static>>) {
    let dir = tempfile::tempdir().unwrap();
    let (from, to) = (dir.path().join("from").join(name), dir.path().join(name));
    write(&from, content);
    let copied = copy_path(&from, &to, rule);
    let items = if copied.is_ok() { items_of(&to, Options::default()) } else { Vec::new() };
    (copied, fs::read(to).unwrap(), items)
}

fn ids(items: &[Item<'static>]) -> Vec<String> {
    documents(items).iter().map(|document| document.id.rsplit('/').next().unwrap().to_owned()).collect()
}

fn dropped(rows: &[u64]) -> impl Fn(u64) -> Ruling {
    move |row| Ruling { keep: !rows.contains(&row), ..Ruling::KEEP }
}

fn files(records: &[Vec<u8>]) -> Vec<(&'static str, Vec<u8>)> {
    let mut files = packed(records).to_vec();
    files.push(("dictionary.warc.zst", with_dictionary(records, true)));
    files
}

#[test]
fn what_stays_is_the_same() {
    let records = crawl(5);
    for (name, bytes) in files(&records) {
        let (copied, out, items) = copy(name, &bytes, dropped(&[]));
        assert_eq!(copied.unwrap(), Copied { records: 11, blank: 0, written: 11 }, "{name}");
        let is_verbatim = !name.starts_with("whole") && !name.starts_with("blocks");
        assert!(!is_verbatim || out == bytes, "{name}");
        assert_eq!(ids(&items), ["1", "2", "3", "4", "5"], "{name}");
        let (copied, out, items) = copy(name, &bytes, dropped(&[0, 4, 10]));
        assert_eq!(copied.unwrap(), Copied { records: 11, blank: 0, written: 8 }, "{name}");
        assert_eq!(ids(&items), ["1", "3", "4"], "{name}");
        let left: Vec<Vec<u8>> = (0..)
            .zip(&records)
            .filter(|(row, _)| ![0, 4, 10].contains(row))
            .map(|(_, record)| record.clone())
            .collect();
        let expected = files(&left).into_iter().find(|(other, _)| *other == name).unwrap().1;
        assert!(!is_verbatim || out == expected, "{name}");
        assert!(skipped(&items).iter().all(|skipped| !skipped.reason.is_damage()), "{name}");
    }
}

#[test]
fn a_file_that_was_whole_gets_a_member_for_each_record() {
    let records = crawl(2);
    let (_, out, _) = copy("a.warc.gz", &gzip(&records.concat()), dropped(&[]));
    let starts = (0..out.len() - 3).filter(|&at| out[at..].starts_with(&[0x1f, 0x8b, 8, 0])).count();
    assert_eq!(starts, records.len());
    let (_, again, _) = copy("a.warc.gz", &out, dropped(&[]));
    assert_eq!(again, out);
}

fn revisit_of(record: Vec<u8>, original: &Original) -> String {
    let (copied, out, items) = copy("a.warc", &[info(), record].concat(), |row| Ruling {
        keep: row == 0,
        original: (row == 1).then(|| original.clone()),
        ..Ruling::KEEP
    });
    assert_eq!(copied.unwrap(), Copied { records: 2, blank: 0, written: 2 });
    assert!(documents(&items).is_empty());
    assert!(skipped(&items).iter().any(|skipped| skipped.reason.to_string().contains("1 records of type revisit")));
    String::from_utf8(out).unwrap().split_off(info().len())
}

#[test]
fn a_revisit_takes_the_place_of_what_is_dropped() {
    let original =
        Original { uri: "http://b/1\r\nX: y".into(), date: Some("2025-01-01T00:00:00Z".into()), payload_digest: None };
    let revisit = revisit_of(page(3), &original);
    let lines: Vec<&str> = revisit.split("\r\n").collect();
    assert_eq!(lines[0], "WARC/1.1");
    for line in [
        "WARC-Type: revisit",
        &format!("WARC-Profile: {NEAR_DUPLICATE_PROFILE}"),
        "WARC-Refers-To-Target-URI: http://b/1  X: y",
        "WARC-Refers-To-Date: 2025-01-01T00:00:00Z",
        "WARC-Target-URI: http://example.org/3",
        "WARC-Date: 2026-01-02T03:04:03Z",
        "Content-Type: application/http; msgtype=response",
    ] {
        assert!(lines.contains(&line), "{line}: {revisit}");
    }
    assert!(
        revisit.ends_with("\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n\r\n\r\n"),
        "{revisit}"
    );
    let id = lines.iter().find(|line| line.starts_with("WARC-Record-ID")).unwrap();
    assert!(!id.contains("000000000003") && id.len() == "WARC-Record-ID: <urn:uuid:>".len() + 36, "{id}");
    assert_eq!(revisit_of(page(3), &original), revisit, "the same again");
    assert!(!revisit_of(page(4), &original).contains(id));
}

#[test]
fn identical_only_if_it_is_known() {
    let digest = Some("sha1:AAAA".to_owned());
    let fields =
        [("WARC-Payload-Digest", "sha1:AAAA"), ("Content-Type", "text/plain"), ("WARC-Block-Digest", "sha1:B")];
    let resource = record(1, "resource", "http://a", &fields, b"text");
    let original = |payload_digest| Original { uri: "http://b".into(), date: None, payload_digest };
    let same = revisit_of(resource.clone(), &original(digest));
    assert!(same.contains("WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n"));
    assert!(
        same.contains("Content-Length: 0\r\n\r\n\r\n\r\n") && same.contains("sha1:AAAA") && !same.contains("sha1:B\r"),
        "{same}"
    );
    assert!(!same.contains("Refers-To-Date"));
    for other in [None, Some("sha1:CCCC".to_owned())] {
        assert!(revisit_of(resource.clone(), &original(other)).contains(NEAR_DUPLICATE_PROFILE));
    }
}

#[test]
fn damage_is_an_error_that_says_where() {
    let records = [info(), page(1), page(2)];
    for (name, bytes) in files(&records) {
        let complete =
            |count: usize| files(&records[..count]).into_iter().find(|(other, _)| *other == name).unwrap().1.len();
        let complete: Vec<usize> = (0..=3).map(complete).collect();
        for end in (0..bytes.len()).step_by(7) {
            let (copied, _, _) = copy(name, &bytes[..end], dropped(&[1]));
            // of a plain file the line ends behind the last record may be missing
            let is_whole = complete.iter().any(|&all| (all.saturating_sub(4)..=all).contains(&end));
            match copied {
                Err(error @ CopyError::Read { .. }) => assert!(error.to_string().contains(name), "{error}"),
                Ok(_) if is_whole || name.starts_with("blocks") => {}
                other => panic!("{name} cut at {end}: {other:?}"),
            }
        }
    }
    let (copied, _, _) = copy("a.warc", &[page(1), b"x".to_vec()].concat(), dropped(&[]));
    assert!(copied.unwrap_err().to_string().contains("record 1 at byte 0"));
}

#[test]
fn what_cannot_be_done_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let from = dir.path().join("a.warc");
    write(&from, &page(1));
    let copied =
        copy_path(&from, &dir.path().join("b"), |_| Ruling { cuts: std::iter::once(0..1).collect(), ..Ruling::KEEP });
    assert!(matches!(copied, Err(CopyError::Unsupported { .. })));
    let annotate = CopyOptions { annotate: true, ..options() };
    let copied = copy_shard(&from, tempfile::tempfile().unwrap(), &annotate, &mut |_| Ok(Ruling::KEEP));
    assert!(matches!(copied, Err(CopyError::Unsupported { .. })));
}

#[test]
fn archives_in_a_wacz_can_be_copied_out() {
    let dir = tempfile::tempdir().unwrap();
    let gz: Vec<u8> = crawl(2).iter().flat_map(|record| gzip(record)).collect();
    let whole = gzip(&crawl(3).concat());
    let deflated = crawl(4).concat();
    let names = ["archive/a.warc.gz", "archive/b.warc.gz", "archive/c.warc"];
    write(&dir.path().join("x.wacz"), &zip_of(&[(names[0], &gz), (names[1], &whole), (names[2], &deflated)]));
    for (name, pages) in names.into_iter().zip(2..) {
        let from = dir.path().join(format!("x.wacz!/{name}"));
        let to = dir.path().join(Path::new(name).file_name().unwrap());
        match copy_path(&from, &to, dropped(&[2])) {
            Ok(copied) => assert_eq!(copied, Copied { records: 2 * pages + 1, blank: 0, written: 2 * pages }),
            // one that is packed twice cannot be read from its middle
            Err(error) => assert!(pages == 3 && error.to_string().contains("second time"), "{error}"),
        }
    }
    assert_eq!(ids(&items_of(&dir.path().join("a.warc.gz"), Options::default())), ["2"]);
    assert_eq!(ids(&items_of(&dir.path().join("c.warc"), Options::default())), ["2", "3", "4"]);
}
