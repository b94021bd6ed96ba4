//! An index on its way from one commit to the next.

use crate::writer::batch::{Batch, Contents, Sketches, find_live};
use crate::writer::common;
use crate::writer::common::{Heavy, Sharing};
use crate::writer::repair::Repair;
use crate::Error;
use crate::answers::{Changed, Lens};
use crate::query::lookup::Within;
use crate::segment::build;
use crate::segment::build::{Also, Bench, Watch};
use crate::segment::layout::MOST_DOCUMENTS;
use crate::segment::merge::{Merge, fits, plan};
use crate::segment::meta::{Meta, weights};
use crate::segment::shelf::{Shelf, Spot};
use crate::segment::standing::{GONE, Working, spot_key};
use crate::passages::reading::PassageReader;
use crate::simhash::reading::SimhashReader;
use lookalike_engine::run::filter::Filter;
use lookalike_engine::lens::shingles::sketching;
use lookalike_engine::run::Session;
use lookalike_store::progress::Unit;
use lookalike_core::simhash::Idf;
use lookalike_core::sketch::Sketch;
use lookalike_corpus::Corpus;
use lookalike_store::{Folder, Segment, SegmentFile};
use std::sync::Arc;

/// Documents of a catalogue that become one segment, at most, and their tokens.
const PART: usize = MOST_DOCUMENTS / 2;
const PART_TOKENS: u64 = 1 << 31;

/// The parts of an index, as they change.
pub(crate) struct Change {
    meta: Meta,
    shelf: Shelf,
    standing: Working,
    folder: Folder,
    changed: Changed,
}

/// What a change leaves to be settled in the clusters, by document number.
#[derive(Default)]
struct Unsettled {
    added: Vec<u32>,
    /// For each of them, where it may share features with others.
    within: Vec<Within>,
    /// Those whose representative has gone.
    orphans: Vec<u32>,
    /// The features of those that have gone.
    removed: Vec<Vec<u64>>,
    heavy: Vec<Heavy>,
}

impl Change {
    pub(crate) fn new(folder: Folder, meta: Meta, shelf: Shelf, standing: Working) -> Self {
        Self { meta, shelf, standing, folder, changed: Changed::default() }
    }

    /// How the index was made.
    pub(crate) fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Whether clusters are kept. Of passages and fingerprints it is asked, not kept, what documents share.
    fn has_clusters(&self) -> bool {
        self.meta.lens() == Lens::Shingles
    }

    /// The bits of the fingerprints that segments have tables of.
    fn tables(&self) -> Option<u32> {
        self.meta.simhash.as_ref().map(|simhash| simhash.bits)
    }

    fn bench<'s>(session: &'s Session<'_>) -> Bench<'s> {
        Bench { space: &session.space, budget: session.share(2), cancel: session.cancel }
    }

    fn filter(&self, session: &Session<'_>) -> Filter {
        Filter { policy: self.meta.policy, sampling: session.options.recipe.sampling, estimate: true }
    }

    /// Adds documents; `idf` is what features weigh, if the recipe names a table.
    pub(crate) fn add(
        &mut self,
        session: &Session<'_>,
        corpus: &Corpus,
        sweep: Option<&str>,
        idf: Option<Arc<Idf>>,
    ) -> Result<(), Error> {
        let mut skipped = match (&self.meta.passages, &self.meta.simhash) {
            (None, None) => {
                let sketched = session.phase("sketch", Unit::Bytes, corpus.total_bytes(), |_| {
                    sketching::sketch_all(session, corpus, &[])
                })?;
                let catalogue = sketched.catalogue;
                let sampling = session.options.recipe.sampling;
                self.add_all(session, corpus, &Sketches { catalogue: &catalogue, sampling }, sweep)?;
                catalogue.skipped
            }
            (Some(passages), _) => {
                let reader = PassageReader::new(passages, &session.options.key)?;
                let read =
                    session.phase("read", Unit::Bytes, corpus.total_bytes(), |_| reader.read(session, corpus))?;
                self.add_all(session, corpus, &read, sweep)?;
                read.skipped()?
            }
            (None, Some(_)) => {
                let reader = SimhashReader::new(self.folder.path(), &self.meta, &session.options.key, idf)?;
                let read =
                    session.phase("read", Unit::Bytes, corpus.total_bytes(), |_| reader.read(session, corpus))?;
                self.add_all(session, corpus, &read, sweep)?;
                read.skipped()
            }
        };
        skipped.sort_by(|a, b| (&a.id, &a.reason).cmp(&(&b.id, &b.reason)));
        self.changed.skipped = skipped;
        Ok(())
    }

