//! Fields that were named are looked for in the first records of every shard, before anything is read.

use std::path::Path;

use lookalike_corpus::{Corpus, Error, FieldRole, Input, MissingField, Options};

use crate::common::warcs::page;
use crate::common::{gzip, items_of, kinds, open, write, zstd};

const LINES: &str = "{\"doc_id\": 1, \"content\": \"a b\", \"meta\": {\"score\": 3, \"lang\": \"en\"}}\n\
    {\"doc_id\": 2, \"content\": \"c d\", \"extra\": null}\n";

/// The usual names of nothing: all that is asked for is in the lines.
fn options() -> Options {
    Options { text_field: "content".into(), id_field: "doc_id".into(), ..Options::default() }
}

fn check(paths: &[&Path], options: Options, needs_text: bool) -> Result<Vec<MissingField>, MissingField> {
    let inputs = paths.iter().map(|path| Input::Path(path.to_path_buf())).collect();
    open(inputs, options).check_fields(needs_text).map_err(|error| match error {
        Error::MissingField(missing) => *missing,
        other => panic!("{other}"),
    })
}

/// The same records in all formats with named fields; of tables `meta.score` is a column of its own.
fn shards() -> Vec<(&'static str, Vec<u8>)> {
    let csv = b"doc_id,content,meta.score,meta.lang,extra\n1,a b,3,en,\n".to_vec();
    let mut shards = vec![
        ("a.jsonl", LINES.into()),
        ("a.jsonl.gz", gzip(LINES.as_bytes())),
        ("a.jsonl.zst", zstd(LINES.as_bytes())),
        ("a.csv.gz", gzip(&csv)),
        ("a.csv", csv),
        ("a.parquet", parquet()),
    ];
    shards.push(("a.arrow", arrow()));
    shards
}

fn parquet() -> Vec<u8> {
    use parquet::data_type::{ByteArray, ByteArrayType};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    let schema = "message t { required binary doc_id (STRING); required binary content (STRING); required group meta { \
        required binary score (STRING); required binary lang (STRING); } required binary extra (STRING); }";
    let schema = parse_message_type(schema).unwrap().into();
    let mut file = SerializedFileWriter::new(Vec::new(), schema, std::sync::Arc::default()).unwrap();
    let mut group = file.next_row_group().unwrap();
    while let Some(mut column) = group.next_column().unwrap() {
        column.typed::<ByteArrayType>().write_batch(&[ByteArray::from("x y")], None, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    file.into_inner().unwrap()
}

fn arrow() -> Vec<u8> {
    use arrow_array::{ArrayRef, RecordBatch, StringArray, StructArray};
    use std::sync::Arc;
    let text = || Arc::new(StringArray::from(vec!["x y"])) as ArrayRef;
    let meta = StructArray::try_from(vec![("score", text()), ("lang", text())]).unwrap();
    let columns = [("doc_id", text()), ("content", text()), ("meta", Arc::new(meta) as ArrayRef), ("extra", text())];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut to = arrow_ipc::writer::FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    to.write(&batch).unwrap();
    to.into_inner().unwrap()
}

#[test]
fn a_field_that_no_record_has_is_refused_for_every_use_and_format() {
    type Change = fn(&mut Options);
    let misspelt: [(FieldRole, &str, Option<&str>, Change); 5] = [
        (FieldRole::Text, "contnet", Some("content"), |o| o.text_field = "contnet".into()),
        (FieldRole::Id, "docid", Some("doc_id"), |o| o.id_field = "docid".into()),
        (FieldRole::Rank, "meta.scor", Some("meta.score"), |o| o.rank_field = Some("meta.scor".into())),
        (FieldRole::Category, "nosuch", None, |o| o.category_field = Some("nosuch".into())),
        (FieldRole::Features, "extr", Some("extra"), |o| o.features_field = Some("extr".into())),
    ];
    for (name, bytes) in shards() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        write(&path, &bytes);
        let right =
            Options { rank_field: Some("meta.score".into()), category_field: Some("meta.lang".into()), ..options() };
        for input in [dir.path(), &path] {
            assert_eq!(check(&[input], right.clone(), true), Ok(Vec::new()), "{name}");
            for (role, field, suggestion, change) in misspelt {
                let mut wrong = right.clone();
                change(&mut wrong);
                let missing = check(&[input], wrong, false).unwrap_err();
                assert_eq!((missing.role, missing.field.as_str()), (role, field), "{name}");
                assert_eq!(missing.suggestion.as_deref(), suggestion, "{name}");
                assert_eq!(missing.path, path.display().to_string());
                for found in ["\"doc_id\"", "\"content\"", "\"meta.score\""] {
                    assert!(missing.found.contains(found), "{name}: {}", missing.found);
                }
            }
        }
    }
}

#[test]
fn fields_of_web_archives_are_those_of_their_records() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.warc.gz");
    write(&path, &gzip(&page(1)));
    let of = |field: &str| Options { rank_field: Some(field.into()), text_field: "body".into(), ..Options::default() };
    assert_eq!(check(&[&path], of("warc-record-id"), false), Ok(Vec::new()));
    let missing = check(&[&path], of("WARC-Recod-ID"), false).unwrap_err();
    assert_eq!(missing.suggestion.as_deref(), Some("WARC-Record-ID"));
}

