//! Reads files of any format again, by other readers than those of the program: what records has a file?

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::{FileReader as ArrowFileReader, StreamReader};
use arrow_schema::DataType;
use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::io::{Cursor, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A record by its name, and everything that it holds but annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) name: String,
    pub(crate) content: String,
    /// It stands in place of a record of this name that was removed.
    pub(crate) is_revisit: bool,
}

fn record(name: impl Into<String>, content: impl Into<String>) -> Record {
    Record { name: name.into(), content: content.into(), is_revisit: false }
}

/// The records of a file; none if it is damaged, or nothing is known of its format here.
pub(crate) fn records(name: &str, bytes: &[u8]) -> Option<Vec<Record>> {
    // readers of damaged files may panic
    catch_unwind(AssertUnwindSafe(|| read(name, bytes))).ok().flatten()
}

/// The rows that the footer of a Parquet file promises.
pub(crate) fn promised_rows(bytes: &[u8]) -> Option<i64> {
    let rows =
        || Some(SerializedFileReader::new(Bytes::copy_from_slice(bytes)).ok()?.metadata().file_metadata().num_rows());
    catch_unwind(AssertUnwindSafe(rows)).ok().flatten()
}

fn read(name: &str, bytes: &[u8]) -> Option<Vec<Record>> {
    let format = name.split_once('.').map_or("", |(_, format)| format);
    let (kind, packing) = format.split_once('.').unwrap_or((format, ""));
    let plain = match packing {
        "gz" => {
            let mut plain = Vec::new();
            MultiGzDecoder::new(bytes).read_to_end(&mut plain).ok()?;
            plain
        }
        "zst" => zstd::decode_all(bytes).ok()?,
        _ => bytes.to_vec(),
    };
    match kind {
        "jsonl" | "ndjson" | "json" => Some(lines(&plain).into_iter().map(json).collect()),
        "csv" | "tsv" => {
            let separator = if kind == "csv" { ',' } else { '\t' };
            let annotated = format!("{separator}lookalike_duplicate_of");
            let mut lines = lines(&plain).into_iter();
            let is_annotated = lines.next().is_some_and(|header| header.contains(&annotated));
            Some(lines.map(|line| separated(&line, separator, is_annotated)).collect())
        }
        "parquet" => parquet(bytes),
        "arrow" | "feather" | "arrows" => arrow(bytes),
        "warc" => warc(&plain),
        "zip" => {
            let zip = zip::ZipArchive::new(Cursor::new(bytes)).ok()?;
            (0..zip.len()).map(|at| Some(record(zip.name_for_index(at)?.ok()?, ""))).collect()
        }
        "tar" => {
            let mut tar = tar::Archive::new(&plain[..]);
            let name = |entry: std::io::Result<tar::Entry<'_, &[u8]>>| {
                Some(record(entry.ok()?.path().ok()?.display().to_string(), ""))
            };
            tar.entries().ok()?.map(name).collect()
        }
        _ => None,
    }
}

/// Lines that are not blank.
fn lines(bytes: &[u8]) -> Vec<String> {
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    lines.map(|line| String::from_utf8_lossy(line).trim_end_matches('\r').to_owned()).collect()
}

fn json(line: String) -> Record {
    match serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&line) {
        Ok(mut fields) => {
            fields.retain(|name, _| !name.starts_with("lookalike_"));
            let name = fields.get("id").map_or(String::new(), ToString::to_string);
            record(name, serde_json::Value::Object(fields).to_string())
        }
        Err(_) => record("", line),
    }
}

fn separated(line: &str, separator: char, is_annotated: bool) -> Record {
    let mut content = line;
    for _ in 0..if is_annotated { 5 } else { 0 } {
        content = content.rsplit_once(separator).map_or(content, |(before, _)| before);
    }
    record(line.split(separator).next().unwrap_or_default(), content)
}

fn parquet(bytes: &[u8]) -> Option<Vec<Record>> {
    let reader = SerializedFileReader::new(Bytes::copy_from_slice(bytes)).ok()?;
    let row = |row: parquet::errors::Result<parquet::record::Row>| {
        let row = row.ok()?;
        let fields = row.get_column_iter().filter(|(name, _)| !name.starts_with("lookalike_"));
        let content: Vec<String> = fields.map(|(name, field)| format!("{name}={field}")).collect();
        Some(record(content.first()?.clone(), content.join("|")))
    };
    reader.get_row_iter(None).ok()?.map(row).collect()
}

fn arrow(bytes: &[u8]) -> Option<Vec<Record>> {
    let batches: Vec<RecordBatch> = if bytes.starts_with(b"ARROW1") {
        ArrowFileReader::try_new(Cursor::new(bytes), None).ok()?.collect::<Result<_, _>>().ok()?
    } else {
        StreamReader::try_new(Cursor::new(bytes), None).ok()?.collect::<Result<_, _>>().ok()?
    };
    let mut records = Vec::new();
    for batch in &batches {
        let schema = batch.schema();
        for row in 0..batch.num_rows() {
            let mut content = Vec::new();
            for (field, column) in schema.fields().iter().zip(batch.columns()) {
                if field.name().starts_with("lookalike_") {
                    continue;
                }
                content.push(match column.data_type() {
                    _ if column.is_null(row) => "null".into(),
                    DataType::Utf8 => column.as_string::<i32>().value(row).to_owned(),
                    _ => format!("{:?}", column.slice(row, 1)),
                });
            }
            records.push(record(content.first()?.clone(), content.join("|")));
        }
    }
    Some(records)
}

fn warc(mut bytes: &[u8]) -> Option<Vec<Record>> {
    let mut records = Vec::new();
    while !bytes.is_empty() {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
        let head = std::str::from_utf8(&bytes[..end]).ok()?;
        if !head.starts_with("WARC/1.") {
            return None;
        }
        let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let length: usize = field("Content-Length")?.parse().ok()?;
        let block = bytes.get(end + 4..)?.get(..length)?;
        let uri = field("WARC-Target-URI").unwrap_or_default();
        let kind = field("WARC-Type")?;
        let is_request = kind == "request";
        let content = format!("{kind} {}", String::from_utf8_lossy(block));
        let name = format!("{uri}{}", if is_request { " request" } else { "" });
        records.push(Record { name, content, is_revisit: kind == "revisit" });
        bytes = bytes.get(end + 4 + length..)?.strip_prefix(b"\r\n\r\n")?;
    }
    Some(records)
}
