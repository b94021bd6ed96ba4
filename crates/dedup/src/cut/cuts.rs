//! What is cut out of which document, on disk: one record for each document that loses something.

use bytemuck::{Pod, Zeroable};
use lookalike_engine::Error as EngineError;
use lookalike_engine::run::session::Session;
use lookalike_store::{Error as StoreError, ExternalSort, Spool, SpoolReader};
use serde::{Deserialize, Serialize};
use std::ops::Range;

const CUTS: &str = "cuts";
const PLACES: &str = "cut-places";

/// Pieces that are listed in the summary.
const MAX_REPEATED: usize = 20;

/// A piece that goes, and where the same words stand first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct CutPiece {
    /// Its first byte in the text.
    pub start: u32,
    /// The byte behind its last.
    pub end: u32,
    /// Its words.
    pub words: u32,
    /// The document that has them first.
    pub kept: u32,
    /// The first byte of them there.
    pub kept_start: u32,
}

/// What one document loses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentCuts {
    /// Its number.
    pub document: u32,
    /// Words that go.
    pub words: u32,
    /// Bytes of the text that go: in order, and apart from each other.
    pub ranges: Vec<Range<u32>>,
    /// The evidence. Pieces may overlap.
    pub pieces: Vec<CutPiece>,
}

/// All cuts in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CutTotals {
    /// Documents that lose something.
    pub(crate) documents: u64,
    /// Those that lose all their words.
    pub(crate) whole_documents: u64,
    pub(crate) pieces: u64,
    pub(crate) bytes: u64,
    pub(crate) words: u64,
    /// The pieces that went most often: how often, and one of them with its document.
    pub(crate) most_repeated: Vec<(u64, u32, [u32; 5])>,
}

/// All cuts, by document.
pub struct Cuts {
    spool: SpoolReader,
    /// Documents that lose something, and where their record is.
    places: Vec<(u32, u64)>,
    pub(crate) totals: CutTotals,
}

impl Cuts {
    /// What a finished step left.
    pub(crate) fn load(session: &Session<'_>) -> Result<Option<Self>, EngineError> {
        let Some(work) = &session.work else { return Ok(None) };
        let Some(totals) = work.finished_step::<CutTotals>(CUTS)? else { return Ok(None) };
        let mut places = Vec::new();
        for record in work.load::<[u64; 2]>(PLACES)?.iter() {
            let [document, place] = record?;
            places.push((document as u32, place));
        }
        let spool = work.open_spool(CUTS, totals.documents)?;
        Ok(Some(Self { spool, places, totals }))
    }

    /// The documents that lose something, in order.
    pub fn documents(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.places.iter().map(|(document, _)| *document)
    }

    /// What the documents among these lose that lose something.
    pub fn of(&self, documents: Range<u32>) -> impl ExactSizeIterator<Item = Result<DocumentCuts, StoreError>> + '_ {
        let at = |document: u32| self.places.partition_point(|(other, _)| *other < document);
        self.places[at(documents.start)..at(documents.end)].iter().map(|(document, place)| {
            let mut record = Vec::new();
            self.spool.read(*place, &mut record)?;
            decode(*document, &record).ok_or_else(|| StoreError::Damaged {
                what: "the cuts".into(),
                offset: *place,
                found: "a record that cannot be decoded".into(),
            })
        })
    }
}

/// Takes what documents lose, in the order of the documents.
pub(crate) struct CutsWriter<'a> {
    session: &'a Session<'a>,
    spool: Spool,
    places: Vec<(u32, u64)>,
    totals: CutTotals,
    repeated: ExternalSort<RepeatedPiece>,
    buffer: Vec<u8>,
}

/// A piece that went, beside others with the same first place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
struct RepeatedPiece {
    kept: u32,
    kept_start: u32,
    words: u32,
    document: u32,
    start: u32,
    end: u32,
}

impl<'a> CutsWriter<'a> {
    pub(crate) fn new(session: &'a Session<'a>) -> Result<Self, EngineError> {
        Ok(Self {
            session,
            spool: session.spool("the cuts", CUTS)?,
            places: Vec::new(),
            totals: CutTotals::default(),
            repeated: ExternalSort::new(&session.space, "the repeated pieces", session.share(8)),
            buffer: Vec::new(),
        })
    }

