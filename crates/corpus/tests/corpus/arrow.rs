//! Arrow IPC: what is read, what is written again, and damage.

use std::io::Cursor;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringDictionaryBuilder, StringViewBuilder};
use arrow_array::types::Int16Type;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Int64Array, LargeStringArray, RecordBatch, StringArray, StructArray,
    TimestampMillisecondArray,
};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_ipc::{CompressionType, root_as_message};
use arrow_schema::{DataType, Field, Schema};
use arrow_select::concat::concat_batches;
use arrow_select::filter::filter_record_batch;
use lookalike_corpus::{Annotation, Body, CopyError, Item, Options, Place, Ruling};
use proptest::prelude::*;
use tempfile::tempdir;

use crate::common::tables::{Rng, copy, keeping, kept};
use crate::common::{documents, items_of, skipped, texts, write};

/// All batches have the same dictionary, as those of a file must.
fn batch(rows: u64, rng: &mut Rng) -> RecordBatch {
    let some = |rng: &mut Rng| (!rng.one_in(4)).then(|| rng.text());
    let texts: Vec<Option<String>> = (0..rows).map(|_| some(rng)).collect();
    let mut kinds = StringDictionaryBuilder::<Int16Type>::new();
    kinds.extend(["a", "b", "c"].map(Some));
    (0..rows).for_each(|_| kinds.append_option((!rng.one_in(5)).then(|| ["a", "b", "c"][rng.below(3) as usize])));
    let kinds = kinds.finish().slice(3, rows as usize);
    let mut views = StringViewBuilder::new();
    views.extend(texts.iter().map(Option::as_deref));
    let mut tags = ListBuilder::new(arrow_array::builder::StringBuilder::new());
    for _ in 0..rows {
        let list: Option<Vec<Option<String>>> =
            (!rng.one_in(3)).then(|| (0..rng.below(3)).map(|_| Some(rng.text())).collect());
        tags.append_option(list);
    }
    let meta: ArrayRef = Arc::new(texts.iter().map(Option::as_deref).collect::<LargeStringArray>());
    let meta = StructArray::from(vec![(Arc::new(Field::new("body", DataType::LargeUtf8, true)), meta)]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("id", Arc::new((0..rows.cast_signed()).map(|row| (row % 5 != 0).then_some(row)).collect::<Int64Array>())),
        ("text", Arc::new(texts.iter().map(Option::as_deref).collect::<StringArray>())),
        ("kind", Arc::new(kinds)),
        ("view", Arc::new(views.finish())),
        ("tags", Arc::new(tags.finish())),
        ("meta", Arc::new(meta)),
        ("when", Arc::new((0..rows.cast_signed()).map(|row| Some(row * 1000)).collect::<TimestampMillisecondArray>())),
    ];
    let fields: Vec<Field> =
        columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
    let metadata = [("mine".to_owned(), "a value".to_owned())];
    let schema = Schema::new(fields).with_metadata(std::collections::HashMap::from(metadata));
    RecordBatch::try_new(Arc::new(schema), columns.into_iter().map(|(_, array)| array).collect()).unwrap()
}

fn codec(at: u64) -> IpcWriteOptions {
    let codec = [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)][(at % 3) as usize];
    IpcWriteOptions::default().try_with_compression(codec).unwrap()
}

fn table(batches: &[RecordBatch], at: u64) -> Vec<u8> {
    let schema = batches[0].schema();
    if at >= 3 {
        let mut to = StreamWriter::try_new_with_options(Vec::new(), &schema, codec(at)).unwrap();
        batches.iter().try_for_each(|batch| to.write(batch)).unwrap();
        return to.into_inner().unwrap();
    }
    let mut to = FileWriter::try_new_with_options(Vec::new(), &schema, codec(at)).unwrap();
    to.write_metadata("footer", "said");
    batches.iter().try_for_each(|batch| to.write(batch)).unwrap();
    to.into_inner().unwrap()
}

