//! Repeated stretches, held against their first place word for word.

use super::SubstringFinder;
use super::repeats::Repeat;
use super::word_cache::WordCache;
use super::word_list::{self, WordList};
use crate::Error;
use crate::cut::cuts::{CutPiece, Cuts, CutsWriter, DocumentCuts};
use crate::cut::step_files::StepRecords;
use crate::cut::texts::{Grouped, check_memory, for_each_job, text_of};
use lookalike_engine::run::documents::Documents;
use lookalike_store::Unit;
use std::ops::Range;

/// The cuts; none if words differ that were taken for the same.
pub(super) fn verify(
    finder: &SubstringFinder<'_>,
    documents: &Documents,
    repeats: &mut StepRecords<Repeat>,
) -> Result<Option<Cuts>, Error> {
    let session = finder.session;
    let cache = WordCache::new(documents, session.share(8));
    let catalogue = &documents.catalogue;
    let mut writer = CutsWriter::new(session)?;
    let mut is_mistaken = false;
    session.phase("verify", Unit::Documents, None, |_| {
        let repeats = repeats.open(session)?;
        let jobs = Grouped::new(repeats.iter(), |repeat: &Repeat| repeat.document);
        // what two documents take: this one, and the largest that it is held against
        let bytes = |(document, repeats): &(u32, Vec<Repeat>)| {
            let of = |document: u32| {
                let words = u64::from(catalogue.sizes[document as usize]);
                Ok::<_, Error>(word_list::size(catalogue.entry(document)?.bytes, words))
            };
            let (mut most, mut last) = (0, *document);
            for repeat in repeats {
                if repeat.kept != last && repeat.kept != *document {
                    most = most.max(of(repeat.kept)?);
                    last = repeat.kept;
                }
            }
            let repeats = size_of_val(repeats.as_slice()) as u64;
            check_memory(session, documents, *document, of(*document)? + most + 2 * repeats)
        };
        let work = |(document, repeats): (u32, Vec<Repeat>)| {
            let words = WordList::new(&text_of(documents, document)?, catalogue.sizes[document as usize]);
            cuts_of(document, &words, &repeats, finder.winnowing.t as usize, &cache)
        };
        let each = |cuts: Option<DocumentCuts>| {
            session.progress.advance(1);
            match cuts {
                Some(cuts) if cuts.ranges.is_empty() => Ok(()),
                Some(cuts) => Ok(writer.push(&cuts, catalogue.sizes[cuts.document as usize])?),
                None => {
                    is_mistaken = true;
                    Ok(())
                }
            }
        };
        Ok(for_each_job(session, jobs, bytes, work, each))
    })??;
    if is_mistaken {
        return Ok(None);
    }
    Ok(Some(writer.finish()?))
}

/// What a document loses; none if words differ.
fn cuts_of(
    document: u32,
    words: &WordList,
    repeats: &[Repeat],
    n: usize,
    cache: &WordCache<'_>,
) -> Result<Option<DocumentCuts>, Error> {
    let mut pieces = Vec::new();
    let mut gone: Vec<Range<usize>> = Vec::new();
    let mut other = None;
    for Stretch { here, kept, there } in fewest(stretches(repeats, n)) {
        let kept_words = if kept == document {
            words
        } else {
            if other.as_ref().is_none_or(|(document, _)| *document != kept) {
                other = Some((kept, cache.words(kept)?));
            }
            &other.as_ref().expect("read above").1
        };
        match (words.stretch(here.clone()), kept_words.stretch(there.clone())) {
            (Some(a), Some(b)) if a == b => {}
            _ => return Ok(None),
        }
        let Range { start, end } = words.bytes(&here);
        let kept_start = kept_words.bytes(&there).start;
        pieces.push(CutPiece { start, end, words: here.len() as u32, kept, kept_start });
        match gone.last_mut() {
            Some(last) if here.start <= last.end => last.end = last.end.max(here.end),
            _ => gone.push(here),
        }
    }
    let gone = gone.into_iter().map(|range| words.whole_characters(range)).filter(|range| !range.is_empty());
    let (mut cut_words, mut ranges) = (0, Vec::new());
    for range in gone {
        cut_words += range.len() as u32;
        ranges.push(words.bytes(&range));
    }
    Ok(Some(DocumentCuts { document, words: cut_words, ranges, pieces }))
}

/// Words that stand elsewhere too.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stretch {
    here: Range<usize>,
    kept: u32,
    there: Range<usize>,
}

/// N-grams that follow each other here and there are one stretch. Each begins, and ends, after the one before.
fn stretches(repeats: &[Repeat], n: usize) -> impl Iterator<Item = Stretch> {
    let follows = |a: &Repeat, b: &Repeat| {
        a.position + 1 == b.position && a.kept == b.kept && a.kept_position + 1 == b.kept_position
    };
    repeats.chunk_by(follows).map(move |run| {
        let (first, length) = (run[0], run.len() - 1 + n);
        let words = |start: u32| start as usize..start as usize + length;
        Stretch { here: words(first.position), kept: first.kept, there: words(first.kept_position) }
    })
}

/// As few of the stretches as cover the words of all: a text that repeats itself is in as many stretches as it has words. What is
/// left out need not be compared, for every word of it is in one that is.
fn fewest(stretches: impl Iterator<Item = Stretch>) -> impl Iterator<Item = Stretch> {
    let mut stretches = stretches.peekable();
    let mut end = None;
    std::iter::from_fn(move || {
        let mut next = stretches.next()?;
        // the first after a gap has a word that no other has; else the last one that leaves no gap reaches farthest
        if let Some(end) = end.filter(|end| next.here.start <= *end) {
            while let Some(later) = stretches.next_if(|later| later.here.start <= end) {
                next = later;
            }
        }
        end = Some(next.here.end);
        Some(next)
    })
}
