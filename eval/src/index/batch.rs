//! The questions: a third are documents of the index, a third edited copies of such, a third new ones. What is true of them is known.

use super::corpus::{Asked, line, url};
use crate::generate::{Corpus, about};
use anyhow::Result;
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::sets::Overlap;
use lookalike_core::shingle;
use lookalike_core::sketch::{SampleOverlap, Sampler, Sampling, Sketch};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::fs;
use std::path::Path;

/// Words in a shingle: the default of lookalike.
const WORDS: usize = 10;

/// What is true of a question.
pub(super) enum Question {
    /// The index has this very document.
    Indexed,
    /// An edited copy of one document of the index, or two.
    Edited(Vec<Pair>),
    /// The index has nothing of it.
    New,
}

/// An edited copy and its source.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    /// The URL of the source.
    pub(super) source: String,
    pub(super) overlap: Overlap,
    /// Features of the union that the estimate looks at; none if it sees all of them, and estimates nothing.
    pub(super) sampled: Option<u32>,
}

/// The questions by id.
pub(super) struct Batch {
    pub(super) questions: FxHashMap<String, Question>,
}

impl Batch {
    /// Makes so many questions and writes them to a file, the three kinds in turn.
    pub(super) fn write(asked: &Asked, questions: usize, file: &Path) -> Result<Self> {
        let corpus = asked.corpus();
        let chosen = choose(&corpus, asked.documents, questions);
        let made = |(at, (index, kind)): (usize, &(u64, Chosen))| {
            let id = format!("question-{at:06}");
            let mut text = Vec::new();
            line(&corpus, *index, &id, &mut text);
            let question = match kind {
                Chosen::Indexed => Question::Indexed,
                Chosen::Edited => Question::Edited(pairs(&corpus, *index)),
                Chosen::New => Question::New,
            };
            (id, question, text)
        };
        let made: Vec<(String, Question, Vec<u8>)> = chosen.par_iter().enumerate().map(made).collect();
        fs::write(file, made.iter().flat_map(|(_, _, text)| text).copied().collect::<Vec<u8>>())?;
        Ok(Self { questions: made.into_iter().map(|(id, question, _)| (id, question)).collect() })
    }

    /// All edited copies with their sources, by the id of the question, in its order.
    pub(super) fn pairs(&self) -> Vec<(&str, &Pair)> {
        let edited = |(id, question): (&'_ String, &'_ Question)| match question {
            Question::Edited(_) => Some(id.clone()),
            _ => None,
        };
        let mut ids: Vec<String> = self.questions.iter().filter_map(edited).collect();
        ids.sort_unstable();
        let mut pairs = Vec::new();
        for id in &ids {
            if let Some((id, Question::Edited(of))) = self.questions.get_key_value(id) {
                pairs.extend(of.iter().map(|pair| (id.as_str(), pair)));
            }
        }
        pairs
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Chosen {
    Indexed,
    Edited,
    New,
}

/// Those of the index are spread over all of it. The others are what the generator would make next: copies of earlier ones, and originals.
fn choose(corpus: &Corpus, documents: u64, questions: usize) -> Vec<(u64, Chosen)> {
    let third = questions / 3;
    let counts = [questions - 2 * third, third, third];
    let indexed = (0..counts[0] as u64).map(|at| at * documents / counts[0] as u64);
    let (mut edited, mut new, mut next) = (Vec::new(), Vec::new(), documents);
    while edited.len() < counts[1] || new.len() < counts[2] {
        let plan = corpus.plan(next);
        let of_the_index = plan.sources().iter().all(|source| *source < documents);
        match plan.kind {
            None if new.len() < counts[2] => new.push(next),
            Some(kind) if edited.len() < counts[1] && of_the_index && kind.name() != "identical" => edited.push(next),
            _ => {}
        }
        next += 1;
    }
    let mut chosen = Vec::with_capacity(questions);
    let (mut edited, mut new) = (edited.into_iter(), new.into_iter());
    for index in indexed {
        chosen.push((index, Chosen::Indexed));
        chosen.extend(edited.next().map(|index| (index, Chosen::Edited)));
        chosen.extend(new.next().map(|index| (index, Chosen::New)));
    }
    chosen
}

/// An edited copy with each of its sources.
fn pairs(corpus: &Corpus, index: u64) -> Vec<Pair> {
    let copy = sketch(corpus, index);
    let pair = |truth: crate::generate::Truth| {
        let sample = SampleOverlap::of(Sampling::default(), &copy, &sketch(corpus, truth.source));
        let sampled = (!sample.is_exhaustive).then_some(sample.a + sample.b - sample.shared);
        Pair { source: url(truth.source), overlap: truth.overlap, sampled }
    };
    about(corpus, index, WORDS).into_iter().map(pair).collect()
}

fn sketch(corpus: &Corpus, index: u64) -> Sketch {
    let mut sampler = Sampler::new(Sampling::default());
    sampler.extend(&shingle::set_of_text(&corpus.text(index), WORDS, &FeatureHasher::default()));
    sampler.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_of_each_and_the_truth_is_of_the_index() {
        let asked = Asked { documents: 500, words: 40, copies: 0.3, seed: 3 };
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("questions.jsonl");
        let batch = Batch::write(&asked, 31, &file).unwrap();
        let count = |wanted: fn(&Question) -> bool| batch.questions.values().filter(|one| wanted(one)).count();
        assert_eq!(count(|one| matches!(one, Question::Indexed)), 11);
        assert_eq!(count(|one| matches!(one, Question::New)), 10);
        assert_eq!(count(|one| matches!(one, Question::Edited(_))), 10);
        assert_eq!(fs::read_to_string(file).unwrap().lines().count(), 31);
        let pairs = batch.pairs();
        assert!(pairs.len() >= 10 && pairs.is_sorted_by_key(|(id, _)| *id));
        for (_, pair) in pairs {
            assert!((0..500).any(|source| url(source) == pair.source), "{pair:?}");
        }
    }
}