    fn add_all(
        &mut self,
        session: &Session<'_>,
        corpus: &Corpus,
        contents: &dyn Contents,
        sweep: Option<&str>,
    ) -> Result<(), Error> {
        let catalogue = contents.catalogue();
        if let (0, Some(first), true) = (catalogue.len(), catalogue.skipped.first(), self.shelf.views.is_empty()) {
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
        // of passages every token may have a feature, of shingles few have
        let most = if self.meta.passages.is_some() { PART_TOKENS } else { u64::MAX };
        let mut from = 0;
        while from < documents || from == 0 {
            let to = from + part(&catalogue.sizes[from as usize..], most);
            let batch = Batch::new(contents, from..to, corpus, session.options, sweep)?;
            self.add_batch(session, batch)?;
            from = to.max(1);
        }
        self.changed.read = u64::from(documents);
        Ok(())
    }

    fn add_batch(&mut self, session: &Session<'_>, mut batch: Batch<'_>) -> Result<(), Error> {
        let mut unsettled = Unsettled::default();
        session.phase("store", Unit::Documents, None, |_| {
            batch.compare_with(&self.shelf, &self.standing)?;
            self.changed.repeated += batch.repeated;
            self.changed.unchanged += batch.unchanged;
            self.changed.observed += batch.observations();
            if batch.len() == 0 {
                return Ok(());
            }
            let older = (!self.shelf.views.is_empty()).then_some(&self.shelf);
            let sharing = Sharing::new(older, self.meta.common, batch.len());
            let out = self.folder.segment()?;
            let watch: Option<&dyn Watch> = if self.has_clusters() { Some(&sharing) } else { None };
            let file = build::write(Self::bench(session), out, &mut batch, Also { watch, tables: self.tables() })?;
            let (within, heavy) = sharing.finish();
            let base = self.shelf.len();
            self.extend_shelf(&file)?;
            for local in batch.new_ones() {
                unsettled.added.push(base + local);
                unsettled.within.push(within[local as usize]);
                self.standing.leaders[(base + local) as usize] = base + local;
            }
            unsettled.heavy = heavy;
            self.changed.added += unsettled.added.len() as u64;
            Ok(())
        })?;
        self.drop_observations(&batch.replaced, &mut unsettled)?;
        self.settle(session, &unsettled)
    }

    pub(crate) fn remove(&mut self, session: &Session<'_>, names: &[String], sweep: Option<&str>) -> Result<(), Error> {
        let mut spots = Vec::new();
        for name in names {
            for spot in self.shelf.find_name(name)? {
                let number = self.shelf.views[spot.0].observation(spot.1)?.sweep as usize;
                let wanted = sweep
                    .is_none_or(|date| self.meta.sweeps.get(number).is_some_and(|s| s.date.as_deref() == Some(date)));
                if wanted && !self.standing.dead.contains(&spot_key(spot)) {
                    spots.push(spot);
                }
            }
        }
        spots.sort_unstable();
        spots.dedup();
        let mut unsettled = Unsettled::default();
        self.drop_observations(&spots, &mut unsettled)?;
        self.settle(session, &unsettled)
    }

    /// Lets observations count no more, and lets go of the documents that nobody has any more.
    fn drop_observations(&mut self, spots: &[Spot], unsettled: &mut Unsettled) -> Result<(), Error> {
        self.changed.removed += spots.len() as u64;
        self.standing.dead.extend(spots.iter().map(|spot| spot_key(*spot)));
        let mut contents = Vec::with_capacity(spots.len());
        for spot in spots {
            contents.push(self.shelf.observed(*spot)?);
        }
        contents.sort_unstable();
        contents.dedup();
        let mut sketch = Sketch::default();
        for content in contents {
            let sightings = self.shelf.sightings(content)?;
            if sightings.iter().any(|spot| !self.standing.dead.contains(&spot_key(*spot))) {
                continue;
            }
            let Some(document) = find_live(&self.shelf, &self.standing, content)? else { continue };
            self.shelf.sketch(document, &mut sketch)?;
            unsettled.removed.push(std::mem::take(&mut sketch.features));
            let members: Vec<u32> = self.standing.members_before(document).collect();
            for member in members {
                if self.standing.leaders[member as usize] == document {
                    self.standing.leaders[member as usize] = member;
                    unsettled.orphans.push(member);
                }
            }
            self.standing.leaders[document as usize] = GONE;
            self.standing.crowd.remove(&document);
            self.changed.dropped += 1;
        }
        unsettled.orphans.retain(|member| self.standing.is_live(*member));
        Ok(())
    }

    /// Brings common features and clusters up to date, and merges what is due.
    fn settle(&mut self, session: &Session<'_>, unsettled: &Unsettled) -> Result<(), Error> {
        if self.has_clusters() {
            self.settle_clusters(session, unsettled)?;
        }
        while let Some(segments) = plan(&weights(&self.shelf, &self.standing)) {
            session.phase("merge", Unit::Documents, None, |_| self.merge(session, &segments))?;
        }
        Ok(())
    }

    fn settle_clusters(&mut self, session: &Session<'_>, unsettled: &Unsettled) -> Result<(), Error> {
        session.phase("cluster", Unit::Documents, None, |_| {
            let filter = self.filter(session);
            let fresh = unsettled.added.len() == self.standing.leaders.iter().filter(|l| **l != GONE).count();
            let affected = common::update(
                &self.shelf,
                &mut self.standing,
                self.meta.common,
                &unsettled.added,
                &unsettled.removed,
                &unsettled.heavy,
            )?;
            if fresh {
                self.standing.before.clear();
            }
            let mut repair = Repair::new(&self.shelf, filter, &mut self.standing, session.cancel, fresh);
            for (document, within) in unsettled.added.iter().zip(&unsettled.within) {
                repair.add(*document, *within)?;
            }
            for document in affected.iter().chain(&unsettled.orphans) {
                repair.change(*document)?;
            }
            repair.run()?;
            // who stands under whom now is what the next change begins with
            self.standing.before = self.standing.pairs();
            Ok(())
        })
    }

    /// Merges all segments that have room in one, and lets go of what has gone.
    pub(crate) fn merge_all(&mut self, session: &Session<'_>) -> Result<(), Error> {
        let weights = weights(&self.shelf, &self.standing);
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
    fn merge(&mut self, session: &Session<'_>, segments: &[usize]) -> Result<(), Error> {
        let out = self.folder.segment()?;
        let mut merge = Merge::new(&self.shelf, &self.standing, segments);
        let file = build::write(Self::bench(session), out, &mut merge, Also { watch: None, tables: self.tables() })?;
        let merged = merge.numbers;
        let shelf = std::mem::replace(&mut self.shelf, Shelf::new(Vec::new())?);
        let kept: Vec<usize> = (0..shelf.views.len()).filter(|at| !segments.contains(at)).collect();
        let kept_documents: u32 = kept.iter().map(|at| shelf.views[*at].len()).sum();
        let mut base = 0;
        let mut numbers: Vec<u32> = Vec::with_capacity(shelf.len() as usize);
        for (at, view) in shelf.views.iter().enumerate() {
            if let Some(of) = segments.iter().position(|segment| *segment == at) {
                let new = |n: &u32| if *n == GONE { GONE } else { kept_documents + *n };
                numbers.extend(merged[of].iter().map(new));
            } else {
                numbers.extend(base..base + view.len());
                base += view.len();
            }
        }
        let mut remaining = Vec::with_capacity(kept.len() + 1);
        for (at, view) in shelf.views.into_iter().enumerate() {
            if kept.contains(&at) {
                remaining.push(view.segment);
            }
        }
        remaining.push(Arc::new(Segment::open(self.folder.path(), &file)?));
        self.shelf = Shelf::new(remaining)?;
        self.standing.renumber(&numbers, self.shelf.len(), |spot| {
            let segment = kept.binary_search(&((spot >> 32) as usize)).ok()?;
            Some(spot_key((segment, spot as u32)))
        });
        self.changed.merged += segments.len() as u64;
        Ok(())
    }

    fn extend_shelf(&mut self, file: &SegmentFile) -> Result<(), Error> {
        let shelf = std::mem::replace(&mut self.shelf, Shelf::new(Vec::new())?);
        let mut segments: Vec<Arc<Segment>> = shelf.views.into_iter().map(|view| view.segment).collect();
        segments.push(Arc::new(Segment::open(self.folder.path(), file)?));
        self.shelf = Shelf::new(segments)?;
        self.standing.leaders.resize(self.shelf.len() as usize, GONE);
        Ok(())
    }

    pub(crate) fn commit(mut self, session: &Session<'_>) -> Result<Changed, Error> {
        session.cancel.check()?;
        self.meta.count(&self.shelf, &self.standing)?;
        let mut files: Vec<SegmentFile> = self.shelf.views.iter().map(|view| view.segment.file().clone()).collect();
        files.push(self.standing.write(self.folder.segment()?)?);
        self.folder.commit(files, &self.meta)?;
        Ok(self.changed)
    }
}

/// How many documents of these sizes become one segment, of about the most that fits.
fn part(sizes: &[u32], mut room: u64) -> u32 {
    let fits = |size: &&u32| {
        let fits = room > 0;
        room = room.saturating_sub(u64::from(**size));
        fits
    };
    sizes.iter().take(PART).take_while(fits).count() as u32
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
