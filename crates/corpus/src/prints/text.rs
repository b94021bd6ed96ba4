//! Fingerprints as lines of text, with or without ids.

use std::io::Read;

use super::digits::Rule;
use super::fault::{At, Fault, shown};
use super::{Ids, Names, Options, Print};
use crate::lines::{Block, Cut, Cutter, Line};

/// Bytes read at once; also the beginning by which a file is judged, so it must not follow the memory allowed.
const BLOCK: usize = 1 << 20;
/// The longest line: a fingerprint and a name.
const LONGEST: u64 = 64 << 10;

/// Lines that are being read.
pub(super) struct Text {
    cutter: Cutter<Box<dyn Read + Send>>,
    /// The first block, while it waits to be read.
    head: Option<Block>,
    rule: Rule,
    /// What the ids are; `None` if the lines have none, and must not have any.
    ids: Option<Ids>,
    /// An empty line that must be at the end.
    blank: Option<u64>,
}

/// A line taken apart.
struct Parts<'a> {
    print: &'a [u8],
    id: Option<&'a [u8]>,
}

impl Text {
    /// Reads the beginning and decides what the rest must be.
    pub(super) fn new<P: Print>(input: Box<dyn Read + Send>, options: &Options) -> Result<Text, Fault> {
        let mut cutter = Cutter::new(input, b'\n', BLOCK, LONGEST).without_bom();
        let head = match cutter.next() {
            None => None,
            Some(cut) => Some(block(cut)?),
        };
        let lines = || {
            let lines = head.iter().flat_map(Block::lines);
            lines.map(|line| (At::Line(line.number), split(line.bytes))).filter(|(_, parts)| !parts.print.is_empty())
        };
        let rule = match options.digits {
            Some(digits) => Rule::given(digits),
            None => Rule::decide::<P>(lines().map(|(at, parts)| (at, parts.print)))?,
        };
        let any = lines().next().is_some_and(|(_, parts)| parts.id.is_some());
        let ids = match options.ids {
            Some(Ids::Rows) => Some(Ids::Rows),
            Some(ids) if any || lines().next().is_none() => Some(ids),
            Some(Ids::Numbers) => return Err(Fault::NoIds("numbers")),
            Some(Ids::Names) => return Err(Fault::NoIds("names")),
            None if !any => None,
            None if lines().all(|(_, parts)| parts.id.is_none_or(|id| number(id).is_some())) => Some(Ids::Numbers),
            None => Some(Ids::Names),
        };
        Ok(Text { cutter, head, rule, ids, blank: None })
    }

    /// What the ids are.
    pub(super) fn ids(&self) -> Ids {
        self.ids.unwrap_or(Ids::Rows)
    }

    /// Reads the next block of lines, whose first fingerprint is that of `row`.
    pub(super) fn next_batch<P: Print>(
        &mut self,
        row: u64,
        prints: &mut Vec<P>,
        ids: &mut Vec<u64>,
        names: &mut Names,
    ) -> Result<usize, Fault> {
        prints.clear();
        ids.clear();
        while prints.is_empty() {
            let next = match self.head.take() {
                Some(head) => head,
                None => match self.cutter.next() {
                    Some(cut) => block(cut)?,
                    None => break,
                },
            };
            for line in next.lines() {
                self.take(&line, row, prints, ids, names)?;
            }
        }
        Ok(prints.len())
    }

    #[inline]
    fn take<P: Print>(
        &mut self,
        line: &Line<'_>,
        row: u64,
        prints: &mut Vec<P>,
        ids: &mut Vec<u64>,
        names: &mut Names,
    ) -> Result<(), Fault> {
        let bytes = line.bytes.len() as u64;
        if bytes > LONGEST {
            return Err(Fault::LongLine { line: line.number, bytes, limit: LONGEST });
        }
        let at = || At::Line(line.number);
        let Parts { print, id } = split(line.bytes);
        if print.is_empty() && line.bytes.trim_ascii().is_empty() {
            self.blank.get_or_insert(line.number);
            return Ok(());
        }
        if let Some(line) = self.blank {
            return Err(Fault::Blank { line });
        }
        let print = self.rule.parse(at, print)?;
        match (self.ids, id) {
            (None, None) | (Some(Ids::Rows), _) => {}
            (Some(Ids::Numbers), Some(id)) => {
                ids.push(number(id).ok_or_else(|| Fault::BadId { at: at(), found: shown(id) })?);
            }
            (Some(Ids::Names), Some(id)) => names.push(row + prints.len() as u64, id)?,
            (_, id) => return Err(Fault::SomeIds { line: line.number, has: id.is_some() }),
        }
        prints.push(print);
        Ok(())
    }
}

/// The lines of a cut, if it is none of the others.
fn block(cut: Cut) -> Result<Block, Fault> {
    match cut {
        Cut::Lines(block) => Ok(block),
        Cut::TooLong { number, bytes } => Err(Fault::LongLine { line: number, bytes, limit: LONGEST }),
        Cut::Failed(error) => Err(Fault::Damaged(error.to_string())),
    }
}

/// The fingerprint up to the first blank, tab or comma, and what follows it.
#[inline]
fn split(line: &[u8]) -> Parts<'_> {
    let line = line.trim_ascii();
    let Some(end) = line.iter().position(|byte| matches!(byte, b' ' | b'\t' | b',')) else {
        return Parts { print: line, id: None };
    };
    let (print, rest) = line.split_at(end);
    let rest = rest.trim_ascii_start();
    let id = rest.strip_prefix(b",").unwrap_or(rest).trim_ascii_start();
    // A comma at the end announces an id that is not there; it is not taken for an empty one.
    Parts { print, id: (!id.is_empty()).then_some(id) }
}

/// A number as it is usually written: it must not come back from us in another spelling.
#[inline]
fn number(id: &[u8]) -> Option<u64> {
    let canonical = matches!(id, [b'0'] | [b'1'..=b'9', ..]) && id.iter().all(u8::is_ascii_digit);
    if !canonical {
        return None;
    }
    std::str::from_utf8(id).ok()?.parse().ok()
}
