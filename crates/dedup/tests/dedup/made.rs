//! Files of every format that `dedup` writes, made of the same records.

use arrow_array::{ArrayRef, Int64Array, NullArray, RecordBatch, StringArray, StructArray};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{DataType, Field, Schema};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::basic::{BrotliLevel, Compression as Codec};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::io::{Cursor, Write};
use std::sync::Arc;
use zip::write::SimpleFileOptions;

/// Formats whose records can be cut.
pub(crate) const TABLES: [&str; 14] = [
    "jsonl",
    "ndjson",
    "jsonl.gz",
    "jsonl.zst",
    "json.gz",
    "csv",
    "csv.gz",
    "csv.zst",
    "tsv",
    "tsv.gz",
    "parquet",
    "arrow",
    "feather",
    "arrows",
];
/// The other formats that hold several documents.
pub(crate) const OTHERS: [&str; 8] = ["warc", "warc.gz", "warc.zst", "wacz", "zip", "tar", "tar.gz", "tar.zst"];

/// The column that should hold the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextColumn {
    /// Text; a record whose text is `None` is null.
    Good,
    /// There is none of that name.
    Missing,
    /// It holds numbers.
    Numbers,
    /// It holds structures.
    Nested,
    /// It holds nothing but null.
    Nulls,
}

/// Records, some of them without a text.
pub(crate) type Records = Vec<(String, Option<String>)>;

pub(crate) fn records(texts: &[(String, String)]) -> Records {
    texts.iter().map(|(id, text)| (id.clone(), Some(text.clone()))).collect()
}

/// A file of this format.
pub(crate) fn file(format: &str, records: &Records, text: TextColumn) -> Vec<u8> {
    let (kind, packing) = format.split_once('.').unwrap_or((format, ""));
    let plain = match kind {
        "jsonl" | "ndjson" | "json" => jsonl(records, text),
        "csv" => separated(records, text, ","),
        "tsv" => separated(records, text, "\t"),
        "parquet" => parquet(records, text),
        "arrow" | "feather" => arrow(records, text, false),
        "arrows" => arrow(records, text, true),
        "warc" => return packed_warc(records, packing),
        "wacz" => {
            let warc = packed_warc(records, "gz");
            zip(&[("archive/data.warc.gz", &warc[..]), ("datapackage.json", b"{}")])
        }
        "zip" | "tar" => {
            let names: Vec<String> = records.iter().map(|(id, _)| format!("pages/{id}.txt")).collect();
            let text = |at: usize| records[at].1.as_deref().unwrap_or_default().as_bytes();
            let files: Vec<(&str, &[u8])> = (0..names.len()).map(|at| (&names[at][..], text(at))).collect();
            if kind == "zip" { zip(&files) } else { tar(&files) }
        }
        _ => panic!("no such format: {format}"),
    };
    packed(plain, packing)
}

pub(crate) fn packed(plain: Vec<u8>, packing: &str) -> Vec<u8> {
    match packing {
        "gz" => {
            let mut out = GzEncoder::new(Vec::new(), Compression::fast());
            out.write_all(&plain).unwrap();
            out.finish().unwrap()
        }
        "zst" => zstd::encode_all(&plain[..], 1).unwrap(),
        _ => plain,
    }
}

fn jsonl(records: &Records, column: TextColumn) -> Vec<u8> {
    let name = if column == TextColumn::Missing { "content" } else { "text" };
    let mut out = String::new();
    for (at, (id, text)) in records.iter().enumerate() {
        let text = match column {
            TextColumn::Good | TextColumn::Missing => serde_json::json!(text),
            TextColumn::Numbers => serde_json::json!(at),
            TextColumn::Nested => serde_json::json!({ "inside": text }),
            TextColumn::Nulls => serde_json::Value::Null,
        };
        out += &serde_json::json!({ "id": id, "n": at, name: text }).to_string();
        out.push('\n');
        if at % 5 == 4 {
            out += "\n";
        }
    }
    out.into_bytes()
}

fn separated(records: &Records, column: TextColumn, separator: &str) -> Vec<u8> {
    let name = if column == TextColumn::Missing { "content" } else { "text" };
    let mut out = format!("id{separator}{name}{separator}more\r\n");
    for (id, text) in records {
        let text = text.as_deref().unwrap_or_default();
        out += &[id, separator, "\"", text, "\"", separator, "\"a \"\"quote\"\"\"\r\n"].concat();
    }
    out.into_bytes()
}

