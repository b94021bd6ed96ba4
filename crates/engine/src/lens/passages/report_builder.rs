//! The report: submissions, the pairs that are listed with their passages, clusters.

use crate::Error;
use crate::lens::passages::border::Borders;
use crate::lens::passages::calibrate::Surprise;
use crate::lens::passages::cohort::CohortUnits;
use crate::lens::passages::details::Details;
use crate::lens::passages::frequencies::how_many_have;
use crate::lens::passages::pairs::{Comparing, PairRecord, shared_passages};
use crate::lens::passages::reading::Library;
use crate::lens::passages::stream::{FULL, Stream};
use crate::report::passages::FrequentPassage;
use crate::report::passages::Pair;
use crate::report::passages::Shared;
use crate::report::passages::SourceFile;
use crate::report::passages::Stretch;
use crate::report::passages::Submission;
use crate::report::passages::SubmissionCluster;
use lookalike_core::cluster::UnionFind;
use lookalike_core::passage::Passage;
use lookalike_core::sets::into_set;
use lookalike_corpus::content_name;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

/// Common passages that are listed.
const MAX_FREQUENT: usize = 100;

/// Tells what was found.
pub struct PassageReportBuilder<'a> {
    pub comparing: &'a Comparing<'a>,
    pub surprise: &'a Surprise,
    pub borders: Borders,
}

/// A passage on its way to the report.
struct Draft {
    a: Stretch,
    b: Stretch,
    tokens: u64,
    equal: u64,
    /// How much its tokens tell in the first, each 1 at most.
    weight: f64,
    fingerprints: Vec<u64>,
}

