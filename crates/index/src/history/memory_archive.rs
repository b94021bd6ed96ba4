//! An archive in memory, for tests: documents are sets of numbers.

use crate::history::archive::{Archive, History};
use crate::info::Sweep;
use crate::search::{QueryOptions, ShingleMatch, Sighting};
use lookalike_core::sketch::{Estimate, PairEstimate};
use lookalike_engine::Error;
use lookalike_engine::report::cluster::Class;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

#[derive(Default)]
pub(super) struct MemoryArchive {
    sweeps: Vec<Sweep>,
    documents: Vec<(String, BTreeSet<u32>)>,
    histories: BTreeMap<String, Vec<(u32, u32)>>,
}

impl MemoryArchive {
    /// With sweeps on these dates; `""` is none.
    pub(super) fn new(dates: &[&str]) -> Self {
        let sweep = |date: &&str| Sweep::new((!date.is_empty()).then(|| (*date).to_owned()));
        Self { sweeps: dates.iter().map(sweep).collect(), ..Self::default() }
    }

    /// A URL had this text, in these sweeps.
    pub(super) fn saw(&mut self, url: &str, sweep_indices: &[u32], text: &[Range<u32>]) -> &mut Self {
        let features: BTreeSet<u32> = text.iter().cloned().flatten().collect();
        let known = self.documents.iter().position(|(_, old)| *old == features);
        let document = known.unwrap_or_else(|| {
            let names: Vec<String> = text.iter().map(|r| format!("{}-{}", r.start, r.end)).collect();
            self.documents.push((names.join("+"), features));
            self.documents.len() - 1
        });
        let history = self.histories.entry(url.to_owned()).or_default();
        history.extend(sweep_indices.iter().map(|sweep_index| (*sweep_index, document as u32)));
        history.sort_unstable();
        for sweep_index in sweep_indices {
            // a history may be forged, and name a sweep that is not there
            if let Some(sweep) = self.sweeps.get_mut(*sweep_index as usize) {
                sweep.observations += 1;
            }
        }
        self
    }

    /// A part of this sweep could not be read.
    pub(super) fn cut(&mut self, sweep_index: u32) {
        self.sweeps[sweep_index as usize].unread.push("a file".into());
    }

    fn seen(&self, document: u32) -> Vec<Sighting> {
        let mut seen = Vec::new();
        for (url, history) in &self.histories {
            let there: Vec<u32> = history.iter().filter(|o| o.1 == document).map(|o| o.0).collect();
            if let (Some(first), Some(last)) = (there.first(), there.last()) {
                let current = *last >= self.present();
                seen.push(Sighting { url: url.clone(), first: self.date(*first), last: self.date(*last), current });
            }
        }
        seen
    }
}

impl Archive for MemoryArchive {
    fn sweeps(&self) -> &[Sweep] {
        &self.sweeps
    }

    fn find(&self, url: &str) -> Result<Vec<(u32, u32)>, Error> {
        Ok(self.histories.get(url).cloned().unwrap_or_default())
    }

    fn content(&self, document: u32) -> Result<String, Error> {
        Ok(self.documents[document as usize].0.clone())
    }

    fn resemblance(&self, a: u32, b: u32) -> Result<PairEstimate, Error> {
        let (a, b) = (&self.documents[a as usize].1, &self.documents[b as usize].1);
        let frequent = a.intersection(b).count() as u32;
        let [a, b] = [a, b].map(|set| set.len() as u32);
        Ok(PairEstimate {
            resemblance: Estimate::of(frequent, a + b - frequent),
            a_in_b: Some(Estimate::of(frequent, a)),
            b_in_a: Some(Estimate::of(frequent, b)),
        })
    }

    fn related(&self, document: u32, options: &QueryOptions) -> Result<Vec<ShingleMatch>, Error> {
        let options = &options.shingles;
        let mut matches = Vec::new();
        for other in 0..self.documents.len() as u32 {
            let e = self.resemblance(document, other)?;
            let shares = [e.a_in_b, e.b_in_a].map(|e| e.map_or(0.0, |e| e.value));
            let inside = options.contained.is_some_and(|least| shares.iter().any(|share| *share >= least));
            if e.resemblance.value < options.threshold && !inside {
                continue;
            }
            let near = (e.resemblance.value >= 0.5).then_some(Class::Near);
            matches.push(ShingleMatch {
                seen: self.seen(other),
                content: self.content(other)?,
                bytes: 0,
                class: if other == document { Some(Class::Identical) } else { near },
                resemblance: e.resemblance,
                query_in_document: e.a_in_b,
                document_in_query: e.b_in_a,
                verified: None,
                cluster: self.content(self.cluster(other)?)?,
                document: other,
            });
        }
        matches.sort_by(|a, b| b.resemblance.value.total_cmp(&a.resemblance.value).then(a.content.cmp(&b.content)));
        Ok(matches)
    }

    fn for_each_history(&self, visit: &mut dyn FnMut(&str, &History) -> Result<(), Error>) -> Result<(), Error> {
        self.histories.iter().try_for_each(|(url, history)| visit(url, history))
    }

    /// The first document that resembles it by half.
    fn cluster(&self, document: u32) -> Result<u32, Error> {
        let mut others = 0..document;
        let first = others.find(|other| self.resemblance(*other, document).is_ok_and(|e| e.resemblance.value >= 0.5));
        Ok(first.unwrap_or(document))
    }
}
