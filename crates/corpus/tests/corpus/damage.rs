//! Damage, for every format: a record that is not read is damage that is reported, so that no run takes a part of a file for all of it.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use lookalike_corpus::{CopyOptions, Item, Options, Ruling, ShardFormat, copy_archive, copy_shard};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::common::packing::{tar_of, zip_of};
use crate::common::warcs::page;
use crate::common::{documents, gzip, items_of, kinds, skipped, write, zstd};

/// Documents of each file.
const DOCUMENTS: usize = 60;
/// A hole in a file is a sector of zeros at least.
const SECTOR: usize = 512;

/// A format: the name of a file, its bytes, and those of a second file with other documents.
struct Sample {
    name: &'static str,
    first: Vec<u8>,
    second: Vec<u8>,
    /// The result of reading two such files one after the other.
    joined: Joined,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Joined {
    /// All documents of both.
    Both,
    Damage,
}

fn rows(from: usize) -> Vec<(String, String)> {
    let text = |row: usize| format!("text of document {row} with some words, {}", "and more of them ".repeat(row % 7));
    (from..from + DOCUMENTS).map(|row| (format!("d{row}"), text(row))).collect()
}

fn jsonl(from: usize) -> Vec<u8> {
    let line = |(id, text): (String, String)| format!("{}\n", serde_json::json!({ "id": id, "text": text }));
    rows(from).into_iter().map(line).collect::<String>().into_bytes()
}

fn csv(from: usize) -> Vec<u8> {
    let header = if from == 0 { "id,text\n" } else { "" };
    let lines = rows(from).into_iter().map(|(id, text)| format!("{id},\"{text}\"\n"));
    format!("{header}{}", lines.collect::<String>()).into_bytes()
}

fn parquet(from: usize) -> Vec<u8> {
    let schema =
        parse_message_type("message t { optional binary id (STRING); optional binary text (STRING); }").unwrap();
    let properties = WriterProperties::builder().build();
    let mut file = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties)).unwrap();
    for some in rows(from).chunks(25) {
        let mut group = file.next_row_group().unwrap();
        let columns: [Vec<ByteArray>; 2] = [
            some.iter().map(|(id, _)| id.as_str().into()).collect(),
            some.iter().map(|(_, text)| text.as_str().into()).collect(),
        ];
        for values in columns {
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<ByteArrayType>().write_batch(&values, Some(&vec![1; values.len()]), None).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    file.into_inner().unwrap()
}

fn arrow(from: usize, is_file: bool) -> Vec<u8> {
    use arrow_array::{RecordBatch, StringArray};
    use arrow_ipc::writer::{FileWriter, StreamWriter};
    use arrow_schema::{DataType, Field, Schema};
    let schema =
        Arc::new(Schema::new(vec![Field::new("id", DataType::Utf8, true), Field::new("text", DataType::Utf8, true)]));
    let batches: Vec<RecordBatch> = rows(from)
        .chunks(15)
        .map(|some| {
            let ids = StringArray::from_iter_values(some.iter().map(|(id, _)| id));
            let texts = StringArray::from_iter_values(some.iter().map(|(_, text)| text));
            RecordBatch::try_new(Arc::clone(&schema), vec![Arc::new(ids), Arc::new(texts)]).unwrap()
        })
        .collect();
    if is_file {
        let mut to = FileWriter::try_new(Vec::new(), &schema).unwrap();
        for batch in &batches {
            to.write(batch).unwrap();
        }
        to.into_inner().unwrap()
    } else {
        let mut to = StreamWriter::try_new(Vec::new(), &schema).unwrap();
        for batch in &batches {
            to.write(batch).unwrap();
        }
        to.into_inner().unwrap()
    }
}

fn pages(from: usize) -> Vec<Vec<u8>> {
    (from..from + DOCUMENTS).map(|number| page(number as u32 + 1)).collect()
}

fn warc_gz(from: usize) -> Vec<u8> {
    pages(from).iter().flat_map(|record| gzip(record)).collect()
}

fn members(from: usize) -> Vec<(String, Vec<u8>)> {
    rows(from).into_iter().map(|(id, text)| (format!("{id}.txt"), text.repeat(5).into_bytes())).collect()
}

fn tar(from: usize) -> Vec<u8> {
    let members = members(from);
    tar_of(&members.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect::<Vec<_>>())
}

fn zip(from: usize) -> Vec<u8> {
    let members = members(from);
    zip_of(&members.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect::<Vec<_>>())
}

fn samples() -> Vec<Sample> {
    use Joined::{Both, Damage};
    let of = |name, make: &dyn Fn(usize) -> Vec<u8>, joined| Sample {
        name,
        first: make(0),
        second: make(DOCUMENTS),
        joined,
    };
    let mut samples = vec![
        of("a.jsonl", &jsonl, Both),
        of("a.jsonl.gz", &|from| gzip(&jsonl(from)), Both),
        of("a.jsonl.zst", &|from| zstd(&jsonl(from)), Both),
        of("a.csv", &csv, Both),
        of("a.csv.gz", &|from| gzip(&csv(from)), Both),
        of("a.csv.zst", &|from| zstd(&csv(from)), Both),
        of("a.parquet", &parquet, Damage),
        of("a.warc", &|from| pages(from).concat(), Both),
        of("a.warc.gz", &warc_gz, Both),
        of("a.warc.zst", &|from| pages(from).iter().flat_map(|record| zstd(record)).collect(), Both),
        of("a.wacz", &|from| zip_of(&[("archive/a.warc.gz", &warc_gz(from))]), Damage),
        of("a.zip", &zip, Damage),
        of("a.tar", &tar, Damage),
        of("a.tar.gz", &|from| gzip(&tar(from)), Damage),
        of("a.tar.zst", &|from| zstd(&tar(from)), Damage),
    ];
    samples
        .extend([of("a.arrow", &|from| arrow(from, true), Damage), of("a.arrows", &|from| arrow(from, false), Damage)]);
    samples
}

fn options() -> Options {
    Options { archives: true, ..Options::default() }
}

fn items_in(name: &str, bytes: &[u8]) -> Vec<Item<'static>> {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join(name), bytes);
    items_of(&dir.path().join(name), options())
}

