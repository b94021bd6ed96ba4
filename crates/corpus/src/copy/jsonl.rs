//! JSONL: lines that stay are written byte for byte.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::path::Path;

use serde_json::value::RawValue;

use super::compress::Compressor;
use super::{Annotation, Copied, CopyError, CopyOptions, Rule, Ruling, unreadable, unsupported, without};
use crate::decompress::{self, Format};
use crate::file;
use crate::unescape::unescape;

/// Bytes that are looked at at once.
const BUFFER_BYTES: usize = 256 << 10;
/// The byte order mark in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

pub(super) fn copy(from: &Path, to: File, options: &CopyOptions, rule: &mut Rule<'_>) -> Result<Copied, CopyError> {
    let (input, _) = file::open(from).map_err(|reason| CopyError::from((from, reason)))?;
    let plain = decompress::open(input, Format::of_name(from)).map_err(|error| unreadable(from, None, error))?;
    let mut out = Compressor::new(to, plain.format).map_err(CopyError::Write)?;
    let mut lines = Lines { input: BufReader::with_capacity(BUFFER_BYTES, plain.reader), path: from, row: 0 };
    let mut copied = Copied::default();
    let mut line = Vec::new();
    while !lines.is_at_end()? {
        let ruling = rule(lines.row).map_err(CopyError::Ruling)?;
        copied.records += 1;
        copied.written += u64::from(ruling.keep);
        if ruling.keep && (options.annotate || !ruling.cuts.is_empty()) {
            line.clear();
            copied.blank += u64::from(lines.copy(Some(&mut line))?);
            // a byte order mark at the beginning of the file is not a part of the record
            let mark = if lines.row == 1 && line.starts_with(MARK) { MARK.len() } else { 0 };
            let changed = changed(&line[mark..], options, &ruling);
            let changed = changed.map_err(|reason| unsupported(from, format!("line {}: {reason}", lines.row)))?;
            out.write_all(&line[..mark]).and_then(|()| out.write_all(&changed)).map_err(CopyError::Write)?;
        } else {
            copied.blank += u64::from(lines.copy(ruling.keep.then_some(&mut out))?);
        }
    }
    out.finish().map_err(CopyError::Write)?;
    Ok(copied)
}

/// Takes lines of any length from a stream.
struct Lines<'a, R> {
    input: R,
    path: &'a Path,
    /// Lines that were taken.
    row: u64,
}

impl<R: BufRead> Lines<'_, R> {
    fn fill(&mut self) -> Result<&[u8], CopyError> {
        let (path, row) = (self.path, self.row);
        self.input.fill_buf().map_err(|error| unreadable(path, Some(format!("line {}", row + 1)), error))
    }

    fn is_at_end(&mut self) -> Result<bool, CopyError> {
        Ok(self.fill()?.is_empty())
    }

    /// Takes a line with its newline and writes it. True if the line is blank.
    fn copy(&mut self, mut to: Option<&mut impl Write>) -> Result<bool, CopyError> {
        let (mut is_blank, mut mark) = (true, if self.row == 0 { MARK } else { b"" });
        loop {
            let some = self.fill()?;
            let end = memchr::memchr(b'\n', some).map(|at| at + 1);
            let taken = end.unwrap_or(some.len());
            let text = some[..taken].strip_prefix(std::mem::take(&mut mark)).unwrap_or(&some[..taken]);
            is_blank = is_blank && text.trim_ascii().is_empty();
            if let Some(to) = &mut to {
                to.write_all(&some[..taken]).map_err(CopyError::Write)?;
            }
            self.input.consume(taken);
            if end.is_some() || taken == 0 {
                self.row += 1;
                return Ok(is_blank);
            }
        }
    }
}

/// The line with its text cut and with what is said of it; what is no JSON object stays as it is.
fn changed(line: &[u8], options: &CopyOptions, ruling: &Ruling) -> Result<Vec<u8>, String> {
    let Ok(text) = std::str::from_utf8(line) else { return Ok(line.to_vec()) };
    let mut changed = text.to_owned();
    if !ruling.cuts.is_empty() {
        let span = span_of(text, text, &options.text_field).ok_or("the text is not there any more")?;
        let decoded = unescape(&text[span.clone()]).ok_or("the text is not a string any more")?;
        let rest = without(&decoded, &ruling.cuts).ok_or("the text is not what it was")?;
        changed.replace_range(span, &serde_json::to_string(&rest).expect("a string"));
    }
    if options.annotate
        && let Some(end) = end_of_object(&changed)
    {
        let Ok(fields) = serde_json::from_str::<BTreeMap<String, &RawValue>>(&changed) else {
            return Ok(changed.into_bytes());
        };
        if let Some(field) = Annotation::FIELDS.iter().find(|field| fields.contains_key(**field)) {
            return Err(format!("it has a field {field:?} already; annotate what was not annotated before"));
        }
        let comma = if fields.is_empty() { "" } else { "," };
        let more = format!("{comma}{}", members(&ruling.annotation));
        changed.insert_str(end, &more);
    }
    Ok(changed.into_bytes())
}

/// Where the brace that ends an object stands.
fn end_of_object(line: &str) -> Option<usize> {
    let end = line.trim_ascii_end().strip_suffix('}')?.len();
    line.trim_ascii_start().starts_with('{').then_some(end)
}

/// The members of an object that say what an annotation says.
fn members(annotation: &Annotation) -> String {
    let Annotation { duplicate_of, resemblance, containment, class, cluster } = annotation;
    let values = [
        serde_json::json!(duplicate_of),
        serde_json::json!(resemblance),
        serde_json::json!(containment),
        serde_json::json!(class),
        serde_json::json!(cluster),
    ];
    let members: Vec<String> =
        Annotation::FIELDS.iter().zip(values).map(|(field, value)| format!("\"{field}\":{value}")).collect();
    members.join(",")
}

/// Where in the line the value of a field stands; `a.b` is the field `b` of the object `a`, or a field that is called so.
fn span_of(line: &str, object: &str, field: &str) -> Option<Range<usize>> {
    let members: BTreeMap<String, &RawValue> = serde_json::from_str(object).ok()?;
    if let Some(value) = members.get(field) {
        let value = value.get();
        let start = value.as_ptr() as usize - line.as_ptr() as usize;
        return Some(start..start + value.len());
    }
    members.iter().find_map(|(name, value)| {
        let rest = field.strip_prefix(name.as_str())?.strip_prefix('.')?;
        span_of(line, value.get(), rest)
    })
}
