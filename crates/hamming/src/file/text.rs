//! Fingerprints as lines of text, with or without ids.

use std::io::Read;

use super::digits::DigitRule;
use super::error::{FileProblem, Position, shown};
use super::layout::{FileOptions, IdKind};
use super::names::Names;
use lookalike_core::bits::FingerprintBits;
use lookalike_corpus::stream::{Block, Cut, Cutter, Line};

/// Bytes read at once; also the beginning by which a file is judged, so it must not follow the memory allowed.
const BLOCK: usize = 1 << 20;
/// The longest line: a fingerprint and a name.
const MAX_LINE: u64 = 64 << 10;

/// Lines that are being read.
pub(super) struct TextSource {
    cutter: Cutter<Box<dyn Read + Send>>,
    /// The first block, while it waits to be read.
    head: Option<Block>,
    rule: DigitRule,
    /// What the ids are; `None` if the lines have none, and must not have any.
    ids: Option<IdKind>,
    /// An empty line that must be at the end.
    blank: Option<u64>,
}

/// A line taken apart.
struct LineParts<'a> {
    fingerprint: &'a [u8],
    id: Option<&'a [u8]>,
}

impl TextSource {
    /// Reads the beginning and decides what the rest must be.
    pub(super) fn new<P: FingerprintBits>(
        input: Box<dyn Read + Send>,
        options: &FileOptions,
    ) -> Result<TextSource, FileProblem> {
        let mut cutter = Cutter::new(input, b'\n', BLOCK, MAX_LINE).without_bom();
        let head = match cutter.next() {
            None => None,
            Some(cut) => Some(block(cut)?),
        };
        let lines = || {
            let lines = head.iter().flat_map(Block::lines);
            lines
                .map(|line| (Position::Line(line.number), split(line.bytes)))
                .filter(|(_, parts)| !parts.fingerprint.is_empty())
        };
        let rule = match options.digits {
            Some(digits) => DigitRule::given(digits),
            None => DigitRule::decide::<P>(lines().map(|(at, parts)| (at, parts.fingerprint)))?,
        };
        let any = lines().next().is_some_and(|(_, parts)| parts.id.is_some());
        let ids = match options.ids {
            Some(IdKind::Rows) => Some(IdKind::Rows),
            Some(ids) if any || lines().next().is_none() => Some(ids),
            Some(IdKind::Numbers) => return Err(FileProblem::NoIds("numbers")),
            Some(IdKind::Names) => return Err(FileProblem::NoIds("names")),
            None if !any => None,
            None if lines().all(|(_, parts)| parts.id.is_none_or(|id| number(id).is_some())) => Some(IdKind::Numbers),
            None => Some(IdKind::Names),
        };
        Ok(TextSource { cutter, head, rule, ids, blank: None })
    }

    /// What the ids are.
    pub(super) fn ids(&self) -> IdKind {
        self.ids.unwrap_or(IdKind::Rows)
    }

    /// Reads the next block of lines, whose first fingerprint is that of `row`.
    pub(super) fn next_batch<P: FingerprintBits>(
        &mut self,
        row: u64,
        fingerprints: &mut Vec<P>,
        ids: &mut Vec<u64>,
        names: &mut Names,
    ) -> Result<usize, FileProblem> {
        fingerprints.clear();
        ids.clear();
        while fingerprints.is_empty() {
            let next = match self.head.take() {
                Some(head) => head,
                None => match self.cutter.next() {
                    Some(cut) => block(cut)?,
                    None => break,
                },
            };
            for line in next.lines() {
                self.take(&line, row, fingerprints, ids, names)?;
            }
        }
        Ok(fingerprints.len())
    }

    #[inline]
    fn take<P: FingerprintBits>(
        &mut self,
        line: &Line<'_>,
        row: u64,
        fingerprints: &mut Vec<P>,
        ids: &mut Vec<u64>,
        names: &mut Names,
    ) -> Result<(), FileProblem> {
        let bytes = line.bytes.len() as u64;
        if bytes > MAX_LINE {
            return Err(FileProblem::LongLine { line: line.number, bytes, limit: MAX_LINE });
        }
        let at = || Position::Line(line.number);
        let LineParts { fingerprint, id } = split(line.bytes);
        if fingerprint.is_empty() && line.bytes.trim_ascii().is_empty() {
            self.blank.get_or_insert(line.number);
            return Ok(());
        }
        if let Some(line) = self.blank {
            return Err(FileProblem::Blank { line });
        }
        let fingerprint = self.rule.parse(at, fingerprint)?;
        match (self.ids, id) {
            (None, None) | (Some(IdKind::Rows), _) => {}
            (Some(IdKind::Numbers), Some(id)) => {
                ids.push(number(id).ok_or_else(|| FileProblem::BadId { at: at(), found: shown(id) })?);
            }
            (Some(IdKind::Names), Some(id)) => names.push(row + fingerprints.len() as u64, id)?,
            (_, id) => return Err(FileProblem::SomeIds { line: line.number, has: id.is_some() }),
        }
        fingerprints.push(fingerprint);
        Ok(())
    }
}

/// The lines of a cut, if it is none of the others.
fn block(cut: Cut) -> Result<Block, FileProblem> {
    match cut {
        Cut::Lines(block) => Ok(block),
        Cut::TooLong { number, bytes } => Err(FileProblem::LongLine { line: number, bytes, limit: MAX_LINE }),
        Cut::Failed(error) => Err(FileProblem::Damaged(error.to_string())),
    }
}

/// The fingerprint up to the first blank, tab or comma, and what follows it.
#[inline]
fn split(line: &[u8]) -> LineParts<'_> {
    let line = line.trim_ascii();
    let Some(end) = line.iter().position(|byte| matches!(byte, b' ' | b'\t' | b',')) else {
        return LineParts { fingerprint: line, id: None };
    };
    let (fingerprint, rest) = line.split_at(end);
    let rest = rest.trim_ascii_start();
    let id = rest.strip_prefix(b",").unwrap_or(rest).trim_ascii_start();
    // A comma at the end announces an id that is not there; it is not taken for an empty one.
    LineParts { fingerprint, id: (!id.is_empty()).then_some(id) }
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
