//! CSV and TSV: records that stay are written byte for byte.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use super::compress::Compressor;
use super::{Annotation, Copied, CopyError, CopyOptions, Rule, unreadable, unsupported, without};
use crate::decompress::Plain;
use crate::table::csv_scan::{RecordScanner, fields, quoted, unquoted};
use crate::table::{csv_names, open_csv};

/// Bytes that are looked at at once.
const BUFFER_BYTES: usize = 256 << 10;
/// No header has more bytes.
const MAX_HEADER_BYTES: usize = 1 << 20;
const BOM: &[u8] = b"\xef\xbb\xbf";

pub(super) fn copy(
    from: &Path,
    to: File,
    delimiter: u8,
    options: &CopyOptions,
    rule: &mut Rule<'_>,
) -> Result<Copied, CopyError> {
    let Plain { reader, format, .. } = open_csv(from).map_err(|reason| CopyError::from((from, reason)))?;
    let mut out = Compressor::new(to, format).map_err(CopyError::Write)?;
    let input = BufReader::with_capacity(BUFFER_BYTES, reader);
    let mut records = Records { input, scanner: RecordScanner::new(delimiter), path: from, row: 0 };
    let names = copy_header(&mut records, &mut out, delimiter, options.annotate)?;
    let text = names.iter().position(|name| *name == options.text_field);
    let mut copied = Copied::default();
    let mut record = Vec::new();
    while records.skip_blank(&mut out)? {
        let ruling = rule(copied.records).map_err(CopyError::Ruling)?;
        copied.records += 1;
        copied.written += u64::from(ruling.keep);
        if !ruling.keep {
            records.copy(&mut std::io::sink())?;
            records.end(&mut std::io::sink())?;
            continue;
        }
        if ruling.cuts.is_empty() {
            records.copy(&mut out)?;
        } else {
            record.clear();
            records.copy(&mut record)?;
            let cut = text.and_then(|at| cut(&record, at, delimiter, &ruling.cuts));
            let place = copied.records;
            let cut = cut.ok_or_else(|| unsupported(from, format!("record {place}: the text is not what it was")))?;
            out.write_all(&cut).map_err(CopyError::Write)?;
        }
        // what would stand inside of a quoted field that does not end says nothing
        if options.annotate && !records.scanner.is_quoted() {
            out.write_all(&annotation(&ruling.annotation, delimiter)).map_err(CopyError::Write)?;
        }
        records.end(&mut out)?;
    }
    out.finish().map_err(CopyError::Write)?;
    Ok(copied)
}

/// Copies the header, with more names if records are annotated; what it names.
fn copy_header(
    records: &mut Records<'_, impl BufRead>,
    out: &mut Compressor,
    delimiter: u8,
    annotate: bool,
) -> Result<Vec<String>, CopyError> {
    let mut mark = Vec::new();
    while mark.len() < BOM.len() && BOM.starts_with(&mark) {
        let some = records.fill()?;
        let Some(&byte) = some.first().filter(|byte| **byte == BOM[mark.len()]) else { break };
        mark.push(byte);
        records.input.consume(1);
    }
    out.write_all(&mark).map_err(CopyError::Write)?;
    if !records.skip_blank(out)? {
        return Ok(Vec::new());
    }
    let mut header = LimitedBuffer(Vec::new());
    records.copy(&mut header)?;
    if header.0.len() > MAX_HEADER_BYTES {
        return Err(unsupported(records.path, format!("its header has more than {MAX_HEADER_BYTES} bytes")));
    }
    let names = csv_names(&header.0, delimiter);
    out.write_all(&header.0).map_err(CopyError::Write)?;
    if annotate {
        for name in Annotation::FIELDS {
            if names.iter().any(|other| other == name) {
                let reason = format!("it has a column {name:?} already; annotate what was not annotated before");
                return Err(unsupported(records.path, reason));
            }
            out.write_all(&[&[delimiter], name.as_bytes()].concat()).map_err(CopyError::Write)?;
        }
    }
    records.end(out)?;
    Ok(names)
}