/// Everything that is one document of the file, read or skipped, but for the notes on what web archives hold besides.
fn count(items: &[Item<'static>]) -> usize {
    let is_record = |item: &&Item<'static>| match item {
        Item::Document(_) => true,
        Item::Skipped(skipped) => skipped.reason.kind() != "no documents",
    };
    items.iter().filter(is_record).count()
}

fn is_damaged(items: &[Item<'static>]) -> bool {
    skipped(items).iter().any(|skipped| skipped.reason.is_damage())
}

#[test]
fn whole_files_are_read_whole() {
    for sample in samples() {
        for bytes in [&sample.first, &sample.second] {
            if sample.name.contains(".csv") && std::ptr::eq(bytes, &raw const sample.second) {
                continue;
            }
            let items = items_in(sample.name, bytes);
            assert!(!is_damaged(&items), "{}: {:?}", sample.name, skipped(&items));
            assert_eq!(count(&items), DOCUMENTS, "{}", sample.name);
        }
    }
}

#[test]
fn of_two_files_one_after_the_other_none_is_unread() {
    for Sample { name, first, second, joined, .. } in samples() {
        let items = items_in(name, &[first, second].concat());
        match joined {
            Joined::Both => {
                assert_eq!(
                    (count(&items), is_damaged(&items)),
                    (2 * DOCUMENTS, false),
                    "{name}: {:?}",
                    skipped(&items)
                );
            }
            Joined::Damage => assert!(is_damaged(&items), "{name}: {} documents", count(&items)),
        }
    }
}

#[test]
fn data_behind_the_end_is_damage() {
    for Sample { name, first, .. } in samples() {
        for garbage in [&b"something, else, \"that is no record\n"[..], &[0x55; 1000]] {
            let items = items_in(name, &[&first[..], garbage].concat());
            assert!(is_damaged(&items), "{name}");
            let items = items_in(name, &[&first[..], &[0; 4096], garbage].concat());
            assert!(is_damaged(&items), "{name}, behind zeros");
        }
    }
}

#[test]
fn zeros_behind_the_end_lose_nothing() {
    for Sample { name, first, .. } in samples() {
        let items = items_in(name, &[&first[..], &[0; 4096]].concat());
        assert!(is_damaged(&items) || count(&items) == DOCUMENTS, "{name}: {} documents", count(&items));
    }
}

#[test]
fn members_inside_other_archives_are_looked_at_the_same_way() {
    for (name, first, second) in [("x.tar", tar(0), tar(DOCUMENTS)), ("x.zip", zip(0), zip(DOCUMENTS))] {
        let joined = [first, second].concat();
        let both: [(&str, &[u8]); 2] = [("before.txt", b"some words"), (name, &joined)];
        for (outer, bytes) in [("o.zip", zip_of(&both)), ("o.tar", tar_of(&both)), ("o.tar.gz", gzip(&tar_of(&both)))] {
            let items = items_in(outer, &bytes);
            let found = skipped(&items);
            assert!(found.iter().any(|skip| skip.id.ends_with(name) && skip.reason.is_damage()), "{outer}: {found:?}");
        }
    }
}

#[test]
fn a_hole_anywhere_costs_no_record_silently() {
    for Sample { name, first, .. } in samples() {
        let step = (first.len() / 40).clamp(1, SECTOR);
        for at in (0..first.len()).step_by(step) {
            let mut bytes = first.clone();
            let end = bytes.len().min(at + SECTOR);
            bytes[at..end].fill(0);
            let items = items_in(name, &bytes);
            assert!(
                is_damaged(&items) || count(&items) >= DOCUMENTS,
                "{name}, zeros from byte {at} of {}: {} of {DOCUMENTS} records",
                bytes.len(),
                count(&items)
            );
        }
    }
}

/// Messages of Arrow begin with eight bytes, and a tar or a web archive has heads and members of its own: a hole that begins and ends exactly there
/// leaves all around it whole.
#[test]
fn a_hole_where_a_part_begins_costs_no_record_silently() {
    let marks: [(&str, &[u8]); 4] =
        [("a.arrow", &[0xff; 4]), ("a.arrows", &[0xff; 4]), ("a.warc.gz", &[0x1f, 0x8b, 8]), ("a.tar", b"d")];
    for Sample { name, first, .. } in samples() {
        let Some((_, mark)) = marks.iter().find(|(of, _)| *of == name) else { continue };
        let mut starts: Vec<usize> = (0..first.len())
            .filter(|at| first[*at..].starts_with(mark) && (name != "a.tar" || at % SECTOR == 0))
            .collect();
        // At the end of a tar, and of gzip data, zeros are padding.
        if name.starts_with("a.arrow") {
            starts.push(first.len());
        }
        for part in starts.windows(2).skip(1) {
            for end in [part[1].min(part[0] + 8), part[1]] {
                let mut bytes = first.clone();
                bytes[part[0]..end].fill(0);
                let items = items_in(name, &bytes);
                assert!(
                    is_damaged(&items) || count(&items) >= DOCUMENTS,
                    "{name}, zeros from byte {} to {end}: {} of {DOCUMENTS} records",
                    part[0],
                    count(&items)
                );
            }
        }
    }
}

/// Ids and kinds of everything in a file.
fn all(items: &[Item<'static>], root: &Path) -> (Vec<String>, Vec<(String, &'static str)>) {
    (crate::common::ids(items, root), kinds(items, root))
}

#[test]
fn a_copy_has_all_that_was_there_or_fails() {
    let rows = CopyOptions { text_field: "text".into(), annotate: false };
    for Sample { name, first, second, .. } in samples() {
        if Path::new(name).extension().is_some_and(|extension| extension == "wacz") {
            continue;
        }
        let mut hole = first.clone();
        let middle = hole.len() / 2;
        let end = hole.len().min(middle + SECTOR);
        hole[middle..end].fill(0);
        let garbage = [&first[..], b"something else\n"].concat();
        let behind_zeros = [&first[..], &[0; 4096], &second[..]].concat();
        for bytes in [first.clone(), [first, second].concat(), garbage, behind_zeros, hole] {
            let dir = tempfile::tempdir().unwrap();
            let (from, to) = (dir.path().join("from").join(name), dir.path().join("to").join(name));
            write(&from, &bytes);
            fs::create_dir(dir.path().join("to")).unwrap();
            let out = File::create(&to).unwrap();
            let copied = match ShardFormat::of_name(&from) {
                Some(_) => copy_shard(&from, out, &rows, &mut |_| Ok(Ruling::KEEP)),
                None => copy_archive(&from, out, &mut |_| true),
            };
            if copied.is_ok() {
                let read = |path: &Path| all(&items_of(path, options()), path.parent().unwrap());
                assert_eq!(read(&to), read(&from), "{name}");
            }
        }
    }
}

/// A dictionary whose page says that it is an index, which decoders pass over.
#[test]
fn parquet_pages_without_their_dictionary_are_damage() {
    let mut bytes = parquet(0);
    assert_eq!(bytes[4..6], [0x15, 4], "a page header of Thrift, with the kind of a dictionary");
    bytes[5] = 2;
    let items = items_in("a.parquet", &bytes);
    let reasons: Vec<String> = skipped(&items).iter().map(|skipped| skipped.reason.to_string()).collect();
    assert!(reasons.iter().any(|reason| reason.contains("before any dictionary")), "{reasons:?}");
}

/// A footer that has one record batch fewer than the file.
#[test]
fn record_batches_that_the_footer_does_not_have_are_damage() {
    let mut bytes = arrow(0, true);
    let starts: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(&[0xff; 4])).collect();
    let first = [&4u32.to_le_bytes()[..], &(starts[1] as u64).to_le_bytes()].concat();
    let blocks = (0..bytes.len()).rfind(|at| bytes[*at..].starts_with(&first)).unwrap();
    bytes[blocks] = 3;
    let items = items_in("a.arrow", &bytes);
    assert!(is_damaged(&items), "{} documents", count(&items));
}

