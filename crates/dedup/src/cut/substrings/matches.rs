//! Repeated stretches, held against their first place word for word.

use super::SubstringFinder;
use super::repeats::Repeat;
use super::word_cache::WordCache;
use super::word_list::WordList;
use crate::Error;
use crate::cut::cuts::{CutPiece, Cuts, CutsWriter, DocumentCuts};
use crate::cut::step_files::StepRecords;
use crate::cut::texts::{Grouped, for_each_job, text_of};
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
                Ok::<_, Error>(4 * catalogue.entry(document)?.bytes + 24 * words)
            };
            let (mut most, mut last) = (0, *document);
            for repeat in repeats {
                if repeat.kept != last && repeat.kept != *document {
                    most = most.max(of(repeat.kept)?);
                    last = repeat.kept;
                }
            }
            Ok(of(*document)? + most + 40 * repeats.len() as u64)
        };
        let work = |(document, repeats): (u32, Vec<Repeat>)| {
            let words = WordList::new(&text_of(documents, document)?);
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
    let follows = |a: &Repeat, b: &Repeat| {
        a.position + 1 == b.position && a.kept == b.kept && a.kept_position + 1 == b.kept_position
    };
    let mut pieces = Vec::new();
    let mut gone: Vec<Range<usize>> = Vec::new();
    let mut other = None;
    for run in repeats.chunk_by(follows) {
        let Repeat { position, kept, kept_position, .. } = run[0];
        let length = run.len() - 1 + n;
        let here = position as usize..position as usize + length;
        let there = kept_position as usize..kept_position as usize + length;
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
        pieces.push(CutPiece { start, end, words: length as u32, kept, kept_start });
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
