//! JSONL, plain: lines, ids, limits, places.

use crate::common::{documents, items_in, items_of, kinds, open, read, skipped, texts, write};
use lookalike_corpus::{Corpus, Error, Input, Options, Place, Reason};
use proptest::prelude::*;
use tempfile::tempdir;

fn small() -> Options {
    Options { batch_bytes: 16, ..Options::default() }
}

#[test]
fn lines_become_documents() {
    let lines =
        "{\"id\": \"x\", \"text\": \"one\"}\n\n  \t\n{\"text\": \"two\", \"id\": 7}\r\n\r\n{\"text\": \"three\"}";
    let expected = [("x", "one"), ("7", "two"), ("-:6", "three")].map(|(id, text)| (id.into(), text.into()));
    for options in [Options::default(), small()] {
        assert_eq!(texts(&items_in(lines.as_bytes(), options.clone())), expected);
        let marked = format!("\u{feff}{lines}");
        assert_eq!(texts(&items_in(marked.as_bytes(), options)), expected);
    }
    assert!(items_in(b"", small()).is_empty());
    assert!(items_in(b"\n\n", small()).is_empty());
}

#[test]
fn broken_lines_are_reported_and_the_rest_is_read() {
    let lines = b"{\"text\": \"a\"}\nnot json\n[1, 2]\n{\"id\": \"t\", \"text\": 5}\n{\"text\": \"\xff\"}\n\
        {\"text\": \"b\"}\n{\"id\": [], \"text\": \"c\"}\n\xef\xbb\xbf{\"text\": \"d\"}\n{\"text\": \"e\"";
    let items = items_in(lines, small());
    assert_eq!(texts(&items), [("-:1".into(), "a".into()), ("-:6".into(), "b".into())]);
    let reasons: Vec<(String, String)> =
        skipped(&items).iter().map(|skipped| (skipped.id.clone(), skipped.reason.to_string())).collect();
    let expected = [
        ("-:2", "not a JSON object: column 2: expected ident"),
        ("-:3", "not a JSON object: column 1: expected an object, found another value"),
        ("t", "no text: the field \"text\" is a number; expected a string"),
        ("-:5", "not a JSON object: column 11: invalid UTF-8"),
        ("-:7", "no usable id: it is an array; expected a string or a number"),
        ("-:8", "not a JSON object: column 1: expected value"),
        ("-:9", "not a JSON object: column 12: EOF while parsing an object"),
    ];
    assert_eq!(reasons, expected.map(|(id, reason)| (id.to_owned(), reason.to_owned())));
    let damage: Vec<bool> = skipped(&items).iter().map(|skipped| skipped.reason.is_damage()).collect();
    assert_eq!(damage, [true, true, false, true, false, true, true]);
}

#[test]
fn long_lines_are_read_over() {
    let long = format!("{{\"text\": \"{}\"}}", "x".repeat(5000));
    let lines = format!("{{\"text\": \"a\"}}\n{long}\n{{\"text\": \"b\"}}\n{long}");
    for batch_bytes in [1, 7, 100, 5100, 1 << 20] {
        let items = items_in(lines.as_bytes(), Options { max_size: 100, batch_bytes, ..Options::default() });
        assert_eq!(texts(&items), [("-:1".into(), "a".into()), ("-:3".into(), "b".into())]);
        let too_large = Reason::TooLarge { bytes: long.len() as u64, limit: 100 };
        let found: Vec<_> = skipped(&items).into_iter().map(|skipped| (skipped.id, skipped.reason)).collect();
        assert_eq!(found, [("-:2".into(), too_large.clone()), ("-:4".into(), too_large)]);
    }
}

#[test]
fn other_fields_can_be_asked_for() {
    let options = Options { id_field: "url".into(), text_field: "content".into(), ..Options::default() };
    let items = items_in(b"{\"id\": 1, \"text\": 2, \"url\": \"u\", \"content\": \"c\"}", options);
    assert_eq!(texts(&items), [("u".into(), "c".into())]);
    let options = Options { min_size: 2, ..Options::default() };
    let items = items_in(b"{\"text\": \"a\"}\n{\"text\": \"ab\"}", options);
    assert_eq!(texts(&items), [("-:2".into(), "ab".into())]);
    assert_eq!(skipped(&items)[0].reason, Reason::TooSmall { bytes: 1, limit: 2 });
}

#[test]
fn a_plain_file_knows_where_its_lines_are() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("a.jsonl");
    let content = "\u{feff}{\"text\": \"one\"}\r\n\n{\"text\": \"two\"}";
    write(&path, content.as_bytes());
    let corpus = open(vec![Input::Path(path.clone())], small());
    assert_eq!(corpus.total_bytes(), Some(content.len() as u64));
    assert_eq!(corpus.sources(), std::slice::from_ref(&path));
    let documents = documents(&read(&corpus));
    let ids: Vec<&str> = documents.iter().map(|document| &*document.id).collect();
    let name = path.display();
    assert_eq!(ids, [format!("{name}:1"), format!("{name}:3")]);
    assert_eq!(documents[0].place, Place::Line { source: 0, offset: 3, len: 16, row: 0 });
    assert_eq!(documents[1].place, Place::Line { source: 0, offset: 21, len: 15, row: 2 });
}

