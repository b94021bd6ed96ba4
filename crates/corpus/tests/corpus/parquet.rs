//! Parquet: what is read, what is written again, and damage.

use std::sync::Arc;

use bytes::Bytes;
use lookalike_corpus::{Annotation, Body, CopyError, Document, Item, Options, Place, Reason, Ruling};
use parquet::basic::{Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, Int32Type, Int64Type, Int96,
    Int96Type,
};
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue, SortingColumn};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use proptest::prelude::*;
use tempfile::tempdir;

use crate::common::tables::{Rng, copy, keeping, kept};
use crate::common::{documents, items_of, open, read, skipped, write};
use lookalike_corpus::Input;

const SCHEMA: &str = "message table {
    required int64 id = 7;
    optional binary text (STRING);
    required boolean flag;
    optional int32 day (DATE);
    optional int64 moment (TIMESTAMP(MILLIS,true));
    optional fixed_len_byte_array(9) price (DECIMAL(20,2));
    optional double number;
    optional group meta { optional binary url (STRING); optional int96 old; required fixed_len_byte_array(3) code; }
    optional group tags (LIST) { repeated group list { optional binary element (STRING); } }
    optional group deep (LIST) {
        repeated group list { optional group element (LIST) { repeated group list { required int32 element; } } }
    }
}";

/// One column: levels of definition and repetition, and values.
struct Column<T>(Vec<i16>, Vec<i16>, Vec<T>);

impl<T> Column<T> {
    fn new() -> Self {
        Self(Vec::new(), Vec::new(), Vec::new())
    }

    fn optional(rows: u64, rng: &mut Rng, value: impl Fn(&mut Rng) -> T) -> Self {
        let mut column = Self::new();
        for _ in 0..rows {
            let value = (!rng.one_in(4)).then(|| value(rng));
            column.put(i16::from(value.is_some()), 0, value);
        }
        column
    }

    fn put(&mut self, definition: i16, repetition: i16, value: Option<T>) {
        self.0.push(definition);
        self.1.push(repetition);
        self.2.extend(value);
    }

    fn write<D: DataType<T = T>>(&self, group: &mut SerializedRowGroupWriter<'_, Vec<u8>>) {
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<D>().write_batch(&self.2, Some(&self.0), Some(&self.1)).unwrap();
        column.close().unwrap();
    }
}

fn text(rng: &mut Rng) -> ByteArray {
    ByteArray::from(rng.text().into_bytes())
}

fn write_group(group: &mut SerializedRowGroupWriter<'_, Vec<u8>>, rows: u64, rng: &mut Rng) {
    let mut ids = Column::new();
    (0..rows).for_each(|row| ids.put(0, 0, Some(row.cast_signed())));
    ids.write::<Int64Type>(group);
    Column::optional(rows, rng, text).write::<ByteArrayType>(group);
    let mut flags = Column::new();
    (0..rows).for_each(|_| flags.put(0, 0, Some(rng.one_in(2))));
    flags.write::<BoolType>(group);
    Column::optional(rows, rng, |rng| rng.below(20_000) as i32).write::<Int32Type>(group);
    Column::optional(rows, rng, |rng| rng.below(1 << 40).cast_signed()).write::<Int64Type>(group);
    let price = |rng: &mut Rng| [&[0][..], &rng.next().to_be_bytes()].concat().into();
    Column::optional(rows, rng, price).write::<FixedLenByteArrayType>(group);
    Column::optional(rows, rng, |rng| rng.below(9) as f64).write::<DoubleType>(group);
    write_nested(group, rows, rng);
}