/// Takes no more than a header may have, and one byte.
struct LimitedBuffer(Vec<u8>);

impl Write for LimitedBuffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let room = (MAX_HEADER_BYTES + 1).saturating_sub(self.0.len());
        self.0.extend_from_slice(&bytes[..bytes.len().min(room)]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Takes records of any length from a stream.
struct Records<'a, R> {
    input: R,
    scanner: RecordScanner,
    path: &'a Path,
    /// Records that were begun, the header among them.
    row: u64,
}

impl<R: BufRead> Records<'_, R> {
    fn fill(&mut self) -> Result<&[u8], CopyError> {
        let (path, row) = (self.path, self.row);
        let place = || if row == 0 { "the header".into() } else { format!("record {row}") };
        self.input.fill_buf().map_err(|error| unreadable(path, Some(place()), error))
    }

    /// Copies blank lines; false at the end.
    fn skip_blank(&mut self, to: &mut impl Write) -> Result<bool, CopyError> {
        loop {
            let some = self.fill()?;
            if some.is_empty() {
                return Ok(false);
            }
            let blank = RecordScanner::blank(some);
            if blank == 0 {
                return Ok(true);
            }
            to.write_all(&some[..blank]).map_err(CopyError::Write)?;
            self.input.consume(blank);
        }
    }

    /// Copies a record without what ends it.
    fn copy(&mut self, to: &mut impl Write) -> Result<(), CopyError> {
        let mut scanner = self.scanner.clone();
        loop {
            let some = self.fill()?;
            if some.is_empty() {
                break;
            }
            let end = scanner.find_end(some);
            let taken = end.unwrap_or(some.len());
            to.write_all(&some[..taken]).map_err(CopyError::Write)?;
            self.input.consume(taken);
            if end.is_some() {
                break;
            }
        }
        self.scanner = scanner;
        self.row += 1;
        Ok(())
    }

    /// Copies what ends a record: one newline of any kind, or the end of the file.
    fn end(&mut self, to: &mut impl Write) -> Result<(), CopyError> {
        let mut newline = [0; 1];
        for expected in [b"\n\r", b"\n\n"] {
            match self.fill()?.first() {
                Some(byte) if expected.contains(byte) => newline[0] = *byte,
                _ => break,
            }
            to.write_all(&newline).map_err(CopyError::Write)?;
            self.input.consume(1);
            if newline == *b"\n" {
                break;
            }
        }
        Ok(())
    }
}

/// A record with some of its text cut out.
fn cut(record: &[u8], at: usize, delimiter: u8, cuts: &[std::ops::Range<usize>]) -> Option<Vec<u8>> {
    let field = fields(record, delimiter).get(at)?.clone();
    let raw = &record[field.clone()];
    let text = unquoted(raw);
    let rest = without(std::str::from_utf8(&text).ok()?, cuts)?;
    let rest = quoted(&rest, delimiter, raw.first() == Some(&b'"'));
    Some([&record[..field.start], rest.as_bytes(), &record[field.end..]].concat())
}

/// The fields of an annotation, each with its delimiter in front.
fn annotation(annotation: &Annotation, delimiter: u8) -> Vec<u8> {
    let Annotation { duplicate_of, resemblance, containment, class, cluster } = annotation;
    let values = [
        duplicate_of.as_deref().map(|text| quoted(text, delimiter, false).into_owned()),
        resemblance.map(|number| number.to_string()),
        containment.map(|number| number.to_string()),
        class.map(|text| quoted(text, delimiter, false).into_owned()),
        cluster.map(|number| number.to_string()),
    ];
    let fields =
        values.into_iter().flat_map(|value| [vec![delimiter], value.unwrap_or_default().into_bytes()].concat());
    fields.collect()
}
