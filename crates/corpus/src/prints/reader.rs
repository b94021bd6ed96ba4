//! One file of fingerprints, whatever its layout, in batches.

use std::io::{self, Read, Seek, SeekFrom};
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;

use super::layout::Named;
use super::raw::Raw;
use super::table::Table;
use super::text::Text;
use super::{Fault, Ids, Layout, Names, Options, Print};
use crate::{Error, decompress, file, id_of};

/// A file of fingerprints that is being read.
pub struct Prints<P: Print = u64> {
    source: Source,
    file: String,
    layout: Layout,
    /// The number of the first row, and of the one that comes next.
    first: u64,
    row: u64,
    len: Option<u64>,
    ids: Ids,
    names: Names,
    /// What was wrong with it: nothing more comes out.
    failed: Option<Fault>,
    width: PhantomData<P>,
}

enum Source {
    Raw(Raw),
    Text(Box<Text>),
    Table(Box<Table>),
}

impl<P: Print> Prints<P> {
    /// Opens a file; `-` is standard input, which is text unless `options` says that it is raw.
    pub fn open(path: &Path, options: &Options) -> Result<Prints<P>, Error> {
        if path.as_os_str() == "-" {
            return Prints::from_reader(io::stdin(), "standard input", options);
        }
        Whole::look::<P>(path, options)?.open(None)
    }

    /// Opens some rows of a raw file. Several readers may each have theirs, on as many threads.
    pub fn open_rows(path: &Path, rows: Range<u64>, options: &Options) -> Result<Prints<P>, Error> {
        Whole::look::<P>(path, options)?.open(Some(rows))
    }

    /// Opens a file in at most `count` parts that follow each other, to be read on as many threads: raw files anywhere,
    /// Parquet between row groups, text as a single part. No part is empty, but an empty file has one.
    pub fn parts(path: &Path, count: usize, options: &Options) -> Result<Vec<Prints<P>>, Error> {
        if path.as_os_str() == "-" {
            return Ok(vec![Prints::open(path, options)?]);
        }
        let whole = Whole::look::<P>(path, options)?;
        let count = count.max(1) as u64;
        match whole.layout {
            Layout::Text => Ok(vec![whole.open(None)?]),
            Layout::Parquet => {
                let groups = Table::divide(path, count).map_err(|fault| fault.of(&whole.file))?;
                groups.into_iter().map(|groups| whole.open_groups(Some(groups))).collect()
            }
            Layout::Raw | Layout::RawIds => {
                let rows = whole.rows::<P>().map_err(|fault| fault.of(&whole.file))?;
                let count = count.min(rows).max(1);
                let at = |part: u64| (u128::from(rows) * u128::from(part) / u128::from(count)) as u64;
                (0..count).map(|part| whole.open(Some(at(part)..at(part + 1)))).collect()
            }
        }
    }

    /// Reads a stream, text unless `options` says that it is raw. `name` is for messages.
    pub fn from_reader(input: impl Read + Send + 'static, name: &str, options: &Options) -> Result<Prints<P>, Error> {
        let layout = options.layout.unwrap_or(Layout::Text);
        let source = match layout {
            Layout::Raw | Layout::RawIds => Ok(Source::raw(Box::new(input), layout, 0, None)),
            Layout::Text => Source::text::<P>(input, options),
            Layout::Parquet => Err(Fault::NoStream),
        };
        let source = source.map_err(|fault| fault.of(name))?;
        Prints::new(source, name.to_owned(), layout, 0, None, options)
    }

    fn new(
        source: Source,
        file: String,
        layout: Layout,
        first: u64,
        len: Option<u64>,
        options: &Options,
    ) -> Result<Prints<P>, Error> {
        let ids = match &source {
            Source::Text(text) => text.ids(),
            Source::Table(table) => table.ids(),
            Source::Raw(_) => match (layout, options.ids) {
                (Layout::Raw, Some(Ids::Numbers)) => return Err(Fault::NoIds("numbers").of(&file)),
                (_, Some(Ids::Names)) => return Err(Fault::NoIds("names").of(&file)),
                (Layout::RawIds, None | Some(Ids::Numbers)) => Ids::Numbers,
                _ => Ids::Rows,
            },
        };
        let names = Names::new(&options.keep, first, options.names_limit);
        Ok(Prints { source, file, layout, first, row: first, len, ids, names, failed: None, width: PhantomData })
    }

    /// The next fingerprints, in place of what `prints` holds, and their ids, in place of what `ids` holds; 0 at the
    /// end. Without ids of the file's own, `ids` is empty: they are the row numbers from [`row`](Prints::row) on, as
    /// it was before the call. Give the same vectors each time, they are not allocated again.
    pub fn next_batch(&mut self, prints: &mut Vec<P>, ids: &mut Vec<u64>) -> Result<usize, Error> {
        let read = match (&self.failed, &mut self.source) {
            (Some(fault), _) => Err(fault.clone()),
            (None, Source::Raw(raw)) => raw.next_batch(prints, ids),
            (None, Source::Text(text)) => text.next_batch(self.row, prints, ids, &mut self.names),
            (None, Source::Table(table)) => table.next_batch(self.row, prints, ids, &mut self.names),
        };
        match read {
            Ok(read) => {
                if self.ids == Ids::Rows {
                    ids.clear();
                }
                self.row += read as u64;
                Ok(read)
            }
            Err(fault) => {
                // What was read before the fault in this batch is not half a batch.
                prints.clear();
                ids.clear();
                self.failed = Some(fault.clone());
                Err(fault.of(&self.file))
            }
        }
    }