fn write_nested(group: &mut SerializedRowGroupWriter<'_, Vec<u8>>, rows: u64, rng: &mut Rng) {
    let (mut urls, mut old, mut codes) = (Column::new(), Column::new(), Column::new());
    for _ in 0..rows {
        let outer = i16::from(!rng.one_in(3));
        let inner = outer * (1 + i16::from(rng.one_in(2)));
        urls.put(inner, 0, (inner == 2).then(|| text(rng)));
        let mut time = Int96::new();
        time.set_data(0, rng.below(9) as u32, 2_440_588 + rng.below(9) as u32);
        old.put(inner, 0, (inner == 2).then_some(time));
        codes.put(outer, 0, (outer == 1).then(|| b"abc".to_vec().into()));
    }
    urls.write::<ByteArrayType>(group);
    old.write::<Int96Type>(group);
    codes.write::<FixedLenByteArrayType>(group);
    let (mut tags, mut deep) = (Column::new(), Column::new());
    for _ in 0..rows {
        match rng.below(5) {
            level @ 0..2 => tags.put(level as i16, 0, None),
            count => (1..count).for_each(|at| {
                let level = 2 + i16::from(rng.one_in(2));
                tags.put(level, i16::from(at > 1), (level == 3).then(|| text(rng)));
            }),
        }
        match rng.below(6) {
            level @ 0..4 => deep.put(level as i16, 0, None),
            count => (0..count).for_each(|at| {
                let repetition = if at == 0 { 0 } else { 1 + rng.below(2) as i16 };
                deep.put(4, repetition, Some(rng.below(9) as i32));
            }),
        }
    }
    tags.write::<ByteArrayType>(group);
    deep.write::<Int32Type>(group);
}

fn table(groups: &[u64], properties: WriterProperties, seed: u64) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let mut rng = Rng(seed);
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    for rows in groups {
        let mut group = file.next_row_group().unwrap();
        write_group(&mut group, *rows, &mut rng);
        group.close().unwrap();
    }
    file.into_inner().unwrap()
}

fn properties(at: u64) -> WriterProperties {
    let codecs = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ];
    let version = if at.is_multiple_of(2) { WriterVersion::PARQUET_1_0 } else { WriterVersion::PARQUET_2_0 };
    let pair = KeyValue::new("mine".to_owned(), "a value".to_owned());
    let sorting = SortingColumn { column_idx: 0, descending: false, nulls_first: true };
    let statistics =
        [EnabledStatistics::None, EnabledStatistics::Chunk, EnabledStatistics::Page][(at / 2 % 3) as usize];
    WriterProperties::builder()
        .set_writer_version(version)
        .set_compression(codecs[(at % 5) as usize])
        .set_dictionary_enabled(!at.is_multiple_of(3))
        .set_statistics_enabled(statistics)
        .set_bloom_filter_enabled(at.is_multiple_of(4))
        .set_bloom_filter_max_ndv(100)
        .set_column_encoding("moment".into(), Encoding::DELTA_BINARY_PACKED)
        .set_data_page_row_count_limit(64)
        .set_write_batch_size(16)
        .set_sorting_columns(Some(vec![sorting]))
        .set_key_value_metadata(Some(vec![pair]))
        .build()
}

fn reader(bytes: &[u8]) -> SerializedFileReader<Bytes> {
    SerializedFileReader::new(Bytes::from(bytes.to_vec())).unwrap()
}

fn rows(bytes: &[u8]) -> Vec<String> {
    reader(bytes).get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect()
}