impl PassageReportBuilder<'_> {
    fn library(&self) -> &Library {
        self.comparing.library
    }

    fn cohort(&self) -> &CohortUnits {
        self.comparing.cohort
    }

    /// The pairs with their passages.
    pub fn pairs(&self, records: &[PairRecord]) -> Result<Vec<Pair>, Error> {
        let mut by_first: Vec<(usize, &PairRecord)> = records.iter().enumerate().collect();
        by_first.sort_by_key(|(_, record)| record.a);
        // what one submission is looked up by is made once for all its pairs
        let groups: Vec<_> = by_first.chunk_by(|(_, one), (_, next)| one.a == next.a).collect();
        let drafts = groups.par_iter().map(|group| self.drafts(group)).collect::<Result<Vec<_>, Error>>()?;
        let mut drafts: Vec<(usize, Vec<Draft>)> = drafts.into_iter().flatten().collect();
        drafts.sort_unstable_by_key(|(at, _)| *at);
        let drafts: Vec<Vec<Draft>> = drafts.into_iter().map(|(_, drafts)| drafts).collect();
        let mut wanted: Vec<u64> =
            drafts.iter().flatten().flat_map(|draft| draft.fingerprints.iter().copied()).collect();
        into_set(&mut wanted);
        let having = how_many_have(self.library(), self.cohort(), &wanted)?;
        let having: FxHashMap<u64, u64> = wanted.into_iter().zip(having).collect();
        Ok(records.iter().zip(drafts).map(|(record, drafts)| self.pair(record, drafts, &having)).collect())
    }

    fn pair(&self, record: &PairRecord, drafts: Vec<Draft>, having: &FxHashMap<u64, u64>) -> Pair {
        let tokens: u64 = drafts.iter().map(|draft| draft.tokens).sum();
        let weight: f64 = drafts.iter().map(|draft| draft.weight).sum();
        let mut passages: Vec<Shared> = drafts
            .into_iter()
            .map(|draft| Shared {
                // two at least; a passage shorter than the guarantee may have no fingerprint
                submissions: draft
                    .fingerprints
                    .iter()
                    .filter_map(|fingerprint| having.get(fingerprint).copied())
                    .min()
                    .unwrap_or(2)
                    .max(2),
                a: draft.a,
                b: draft.b,
                tokens: draft.tokens,
                equal: draft.equal,
            })
            .collect();
        passages.sort_by_key(|p| (std::cmp::Reverse(p.tokens), p.a.file, p.a.start, p.b.file, p.b.start));
        let in_others: u64 =
            passages.iter().filter(|passage| passage.submissions > 2).map(|passage| passage.tokens).sum();
        let [share_a, share_b] = record.shares();
        let similarity = record.similarity();
        Pair {
            a: record.a as usize,
            b: record.b as usize,
            similarity,
            share_a,
            share_b,
            overlap: u64::from(record.overlap_a + record.overlap_b) / 2,
            longest: u64::from(record.longest),
            passages_all: u64::from(record.passages),
            rarity: if tokens == 0 { 0.0 } else { weight / tokens as f64 },
            shared_by_others: if tokens == 0 { 0.0 } else { in_others as f64 / tokens as f64 },
            class: record.class(self.borders),
            expected: self.surprise.expected(similarity),
            expected_interval: self.surprise.interval(similarity),
            folded: 0,
            decision: None,
            passages,
        }
    }

    /// The passages of pairs with the same first submission, with their fingerprints in it; each with the number of the pair.
    fn drafts(&self, pairs: &[(usize, &PairRecord)]) -> Result<Vec<(usize, Vec<Draft>)>, Error> {
        let Comparing { methods, streams, .. } = self.comparing;
        let Some((_, PairRecord { a, .. })) = pairs.first() else { return Ok(Vec::new()) };
        // who has the same tokens as another has the same passages
        let _permit = streams.admit(*a, pairs.iter().map(|(_, pair)| pair.b))?;
        let side_a = streams.side(*a)?;
        let tables = LazyCell::new(|| -> Vec<_> {
            side_a.streams.iter().map(|s| methods[s.family as usize].prepare(s)).collect()
        });
        let fingerprints = side_a.streams.iter().map(|stream| {
            let mut all = Vec::new();
            let method = &methods[stream.family as usize];
            method.fingerprints(&stream.tokens, |fingerprint| all.push(fingerprint));
            all
        });
        let fingerprints: Vec<_> = fingerprints.collect();
        let (mut matchers, mut details_a) = (self.comparing.matchers(), BTreeMap::new());
        let mut found = Vec::with_capacity(pairs.len());
        for (number, PairRecord { b, .. }) in pairs {
            let (side_b, mut details_b) = (streams.side(*b)?, BTreeMap::new());
            let mut drafts = Vec::new();
            let shared = self.comparing.passages.remove((*a, *b));
            for (of_a, of_b, passages) in
                shared.unwrap_or_else(|| shared_passages(&side_a, &tables, &side_b, &mut matchers))
            {
                let (stream_a, stream_b) = (&side_a.streams[of_a], &side_b.streams[of_b]);
                let weighed = streams.weights(&side_a).of(&side_a.streams, of_a);
                let k = methods[stream_a.family as usize].winnowing.k;
                for Passage { a: in_a, b: in_b, equal } in passages {
                    let all = &fingerprints[of_a];
                    let from = all.partition_point(|fingerprint| fingerprint.position < in_a.start);
                    let inside = all[from..].iter().take_while(|fingerprint| fingerprint.position + k <= in_a.end);
                    drafts.push(Draft {
                        fingerprints: inside.map(|fingerprint| fingerprint.hash).collect(),
                        tokens: u64::from((in_a.end - in_a.start).max(in_b.end - in_b.start)),
                        equal: u64::from(equal),
                        weight: weighed.weight(&in_a) as f64 / f64::from(FULL),
                        a: self.stretch(*a, stream_a, in_a, &mut details_a)?,
                        b: self.stretch(*b, stream_b, in_b, &mut details_b)?,
                    });
                }
            }
            found.push((*number, drafts));
        }
        Ok(found)
    }

    fn stretch(
        &self,
        unit: u32,
        stream: &Stream,
        tokens: std::ops::Range<u32>,
        known: &mut BTreeMap<usize, Details>,
    ) -> Result<Stretch, Error> {
        let (file, at) = stream.place(tokens.start);
        if let std::collections::btree_map::Entry::Vacant(entry) = known.entry(file) {
            let document = self.cohort().units[unit as usize].documents[file].1;
            entry.insert(self.library().details(document)?);
        }
        Ok(place(file, &known[&file], at..at + tokens.len()))
    }

    /// All submissions; what does not count in those that are `shown` is marked.
    pub fn submissions(&self, highest: &[f64], shown: &BTreeSet<u32>) -> Result<Vec<Submission>, Error> {
        let streams = self.comparing.streams;
        let rows = self.cohort().units.par_iter().enumerate().map(|(number, unit)| {
            let known = |document: &u32| &self.library().documents[*document as usize];
            let tokens = unit.documents.iter().map(|(_, d)| u64::from(known(d).tokens)).sum();
            let base: u64 = unit.documents.iter().map(|(_, d)| u64::from(known(d).excluded)).sum();
            let excluded = if streams.may_have_frequent(number as u32) {
                let _permit = streams.admit(number as u32, std::iter::empty())?;
                tokens - u64::from(streams.side(number as u32)?.counted)
            } else {
                base
            };
            let file = |(name, document): &(String, u32)| self.file(name, *document, shown.contains(&(number as u32)));
            Ok(Submission {
                name: unit.who.name.clone(),
                owner: unit.who.owner.clone(),
                label: unit.who.label.clone(),
                full_name: unit.who.full_name.clone(),
                created_at: unit.who.created_at.as_ref().map(|created| created.text.clone()),
                created: unit.who.created_at.as_ref().map(|created| created.seconds),
                archive: unit.archive,
                files: unit.documents.iter().map(file).collect::<Result<_, Error>>()?,
                tokens,
                excluded,
                highest: highest[number],
                same_as: unit.same_as.map(|first| first as usize),
            })
        });
        rows.collect()
    }

    fn file(&self, name: &str, document: u32, shown: bool) -> Result<SourceFile, Error> {
        let library = self.library();
        let known = &library.documents[document as usize];
        let entry = library.catalogue.entry(document)?;
        let stretches = if shown { self.comparing.streams.excluded(document)? } else { Vec::new() };
        let mut excluded = Vec::new();
        if !stretches.is_empty() {
            let details = library.details(document)?;
            for (tokens, _) in stretches {
                let (bytes, _) = details.stretch(tokens);
                excluded.push([bytes.start, bytes.end]);
            }
        }
        Ok(SourceFile {
            name: name.to_owned(),
            language: known.language,
            bytes: entry.bytes,
            lines: u64::from(known.lines),
            tokens: u64::from(known.tokens),
            content: content_name(entry.content),
            degraded: known.degraded.as_deref().map(str::to_owned),
            excluded,
            document,
        })
    }

    /// What too many share, most shared first, and how much there is of it.
    pub fn frequent(&self) -> Result<(Vec<FrequentPassage>, u64), Error> {
        let frequent = &self.comparing.frequencies.frequent;
        let mut seen: FxHashSet<u64> = FxHashSet::default();
        let mut passages = Vec::new();
        let may_have_frequent = |number: &usize| self.comparing.streams.may_have_frequent(*number as u32);
        for number in (0..self.cohort().units.len()).filter(may_have_frequent) {
            let unit = &self.cohort().units[number];
            for (file, (_, document)) in unit.documents.iter().enumerate() {
                if seen.len() == frequent.len() {
                    break;
                }
                let mut details = None;
                for (tokens, fingerprints) in self.comparing.streams.excluded(*document)? {
                    let before = seen.len();
                    seen.extend(fingerprints.iter().copied());
                    if seen.len() == before {
                        continue;
                    }
                    let details = match &mut details {
                        Some(details) => details,
                        none => none.insert(self.library().details(*document)?),
                    };
                    passages.push(FrequentPassage {
                        submissions: median(fingerprints.iter().map(|hash| u64::from(frequent[hash])).collect()),
                        tokens: tokens.len() as u64,
                        example: number,
                        place: place(file, details, tokens),
                    });
                }
            }
        }
        passages.sort_by_key(|p| (std::cmp::Reverse((p.submissions, p.tokens)), p.example, p.place.start));
        let all = passages.len() as u64;
        passages.truncate(MAX_FREQUENT);
        Ok((passages, all))
    }
}

