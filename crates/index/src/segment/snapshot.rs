//! An index as one commit left it: names, sweeps, observations, and the way back to the originals. It stays as it is, whatever is
//! committed meanwhile.

use crate::info::{Info, SegmentInfo, Sweep};
use crate::search::Sighting;
use crate::segment::cluster_state::{GONE, StoredState, find_live};
use crate::segment::meta::Meta;
use crate::segment::segment_set::{ObservationAddress, SegmentSet};
use crate::segment::sources::{Readable, Source};
use lookalike_core::recipe::Recipe;
use lookalike_corpus::{Body, Corpus, Input, Item, Options, Place};
use lookalike_engine::run::date::days;
use lookalike_engine::{Error, IndexError};
use lookalike_store::Segment;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Places where an original is looked for.
const MAX_PLACES: usize = 100;

/// A snapshot of an index.
pub(crate) struct Snapshot {
    pub(crate) path: PathBuf,
    pub(crate) meta: Meta,
    pub(crate) recipe: Recipe,
    generation: u64,
    pub(crate) segments: SegmentSet,
    pub(crate) state: StoredState,
    /// The sweeps by date.
    sweeps: Vec<Sweep>,
    /// The place of each sweep among them, by its number.
    sweep_indices: Vec<u32>,
}

impl Snapshot {
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let lookalike_store::Snapshot { meta, generation, mut segments } = lookalike_store::Snapshot::open(path)?;
        let meta = Meta::read(path, meta)?;
        let recipe = meta.recipe(path)?;
        let Some(state) = segments.pop() else {
            return Err(Error::Index { path: path.to_owned(), reason: IndexError::Empty });
        };
        let segments = SegmentSet::new(segments.into_iter().map(Arc::new).collect())?;
        let state = StoredState::new(state, segments.len())?;
        let (sweeps, sweep_indices) = by_date(&meta.sweeps);
        Ok(Self { path: path.to_owned(), meta, recipe, generation, segments, state, sweeps, sweep_indices })
    }

    /// All files, for checking.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Segment> {
        self.segments.views.iter().map(|view| &*view.segment).chain([self.state.segment()])
    }

    /// The sweeps by date; what was added without a date comes first. A sweep's index is its place in this list.
    pub(crate) fn sweeps(&self) -> &[Sweep] {
        &self.sweeps
    }

    /// The sweep of an observation, and the content that was seen; none if it counts no more.
    fn observed(&self, address: ObservationAddress) -> Result<Option<(u32, u128)>, Error> {
        if self.state.is_dead(address)? {
            return Ok(None);
        }
        let sweep = self.segments.views[address.0].observation(address.1)?.sweep;
        let sweep_index = self.sweep_indices.get(sweep as usize).copied().unwrap_or(u32::MAX);
        Ok(Some((sweep_index, self.segments.observed(address)?)))
    }

    /// The document with a content id.
    pub(crate) fn document(&self, content: u128) -> Result<Option<u32>, Error> {
        Ok(find_live(&self.segments, &self.state, content)?)
    }

    /// The content id of a document.
    pub(crate) fn content(&self, document: u32) -> Result<u128, Error> {
        Ok(self.segments.record(document)?.content())
    }

    fn history(&self, addresses: &[ObservationAddress]) -> Result<Vec<(u32, u32)>, Error> {
        let mut history = Vec::with_capacity(addresses.len());
        for address in addresses {
            if let Some((sweep_index, content)) = self.observed(*address)?
                && let Some(document) = self.document(content)?
            {
                history.push((sweep_index, document));
            }
        }
        history.sort_unstable();
        Ok(history)
    }

    /// The observations of a URL or id, oldest first, as sweeps and documents; none if it was never seen.
    pub(crate) fn find(&self, url: &str) -> Result<Vec<(u32, u32)>, Error> {
        self.history(&self.segments.find_name(url)?)
    }

    /// Every URL or id once, with its observations, oldest first; in the same order for the same contents.
    pub(crate) fn for_each_history(
        &self,
        mut visit: impl FnMut(&str, &[(u32, u32)]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let all: Vec<usize> = (0..self.segments.views.len()).collect();
        self.segments.for_each_name(&all, |_, name, addresses| {
            let history = self.history(addresses)?;
            if history.is_empty() { Ok(()) } else { visit(name, &history) }
        })
    }

    /// Where and when a document was seen, the most recent first.
    pub(crate) fn seen(&self, document: u32) -> Result<Vec<Sighting>, Error> {
        let content = self.content(document)?;
        let mut sightings: Vec<(&str, u32)> = Vec::new();
        for address in self.segments.sightings(content)? {
            if let Some((sweep_index, _)) = self.observed(address)? {
                let view = &self.segments.views[address.0];
                sightings.push((view.name(view.name_of(address.1)?)?.2, sweep_index));
            }
        }
        sightings.sort_unstable();
        let date = |sweep_index: u32| self.sweeps.get(sweep_index as usize).and_then(|sweep| sweep.date.clone());
        let present = Sweep::present(&self.sweeps);
        let mut seen = Vec::new();
        for same in sightings.chunk_by(|a, b| a.0 == b.0) {
            let (url, last) = same[same.len() - 1];
            // in one sweep a URL has one document: who is there at the end of all is there now
            let current = last >= present;
            seen.push((last, Sighting { url: url.to_owned(), first: date(same[0].1), last: date(last), current }));
        }
        seen.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.url.cmp(&b.1.url)));
        Ok(seen.into_iter().map(|seen| seen.1).collect())
    }

    /// The body of a document, if it can still be read where it was once seen and is still what it was.
    pub(crate) fn original(&self, content: u128) -> Result<Option<(String, Body<'static>)>, Error> {
        for address in self.segments.sightings(content)?.into_iter().take(MAX_PLACES) {
            if self.observed(address)?.is_none() {
                continue;
            }
            let view = &self.segments.views[address.0];
            let name = view.name(view.name_of(address.1)?)?.2;
            let Some(readable) = view.sources()?.decode(name, view.place(address.1)?) else { continue };
            if let Some(body) = read(&readable).filter(|body| body.content_id() == content) {
                return Ok(Some((name.to_owned(), body)));
            }
        }
        Ok(None)
    }

    /// The index in numbers.
    pub(crate) fn info(&self) -> Result<Info, Error> {
        let mut urls = 0;
        self.for_each_history(|_, _| {
            urls += 1;
            Ok(())
        })?;
        let pairs = self.state.pairs()?;
        let clusters = pairs.chunk_by(|a, b| a[0] == b[0]).count() as u64;
        let representatives = self.state.representatives()?;
        let mut segments = Vec::new();
        for (at, view) in self.segments.views.iter().enumerate() {
            let (mut documents, mut removed) = (0, 0);
            for local in 0..view.len() {
                if !view.record(local)?.is_reference() {
                    documents += 1;
                    removed += u64::from(representatives[(self.segments.base(at) + local) as usize] == GONE);
                }
            }
            let file = view.segment.file();
            segments.push(SegmentInfo { file: file.name.clone(), documents, removed, bytes: file.bytes });
        }
        let state = self.state.segment().file();
        let manifest = self.path.join("manifest.json").metadata().map_or(0, |metadata| metadata.len());
        Ok(Info {
            generation: self.generation,
            lens: self.recipe.lens(),
            recipe: self.meta.recipe.clone(),
            threshold: self.meta.policy.threshold,
            contained: self.meta.policy.contained,
            max_df: self.meta.max_df,
            documents: self.meta.documents,
            urls,
            observations: self.meta.observations,
            document_bytes: self.meta.bytes,
            index_bytes: segments.iter().map(|segment| segment.bytes).sum::<u64>() + state.bytes + manifest,
            clusters,
            clustered: clusters + pairs.len() as u64,
            frequent_features: self.state.counts()?.len() as u64,
            sweeps: self.sweeps.clone(),
            segments,
        })
    }
}

