//! Shards written again.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use lookalike_corpus::{Annotation, Copied, CopyError, CopyOptions, Ruling, copy_shard};

fn options(annotate: bool) -> CopyOptions {
    CopyOptions { text_field: "text".into(), annotate }
}

/// Writes a shard again; what it says, and its bytes.
fn copy(
    name: &str,
    content: &[u8],
    annotate: bool,
    mut rule: impl FnMut(u64) -> Ruling,
) -> (Result<Copied, CopyError>, Vec<u8>) {
    let dir = tempfile::tempdir().unwrap();
    let (from, to) = (dir.path().join(name), dir.path().join("out"));
    fs::write(&from, content).unwrap();
    let copied = copy_shard(&from, File::create(&to).unwrap(), &options(annotate), &mut |row| Ok(rule(row)));
    (copied, fs::read(to).unwrap())
}

fn dropped(rows: &[u64]) -> impl Fn(u64) -> Ruling {
    move |row| Ruling { keep: !rows.contains(&row), ..Ruling::KEEP }
}

const LINES: &str =
    "\u{feff}{\"id\": 1,  \"text\":\"a\"}\r\n\n{\"text\":\"b\",\"x\":[1]}\nnot JSON\n{\"text\":\"last\"}";

#[test]
fn lines_that_stay_are_the_same_bytes() {
    let (copied, out) = copy("a.jsonl", LINES.as_bytes(), false, dropped(&[]));
    assert_eq!(copied.unwrap(), Copied { records: 5, blank: 1, written: 5 });
    assert_eq!(String::from_utf8(out).unwrap(), LINES);
    let (copied, out) = copy("a.jsonl", LINES.as_bytes(), false, dropped(&[2, 4]));
    assert_eq!(copied.unwrap(), Copied { records: 5, blank: 1, written: 3 });
    assert_eq!(String::from_utf8(out).unwrap(), "\u{feff}{\"id\": 1,  \"text\":\"a\"}\r\n\nnot JSON\n");
}

#[test]
fn lines_longer_than_any_buffer() {
    let long = format!("{{\"text\":\"{}\"}}\n", "x".repeat(3 << 20));
    let content = format!("{long}{{}}\n{long}");
    let (copied, out) = copy("a.jsonl", content.as_bytes(), false, dropped(&[0]));
    assert_eq!(copied.unwrap().written, 2);
    assert_eq!(out, format!("{{}}\n{long}").into_bytes());
}

#[test]
fn compressed_as_it_was() {
    let gzip = {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        out.write_all(LINES.as_bytes()).unwrap();
        out.finish().unwrap()
    };
    let zstd = zstd::encode_all(LINES.as_bytes(), 3).unwrap();
    for (name, packed) in [("a.jsonl.gz", gzip), ("a.jsonl.zst", zstd)] {
        let (copied, out) = copy(name, &packed, false, dropped(&[2]));
        assert_eq!(copied.unwrap(), Copied { records: 5, blank: 1, written: 4 }, "{name}");
        let mut text = String::new();
        match name {
            "a.jsonl.gz" => flate2::read::MultiGzDecoder::new(&out[..]).read_to_string(&mut text).unwrap(),
            _ => zstd::stream::read::Decoder::new(&out[..]).unwrap().read_to_string(&mut text).unwrap(),
        };
        assert_eq!(text, LINES.replace("{\"text\":\"b\",\"x\":[1]}\n", ""), "{name}");
        let (copied, _) = copy(name, &packed[..packed.len() - 9], false, dropped(&[]));
        assert!(matches!(copied, Err(CopyError::Read { .. })), "{name}: {copied:?}");
    }
}

#[test]
fn annotations_are_fields_behind_the_others() {
    let annotation = Annotation {
        duplicate_of: Some("a \"quoted\" id".into()),
        resemblance: Some(0.875),
        class: Some("near"),
        cluster: Some(3),
        ..Annotation::default()
    };
    let rule =
        |row| Ruling { annotation: if row == 1 { annotation.clone() } else { Annotation::default() }, ..Ruling::KEEP };
    let (copied, out) = copy("a.jsonl", b"{\"b\":1}\n{\"a\": \"}\"} \n{}\n[1]\n\n", true, rule);
    assert_eq!(copied.unwrap().written, 5);
    let none = "\"lookalike_duplicate_of\":null,\"lookalike_resemblance\":null,\"lookalike_containment\":null,\"lookalike_class\":null,\"lookalike_cluster\":null";
    let some = "\"lookalike_duplicate_of\":\"a \\\"quoted\\\" id\",\"lookalike_resemblance\":0.875,\"lookalike_containment\":null,\"lookalike_class\":\"near\",\"lookalike_cluster\":3";
    assert_eq!(
        String::from_utf8(out).unwrap(),
        format!("{{\"b\":1,{none}}}\n{{\"a\": \"}}\",{some}}} \n{{{none}}}\n[1]\n\n")
    );
    let (copied, _) = copy("a.jsonl", b"{\"lookalike_class\":1}\n", true, rule);
    assert!(matches!(copied, Err(CopyError::Unsupported { .. })), "{copied:?}");
}

#[test]
fn text_is_cut_where_it_stands() {
    let rule = |row| Ruling { cuts: if row == 0 { vec![1..4, 5..6] } else { Vec::new() }, ..Ruling::KEEP };
    let (copied, out) =
        copy("a.jsonl", "{\"x\":1, \"text\":\"aé\\n\\u0062c\" ,\"y\":[]}\n{\"text\":\"z\"}".as_bytes(), false, rule);
    copied.unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "{\"x\":1, \"text\":\"ab\" ,\"y\":[]}\n{\"text\":\"z\"}");
    let rule = |_| Ruling { cuts: std::iter::once(2..3).collect(), ..Ruling::KEEP };
    let (copied, _) = copy("a.jsonl", "{\"text\":\"aé\"}\n".as_bytes(), false, rule);
    assert!(matches!(copied, Err(CopyError::Unsupported { .. })), "inside a letter: {copied:?}");
}

#[test]
fn what_cannot_be_read_is_named() {
    let missing = copy_shard(Path::new("no/such.jsonl"), tempfile::tempfile().unwrap(), &options(false), &mut |_| {
        Ok(Ruling::KEEP)
    });
    let Err(error) = missing else { panic!("{missing:?}") };
    assert!(error.to_string().starts_with("no/such.jsonl: unreadable"), "{error}");
}
