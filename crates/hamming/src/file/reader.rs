//! One file of fingerprints, whatever its layout, in batches.

use std::io::{self, Read, Seek, SeekFrom};
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;

use super::error::{FileError, FileProblem};
use super::layout::{FileOptions, IdKind, Layout, NameHints};
use super::names::Names;
use super::parquet::ParquetSource;
use super::raw::RawSource;
use super::text::TextSource;
use lookalike_core::bits::FingerprintBits;
use lookalike_corpus::id_of;
use lookalike_corpus::stream::{decompress, open_file};

/// A file of fingerprints that is being read.
pub struct FingerprintReader<P: FingerprintBits = u64> {
    source: Source,
    file: String,
    layout: Layout,
    /// The number of the first row, and of the one that comes next.
    first: u64,
    row: u64,
    len: Option<u64>,
    ids: IdKind,
    names: Names,
    /// What was wrong with it: nothing more comes out.
    failed: Option<FileProblem>,
    width: PhantomData<P>,
}

enum Source {
    Raw(RawSource),
    Text(Box<TextSource>),
    Parquet(Box<ParquetSource>),
}

impl<P: FingerprintBits> FingerprintReader<P> {
    /// Opens a file; `-` is standard input, which is text unless `options` says that it is raw.
    pub fn open(path: &Path, options: &FileOptions) -> Result<FingerprintReader<P>, FileError> {
        if path.as_os_str() == "-" {
            return FingerprintReader::from_reader(io::stdin(), "standard input", options);
        }
        OpenableFile::with_memtable::<P>(path, options)?.open(None)
    }

    /// Opens some rows of a raw file. Several readers may each have theirs, on as many threads.
    pub fn open_rows(path: &Path, rows: Range<u64>, options: &FileOptions) -> Result<FingerprintReader<P>, FileError> {
        OpenableFile::with_memtable::<P>(path, options)?.open(Some(rows))
    }

    /// Opens a file in at most `count` parts that follow each other, to be read on as many threads: raw files anywhere,
    /// Parquet between row groups, text as a single part. No part is empty, but an empty file has one.
    pub fn parts(path: &Path, count: usize, options: &FileOptions) -> Result<Vec<FingerprintReader<P>>, FileError> {
        if path.as_os_str() == "-" {
            return Ok(vec![FingerprintReader::open(path, options)?]);
        }
        let whole = OpenableFile::with_memtable::<P>(path, options)?;
        let count = count.max(1) as u64;
        match whole.layout {
            Layout::Text => Ok(vec![whole.open(None)?]),
            Layout::Parquet => {
                let groups = ParquetSource::divide(path, count).map_err(|problem| problem.of(&whole.file))?;
                groups.into_iter().map(|groups| whole.open_groups(Some(groups))).collect()
            }
            Layout::Raw | Layout::RawIds => {
                let rows = whole.rows::<P>().map_err(|problem| problem.of(&whole.file))?;
                let count = count.min(rows).max(1);
                let at = |part: u64| (u128::from(rows) * u128::from(part) / u128::from(count)) as u64;
                (0..count).map(|part| whole.open(Some(at(part)..at(part + 1)))).collect()
            }
        }
    }

    /// Reads a stream, text unless `options` says that it is raw. `name` is for messages.
    pub fn from_reader(
        input: impl Read + Send + 'static,
        name: &str,
        options: &FileOptions,
    ) -> Result<FingerprintReader<P>, FileError> {
        let layout = options.layout.unwrap_or(Layout::Text);
        let source = match layout {
            Layout::Raw | Layout::RawIds => Ok(Source::raw(Box::new(input), layout, 0, None)),
            Layout::Text => Source::text::<P>(input, options),
            Layout::Parquet => Err(FileProblem::NoStream),
        };
        let source = source.map_err(|problem| problem.of(name))?;
        FingerprintReader::new(source, name.to_owned(), layout, 0, None, options)
    }

    fn new(
        source: Source,
        file: String,
        layout: Layout,
        first: u64,
        len: Option<u64>,
        options: &FileOptions,
    ) -> Result<FingerprintReader<P>, FileError> {
        let ids = match &source {
            Source::Text(text) => text.ids(),
            Source::Parquet(parquet) => parquet.ids(),
            Source::Raw(_) => match (layout, options.ids) {
                (Layout::Raw, Some(IdKind::Numbers)) => return Err(FileProblem::NoIds("numbers").of(&file)),
                (_, Some(IdKind::Names)) => return Err(FileProblem::NoIds("names").of(&file)),
                (Layout::RawIds, None | Some(IdKind::Numbers)) => IdKind::Numbers,
                _ => IdKind::Rows,
            },
        };
        let names = Names::new(&options.keep, first, options.names_limit);
        Ok(FingerprintReader {
            source,
            file,
            layout,
            first,
            row: first,
            len,
            ids,
            names,
            failed: None,
            width: PhantomData,
        })
    }

    /// The next fingerprints, in place of what `fingerprints` holds, and their ids, in place of what `ids` holds; 0 at the
    /// end. Without ids of the file's own, `ids` is empty: they are the row numbers from [`row`](FingerprintReader::row) on, as
    /// it was before the call. Give the same vectors each time, they are not allocated again.
    pub fn next_batch(&mut self, fingerprints: &mut Vec<P>, ids: &mut Vec<u64>) -> Result<usize, FileError> {
        self.next_large(fingerprints, ids, 0)
    }