#[test]
fn one_field_is_looked_for_in_all_shards() {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("a.jsonl"), b"{\"id\": 1, \"text\": \"a\", \"q\": 1}\n");
    write(&dir.path().join("b.jsonl"), b"{\"id\": 1, \"text\": \"a\"}\n");
    let ranked = Options { rank_field: Some("q".into()), ..Options::default() };
    let missing = check(&[dir.path()], ranked, false).unwrap();
    assert_eq!(missing.iter().map(|missing| missing.role).collect::<Vec<_>>(), [FieldRole::Rank]);
}

#[test]
fn a_field_that_some_shards_have_is_reported_for_the_others() {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("a.jsonl"), LINES.as_bytes());
    for name in ["b.jsonl", "c.jsonl"] {
        write(&dir.path().join(name), b"{\"doc_id\": 3, \"content\": \"e f\"}\n");
    }
    // Nothing can be said of what has no records.
    write(&dir.path().join("d.jsonl"), b"");
    write(&dir.path().join("e.jsonl.gz"), b"damaged");
    let missing = check(&[dir.path()], Options { rank_field: Some("meta.score".into()), ..options() }, true).unwrap();
    assert_eq!(missing.len(), 1);
    assert_eq!((missing[0].role, missing[0].more), (FieldRole::Rank, 1));
    assert!(missing[0].path.ends_with("b.jsonl"));
}

#[test]
fn some_shard_has_the_usual_text_whatever_lies_beside_it() {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("a.jsonl"), LINES.as_bytes());
    let missing = check(&[dir.path()], Options::default(), true).unwrap_err();
    assert_eq!((missing.field.as_str(), missing.suggestion.as_deref()), ("text", Some("content")));
    assert_eq!(check(&[dir.path()], Options::default(), false), Ok(Vec::new()), "it was not asked for by name");
    write(&dir.path().join("b.md"), b"a document of its own");
    assert!(check(&[dir.path()], Options::default(), true).is_err());
    write(&dir.path().join("c.jsonl"), b"{\"text\": \"a b\"}\n");
    assert_eq!(check(&[dir.path()], Options::default(), true), Ok(Vec::new()));
    // A field that was named must be there all the same.
    assert!(check(&[dir.path()], Options { text_field: "body".into(), ..Options::default() }, true).is_err());
}

#[test]
fn records_behind_the_first_do_not_count_and_long_ones_do() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.jsonl");
    let long = format!("{{\"text\": \"{}\", \"score\": 1}}\n", "word ".repeat(100_000));
    write(&path, long.as_bytes());
    let ranked = || Options { rank_field: Some("score".into()), ..Options::default() };
    assert_eq!(check(&[&path], ranked(), true), Ok(Vec::new()));
    write(&path, format!("{}{long}", "{\"text\": \"short\"}\n".repeat(100)).as_bytes());
    assert!(check(&[&path], ranked(), true).is_err());
}

#[test]
fn a_table_without_the_usual_text_is_one_document_unless_tables_are_strict() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.csv");
    write(&path, b"id,content\n1,a b\n2,c d\n");
    let strict = || Options { strict_tables: true, ..Options::default() };
    assert_eq!(check(&[&path], Options::default(), true), Ok(Vec::new()));
    let missing = check(&[&path], strict(), true).unwrap_err();
    assert_eq!(missing.suggestion.as_deref(), Some("content"));
    assert_eq!(items_of(&path, Options::default()).len(), 1);
    assert_eq!(kinds(&items_of(&path, strict()), dir.path()), [("a.csv".to_owned(), "no text")]);
    // without a record there is nothing to be strict about
    write(&path, b"");
    assert!(kinds(&items_of(&path, strict()), dir.path()).is_empty());
}

/// The first error of reading a corpus.
fn first_error(corpus: &Corpus) -> Option<String> {
    let mut reader = corpus.reader();
    std::iter::from_fn(|| reader.next()).find_map(Result::err).map(|error| error.to_string())
}

#[test]
fn a_stream_is_checked_by_its_first_lines() {
    let stream = |options| {
        let lines = std::io::Cursor::new(LINES.as_bytes());
        first_error(&open(vec![Input::Stream(Box::new(lines))], options))
    };
    assert_eq!(stream(options()), None);
    let error = stream(Options { rank_field: Some("scor".into()), ..options() }).unwrap();
    assert!(error.starts_with("-: none of the first records has the field \"scor\" for the rank; found "), "{error}");
}

#[test]
fn a_table_in_memory_is_checked_by_its_schema() {
    let table = |options| {
        let reader = arrow_ipc::reader::FileReader::try_new(std::io::Cursor::new(arrow()), None).unwrap();
        first_error(&open(vec![Input::Batches { name: "table".into(), from: Box::new(reader) }], options))
    };
    assert_eq!(table(Options { rank_field: Some("meta.score".into()), ..options() }), None);
    let error = table(Options { rank_field: Some("meta.scor".into()), ..options() }).unwrap();
    assert!(error.contains("(did you mean \"meta.score\"?)"), "{error}");
}