/// Polars writes the schema at the beginning of a file without the frame of a message.
#[test]
fn a_schema_without_a_frame_is_no_damage() {
    let mut bytes = arrow(0, true);
    let frame = bytes.windows(4).position(|four| four == [0xff; 4]).unwrap();
    bytes[frame..frame + 8].copy_from_slice(&[4, 0, 0, 0, 0xf2, 0xff, 0xff, 0xff]);
    let items = items_in("a.arrow", &bytes);
    assert!(!is_damaged(&items), "{:?}", skipped(&items));
    assert_eq!(count(&items), DOCUMENTS);
}

/// What takes more memory than is allowed is refused before it is decoded, also where files are decoded before their turn.
#[test]
fn large_pages_and_record_batches_are_refused() {
    let files = [("a.parquet", parquet(0)), ("a.arrow", arrow(0, true)), ("a.arrows", arrow(0, false))];
    for (name, bytes) in files {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..4 {
            write(&folder.path().join(format!("{number}-{name}")), &bytes);
        }
        let read = |unit_bytes| {
            let options = Options { unit_bytes, read_ahead: 3, read_ahead_bytes: 400, ..Options::default() };
            items_of(folder.path(), options)
        };
        assert_eq!(count(&read(100_000)), 4 * DOCUMENTS, "{name}");
        let items = read(500);
        assert!(kinds(&items, folder.path()).iter().all(|(_, kind)| *kind == "too much memory"), "{name}");
        assert_eq!((skipped(&items).len(), count(&items)), (4, 4), "{name}: nothing else");
    }
}