fn batches(bytes: &[u8]) -> Vec<RecordBatch> {
    if bytes.starts_with(b"ARROW1") {
        let reader = FileReader::try_new(Cursor::new(bytes.to_vec()), None).unwrap();
        assert_eq!(reader.custom_metadata().get("footer").map(String::as_str), Some("said"));
        return reader.map(Result::unwrap).collect();
    }
    StreamReader::try_new(Cursor::new(bytes.to_vec()), None).unwrap().map(Result::unwrap).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn a_copy_has_the_rows_that_stay(seed: u64, at in 0u64..6, sizes in prop::collection::vec(1u64..120, 1..4)) {
        let mut rng = Rng(seed);
        let original: Vec<RecordBatch> = sizes.iter().map(|rows| batch(*rows, &mut rng)).collect();
        let kept = kept(sizes.iter().sum(), &mut rng);
        let bytes = table(&original, at);
        let (copied, out) = copy("a.arrow", &bytes, false, keeping(&kept));
        prop_assert_eq!(copied.unwrap().records, kept.len() as u64);
        let mut rest = kept.as_slice();
        let expected = original.iter().map(|batch| {
            let (these, after) = rest.split_at(batch.num_rows());
            rest = after;
            filter_record_batch(batch, &BooleanArray::from(these.to_vec())).unwrap()
        });
        let expected: Vec<RecordBatch> = expected.filter(|batch| batch.num_rows() > 0).collect();
        prop_assert_eq!(out.starts_with(b"ARROW1"), at < 3);
        prop_assert_eq!(batches(&out), expected);
    }

    #[test]
    fn texts_are_those_of_the_rows(seed: u64, at in 0u64..6, batch_bytes in 1usize..2000, field in 0usize..3) {
        let mut rng = Rng(seed);
        let original: Vec<RecordBatch> = [40, 1, 90].iter().map(|rows| batch(*rows, &mut rng)).collect();
        let dir = tempdir().unwrap();
        let path = dir.path().join("a.feather");
        write(&path, &table(&original, at));
        let text_field = ["text", "view", "meta.body"][field].to_owned();
        let options = Options { text_field, batch_bytes, category_field: Some("kind".into()), rank_field: Some("when".into()), ..Options::default() };
        let items = items_of(&path, options);
        let whole = concat_batches(&original[0].schema(), &original).unwrap();
        let column: &StringArray = whole.column(1).as_any().downcast_ref().unwrap();
        prop_assert_eq!(items.len(), column.len());
        for (row, item) in items.iter().enumerate() {
            match item {
                Item::Document(document) => {
                    prop_assert_eq!(&document.body, &Body::Text(column.value(row).into()));
                    prop_assert_eq!(&document.place, &Place::Row { source: 0, row: row as u64 });
                    prop_assert!(document.rank.as_deref().unwrap().starts_with("1970-01-01T00:0"));
                    prop_assert!(document.category.as_deref().is_none_or(|kind| ["a", "b", "c"].contains(&kind)));
                }
                Item::Skipped(_) => prop_assert!(column.is_null(row)),
            }
        }
    }
}

#[test]
fn annotations_cuts_and_features() {
    let original = [batch(50, &mut Rng(1)), batch(30, &mut Rng(2))];
    let dir = tempdir().unwrap();
    let path = dir.path().join("a.arrow");
    for at in 0..6 {
        let bytes = table(&original, at);
        let annotation = Annotation { duplicate_of: Some("x".into()), cluster: Some(7), ..Annotation::default() };
        let rule = |row| Ruling {
            keep: row != 1,
            annotation: if row == 2 { annotation.clone() } else { Annotation::default() },
            ..Ruling::KEEP
        };
        let (copied, out) = copy("a.arrow", &bytes, true, rule);
        copied.unwrap();
        let found = batches(&out);
        assert_eq!(found[0].num_columns(), 12);
        assert_eq!((found[0].num_rows(), found[1].num_rows()), (49, 30));
        let clusters = found[0].column(11);
        assert_eq!((clusters.null_count(), clusters.is_valid(1)), (48, true));
        let (again, _) = copy("a.arrow", &out, true, |_| Ruling::KEEP);
        assert!(matches!(again, Err(CopyError::Unsupported { .. })));
        write(&path, &bytes);
        let whole = documents(&items_of(&path, Options { min_size: 3, ..Options::default() }));
        let rows: Vec<u64> = whole
            .iter()
            .filter(|document| document.body.as_bytes().unwrap().starts_with(b"one"))
            .map(|document| document.place.record().unwrap().1)
            .collect();
        let cut = |row| Ruling { cuts: rows.contains(&row).then_some(0..3).into_iter().collect(), ..Ruling::KEEP };
        let (copied, out) = copy("a.arrow", &bytes, false, cut);
        copied.unwrap();
        assert_eq!(batches(&out)[0].schema(), original[0].schema());
        let whole = texts(&items_of(&path, Options::default()));
        write(&path, &out);
        let cut = texts(&items_of(&path, Options::default()));
        for ((_, text), (_, cut)) in whole.iter().zip(&cut) {
            assert_eq!(text.strip_prefix("one").unwrap_or(text), cut);
        }
        let features = items_of(&path, Options { features_field: Some("tags".into()), ..Options::default() });
        assert!(documents(&features).len() > 20 && skipped(&features).len() > 5);
    }
}