/// What a file has besides its rows, by column.
fn layout(bytes: &[u8]) -> Vec<String> {
    let reader = reader(bytes);
    let metadata = reader.metadata();
    let file = metadata.file_metadata();
    let mut layout = vec![format!("{:?} {:?} {}", file.schema(), file.key_value_metadata(), file.version())];
    for group in metadata.row_groups().iter().filter(|group| group.num_rows() > 0) {
        layout.push(format!("{:?}", group.sorting_columns()));
        for chunk in group.columns() {
            let indexes = (chunk.column_index_offset().is_some(), chunk.offset_index_offset().is_some());
            let filter = chunk.bloom_filter_offset().is_some();
            let dictionary = chunk.dictionary_page_offset().is_some();
            let encodings: Vec<String> = chunk.encodings().map(|encoding| encoding.to_string()).collect();
            layout.push(format!("{} {indexes:?} {filter} {dictionary} {encodings:?}", chunk.compression()));
        }
    }
    layout
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_copy_has_the_rows_that_stay_and_the_same_layout(
        seed: u64,
        at in 0u64..60,
        groups in prop::collection::vec(0u64..300, 0..4),
    ) {
        let original = table(&groups, properties(at), seed);
        let kept = kept(groups.iter().sum(), &mut Rng(seed ^ 1));
        let (copied, copy) = copy("a.parquet", &original, false, keeping(&kept));
        prop_assert_eq!(copied.unwrap().written, kept.iter().filter(|kept| **kept).count() as u64);
        let expected: Vec<String> = rows(&original).into_iter().zip(&kept).filter(|(_, kept)| **kept).map(|(row, _)| row).collect();
        prop_assert_eq!(rows(&copy), expected);
        let whole = layout(&original);
        prop_assert_eq!(&whole[0], &layout(&copy)[0]);
        let mut rest = kept.as_slice();
        let has_many = groups.iter().all(|rows| {
            let (group, after) = rest.split_at(*rows as usize);
            rest = after;
            group.iter().filter(|kept| **kept).count() > 50
        });
        // columns without values have no dictionary and no index
        if has_many {
            prop_assert_eq!(&layout(&copy), &whole);
        }
    }

    #[test]
    fn annotations_are_columns_behind_the_others(seed: u64, at in 0u64..60, groups in prop::collection::vec(1u64..200, 1..3)) {
        let original = table(&groups, properties(at), seed);
        let said = |row: u64| Annotation {
            duplicate_of: row.is_multiple_of(3).then(|| format!("row {row}")),
            resemblance: row.is_multiple_of(5).then_some(0.5),
            cluster: Some(row),
            ..Annotation::default()
        };
        let (copied, copy) = copy("a.parquet", &original, true, |row| Ruling { annotation: said(row), ..Ruling::KEEP });
        copied.unwrap();
        let expected: Vec<String> = rows(&original).into_iter().zip(0u64..).map(|(row, at)| {
            let Annotation { duplicate_of, resemblance, .. } = said(at);
            let id = duplicate_of.map_or("null".into(), |id| format!("\"{id}\""));
            let resemblance = resemblance.map_or("null", |_| "0.5");
            let row = row.strip_suffix('}').unwrap();
            format!("{row}, lookalike_duplicate_of: {id}, lookalike_resemblance: {resemblance}, \
                lookalike_containment: null, lookalike_class: null, lookalike_cluster: {at}}}")
        }).collect();
        prop_assert_eq!(rows(&copy), expected);
        let (again, _) = crate::common::tables::copy("a.parquet", &copy, true, |_| Ruling::KEEP);
        prop_assert!(matches!(again, Err(CopyError::Unsupported { .. })), "{:?}", again);
    }

    #[test]
    fn texts_are_those_of_the_rows(seed: u64, at in 0u64..60, batch_bytes in 1usize..4000) {
        let groups = [70, 0, 130, 1];
        let bytes = table(&groups, properties(at), seed);
        let dir = tempdir().unwrap();
        let path = dir.path().join("a.parquet");
        write(&path, &bytes);
        let options = Options { batch_bytes, category_field: Some("day".into()), rank_field: Some("meta.old".into()), ..Options::default() };
        let corpus = open(vec![Input::Path(path.clone())], options);
        let mut reader = corpus.reader();
        let (mut sum, mut items) = (0, Vec::new());
        while let Some(batch) = reader.next() {
            let batch = batch.unwrap();
            sum += batch.bytes();
            batch.read(&mut |item| items.push(item.into_owned()));
        }
        prop_assert_eq!(Some(sum), corpus.total_bytes());
        prop_assert_eq!(items.len() as u64, groups.iter().sum::<u64>());
        let rows = rows(&bytes);
        for (row, item) in items.iter().enumerate() {
            match item {
                Item::Document(document) => {
                    let Body::Text(text) = &document.body else { panic!() };
                    prop_assert!(rows[row].contains(&format!("text: \"{text}\", flag")), "{}", rows[row]);
                    let start = format!("{{id: {},", document.id);
                    prop_assert!(rows[row].starts_with(&start));
                    prop_assert_eq!(&document.place, &Place::Row { source: 0, row: row as u64 });
                    let day = document.category.as_deref().unwrap_or("null");
                    let (found, day) = (format!("day: {day}"), &rows[row]);
                    prop_assert!(day.contains(&found), "{day} {found}");
                }
                Item::Skipped(skipped) => {
                    prop_assert!(rows[row].contains("text: null"));
                    prop_assert_eq!(skipped.reason.kind(), "no text");
                }
            }
        }
    }
}

