//! Corpora whose text is cut: how they are made, run and read again.

use crate::common::Text;
use lookalike_dedup::{CutResult, Dedup, DedupOptions, Error};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;
use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// A row of the table of evidence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CutRow {
    pub(crate) id: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) words: usize,
    pub(crate) duplicate_of: String,
    pub(crate) duplicate_of_start: usize,
    pub(crate) text: String,
}

pub(crate) fn cut(input: &Path, out: Option<&Path>, options: &DedupOptions) -> Result<CutResult, Error> {
    cut_all(&[input.to_owned()], out, options)
}

pub(crate) fn cut_all(inputs: &[PathBuf], out: Option<&Path>, options: &DedupOptions) -> Result<CutResult, Error> {
    let output = Dedup::new(options.clone()).run(inputs, out)?;
    Ok(output.cuts().expect("something is cut"))
}

/// The line of a document, with spaces and numbers that a writer would write otherwise.
pub(crate) fn odd_line(id: &str, text: &str) -> String {
    let (id, text) = (Value::from(id), Value::from(text));
    format!("{{ \"id\":{id}, \"n\" : 1.50,\"text\":{text} ,\"more\":{{\"x\":[1e3, null]}}}}\n")
}

/// Writes one shard.
pub(crate) fn shard(path: &Path, texts: &[Text]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, texts.iter().map(|(id, text)| odd_line(id, text)).collect::<String>()).unwrap();
}

/// All rows of the evidence, in their order; files and rows must be those of the ids.
pub(crate) fn evidence(out: &Path) -> Vec<CutRow> {
    let reader = SerializedFileReader::new(File::open(out.join("duplicates.parquet")).unwrap()).unwrap();
    let number = |row: &parquet::record::Row, at| usize::try_from(row.get_long(at).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap().map(|row| {
        let row = row.unwrap();
        let text = |at| row.get_string(at).unwrap().clone();
        for (file, line, id) in [(1, 2, text(0)), (7, 8, text(6))] {
            let lines = fs::read_to_string(text(file)).unwrap();
            let found: Value = serde_json::from_str(lines.lines().nth(number(&row, line)).unwrap()).unwrap();
            assert_eq!(found["id"], id);
        }
        CutRow {
            id: text(0),
            start: number(&row, 3),
            end: number(&row, 4),
            words: number(&row, 5),
            duplicate_of: text(6),
            duplicate_of_start: number(&row, 9),
            text: text(10),
        }
    });
    rows.collect()
}

pub(crate) fn summary(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("summary.json")).unwrap()).unwrap()
}