    /// How many fingerprints there are in all, or in this part, if that is known without reading. Of a Parquet file it
    /// is what the file says: reserve no memory on its word alone.
    pub fn len(&self) -> Option<u64> {
        self.len
    }

    /// Whether it is known that there are none.
    pub fn is_empty(&self) -> bool {
        self.len == Some(0)
    }

    /// Whether the file gives numbers for ids, which then come with each batch.
    pub fn has_ids(&self) -> bool {
        self.ids == Ids::Numbers
    }

    /// What the ids are.
    pub fn ids(&self) -> Ids {
        self.ids
    }

    /// How fingerprints lie in the file.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The row number of the first fingerprint: 0 but for parts.
    pub fn first_row(&self) -> u64 {
        self.first
    }

    /// The row number of the fingerprint that comes next.
    pub fn row(&self) -> u64 {
        self.row
    }

    /// The names read so far, if ids are names.
    pub fn names(&self) -> Option<&Names> {
        (self.ids == Ids::Names).then_some(&self.names)
    }

    /// The names read so far, if ids are names, to keep.
    pub fn into_names(self) -> Option<Names> {
        (self.ids == Ids::Names).then_some(self.names)
    }
}

impl Source {
    fn raw(input: Box<dyn Read + Send>, layout: Layout, offset: u64, left: Option<u64>) -> Source {
        Source::Raw(Raw::new(input, layout == Layout::RawIds, offset, left))
    }

    fn text<P: Print>(input: impl Read + Send + 'static, options: &Options) -> Result<Source, Fault> {
        let plain = decompress::open(input, None).map_err(|error| Fault::Unreadable(error.to_string()))?;
        Ok(Source::Text(Box::new(Text::new::<P>(plain.reader, options)?)))
    }
}

/// A file that was looked at: what it is, and how long.
struct Whole<'a> {
    path: &'a Path,
    file: String,
    layout: Layout,
    options: Options,
    bytes: u64,
}

impl<'a> Whole<'a> {
    fn look<P: Print>(path: &'a Path, options: &Options) -> Result<Whole<'a>, Error> {
        let file = id_of(path).into_owned();
        let metadata = file::open(path).map_err(|reason| Fault::Unreadable(reason.to_string()).of(&file))?.1;
        let named = Named::of(path);
        let mut options = options.clone();
        options.digits = options.digits.or(named.and_then(|named| named.digits));
        let layout = match (options.layout, named) {
            (Some(layout), _) => layout,
            (None, Some(Named { width: Some(named), .. })) if named != P::WIDTH => {
                return Err(Fault::Width { named, asked: P::WIDTH }.of(&file));
            }
            (None, Some(named)) => named.layout,
            (None, None) => return Err(Fault::NoLayout.of(&file)),
        };
        Ok(Whole { path, file, layout, options, bytes: metadata.len() })
    }

    /// How many records a raw file has.
    fn rows<P: Print>(&self) -> Result<u64, Fault> {
        let record = Raw::record::<P>(self.layout == Layout::RawIds);
        if !self.bytes.is_multiple_of(record) {
            return Err(Fault::Length { bytes: self.bytes, record });
        }
        Ok(self.bytes / record)
    }

    fn open<P: Print>(&self, rows: Option<Range<u64>>) -> Result<Prints<P>, Error> {
        let (source, first, len) = match self.layout {
            Layout::Raw | Layout::RawIds => self.open_raw::<P>(rows).map_err(|fault| fault.of(&self.file))?,
            other if rows.is_some() => return Err(Fault::NoMiddle(other).of(&self.file)),
            Layout::Parquet => return self.open_groups(None),
            Layout::Text => {
                let opened = self.opened().and_then(|input| Source::text::<P>(input, &self.options));
                (opened.map_err(|fault| fault.of(&self.file))?, 0, None)
            }
        };
        Prints::new(source, self.file.clone(), self.layout, first, len, &self.options)
    }

    fn open_groups<P: Print>(&self, groups: Option<Range<usize>>) -> Result<Prints<P>, Error> {
        let table = Table::open::<P>(self.path, groups, &self.options).map_err(|fault| fault.of(&self.file))?;
        let (first, len) = (table.first(), table.len());
        Prints::new(Source::Table(Box::new(table)), self.file.clone(), self.layout, first, Some(len), &self.options)
    }

    fn open_raw<P: Print>(&self, rows: Option<Range<u64>>) -> Result<(Source, u64, Option<u64>), Fault> {
        let all = self.rows::<P>()?;
        let rows = rows.unwrap_or(0..all);
        if rows.start > rows.end || rows.end > all {
            return Err(Fault::Rows { from: rows.start, to: rows.end, rows: all });
        }
        let record = Raw::record::<P>(self.layout == Layout::RawIds);
        let mut input = self.opened()?;
        let (offset, len) = (rows.start * record, rows.end - rows.start);
        input.seek(SeekFrom::Start(offset)).map_err(|error| Fault::Unreadable(error.to_string()))?;
        Ok((Source::raw(Box::new(input), self.layout, offset, Some(len * record)), rows.start, Some(len)))
    }

    fn opened(&self) -> Result<std::fs::File, Fault> {
        file::open(self.path).map(|(file, _)| file).map_err(|reason| Fault::Unreadable(reason.to_string()))
    }
}