#[test]
fn features_are_lists() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("a.parquet");
    write(&path, &table(&[200], properties(1), 5));
    let options = |field: &str| Options { features_field: Some(field.into()), batch_bytes: 99, ..Options::default() };
    let items = items_of(&path, options("tags"));
    assert_eq!(items.len(), 200);
    assert!(documents(&items).iter().any(|document| document.body == Body::Features(Vec::new())));
    let is_quoted = |feature: &std::borrow::Cow<'_, str>| feature.starts_with('"') && feature.ends_with('"');
    let features = documents(&items).into_iter().filter_map(|document| match document.body {
        Body::Features(features) if !features.is_empty() => Some(features),
        _ => None,
    });
    assert!(features.map(|features| assert!(features.iter().all(is_quoted))).count() > 20);
    let reasons: Vec<String> = skipped(&items).iter().map(|skipped| skipped.reason.to_string()).collect();
    for expected in [
        "no text: the field \"tags\" is null; expected a list",
        "no text: element 1 of the field \"tags\" is null; expected a string or an integer",
    ] {
        assert!(reasons.iter().any(|reason| reason == expected), "{reasons:?}");
    }
    assert_eq!(skipped(&items_of(&path, options("deep")))[0].reason.kind(), "no text");
}

#[test]
fn columns_that_are_not_there() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("a.parquet");
    write(&path, &table(&[3], properties(0), 5));
    let reason = |text_field: &str, id_field: &str| {
        let options = Options { text_field: text_field.into(), id_field: id_field.into(), ..Options::default() };
        skipped(&items_of(&path, options))[0].reason.to_string()
    };
    assert_eq!(
        reason("body", "id"),
        "no text: there is no column \"body\"; expected text, found \"id\", \"text\", \"flag\", \"day\", \"moment\", \
         \"price\", \"number\", \"meta.url\", \"meta.old\", \"meta.code\", \"tags.list.element\", \
         \"deep.list.element.list.element\""
    );
    assert_eq!(reason("flag", "id"), "no text: the column \"flag\" is BOOLEAN; expected text");
    assert_eq!(reason("tags", "id"), "no text: the column \"tags\" is a list of String; expected text");
    assert!(reason("text", "tags").starts_with("no usable id"));
    let options = Options { text_field: "meta.url".into(), id_field: "moment".into(), ..Options::default() };
    for document in documents(&items_of(&path, options)) {
        assert!(document.id.starts_with("19") || document.id.starts_with("200") || document.id.contains(':'));
    }
}

#[test]
fn a_table_without_texts_is_told() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("a.parquet");
    write(&path, &table(&[9], properties(0), 5));
    let options = Options { min_size: 1 << 20, id_field: "nowhere".into(), ..Options::default() };
    let corpus = open(vec![Input::Path(path)], options);
    read(&corpus);
    let told = corpus.without_documents();
    assert!(told[0].reason.to_string().contains("no row of 9 is a document; row 1: "), "{told:?}");
}