#[test]
fn columns_that_are_not_there() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("a.arrow");
    write(&path, &table(&[batch(5, &mut Rng(1))], 0));
    let reason = |field: &str| {
        skipped(&items_of(&path, Options { text_field: field.into(), ..Options::default() }))[0].reason.to_string()
    };
    let found = "\"id\", \"text\", \"kind\", \"view\", \"tags\", \"meta.body\", \"when\"";
    assert_eq!(reason("x"), format!("no text: there is no column \"x\"; expected text, found {found}"));
    assert!(
        reason("when").starts_with("no text: the column \"when\" is Timestamp(ms); expected text"),
        "{}",
        reason("when")
    );
}

#[test]
fn damage_is_told() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("a.arrow");
    for at in [0, 2, 4] {
        let original = table(&[batch(3, &mut Rng(1)), batch(2, &mut Rng(2))], at);
        let whole = texts(&{
            write(&path, &original);
            items_of(&path, Options::default())
        });
        let mut rng = Rng(9);
        let flips = (0..original.len()).step_by(7).map(|byte| {
            let mut bytes = original.clone();
            bytes[byte] ^= 1 << rng.below(8);
            bytes
        });
        for bytes in flips {
            write(&path, &bytes);
            items_of(&path, Options::default());
            let _ = copy("a.arrow", &bytes, false, |row| Ruling { keep: row % 2 == 0, ..Ruling::KEEP });
        }
        for end in (0..original.len()).step_by(31) {
            write(&path, &original[..end]);
            let items = items_of(&path, Options::default());
            let damage = skipped(&items).iter().any(|skipped| skipped.reason.is_damage());
            let (copied, _) = copy("a.arrow", &original[..end], false, |_| Ruling::KEEP);
            // a stream may end behind any message
            assert!((damage && copied.is_err()) || at >= 3, "{end} of {}", original.len());
            assert!(whole.starts_with(&texts(&items)));
        }
    }
}

/// A record batch whose buffers are all the same bytes, each of which could unpack to what it says.
#[test]
fn buffers_that_overlap_unpack_to_no_more_than_their_bytes_can_hold() {
    let mut bytes = table(&[batch(40, &mut Rng(1))], 5);
    let mut at = 0;
    let (mut buffers, body) = loop {
        let metadata = at + 8..at + 8 + u32::from_le_bytes(bytes[at + 4..at + 8].try_into().unwrap()) as usize;
        let message = root_as_message(&bytes[metadata.clone()]).unwrap();
        let body = metadata.end..metadata.end + message.bodyLength() as usize;
        if let Some(batch) = message.header_as_record_batch() {
            let pairs = batch.buffers().unwrap().iter().map(|buffer| [buffer.offset(), buffer.length()]);
            break (pairs.collect::<Vec<_>>(), body);
        }
        at = body.end;
    };
    let encoded =
        |buffers: &[[i64; 2]]| buffers.as_flattened().iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>();
    let old = encoded(&buffers);
    let place = bytes.windows(old.len()).position(|window| window == old).unwrap();
    let len = i64::try_from(body.len()).unwrap();
    buffers.fill([0, len]);
    bytes[place..place + old.len()].copy_from_slice(&encoded(&buffers));
    let claim = (len - 8) << 16;
    bytes[body.start..body.start + 8].copy_from_slice(&claim.to_le_bytes());
    let dir = tempdir().unwrap();
    let path = dir.path().join("a.arrow");
    write(&path, &bytes);
    let found = skipped(&items_of(&path, Options::default()))[0].reason.to_string();
    assert!(found.contains("in one record batch cannot hold"), "{found}");
}
