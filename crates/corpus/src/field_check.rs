//! A look at the first records of every shard, before anything is read: a field that was named and that no record has is an error, with the
//! fields that there are.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use crate::asked_fields::{AskedFields, FIRST_RECORDS, FoundFields};
#[cfg(feature = "tables")]
use crate::columns::{BoundedFile, guard, read_metadata};
use crate::context::ReadContext;
use crate::decompress::{self, Format};
#[cfg(feature = "tables")]
use crate::file;
use crate::folder;
use crate::lines::{Cut, Cutter};
use crate::member::is_archive;
use crate::missing_field::{FieldRole, MissingField};
use crate::names::id_of;
use crate::options::Options;
use crate::shard::ShardFormat;
use crate::table::csv_header;
#[cfg(feature = "tables")]
use crate::table::{ArrowFile, arrow_column, parquet_column};
#[cfg(feature = "tables")]
use crate::unit_limit::UnitLimit;
use crate::warc;

/// Bytes of a shard that are read at once.
const BLOCK_BYTES: usize = 64 << 10;
/// After so many bytes no more records of a shard are read.
const MAX_BYTES: u64 = 1 << 20;
/// A longer line is passed over.
const MAX_LINE_BYTES: u64 = 16 << 20;

/// The result of looking at the shards of some paths.
#[derive(Default)]
pub(crate) struct FieldCheck {
    /// Those that some shards lack, with the first of them.
    missing: BTreeMap<FieldRole, MissingField>,
    /// Those that some shard has.
    found: Vec<FieldRole>,
}

impl FieldCheck {
    /// Looks at a file, or at all files in a folder that would be read as shards. False if nothing is left to be found.
    pub(crate) fn look(&mut self, path: &Path, asked: &AskedFields, context: &Arc<ReadContext>) -> bool {
        if !path.is_dir() {
            return self.look_at_file(path, asked, context);
        }
        if !context.options.shards {
            return true;
        }
        for entry in folder::walk(path, context).flatten() {
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            let inside = entry.path().strip_prefix(path).unwrap_or(entry.path());
            if is_file && context.globs.includes(inside) && !self.look_at_file(entry.path(), asked, context) {
                return false;
            }
        }
        true
    }

    fn look_at_file(&mut self, path: &Path, asked: &AskedFields, context: &Arc<ReadContext>) -> bool {
        let options = &context.options;
        let format = ShardFormat::of_name(path).filter(|_| !(options.archives && is_archive(path)));
        let Some(format) = format else { return true };
        // A shard that cannot be read is reported when it is read.
        let Some(fields) = first_fields(path, format, asked).filter(|fields| !fields.is_empty()) else { return true };
        let is_usual_text = options.body_field() == Options::default().body_field();
        if matches!(format, ShardFormat::Csv | ShardFormat::Tsv)
            && is_usual_text
            && !options.strict_tables
            && !fields.has_name(options.body_field())
        {
            // Such a file is one document.
            return true;
        }
        // Of the usual field of the text it is enough that one shard has it.
        let mut is_done = is_usual_text && asked.iter().all(|(role, _)| role == FieldRole::Text);
        for (role, field) in asked.iter() {
            match fields.missing(&id_of(path), role, field) {
                Some(missing) => {
                    is_done = false;
                    self.missing.entry(role).and_modify(|first| first.more += 1).or_insert(missing);
                }
                None if !self.found.contains(&role) => self.found.push(role),
                None => {}
            }
        }
        !is_done
    }

    /// The first field that no shard has, as an error; else those that some do not have.
    pub(crate) fn finish(self) -> Result<Vec<MissingField>, Box<MissingField>> {
        let mut some = Vec::new();
        for (role, missing) in self.missing {
            if !self.found.contains(&role) {
                return Err(Box::new(missing));
            }
            let is_usual = role == FieldRole::Text && missing.field == Options::default().text_field;
            // Without the usual field of the text a shard is reported when it is read.
            if !is_usual {
                some.push(missing);
            }
        }
        Ok(some)
    }
}