#[test]
fn text_is_cut() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("a.parquet");
    for at in 0..6 {
        let original = table(&[120, 40], properties(at), 11);
        write(&path, &original);
        let whole = documents(&items_of(&path, Options::default()));
        let begins = |document: &Document<'_>| document.body.as_bytes().unwrap().starts_with(b"one");
        let chosen: Vec<u64> = whole
            .iter()
            .filter(|document| begins(document))
            .map(|document| document.place.record().unwrap().1)
            .collect();
        assert!(chosen.len() > 5);
        let cut = |row| Ruling { cuts: chosen.contains(&row).then_some(0..3).into_iter().collect(), ..Ruling::KEEP };
        let (copied, out) = copy("a.parquet", &original, false, cut);
        copied.unwrap();
        write(&path, &out);
        let found = documents(&items_of(&path, Options::default()));
        assert_eq!(found.len(), whole.len());
        for (before, after) in whole.iter().zip(&found) {
            let (before_text, after_text) = (before.body.as_bytes().unwrap(), after.body.as_bytes().unwrap());
            assert_eq!(before_text.strip_prefix(b"one").unwrap_or(before_text), after_text);
            assert_eq!(before.place, after.place);
        }
        let beyond = |row| Ruling { cuts: (row == chosen[0]).then_some(0..999).into_iter().collect(), ..Ruling::KEEP };
        let (copied, _) = copy("a.parquet", &original, false, beyond);
        assert!(matches!(copied, Err(CopyError::Unsupported { .. })), "{copied:?}");
    }
}

/// Never a panic, and never documents that are not there.
#[test]
fn damage_is_told() {
    let original = table(&[6, 5], properties(1), 3);
    let dir = tempdir().unwrap();
    let path = dir.path().join("a.parquet");
    let check = |bytes: &[u8], must_fail: bool| {
        write(&path, bytes);
        let items = items_of(&path, Options::default());
        let damage = items.iter().any(|item| matches!(item, Item::Skipped(skipped) if skipped.reason.is_damage()));
        let (copied, _) = copy("a.parquet", bytes, false, |row| Ruling { keep: row.is_multiple_of(2), ..Ruling::KEEP });
        assert!(!must_fail || (damage && copied.is_err()), "{} {copied:?}", bytes.len());
    };
    check(&original, false);
    // all of the end, and some of the rest: each takes its time
    for end in (0..original.len()).filter(|end| end % 13 == 0 || *end < 16 || end + 16 > original.len()) {
        check(&original[..end], true);
    }
    let mut rng = Rng(9);
    for at in (0..original.len()).filter(|at| at % 5 == 0) {
        let mut bytes = original.clone();
        bytes[at] ^= 1 << rng.below(8);
        check(&bytes, false);
    }
    write(&path, b"{\"text\": \"not Parquet\"}\n");
    let found = skipped(&items_of(&path, Options::default()));
    assert!(matches!(&found[0].reason, Reason::Truncated(message) if message.contains("Parquet")), "{found:?}");
}

/// A column of three texts.
fn texts(properties: WriterPropertiesBuilder) -> Vec<u8> {
    let schema = Arc::new(parse_message_type("message table { required binary text (STRING); }").unwrap());
    let properties = properties.set_dictionary_enabled(false).set_statistics_enabled(EnabledStatistics::None);
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).unwrap();
    let mut group = file.next_row_group().unwrap();
    let mut texts = Column::new();
    for text in ["one", "two", "three"] {
        texts.put(0, 0, Some(ByteArray::from(text)));
    }
    texts.write::<ByteArrayType>(&mut group);
    group.close().unwrap();
    file.into_inner().unwrap()
}

/// What a reader says of a damaged file, and what a copy of its first row says.
fn complaints(bytes: &[u8]) -> [String; 2] {
    let dir = tempdir().unwrap();
    let path = dir.path().join("a.parquet");
    write(&path, bytes);
    let found = skipped(&items_of(&path, Options::default()));
    let (copied, _) = copy("a.parquet", bytes, false, |row| Ruling { keep: row == 0, ..Ruling::KEEP });
    let found = found.first().map_or(String::new(), |skipped| skipped.reason.to_string());
    [found, copied.map_or_else(|error| error.to_string(), |_| String::new())]
}

