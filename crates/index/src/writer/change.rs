//! An index on its way from one commit to the next.

use crate::clusters::frequent::{self, FrequencyCandidate, SharedFeatures};
use crate::clusters::lookup::SearchScope;
use crate::clusters::repair::Repair;
use crate::info::ChangeSummary;
use crate::lens::index_lens::{IndexLens, IndexedDocuments};
use crate::segment::build::{self, FeatureObserver, WriteBudget};
use crate::segment::cluster_state::{GONE, WorkingState, address_key, find_live};
use crate::segment::layout::MAX_DOCUMENTS;
use crate::segment::merge::{Merge, fits, plan, weights};
use crate::segment::meta::Meta;
use crate::segment::segment_set::{ObservationAddress, SegmentSet};
use crate::writer::batch::Batch;
use lookalike_core::sketch::{Sampling, Sketch};
use lookalike_corpus::Corpus;
use lookalike_engine::report::Skip;
use lookalike_engine::run::Session;
use lookalike_engine::run::catalogue::Catalogue;
use lookalike_engine::run::filter::Filter;
use lookalike_engine::{Error, Unit};
use lookalike_store::{Folder, Segment, SegmentFile};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Documents of a catalogue that become one segment at most.
const MAX_PART: usize = MAX_DOCUMENTS / 2;

/// The parts of an index, as they change.
pub(crate) struct Change<'a> {
    meta: Meta,
    segments: SegmentSet,
    state: WorkingState,
    folder: Folder,
    lens: &'a dyn IndexLens,
    summary: ChangeSummary,
}

/// What a change leaves to be settled in the clusters, by document number.
#[derive(Default)]
struct ClusterChange {
    added: Vec<u32>,
    /// For each of them, where it may share features with others.
    scopes: Vec<SearchScope>,
    /// Those whose representative has gone.
    orphans: Vec<u32>,
    /// The features of those that have gone.
    removed: Vec<Vec<u64>>,
    candidates: Vec<FrequencyCandidate>,
}

impl<'a> Change<'a> {
    pub(crate) fn new(
        folder: Folder,
        meta: Meta,
        segments: SegmentSet,
        state: WorkingState,
        lens: &'a dyn IndexLens,
    ) -> Self {
        Self { meta, segments, state, folder, lens, summary: ChangeSummary::default() }
    }

    fn budget<'s>(session: &'s Session<'_>) -> WriteBudget<'s> {
        WriteBudget { space: &session.space, memory: session.share(2), cancel: session.cancel }
    }

    /// Adds documents.
    pub(crate) fn add(&mut self, session: &Session<'_>, corpus: &Corpus, sweep: Option<&str>) -> Result<(), Error> {
        let mut documents = self.lens.read(session, corpus)?;
        self.add_all(session, corpus, &*documents, sweep)?;
        self.summary.left_out = documents.left_out()?;
        self.summary.skipped = documents.take_skipped()?;
        Skip::sort(&mut self.summary.skipped);
        self.note_unread(corpus, documents.catalogue(), sweep)
    }

    /// Notes which inputs the sweep could not read, and forgets those that it has read by now.
    fn note_unread(&mut self, corpus: &Corpus, catalogue: &Catalogue, sweep: Option<&str>) -> Result<(), Error> {
        let sweep = self.meta.sweep(sweep) as usize;
        let unread = &mut self.meta.sweeps[sweep].unread;
        let mut all: BTreeSet<String> = std::mem::take(unread).into_iter().filter(|id| !corpus.is_named(id)).collect();
        if !all.is_empty() {
            // what a list of paths names
            catalogue.for_each_entry(|entry| {
                all.remove(&entry.id);
                Ok::<_, Error>(())
            })?;
        }
        let skipped = self.summary.skipped.iter().filter(|skip| skip.is_unread());
        all.extend(skipped.map(|skip| corpus.input_of(&skip.id).unwrap_or(&skip.id).to_owned()));
        *unread = all.into_iter().collect();
        Ok(())
    }

    fn add_all(
        &mut self,
        session: &Session<'_>,
        corpus: &Corpus,
        contents: &dyn IndexedDocuments,
        sweep: Option<&str>,
    ) -> Result<(), Error> {
        let catalogue = contents.catalogue();
        if let (0, Some(first), true) = (catalogue.len(), catalogue.skipped.first(), self.segments.views.is_empty()) {
            let more = if catalogue.skipped.len() > 1 {
                format!(" (and {} more)", catalogue.skipped.len() - 1)
            } else {
                String::new()
            };
            let reason = format!("{}{more}; nothing else was there to make an index of", first.reason);
            return Err(Error::Document { id: first.id.clone(), reason });
        }
        let sweep = self.meta.sweep(sweep);
        let documents = catalogue.len() as u32;
        let mut from = 0;
        while from < documents || from == 0 {
            let to = from + part(&catalogue.sizes[from as usize..], self.lens.max_segment_size());
            let batch = Batch::new(contents, from..to, corpus, session.options, sweep)?;
            self.add_batch(session, batch)?;
            from = to.max(1);
        }
        self.summary.read = u64::from(documents);
        Ok(())
    }

