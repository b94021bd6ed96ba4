//! N-grams around anchors, each with the first of its equals.

use super::SubstringFinder;
use super::anchors::Anchor;
use super::fingerprints::high_token;
use super::word_list::WordList;
use crate::Error;
use crate::cut::reading::Rank;
use crate::cut::step_files::StepRecords;
use crate::cut::texts::{Grouped, for_each_job, text_of};
use bytemuck::{Pod, Zeroable};
use lookalike_core::lexical_hash::LexicalHasher;
use lookalike_core::shingle::Batches;
use lookalike_core::winnow::for_each_gram;
use lookalike_engine::run::documents::Documents;
use lookalike_store::{ExternalSort, Unit};
use serde::{Deserialize, Serialize};
use std::ops::Range;

pub(super) const REPEATS: &str = "repeats";

/// Bits of a word's place in its document.
const POSITION_BITS: u32 = 31;

/// How equal N-grams are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum GramHash {
    /// Quick, 128 bits; but whoever knows the key can make N-grams that are mistaken for each other.
    Rolled,
    /// Of the words themselves, which nobody can forge: where the quick one has failed.
    Lexical,
}

/// The hash of an N-gram and its place: documents that must stay first, then in the order of the corpus.
type GramRecord = [u64; 3];

/// An N-gram that stands at an earlier place too, and the first of these places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Repeat {
    pub(super) document: u32,
    /// Its first word.
    pub(super) position: u32,
    pub(super) kept: u32,
    pub(super) kept_position: u32,
}

fn place(rank: Rank, position: u32) -> u64 {
    rank.number() << POSITION_BITS | u64::from(position)
}

fn rank_and_position(place: u64) -> (Rank, u32) {
    (Rank::of_number(place >> POSITION_BITS), (place & ((1 << POSITION_BITS) - 1)) as u32)
}

/// Finds all repeated N-grams.
pub(super) fn find(
    finder: &SubstringFinder<'_>,
    documents: &Documents,
    anchors: &mut StepRecords<Anchor>,
    hash: GramHash,
) -> Result<StepRecords<Repeat>, Error> {
    let session = finder.session;
    let mut grams: ExternalSort<GramRecord> = ExternalSort::new(&session.space, "the repeated words", session.share(4));
    session.phase("repeats", Unit::Documents, None, |_| {
        let anchors = anchors.open(session)?;
        let jobs = Grouped::new(anchors.iter(), |anchor: &Anchor| anchor.document);
        let bytes = |(document, _): &(u32, Vec<Anchor>)| {
            let words = u64::from(documents.catalogue.sizes[*document as usize]);
            // the text beside its line, words or their hashes, and what is made of them
            Ok(4 * documents.catalogue.entry(*document)?.bytes + 60 * words)
        };
        let work = |(document, anchors): (u32, Vec<Anchor>)| {
            let text = text_of(documents, document)?;
            let rank = Rank { document, must_stay: documents.catalogue.origins.is_fixed(document) };
            Ok(grams_of(finder, &text, &anchors, hash, |position| place(rank, position)))
        };
        let each = |made: Vec<GramRecord>| {
            session.progress.advance(1);
            Ok(made.into_iter().try_for_each(|gram| grams.push(gram))?)
        };
        Ok(for_each_job(session, jobs, bytes, work, each))
    })??;
    let repeats = session.phase("first places", Unit::Documents, None, |_| {
        let mut repeats = ExternalSort::new(&session.space, "the repeats", session.share(4));
        let mut first: Option<(GramRecord, (Rank, u32))> = None;
        for (at, gram) in grams.merged()?.enumerate() {
            let gram = gram?;
            if at % (1 << 16) == 0 {
                session.cancel.check()?;
            }
            let (rank, position) = rank_and_position(gram[2]);
            let Some((_, (kept, kept_position))) = first.filter(|(first, _)| first[..2] == gram[..2]) else {
                first = Some((gram, (rank, position)));
                continue;
            };
            // the first in a document is before all others there: if it overlaps this one, so does every one between
            let is_apart = kept.document != rank.document || kept_position + finder.winnowing.t <= position;
            if is_apart && !rank.must_stay {
                repeats.push(Repeat { document: rank.document, position, kept: kept.document, kept_position })?;
            }
        }
        StepRecords::sorted(session, REPEATS, repeats, hash)
    })?;
    Ok(repeats)
}

/// The N-grams of a text that hold an anchor.
fn grams_of(
    finder: &SubstringFinder<'_>,
    text: &str,
    anchors: &[Anchor],
    hash: GramHash,
    place: impl Fn(u32) -> u64,
) -> Vec<GramRecord> {
    let (hasher, n) = (&finder.hasher, finder.winnowing.t as usize);
    let mut grams = Vec::new();
    match hash {
        GramHash::Rolled => {
            let (mut high, mut low) = (Vec::new(), Vec::new());
            Batches::default().for_each(text, hasher, |words| {
                high.extend(words.iter().map(|word| high_token(*word)));
                low.extend(words.iter().map(|word| (*word as u32).max(1)));
            });
            for stretch in stretches(finder, anchors, high.len()) {
                let (at, words) = (grams.len(), stretch.start..stretch.end - 1 + n);
                for_each_gram(&high[words.clone()], n, hasher, |gram| {
                    let position = stretch.start as u32 + gram.position;
                    grams.push([gram.hash & finder.hash_bits, 0, place(position)]);
                });
                let mut rest = grams[at..].iter_mut();
                for_each_gram(&low[words], n, hasher, |gram| {
                    if let Some(record) = rest.next() {
                        record[1] = gram.hash & finder.hash_bits;
                    }
                });
            }
        }
        GramHash::Lexical => {
            let words = WordList::new(text);
            let mut lexical = LexicalHasher::new(hasher);
            for position in stretches(finder, anchors, words.len()).into_iter().flatten() {
                words.words(position..position + n).for_each(|word| lexical.word(word));
                let hash = lexical.finish();
                grams.push([(hash >> 64) as u64, hash as u64, place(position as u32)]);
            }
        }
    }
    grams
}

/// The first words of N-grams that hold an anchor, as ranges that are apart.
fn stretches(finder: &SubstringFinder<'_>, anchors: &[Anchor], words: usize) -> Vec<Range<usize>> {
    let (w, n) = (finder.winnowing.w(), finder.winnowing.t as usize);
    let end = (words + 1).saturating_sub(n);
    let mut stretches: Vec<Range<usize>> = Vec::new();
    for anchor in anchors {
        let position = anchor.position as usize;
        let range = (position + 1).saturating_sub(w)..(position + 1).min(end);
        match stretches.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ if range.is_empty() => {}
            _ => stretches.push(range),
        }
    }
    stretches
}
