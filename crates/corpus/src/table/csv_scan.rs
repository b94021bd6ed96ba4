//! Ends and fields of records of CSV.
//!
//! The rules are those of RFC 4180 as tools read it: a quote begins a quoted field only where a field begins; in it a quote is written
//! twice; what follows its end belongs to the field as it stands. `\n`, `\r` and `\r\n` end a record outside of quotes. Blank lines are
//! no records.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr3};

/// Looks for the end of records in a stream, piece by piece.
#[derive(Clone, Debug)]
pub(crate) struct RecordScanner {
    delimiter: u8,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Record,
    Field,
    Plain,
    Quoted,
    /// After a quote in a quoted field: its end, or the first of two.
    Quote,
}

impl RecordScanner {
    pub(crate) fn new(delimiter: u8) -> Self {
        Self { delimiter, state: State::Record }
    }

    /// Whether it stands between records.
    pub(crate) fn is_between(&self) -> bool {
        self.state == State::Record
    }

    /// Whether it stands in a quoted field.
    pub(crate) fn is_quoted(&self) -> bool {
        self.state == State::Quoted
    }

    /// How many of these bytes end a line without a record.
    pub(crate) fn blank(bytes: &[u8]) -> usize {
        bytes.iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count()
    }

    /// Reads on in a record: how many bytes still are of it, the byte that ends it not among them, if it ends here. Between records, the
    /// next begins with the first of these bytes.
    pub(crate) fn find_end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        if self.state == State::Record && !bytes.is_empty() {
            self.state = State::Field;
        }
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            match self.state {
                State::Quoted => {
                    at += memchr(b'"', rest)? + 1;
                    self.state = State::Quote;
                    continue;
                }
                State::Plain => at += memchr3(self.delimiter, b'\n', b'\r', rest)?,
                State::Record | State::Field | State::Quote => {}
            }
            let byte = bytes[at];
            if byte == b'\n' || byte == b'\r' {
                self.state = State::Record;
                return Some(at);
            }
            at += 1;
            self.state = match (self.state, byte) {
                (_, byte) if byte == self.delimiter => State::Field,
                (State::Field | State::Quote, b'"') => State::Quoted,
                _ => State::Plain,
            };
        }
        None
    }
}

/// More zeros in a row than this are no text, but a stretch of the file that was lost.
const MAX_ZEROS: usize = 64;

/// Whether a record has a stretch of zeros, as file systems leave where data was lost. The ends of the lines in it are lost too.
pub(crate) fn has_lost_bytes(record: &[u8]) -> bool {
    let Some(first) = memchr(0, record) else { return false };
    let mut zeros = 0;
    record[first..].iter().any(|byte| {
        zeros = if *byte == 0 { zeros + 1 } else { 0 };
        zeros > MAX_ZEROS
    })
}

/// The positions of the fields of a record, with their quotes.
pub(crate) fn fields(record: &[u8], delimiter: u8) -> Vec<Range<usize>> {
    let (mut fields, mut start) = (Vec::new(), 0);
    loop {
        let mut end = start;
        if record.get(start) == Some(&b'"') {
            end += 1;
            // over pairs of quotes to the one that stands alone
            loop {
                let Some(quote) = memchr(b'"', &record[end..]) else {
                    end = record.len();
                    break;
                };
                end += quote + 1;
                if record.get(end) != Some(&b'"') {
                    break;
                }
                end += 1;
            }
        }
        let Some(found) = memchr(delimiter, &record[end..]) else {
            fields.push(start..record.len());
            return fields;
        };
        fields.push(start..end + found);
        start = end + found + 1;
    }
}

/// The text of a field without its quotes.
pub(crate) fn unquoted(field: &[u8]) -> Cow<'_, [u8]> {
    let Some(inner) = field.strip_prefix(b"\"") else { return Cow::Borrowed(field) };
    match memchr(b'"', inner) {
        None => return Cow::Borrowed(inner),
        Some(end) if end + 1 == inner.len() => return Cow::Borrowed(&inner[..end]),
        Some(_) => {}
    }
    let (mut text, mut rest) = (Vec::with_capacity(inner.len()), inner);
    while let Some(quote) = memchr(b'"', rest) {
        text.extend_from_slice(&rest[..quote]);
        rest = &rest[quote + 1..];
        match rest.strip_prefix(b"\"") {
            Some(after) => {
                text.push(b'"');
                rest = after;
            }
            None => break,
        }
    }
    text.extend_from_slice(rest);
    Cow::Owned(text)
}

/// A field that says this. It is between quotes if it has to be, or if `always` says so.
pub(crate) fn quoted(text: &str, delimiter: u8, always: bool) -> Cow<'_, str> {
    let special = |byte: u8| byte == delimiter || matches!(byte, b'"' | b'\n' | b'\r');
    if !always && !text.is_empty() && !text.bytes().any(special) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The records of a stream that comes in pieces of this size.
    fn split(stream: &[u8], piece: usize) -> Vec<Vec<Vec<u8>>> {
        let mut scanner = RecordScanner::new(b',');
        let (mut records, mut record) = (Vec::new(), Vec::new());
        for piece in stream.chunks(piece) {
            let mut rest = piece;
            while !rest.is_empty() {
                if scanner.is_between() {
                    rest = &rest[RecordScanner::blank(rest)..];
                    if rest.is_empty() {
                        break;
                    }
                }
                let Some(end) = scanner.find_end(rest) else {
                    record.extend_from_slice(rest);
                    break;
                };
                record.extend_from_slice(&rest[..end]);
                records.push(std::mem::take(&mut record));
                rest = &rest[end + 1..];
            }
        }
        if !record.is_empty() {
            records.push(record);
        }
        let say = |record: &Vec<u8>| {
            fields(record, b',').into_iter().map(|field| unquoted(&record[field]).into_owned()).collect()
        };
        records.iter().map(say).collect()
    }

    /// The same by another reader.
    fn twin(stream: &[u8]) -> Vec<Vec<Vec<u8>>> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(stream);
        let say = |record: csv::ByteRecord| record.iter().map(<[u8]>::to_vec).collect();
        reader.byte_records().map(|record| say(record.unwrap())).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn records_and_fields_are_those_of_others(
            stream in prop::collection::vec(prop::sample::select(&b"ab,,\"\"\"\n\r"[..]), 0..40),
            piece in 1usize..9,
        ) {
            prop_assert_eq!(split(&stream, piece), twin(&stream));
        }

        #[test]
        fn what_is_quoted_comes_back(text in "[ab,\"\n\r;é]{0,12}", always: bool) {
            let written = quoted(&text, b',', always);
            prop_assert_eq!(fields(written.as_bytes(), b','), vec![0..written.len()]);
            let read = unquoted(written.as_bytes());
            prop_assert_eq!(read.as_ref(), text.as_bytes());
        }
    }
}