    fn add_batch(&mut self, session: &Session<'_>, mut batch: Batch<'_>) -> Result<(), Error> {
        let mut change = ClusterChange::default();
        session.phase("store", Unit::Documents, None, |_| {
            batch.compare_with(&self.segments, &self.state)?;
            self.summary.repeated += batch.repeated;
            self.summary.unchanged += batch.unchanged;
            self.summary.observed += batch.observations();
            if batch.len() == 0 {
                return Ok(());
            }
            let older = (!self.segments.views.is_empty()).then_some(&self.segments);
            let sharing = SharedFeatures::new(older, self.meta.max_df, batch.len());
            let out = self.folder.segment()?;
            let clusters = self.lens.cluster_sampling().is_some();
            let observer: Option<&dyn FeatureObserver> = if clusters { Some(&sharing) } else { None };
            let budget = Self::budget(session);
            let file = build::write(budget, out, &mut batch, observer, self.lens.sections(budget))?;
            let (scopes, candidates) = sharing.finish();
            let base = self.segments.len();
            self.extend_segments(&file)?;
            for local in batch.new_ones() {
                change.added.push(base + local);
                change.scopes.push(scopes[local as usize]);
                self.state.representatives[(base + local) as usize] = base + local;
            }
            change.candidates = candidates;
            self.summary.added += change.added.len() as u64;
            Ok(())
        })?;
        self.drop_observations(&batch.replaced, &mut change)?;
        self.settle(session, &change)
    }

    pub(crate) fn remove(&mut self, session: &Session<'_>, names: &[String], sweep: Option<&str>) -> Result<(), Error> {
        let mut addresses = Vec::new();
        for name in names {
            for address in self.segments.find_name(name)? {
                let number = self.segments.views[address.0].observation(address.1)?.sweep as usize;
                let wanted = sweep
                    .is_none_or(|date| self.meta.sweeps.get(number).is_some_and(|s| s.date.as_deref() == Some(date)));
                if wanted && !self.state.dead.contains(&address_key(address)) {
                    addresses.push(address);
                }
            }
        }
        addresses.sort_unstable();
        addresses.dedup();
        let mut change = ClusterChange::default();
        self.drop_observations(&addresses, &mut change)?;
        self.settle(session, &change)
    }

    /// Lets observations count no more, and lets go of the documents that nobody has any more.
    fn drop_observations(&mut self, addresses: &[ObservationAddress], change: &mut ClusterChange) -> Result<(), Error> {
        self.summary.removed += addresses.len() as u64;
        self.state.dead.extend(addresses.iter().map(|address| address_key(*address)));
        let mut contents = Vec::with_capacity(addresses.len());
        for address in addresses {
            contents.push(self.segments.observed(*address)?);
        }
        contents.sort_unstable();
        contents.dedup();
        let mut sketch = Sketch::default();
        for content in contents {
            let sightings = self.segments.sightings(content)?;
            if sightings.iter().any(|address| !self.state.dead.contains(&address_key(*address))) {
                continue;
            }
            let Some(document) = find_live(&self.segments, &self.state, content)? else { continue };
            self.segments.sketch(document, &mut sketch)?;
            change.removed.push(std::mem::take(&mut sketch.features));
            let members: Vec<u32> = self.state.members_before(document).collect();
            for member in members {
                if self.state.representatives[member as usize] == document {
                    self.state.representatives[member as usize] = member;
                    change.orphans.push(member);
                }
            }
            self.state.representatives[document as usize] = GONE;
            self.state.boilerplate.remove(&document);
            self.state.insiders.remove(&document);
            self.summary.dropped += 1;
        }
        change.orphans.retain(|member| self.state.is_live(*member));
        Ok(())
    }

    /// Brings frequent features and clusters up to date, and merges what is due.
    fn settle(&mut self, session: &Session<'_>, change: &ClusterChange) -> Result<(), Error> {
        if let Some(sampling) = self.lens.cluster_sampling() {
            self.settle_clusters(session, sampling, change)?;
        }
        while let Some(chosen) = plan(&weights(&self.segments, &self.state)) {
            session.phase("merge", Unit::Documents, None, |_| self.merge(session, &chosen))?;
        }
        Ok(())
    }