    /// What the next document loses; `words` is how many it has.
    pub(crate) fn push(&mut self, cuts: &DocumentCuts, words: u32) -> Result<(), EngineError> {
        let DocumentCuts { document, words: cut_words, ranges, pieces } = cuts;
        for piece in pieces {
            let CutPiece { start, end, words, kept, kept_start } = *piece;
            self.repeated.push(RepeatedPiece { kept, kept_start, words, document: *document, start, end })?;
        }
        encode(cuts, &mut self.buffer);
        self.places.push((*document, self.spool.append(&self.buffer)?));
        self.totals.documents += 1;
        self.totals.whole_documents += u64::from(*cut_words == words);
        self.totals.pieces += pieces.len() as u64;
        self.totals.bytes += ranges.iter().map(|range| u64::from(range.end - range.start)).sum::<u64>();
        self.totals.words += u64::from(*cut_words);
        Ok(())
    }

    /// No more: the step is finished.
    pub(crate) fn finish(mut self) -> Result<Cuts, EngineError> {
        self.totals.most_repeated = most_repeated(self.repeated)?;
        let spool = self.spool.finish()?;
        if let Some(work) = &self.session.work {
            let places = self.places.iter().map(|(document, place)| Ok([u64::from(*document), *place]));
            work.save(PLACES, places)?;
            work.finish_step(CUTS, self.totals.clone())?;
        }
        Ok(Cuts { spool, places: self.places, totals: self.totals })
    }
}

/// The pieces that went most often; of those that went as often the first.
fn most_repeated(pieces: ExternalSort<RepeatedPiece>) -> Result<Vec<(u64, u32, [u32; 5])>, StoreError> {
    let mut most: Vec<(u64, RepeatedPiece)> = Vec::new();
    let mut run: Option<(u64, RepeatedPiece)> = None;
    let mut close = |run: Option<(u64, RepeatedPiece)>| {
        let Some(run) = run else { return };
        let at = most.partition_point(|other| other.0 >= run.0);
        if at < MAX_REPEATED {
            most.insert(at, run);
            most.truncate(MAX_REPEATED);
        }
    };
    let same =
        |a: &RepeatedPiece, b: &RepeatedPiece| (a.kept, a.kept_start, a.words) == (b.kept, b.kept_start, b.words);
    for piece in pieces.merged()? {
        let piece = piece?;
        match &mut run {
            Some((count, first)) if same(first, &piece) => *count += 1,
            _ => close(run.replace((1, piece))),
        }
    }
    close(run);
    let listed = most.into_iter().map(|(count, piece)| {
        let RepeatedPiece { kept, kept_start, words, document, start, end } = piece;
        (count, document, [start, end, words, kept, kept_start])
    });
    Ok(listed.collect())
}

fn encode(cuts: &DocumentCuts, out: &mut Vec<u8>) {
    out.clear();
    out.extend(cuts.words.to_le_bytes());
    out.extend((cuts.ranges.len() as u32).to_le_bytes());
    for range in &cuts.ranges {
        out.extend(range.start.to_le_bytes());
        out.extend(range.end.to_le_bytes());
    }
    for CutPiece { start, end, words, kept, kept_start } in &cuts.pieces {
        for number in [start, end, words, kept, kept_start] {
            out.extend(number.to_le_bytes());
        }
    }
}

fn decode(document: u32, record: &[u8]) -> Option<DocumentCuts> {
    let (numbers, []) = record.as_chunks::<4>() else { return None };
    let mut numbers = numbers.iter().map(|bytes| u32::from_le_bytes(*bytes));
    let (words, ranges) = (numbers.next()?, numbers.next()?);
    let ranges = (0..ranges).map(|_| Some(numbers.next()?..numbers.next()?)).collect::<Option<_>>()?;
    let mut pieces = Vec::new();
    while let Some(start) = numbers.next() {
        let [end, words, kept, kept_start] = [numbers.next()?, numbers.next()?, numbers.next()?, numbers.next()?];
        pieces.push(CutPiece { start, end, words, kept, kept_start });
    }
    Some(DocumentCuts { document, words, ranges, pieces })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn records_come_back(document: u32, words: u32, ranges: Vec<(u32, u32)>, pieces: Vec<[u32; 5]>) {
            let pieces = pieces.into_iter().map(|[start, end, words, kept, kept_start]| CutPiece { start, end, words, kept, kept_start });
            let ranges = ranges.into_iter().map(|(start, end)| start..end).collect();
            let cuts = DocumentCuts { document, words, ranges, pieces: pieces.collect() };
            let mut record = Vec::new();
            encode(&cuts, &mut record);
            prop_assert_eq!(decode(document, &record), Some(cuts));
        }

        #[test]
        fn broken_records_are_refused(record: Vec<u8>) {
            let _ = decode(0, &record);
        }
    }
}