/// The middle one: a passage is as frequent as most of it.
fn median(mut counts: Vec<u64>) -> u64 {
    counts.sort_unstable();
    counts.get(counts.len() / 2).copied().unwrap_or_default()
}

fn place(file: usize, details: &Details, tokens: std::ops::Range<usize>) -> Stretch {
    let (bytes, [line, last_line]) = details.stretch(tokens);
    Stretch { file, start: bytes.start, end: bytes.end, line, last_line }
}

/// Groups of submissions that pairs connect; those with the same tokens as another follow it.
pub fn clusters(units: usize, pairs: &[(u32, u32, f64)]) -> Vec<SubmissionCluster> {
    let mut sets = UnionFind::new(units);
    let mut paired = vec![false; units];
    for (a, b, _) in pairs {
        sets.union(*a, *b);
        (paired[*a as usize], paired[*b as usize]) = (true, true);
    }
    let mut clusters: BTreeMap<u32, SubmissionCluster> = BTreeMap::new();
    for unit in (0..units as u32).filter(|unit| paired[*unit as usize]) {
        let empty = || SubmissionCluster { submissions: Vec::new(), pairs: 0, mean: 0.0 };
        clusters.entry(sets.find(unit)).or_insert_with(empty).submissions.push(unit as usize);
    }
    for (a, _, similarity) in pairs {
        if let Some(cluster) = clusters.get_mut(&sets.find(*a)) {
            cluster.pairs += 1;
            cluster.mean += similarity;
        }
    }
    let mut clusters: Vec<SubmissionCluster> = clusters.into_values().collect();
    for cluster in &mut clusters {
        cluster.mean /= cluster.pairs.max(1) as f64;
    }
    clusters.sort_by_key(|cluster| (std::cmp::Reverse(cluster.submissions.len()), cluster.submissions[0]));
    clusters
}