    fn settle_clusters(
        &mut self,
        session: &Session<'_>,
        sampling: Sampling,
        change: &ClusterChange,
    ) -> Result<(), Error> {
        session.phase("cluster", Unit::Documents, None, |_| {
            let filter = Filter { policy: self.meta.policy, sampling, estimate: true };
            let fresh = change.added.len() == self.state.representatives.iter().filter(|l| **l != GONE).count();
            let affected = frequent::update(
                &self.segments,
                &mut self.state,
                self.meta.max_df,
                &change.added,
                &change.removed,
                &change.candidates,
            )?;
            if fresh {
                self.state.before.clear();
            }
            let mut repair = Repair::new(&self.segments, filter, &mut self.state, session.cancel, fresh);
            for (document, scope) in change.added.iter().zip(&change.scopes) {
                repair.add(*document, *scope)?;
            }
            for document in affected.iter().chain(&change.orphans) {
                repair.change(*document)?;
            }
            repair.run()?;
            // who stands under whom now is what the next change begins with
            self.state.before = self.state.pairs();
            Ok(())
        })
    }

    /// Merges all segments that have room in one, and lets go of what has gone.
    pub(crate) fn merge_all(&mut self, session: &Session<'_>) -> Result<(), Error> {
        let weights = weights(&self.segments, &self.state);
        let mut by_size: Vec<usize> = (0..weights.len()).collect();
        by_size.sort_by_key(|at| (weights[*at].documents, *at));
        let mut chosen = Vec::new();
        for at in by_size {
            chosen.push(at);
            if !fits(&weights, &chosen) {
                chosen.pop();
            }
        }
        chosen.sort_unstable();
        let worth = chosen.len() > 1 || chosen.iter().any(|at| weights[*at].dead > 0);
        if worth { self.merge(session, &chosen) } else { Ok(()) }
    }

    /// Merges segments into one, which comes last.
    fn merge(&mut self, session: &Session<'_>, chosen: &[usize]) -> Result<(), Error> {
        let out = self.folder.segment()?;
        let mut merge = Merge::new(&self.segments, &self.state, chosen);
        let budget = Self::budget(session);
        let file = build::write(budget, out, &mut merge, None, self.lens.sections(budget))?;
        let merged = merge.numbers;
        let segments = std::mem::replace(&mut self.segments, SegmentSet::new(Vec::new())?);
        let kept: Vec<usize> = (0..segments.views.len()).filter(|at| !chosen.contains(at)).collect();
        let kept_documents: u32 = kept.iter().map(|at| segments.views[*at].len()).sum();
        let mut base = 0;
        let mut numbers: Vec<u32> = Vec::with_capacity(segments.len() as usize);
        for (at, view) in segments.views.iter().enumerate() {
            if let Some(of) = chosen.iter().position(|segment| *segment == at) {
                let new = |n: &u32| if *n == GONE { GONE } else { kept_documents + *n };
                numbers.extend(merged[of].iter().map(new));
            } else {
                numbers.extend(base..base + view.len());
                base += view.len();
            }
        }
        let mut remaining = Vec::with_capacity(kept.len() + 1);
        for (at, view) in segments.views.into_iter().enumerate() {
            if kept.contains(&at) {
                remaining.push(view.segment);
            }
        }
        remaining.push(Arc::new(Segment::open(self.folder.path(), &file)?));
        self.segments = SegmentSet::new(remaining)?;
        self.state.renumber(&numbers, self.segments.len(), |address| {
            let segment = kept.binary_search(&((address >> 32) as usize)).ok()?;
            Some(address_key((segment, address as u32)))
        });
        self.summary.merged += chosen.len() as u64;
        Ok(())
    }

    fn extend_segments(&mut self, file: &SegmentFile) -> Result<(), Error> {
        let segments = std::mem::replace(&mut self.segments, SegmentSet::new(Vec::new())?);
        let mut segments: Vec<Arc<Segment>> = segments.views.into_iter().map(|view| view.segment).collect();
        segments.push(Arc::new(Segment::open(self.folder.path(), file)?));
        self.segments = SegmentSet::new(segments)?;
        self.state.representatives.resize(self.segments.len() as usize, GONE);
        Ok(())
    }

    pub(crate) fn commit(mut self, session: &Session<'_>) -> Result<ChangeSummary, Error> {
        session.cancel.check()?;
        self.meta.count(&self.segments, &self.state)?;
        let mut files: Vec<SegmentFile> = self.segments.views.iter().map(|view| view.segment.file().clone()).collect();
        files.push(self.state.write(self.folder.segment()?)?);
        self.folder.commit(files, &self.meta)?;
        Ok(self.summary)
    }
}

/// How many documents of these sizes become one segment, of about the most that fits.
fn part(sizes: &[u32], mut room: u64) -> u32 {
    let fits = |size: &&u32| {
        let fits = room > 0;
        room = room.saturating_sub(u64::from(**size));
        fits
    };
    sizes.iter().take(MAX_PART).take_while(fits).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_has_room_for_what_it_gets() {
        assert_eq!(part(&[], 10), 0);
        assert_eq!(part(&[5; 100], 1000), 100);
        assert_eq!(part(&[u32::MAX; 3], 1000), 1, "a document is never divided");
        assert_eq!(part(&[500; 5], 1000), 2);
    }
}