/// The sweeps with observations by date, what has none first; and the place of each among them, by its number.
fn by_date(sweeps: &[Sweep]) -> (Vec<Sweep>, Vec<u32>) {
    let mut order: Vec<usize> = (0..sweeps.len()).filter(|at| sweeps[*at].observations > 0).collect();
    let time = |at: usize| sweeps[at].date.as_deref().map_or(f64::MIN, |date| days(date).unwrap_or(f64::MIN));
    order.sort_by(|a, b| time(*a).total_cmp(&time(*b)).then_with(|| sweeps[*a].date.cmp(&sweeps[*b].date)));
    let mut indices = vec![u32::MAX; sweeps.len()];
    for (index, sweep) in order.iter().enumerate() {
        indices[*sweep] = index as u32;
    }
    (order.into_iter().map(|at| sweeps[at].clone()).collect(), indices)
}

/// Reads an original again.
fn read(readable: &Readable) -> Option<Body<'static>> {
    let (path, place, options) = match readable {
        Readable::File(path) => (path.clone(), Place::File(path.clone()), Options::default()),
        Readable::Line { file: Source { path, text, features }, offset, len } => {
            let mut options = Options { features_field: features.clone(), ..Options::default() };
            if let Some(text) = text {
                options.text_field.clone_from(text);
            }
            // a field may be called as the id is by default, which is not needed here
            options.id_field = "\0".into();
            (PathBuf::from(path), Place::Line { source: 0, offset: *offset, len: *len, row: 0 }, options)
        }
    };
    let options = Options { max_size: u64::MAX, ..options };
    let corpus = Corpus::open(vec![Input::Path(path)], options).ok()?;
    let mut body = None;
    corpus.fetch(&place, &mut |item| {
        if let Item::Document(document) = item {
            body = Some(document.body.into_owned());
        }
    });
    body
}