#[test]
fn a_stream_that_is_cut_between_two_parts_is_damaged() {
    let options = CopyOptions { text_field: "text".into(), annotate: false };
    for (name, mark) in [("a.tar", &b"d"[..]), ("a.arrows", &[0xff; 4])] {
        let Sample { first, .. } = samples().into_iter().find(|sample| sample.name == name).unwrap();
        let step = if name == "a.tar" { SECTOR } else { 8 };
        // a head, and behind it the end
        let parts = (1..first.len() / step).map(|part| part * step).filter(|at| first[*at..].starts_with(mark));
        let mut cuts = 0;
        for at in parts.filter(|at| first[*at..].iter().any(|byte| *byte != 0)) {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join(name);
            write(&path, &first[..at]);
            let items = items_of(&path, self::options());
            assert!(is_damaged(&items), "{name} at {at} of {}", first.len());
            // it can be copied as it is, if that is allowed
            let documents = documents(&items).len() as u64;
            if documents > 0 {
                let to = File::options().create_new(true).read(true).write(true).open(dir.path().join("to")).unwrap();
                let copied = match name {
                    "a.tar" => copy_archive(&path, to, &mut |_| true),
                    _ => copy_shard(&path, to, &options, &mut |_| Ok(Ruling::KEEP)),
                };
                assert_eq!(copied.unwrap().records, documents, "{name} at {at}");
                cuts += 1;
            }
        }
        assert!(cuts > 0, "{name}");
    }
}
