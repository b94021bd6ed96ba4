//! Repeated paragraphs or lines: the first ones stay, the others go.
//!
//! Two pieces are the same if their canonical words are, and that is told by a keyed BLAKE3 hash of the words, 128 bits of it. That is no
//! guess: nobody can make two pieces of other words with the same hash, and by chance it happens in less than one of 10^18 corpora of ten
//! thousand million pieces each. Documents with the same bytes or words are told by the same hash everywhere in this house.

use crate::Error;
use crate::cut::cuts::{CutPiece, Cuts, CutsWriter, DocumentCuts};
use crate::cut::options::ParagraphOptions;
use crate::cut::pieces::for_each_piece;
use crate::cut::reading::{KeptText, Rank, TextReader, keep_catalogue, known_catalogue, read_texts};
use crate::cut::step_files::{StepRecords, discard};
use bytemuck::{Pod, Zeroable};
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::lexical_hash::LexicalHasher;
use lookalike_core::shingle::Batches;
use lookalike_corpus::{Corpus, put_varint, take_varint};
use lookalike_engine::run::catalogue::Catalogue;
use lookalike_engine::run::session::Session;
use lookalike_store::{ExternalSort, Unit};
use std::ops::Range;

const PIECES: &str = "pieces";

/// A piece of a document: the same words have the same hash, and stand together when sorted, the first of them first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct PieceRecord {
    hash: [u64; 2],
    rank: u64,
    start: u32,
    end: u32,
    words: u32,
    /// Records have no holes.
    zero: u32,
}

/// The pieces of one text, by their hash.
#[derive(Default)]
struct TextPieces {
    all: u64,
    long: Vec<(u128, Range<u32>, u32)>,
}

impl KeptText for TextPieces {
    fn encode(&self, out: &mut Vec<u8>) {
        put_varint(self.all, out);
        put_varint(self.long.len() as u64, out);
        for (hash, Range { start, end }, words) in &self.long {
            out.extend(hash.to_le_bytes());
            for number in [start, end, words] {
                put_varint(u64::from(*number), out);
            }
        }
    }

    fn decode(from: &mut &[u8]) -> Option<Self> {
        let (all, count) = (take_varint(from)?, take_varint(from)?);
        let mut long = Vec::new();
        for _ in 0..count {
            let (hash, rest) = from.split_first_chunk()?;
            *from = rest;
            let mut number = || u32::try_from(take_varint(from)?).ok();
            let (start, end, words) = (number()?, number()?, number()?);
            long.push((u128::from_le_bytes(*hash), start..end, words));
        }
        Some(Self { all, long })
    }
}

/// What reading leaves.
pub(crate) struct ReadPieces {
    /// The pieces of enough words, sorted.
    pub(crate) long: StepRecords<PieceRecord>,
    /// How many there are with the short ones.
    pub(crate) all: u64,
}

/// Reads a corpus piece by piece.
pub(crate) fn read(
    session: &Session<'_>,
    corpus: &Corpus,
    options: &ParagraphOptions,
) -> Result<(Catalogue, ReadPieces), Error> {
    if let Some(catalogue) = known_catalogue(session, corpus)?
        && let Some((long, all)) = StepRecords::finished(session, PIECES)?
    {
        return Ok((catalogue, ReadPieces { long, all }));
    }
    let hasher = FeatureHasher::with_key(&session.options.key);
    let worker = || {
        let (mut batches, mut lexical) = (Batches::default(), LexicalHasher::new(&hasher));
        move |text: &str| pieces_of(text, options, &hasher, &mut batches, &mut lexical)
    };
    // the shortest word and its space are two bytes, and a piece is noted in some fifty
    let reader = TextReader { worker, cost: 1 + 24 / u64::from(options.min_words) };
    let mut sort = ExternalSort::new(&session.space, "the pieces", session.share(4));
    let mut all = 0;
    let catalogue = read_texts(session, corpus, &reader, |rank, pieces: TextPieces| {
        all += pieces.all;
        pieces.long.into_iter().try_for_each(|(hash, Range { start, end }, words)| {
            let hash = [(hash >> 64) as u64, hash as u64];
            sort.push(PieceRecord { hash, rank: rank.number(), start, end, words, zero: 0 })
        })
    })?;
    let long = StepRecords::sorted(session, PIECES, sort, all)?;
    keep_catalogue(session, corpus, &catalogue)?;
    Ok((catalogue, ReadPieces { long, all }))
}

fn pieces_of(
    text: &str,
    options: &ParagraphOptions,
    hasher: &FeatureHasher,
    batches: &mut Batches,
    lexical: &mut LexicalHasher,
) -> (u64, TextPieces) {
    let (mut all_words, mut pieces) = (0, TextPieces::default());
    for_each_piece(text, options.unit, |span| {
        let mut words = 0;
        batches.for_each_with(&text[span.clone()], hasher, lexical, |some| words += some.len() as u64);
        let hash = lexical.finish();
        all_words += words;
        pieces.all += 1;
        if words >= u64::from(options.min_words) {
            pieces.long.push((hash, span.start as u32..span.end as u32, words as u32));
        }
    });
    (all_words, pieces)
}

/// Decides which pieces go; `sizes` are the words of the documents.
pub(crate) fn find(
    session: &Session<'_>,
    pieces: &mut StepRecords<PieceRecord>,
    sizes: &[u32],
    options: &ParagraphOptions,
) -> Result<Cuts, Error> {
    if let Some(cuts) = Cuts::load(session)? {
        return Ok(cuts);
    }
    let mut sort: ExternalSort<PieceCut> = ExternalSort::new(&session.space, "the cuts", session.share(4));
    let cuts = session.phase("find", Unit::Documents, None, |_| {
        let mut first: Option<(PieceRecord, u32)> = None;
        for (at, piece) in pieces.open(session)?.iter().enumerate() {
            let piece = piece?;
            if at % (1 << 16) == 0 {
                session.cancel.check()?;
            }
            let rank = Rank::of_number(piece.rank);
            match &mut first {
                Some((first, copies)) if first.hash == piece.hash => {
                    *copies = copies.saturating_add(1);
                    if *copies > options.max_copies && !rank.must_stay {
                        let PieceRecord { start, end, words, .. } = piece;
                        let (kept, kept_start) = (Rank::of_number(first.rank).document, first.start);
                        let piece = CutPiece { start, end, words, kept, kept_start };
                        sort.push(PieceCut { document: rank.document, piece })?;
                    }
                }
                _ => first = Some((piece, 1)),
            }
        }
        let mut writer = CutsWriter::new(session)?;
        let mut one: Option<DocumentCuts> = None;
        for cut in sort.merged()? {
            let PieceCut { document, piece } = cut?;
            if let Some(done) = one.take_if(|one| one.document != document) {
                writer.push(&done, sizes[done.document as usize])?;
            }
            let cuts =
                one.get_or_insert_with(|| DocumentCuts { document, words: 0, ranges: Vec::new(), pieces: Vec::new() });
            cuts.words += piece.words;
            match cuts.ranges.last_mut() {
                Some(last) if last.end == piece.start => last.end = piece.end,
                _ => cuts.ranges.push(piece.start..piece.end),
            }
            cuts.pieces.push(piece);
        }
        if let Some(done) = one {
            writer.push(&done, sizes[done.document as usize])?;
        }
        writer.finish()
    })?;
    discard(session, &[PIECES]);
    Ok(cuts)
}

/// A piece that goes, with its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
struct PieceCut {
    document: u32,
    piece: CutPiece,
}