#[test]
fn batches_stand_for_all_bytes() {
    let dir = tempdir().unwrap();
    let lines: String = "{\"id\": 1, \"text\": \"some text\"}\n".repeat(500);
    for (name, content) in
        [("a.jsonl", lines.clone().into_bytes()), ("b.jsonl.gz", crate::common::gzip(lines.as_bytes()))]
    {
        let path = dir.path().join(name);
        write(&path, &content);
        let corpus = open(vec![Input::Path(path)], Options { batch_bytes: 1000, ..Options::default() });
        let mut reader = corpus.reader();
        let (mut bytes, mut batches) = (0, 0);
        while let Some(batch) = reader.next() {
            bytes += batch.unwrap().bytes();
            batches += 1;
        }
        assert!(batches > 10);
        assert_eq!(Some(bytes), corpus.total_bytes());
    }
}

#[test]
fn a_stream_is_read_once_a_file_any_number_of_times() {
    let corpus = open(vec![Input::Stream(Box::new(&b"{\"text\": \"a\"}"[..]))], Options::default());
    assert_eq!(corpus.total_bytes(), None);
    assert_eq!(documents(&read(&corpus))[0].place, Place::Stream);
    let mut again = corpus.reader();
    assert!(matches!(again.next(), Some(Err(Error::StreamConsumed))));
    assert!(again.next().is_none());
    let dir = tempdir().unwrap();
    let path = dir.path().join("a.ndjson");
    write(&path, b"{\"text\": \"a\"}\n");
    let corpus = open(vec![Input::Path(path)], Options::default());
    assert_eq!(read(&corpus), read(&corpus));
}

#[test]
fn inputs_come_in_the_order_given() {
    let dir = tempdir().unwrap();
    write(&dir.path().join("d/x"), b"x");
    write(&dir.path().join("a.jsonl"), b"{\"id\": 1, \"text\": \"a\"}\n");
    write(&dir.path().join("f"), b"f");
    let path = |name: &str| Input::Path(dir.path().join(name));
    let stream = Input::Stream(Box::new(&b"{\"id\": 2, \"text\": \"a\"}"[..]));
    let corpus = open(vec![path("f"), path("a.jsonl"), path("d"), stream], Options::default());
    let items = read(&corpus);
    assert_eq!(crate::common::ids(&items, dir.path()), ["f", "1", "d/x", "2"]);
}

#[test]
fn a_corpus_is_shared_between_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Corpus>();
}

#[test]
fn a_jsonl_file_named_twice_is_read_once() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("a.jsonl");
    write(&path, b"{\"text\": \"a\"}\n");
    let items = crate::common::items(vec![Input::Path(path.clone()), Input::Path(path)], Options::default());
    assert_eq!(documents(&items).len(), 1);
    assert_eq!(kinds(&items, dir.path()), [("a.jsonl".into(), "same file")]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_block_size_gives_the_same_items(
        texts in prop::collection::vec(prop_oneof!["[a-z \\n\"]{0,30}", Just("x".repeat(200))], 0..20),
        batch_bytes in 1usize..400,
        crlf: bool,
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        let line = |text: &String| serde_json::json!({ "text": text }).to_string() + end;
        let lines: String = texts.iter().map(line).collect();
        let options = Options { max_size: 150, ..Options::default() };
        let dir = tempdir().unwrap();
        let path = dir.path().join("a.jsonl");
        write(&path, lines.as_bytes());
        let items = items_of(&path, Options { batch_bytes, ..options.clone() });
        prop_assert_eq!(&items, &items_of(&path, options));
        let short: Vec<&String> = texts.iter().filter(|text| text.len() < 200).collect();
        let read: Vec<String> = crate::common::texts(&items).into_iter().map(|(_, text)| text).collect();
        prop_assert_eq!(read.iter().collect::<Vec<_>>(), short);
    }
}

#[test]
fn files_without_documents_are_told() {
    let dir = tempdir().unwrap();
    write(&dir.path().join("a.jsonl"), b"{\"id\": 1, \"body\": \"x\"}\n\n{\"id\": 2, \"body\": \"y\"}\n");
    write(&dir.path().join("b.jsonl"), b"{\"text\": \"x\"}\n{\"body\": \"y\"}\n");
    write(&dir.path().join("c.jsonl"), b"\n");
    let corpus = open(vec![Input::Path(dir.path().into())], Options::default());
    read(&corpus);
    let told: Vec<String> = corpus.without_documents().into_iter().map(|s| format!("{} {}", s.id, s.reason)).collect();
    let [told] = told.as_slice() else { panic!("{told:?}") };
    assert!(
        told.contains("a.jsonl no text: no line of 2 is a document; line 1: no text: the field \"text\" is missing"),
        "{told}"
    );
    assert!(corpus.check_ids().is_ok(), "the usual field may be missing");
}

#[test]
fn a_shard_without_any_id_is_named() {
    let dir = tempdir().unwrap();
    let ids = |field: &str| {
        let lines = b"{\"text\": \"a\", \"meta\": {\"url\": \"u\"}, \"url\": null}\n{\"text\": \"b\", \"key\": 1, \"url\": null}\n";
        write(&dir.path().join("b.jsonl"), lines);
        let corpus = open(
            vec![Input::Path(dir.path().join("b.jsonl"))],
            Options { id_field: field.into(), ..Options::default() },
        );
        read(&corpus);
        corpus.check_ids().map_err(|error| error.to_string().replace(&format!("{}/", dir.path().display()), ""))
    };
    assert_eq!(ids("key"), Ok(()));
    assert_eq!(ids("meta.url"), Ok(()));
    let message = r#"b.jsonl: no line has the field "url" for its id; found "meta.url", "text", "url""#;
    assert_eq!(ids("url"), Err(message.to_owned()));
}