    /// The same; where they can be read straight into memory, so many at once.
    pub(crate) fn next_large(
        &mut self,
        fingerprints: &mut Vec<P>,
        ids: &mut Vec<u64>,
        at_least: usize,
    ) -> Result<usize, FileError> {
        let read = match (&self.failed, &mut self.source) {
            (Some(problem), _) => Err(problem.clone()),
            (None, Source::Raw(raw)) => raw.next_batch(fingerprints, ids, at_least),
            (None, Source::Text(text)) => text.next_batch(self.row, fingerprints, ids, &mut self.names),
            (None, Source::Parquet(parquet)) => parquet.next_batch(self.row, fingerprints, ids, &mut self.names),
        };
        match read {
            Ok(read) => {
                if self.ids == IdKind::Rows {
                    ids.clear();
                }
                self.row += read as u64;
                Ok(read)
            }
            Err(problem) => {
                // What was read before the problem in this batch is not half a batch.
                fingerprints.clear();
                ids.clear();
                self.failed = Some(problem.clone());
                Err(problem.of(&self.file))
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
        self.ids == IdKind::Numbers
    }

    /// What the ids are.
    pub fn ids(&self) -> IdKind {
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
        (self.ids == IdKind::Names).then_some(&self.names)
    }

    /// Forgets the names that were read so far, where all are kept.
    pub(crate) fn forget_names(&mut self) {
        self.names.forget(self.row);
    }

    /// The names read so far, if ids are names, to keep.
    pub fn into_names(self) -> Option<Names> {
        (self.ids == IdKind::Names).then_some(self.names)
    }
}

impl Source {
    fn raw(input: Box<dyn Read + Send>, layout: Layout, offset: u64, left: Option<u64>) -> Source {
        Source::Raw(RawSource::new(input, layout == Layout::RawIds, offset, left))
    }

    fn text<P: FingerprintBits>(
        input: impl Read + Send + 'static,
        options: &FileOptions,
    ) -> Result<Source, FileProblem> {
        let plain = decompress(input, None).map_err(|error| FileProblem::Unreadable(error.to_string()))?;
        Ok(Source::Text(Box::new(TextSource::new::<P>(plain.reader, options)?)))
    }
}

/// A file that was looked at: what it is, and how long.
struct OpenableFile<'a> {
    path: &'a Path,
    file: String,
    layout: Layout,
    options: FileOptions,
    bytes: u64,
}

impl<'a> OpenableFile<'a> {
    fn with_memtable<P: FingerprintBits>(path: &'a Path, options: &FileOptions) -> Result<OpenableFile<'a>, FileError> {
        let file = id_of(path).into_owned();
        let metadata = open_file(path).map_err(|reason| FileProblem::Unreadable(reason.to_string()).of(&file))?.1;
        let named = NameHints::of(path);
        let mut options = options.clone();
        options.digits = options.digits.or(named.and_then(|named| named.digits));
        let layout = match (options.layout, named) {
            (Some(layout), _) => layout,
            (None, Some(NameHints { width: Some(named), .. })) if named != P::WIDTH => {
                return Err(FileProblem::Width { named, asked: P::WIDTH }.of(&file));
            }
            (None, Some(named)) => named.layout,
            (None, None) => return Err(FileProblem::NoLayout.of(&file)),
        };
        Ok(OpenableFile { path, file, layout, options, bytes: metadata.len() })
    }

    /// How many records a raw file has.
    fn rows<P: FingerprintBits>(&self) -> Result<u64, FileProblem> {
        let record = RawSource::record::<P>(self.layout == Layout::RawIds);
        if !self.bytes.is_multiple_of(record) {
            return Err(FileProblem::Length { bytes: self.bytes, record });
        }
        Ok(self.bytes / record)
    }

    fn open<P: FingerprintBits>(&self, rows: Option<Range<u64>>) -> Result<FingerprintReader<P>, FileError> {
        let (source, first, len) = match self.layout {
            Layout::Raw | Layout::RawIds => self.open_raw::<P>(rows).map_err(|problem| problem.of(&self.file))?,
            other if rows.is_some() => return Err(FileProblem::NoMiddle(other).of(&self.file)),
            Layout::Parquet => return self.open_groups(None),
            Layout::Text => {
                let opened = self.opened().and_then(|input| Source::text::<P>(input, &self.options));
                (opened.map_err(|problem| problem.of(&self.file))?, 0, None)
            }
        };
        FingerprintReader::new(source, self.file.clone(), self.layout, first, len, &self.options)
    }

    fn open_groups<P: FingerprintBits>(&self, groups: Option<Range<usize>>) -> Result<FingerprintReader<P>, FileError> {
        let parquet =
            ParquetSource::open::<P>(self.path, groups, &self.options).map_err(|problem| problem.of(&self.file))?;
        let (first, len) = (parquet.first(), parquet.len());
        FingerprintReader::new(
            Source::Parquet(Box::new(parquet)),
            self.file.clone(),
            self.layout,
            first,
            Some(len),
            &self.options,
        )
    }

    fn open_raw<P: FingerprintBits>(
        &self,
        rows: Option<Range<u64>>,
    ) -> Result<(Source, u64, Option<u64>), FileProblem> {
        let all = self.rows::<P>()?;
        let rows = rows.unwrap_or(0..all);
        if rows.start > rows.end || rows.end > all {
            return Err(FileProblem::Rows { from: rows.start, to: rows.end, rows: all });
        }
        let record = RawSource::record::<P>(self.layout == Layout::RawIds);
        let mut input = self.opened()?;
        let (offset, len) = (rows.start * record, rows.end - rows.start);
        input.seek(SeekFrom::Start(offset)).map_err(|error| FileProblem::Unreadable(error.to_string()))?;
        Ok((Source::raw(Box::new(input), self.layout, offset, Some(len * record)), rows.start, Some(len)))
    }

    fn opened(&self) -> Result<std::fs::File, FileProblem> {
        open_file(self.path).map(|(file, _)| file).map_err(|reason| FileProblem::Unreadable(reason.to_string()))
    }
}