/// The first of the fields asked for that a table in memory does not have. Its reader reports a missing text.
#[cfg(feature = "tables")]
pub(crate) fn missing_in_schema(name: &Path, schema: &arrow_schema::Schema, options: &Options) -> Option<MissingField> {
    let asked = AskedFields::of(options, false);
    let found = of_arrow(schema, &asked);
    asked.iter().find_map(|(role, field)| found.missing(&id_of(name), role, field))
}

/// The fields of the first records of a shard; none if it cannot be read.
fn first_fields(path: &Path, format: ShardFormat, asked: &AskedFields) -> Option<FoundFields> {
    match format {
        ShardFormat::Jsonl => of_lines(path, asked),
        ShardFormat::Csv | ShardFormat::Tsv => {
            let names = csv_header(path, format.delimiter())?;
            Some(FoundFields::of_schema(names.clone(), asked, |field| names.iter().any(|name| name == field)))
        }
        #[cfg(feature = "tables")]
        ShardFormat::Parquet => {
            let step = || {
                let (file, metadata) = file::open(path).map_err(drop)?;
                let metadata = read_metadata(&BoundedFile::new(file, metadata.len())).map_err(drop)?;
                let schema = metadata.file_metadata().schema_descr();
                let has = |field: &str| !matches!(parquet_column::find(schema, field), parquet_column::Found::Missing);
                Ok(FoundFields::of_schema(parquet_column::column_names(schema), asked, has))
            };
            guard(step, |_| ()).ok()
        }
        #[cfg(feature = "tables")]
        ShardFormat::Arrow => {
            let step = || Ok(of_arrow(&ArrowFile::open(path, UnitLimit::default()).map_err(drop)?.schema, asked));
            guard(step, |_| ()).ok()
        }
        #[cfg(not(feature = "tables"))]
        ShardFormat::Arrow | ShardFormat::Parquet => None,
        ShardFormat::Warc => of_web_archive(path, asked),
    }
}

fn of_lines(path: &Path, asked: &AskedFields) -> Option<FoundFields> {
    let plain = decompress::open(File::open(path).ok()?, Format::of_name(path)).ok()?;
    let mut found = FoundFields::default();
    let (mut records, mut bytes) = (0, 0);
    for cut in Cutter::new(plain.reader, b'\n', BLOCK_BYTES, MAX_LINE_BYTES).without_bom() {
        match cut {
            Cut::Lines(block) => {
                for line in block.lines().take(FIRST_RECORDS - records) {
                    found.add_line(line.bytes, asked);
                    records += 1;
                    bytes += line.bytes.len() as u64;
                }
            }
            Cut::TooLong { bytes: more, .. } => bytes += more,
            Cut::Failed(_) => break,
        }
        if records >= FIRST_RECORDS || bytes >= MAX_BYTES {
            break;
        }
    }
    Some(found)
}

#[cfg(feature = "tables")]
fn of_arrow(schema: &arrow_schema::Schema, asked: &AskedFields) -> FoundFields {
    let has = |field: &str| arrow_column::FieldPath::find(schema.fields(), field).is_some();
    FoundFields::of_schema(arrow_column::column_names(schema), asked, has)
}

fn of_web_archive(path: &Path, asked: &AskedFields) -> Option<FoundFields> {
    let mut records = warc::Records::open(warc::open_file(path).ok()?).ok()?;
    let mut found = FoundFields::default();
    for _ in 0..FIRST_RECORDS {
        let Some(Ok(record)) = records.next() else { break };
        found.add_named(record.head.fields.iter().map(|(name, _)| name.as_str()), asked);
        if records.consumed() >= MAX_BYTES || record.length >= MAX_BYTES {
            break;
        }
        if records.block(&record, |_| Ok::<(), warc::Damage>(())).and_then(|()| records.finish(&record)).is_err() {
            break;
        }
    }
    Some(found)
}