fn parquet(records: &Records, column: TextColumn) -> Vec<u8> {
    let text = match column {
        TextColumn::Good | TextColumn::Nulls => "optional binary text (STRING);",
        TextColumn::Missing => "optional binary content (STRING);",
        TextColumn::Numbers => "optional int64 text;",
        TextColumn::Nested => "optional group text { optional binary inside (STRING); }",
    };
    let schema = format!("message table {{ required binary id (STRING); {text} optional int64 n; }}");
    let schema = Arc::new(parse_message_type(&schema).unwrap());
    let properties = Arc::new(WriterProperties::builder().set_compression(Codec::SNAPPY).build());
    let mut file = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
    for rows in records.chunks(8) {
        let mut group = file.next_row_group().unwrap();
        let ids: Vec<ByteArray> = rows.iter().map(|(id, _)| ByteArray::from(id.as_str())).collect();
        let mut ids_column = group.next_column().unwrap().unwrap();
        ids_column.typed::<ByteArrayType>().write_batch(&ids, None, None).unwrap();
        ids_column.close().unwrap();
        let numbers: Vec<i64> = (0..).take(rows.len()).collect();
        let all = vec![1; rows.len()];
        let mut text = group.next_column().unwrap().unwrap();
        if column == TextColumn::Numbers {
            text.typed::<Int64Type>().write_batch(&numbers, Some(&all), None).unwrap();
        } else {
            let top = if column == TextColumn::Nested { 2 } else { 1 };
            let is_null = |text: &Option<String>| text.is_none() || column == TextColumn::Nulls;
            let levels: Vec<i16> = rows.iter().map(|(_, text)| if is_null(text) { 0 } else { top }).collect();
            let texts: Vec<ByteArray> = rows
                .iter()
                .filter(|(_, text)| !is_null(text))
                .map(|(_, text)| ByteArray::from(text.as_deref().unwrap_or_default()))
                .collect();
            text.typed::<ByteArrayType>().write_batch(&texts, Some(&levels), None).unwrap();
        }
        text.close().unwrap();
        let mut last = group.next_column().unwrap().unwrap();
        last.typed::<Int64Type>().write_batch(&numbers, Some(&all), None).unwrap();
        last.close().unwrap();
        group.close().unwrap();
    }
    file.into_inner().unwrap()
}

/// A Parquet file whose footer says that its columns are compressed by a codec that is not read.
pub(crate) fn unreadable_codec(records: &Records) -> Vec<u8> {
    let bytes = Bytes::from(parquet(records, TextColumn::Good));
    let from = SerializedFileReader::new(bytes.clone()).unwrap();
    let schema = from.metadata().file_metadata().schema_descr().root_schema_ptr();
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(WriterProperties::default())).unwrap();
    for group in from.metadata().row_groups() {
        let mut out = file.next_row_group().unwrap();
        for column in group.columns() {
            let codec = Codec::BROTLI(BrotliLevel::default());
            let metadata = column.clone().into_builder().set_compression(codec).build().unwrap();
            let close = ColumnCloseResult {
                bytes_written: column.compressed_size() as u64,
                rows_written: group.num_rows() as u64,
                metadata,
                bloom_filter: None,
                column_index: None,
                offset_index: None,
            };
            out.append_column(&bytes, close).unwrap();
        }
        out.close().unwrap();
    }
    file.into_inner().unwrap()
}

fn arrow(records: &Records, column: TextColumn, is_stream: bool) -> Vec<u8> {
    let batch = |rows: &[(String, Option<String>)]| -> Vec<(&'static str, ArrayRef)> {
        let texts: ArrayRef = Arc::new(rows.iter().map(|(_, text)| text.as_deref()).collect::<StringArray>());
        let numbers: ArrayRef = Arc::new((0..).take(rows.len()).collect::<Int64Array>());
        let text = match column {
            TextColumn::Good => ("text", texts),
            TextColumn::Missing => ("content", texts),
            TextColumn::Numbers => ("text", Arc::clone(&numbers)),
            TextColumn::Nulls => ("text", Arc::new(NullArray::new(rows.len())) as ArrayRef),
            TextColumn::Nested => {
                let inside = Arc::new(Field::new("inside", DataType::Utf8, true));
                ("text", Arc::new(StructArray::from(vec![(inside, texts)])) as ArrayRef)
            }
        };
        let ids: ArrayRef = Arc::new(rows.iter().map(|(id, _)| Some(id.as_str())).collect::<StringArray>());
        vec![("id", ids), text, ("n", numbers)]
    };
    let fields: Vec<Field> =
        batch(&[]).iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
    let schema = Arc::new(Schema::new(fields));
    let batches: Vec<RecordBatch> = records
        .chunks(8)
        .map(|rows| {
            let columns = batch(rows).into_iter().map(|(_, array)| array).collect();
            RecordBatch::try_new(Arc::clone(&schema), columns).unwrap()
        })
        .collect();
    if is_stream {
        let mut out = StreamWriter::try_new(Vec::new(), &schema).unwrap();
        for batch in &batches {
            out.write(batch).unwrap();
        }
        return out.into_inner().unwrap();
    }
    let mut out = FileWriter::try_new(Vec::new(), &schema).unwrap();
    for batch in &batches {
        out.write(batch).unwrap();
    }
    out.into_inner().unwrap()
}

/// Each record as a response, and a request before every third.
fn packed_warc(records: &Records, packing: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for (at, (id, text)) in records.iter().enumerate() {
        let record = |kind: &str, number: usize, block: &str| {
            let head = format!(
                "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-{number:04}-{at:012}>\r\n\
                 WARC-Date: 2026-01-02T03:04:{:02}Z\r\nWARC-Target-URI: https://example.org/{id}\r\n\
                 Content-Type: application/http; msgtype={kind}\r\nContent-Length: {}\r\n\r\n",
                at % 60,
                block.len()
            );
            packed(format!("{head}{block}\r\n\r\n").into_bytes(), packing)
        };
        if at % 3 == 0 {
            out.extend(record("request", 1, "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n"));
        }
        let text = text.as_deref().unwrap_or_default();
        let page = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><body><p>{text}</p></body></html>");
        out.extend(record("response", 2, &page));
    }
    out
}

pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

pub(crate) fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, *bytes).unwrap();
    }
    tar.into_inner().unwrap()
}

/// The beginning of a picture.
pub(crate) const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde";