/// Decoders take the memory that the header of a page asks for.
#[test]
fn a_page_that_says_more_than_it_can_hold_is_damage() {
    for codec in [Compression::SNAPPY, Compression::LZ4_RAW, Compression::GZIP(GzipLevel::default())] {
        // without an index, which would not be where it was
        let mut bytes = texts(WriterProperties::builder().set_compression(codec).set_offset_index_disabled(true));
        // a data page, and the size that it unpacks to in a byte
        assert_eq!([&bytes[..7], &bytes[8..9]].concat(), b"PAR1\x15\0\x15\x15", "{codec}");
        bytes.splice(7..8, [0xfe, 0xff, 0xff, 0xff, 0x0f]);
        for complaint in complaints(&bytes) {
            assert!(complaint.contains("cannot hold 2147483647"), "{codec}: {complaint}");
        }
    }
}

/// Decoders count truth values in fields that they do not know, and they have no bytes: billions, again and again.
#[test]
fn a_list_of_nothing_in_the_footer_is_damage() {
    let whole = texts(WriterProperties::builder());
    let (content, tail) = whole.split_at(whole.len() - 8);
    // a field of another number: a list of 2147483647 truth values
    let list = [0x09, 0xc8, 0x01, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07];
    let len = u32::from_le_bytes(tail[..4].try_into().unwrap()) + list.len() as u32;
    let (before, end) = content.split_at(content.len() - 1);
    let bytes = [before, &list, end, &len.to_le_bytes(), b"PAR1"].concat();
    for complaint in complaints(&bytes) {
        assert!(complaint.contains("what it says of itself is damaged"), "{complaint}");
    }
}

/// Decoders take the memory for as many pages as an index says there are.
#[test]
fn an_index_of_pages_that_are_not_there_is_damage() {
    let mut bytes = texts(WriterProperties::builder());
    let at = reader(&bytes).metadata().row_group(0).column(0).offset_index_offset().unwrap() as usize;
    // a list of one struct
    assert_eq!(bytes[at..at + 2], [0x19, 0x1c]);
    bytes.splice(at + 1..at + 2, [0xfc, 0xff, 0xff, 0xff, 0xff, 0x07]);
    let [_, copied] = complaints(&bytes);
    assert!(copied.contains("not a whole Parquet file"), "{copied}");
}

#[test]
fn row_groups_in_which_nothing_changes_are_the_same_bytes() {
    for at in 0..6 {
        let original = table(&[90, 80, 70], properties(at), 8);
        let (copied, copy) = copy("a.parquet", &original, false, |row| Ruling { keep: row != 100, ..Ruling::KEEP });
        copied.unwrap();
        for group in [0, 2] {
            let columns = |bytes: &[u8]| -> Vec<Vec<u8>> {
                let reader = reader(bytes);
                let chunks = reader.metadata().row_group(group).columns().iter();
                let ranges = chunks.map(ColumnChunkMetaData::byte_range);
                ranges.map(|(start, len)| bytes[start as usize..(start + len) as usize].to_vec()).collect()
            };
            assert_eq!(columns(&original), columns(&copy), "row group {group}");
        }
    }
}

/// More pages than are decoded at once.
#[test]
fn long_lists_stay_whole() {
    let schema = "message table { required int64 text; optional group l (LIST) { repeated group list { required int64 element; } } }";
    let properties = WriterProperties::builder().set_dictionary_enabled(false).set_data_page_size_limit(50_000);
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).unwrap();
    let mut group = file.next_row_group().unwrap();
    let (mut ids, mut lists) = (Column::new(), Column::new());
    for row in 0..300i64 {
        ids.put(0, 0, Some(row));
        let count = if row == 7 { 150_000 } else { 1 + row * 7 % 1000 };
        (0..count).for_each(|at| lists.put(2, i16::from(at > 0), Some(row * at)));
    }
    ids.write::<Int64Type>(&mut group);
    lists.write::<Int64Type>(&mut group);
    group.close().unwrap();
    let original = file.into_inner().unwrap();
    let (copied, copy) = copy("a.parquet", &original, false, |row| Ruling { keep: row % 3 != 2, ..Ruling::KEEP });
    copied.unwrap();
    let expected: Vec<String> =
        rows(&original).into_iter().enumerate().filter(|(row, _)| row % 3 != 2).map(|(_, row)| row).collect();
    assert!(rows(&copy) == expected);
}
