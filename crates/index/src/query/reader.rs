//! An open index: a snapshot that stays as it is, whatever is committed meanwhile.

use crate::query::lookup::Lookup;
use crate::Error;
use lookalike_corpus::content_name;
use lookalike_engine::lens::shingles::sketcher::{Sketcher};
use crate::answers::{Info, Lens, Seen, SegmentInfo, Sweep};
use crate::writer::batch::find_live;
use crate::segment::meta::{Meta, Opened};
use crate::segment::places::{Readable, Source};
use crate::segment::shelf::{Shelf, Spot};
use crate::segment::standing::{GONE, Standing, Stored};
use lookalike_engine::run::date::days;
use lookalike_core::recipe::Recipe;
use lookalike_core::sketch::{PairEstimate, Sketch};
use lookalike_corpus::{Body, Corpus, Input, Item, Options, Place, content_name};
use std::path::{Path, PathBuf};

/// Places where an original is looked for.
const MOST_PLACES: usize = 100;

/// An index, open for questions. It opens without being loaded, and may be asked from many threads.
pub struct Index {
    pub(crate) path: PathBuf,
    pub(crate) meta: Meta,
    generation: u64,
    pub(crate) shelf: Shelf,
    pub(crate) standing: Stored,
    pub(crate) recipe: ShingleRecipe,
    /// None where a key would be needed.
    front: Option<Sketcher>,
    sweeps: Vec<Sweep>,
    /// The place of each sweep among them, by its number.
    moments: Vec<u32>,
}

impl Index {
    /// Opens an index; `key` is the secret that it was made with. Without it (empty) an index answers whatever needs no reading of documents.
    pub fn open(path: &Path, key: &str) -> Result<Self, Error> {
        let opened = Opened::open(path)?;
        let other = match opened.meta.lens() {
            Lens::Shingles => None,
            Lens::Passages => Some("has passages, not shingles; lookalike query asks where a text comes from"),
            Lens::Simhash => Some("has fingerprints, not shingles; lookalike query asks which documents are near"),
        };
        if let Some(other) = other {
            let reason = format!("{other}, anything else needs an index of shingles");
            return Err(Error::Index { path: path.display().to_string(), reason });
        }
        let recipe = opened.meta.recipe(path)?;
        let front = Sketcher::new(&recipe, key).ok();
        if front.is_none() && !key.is_empty() {
            return Err(no_key(path, &recipe));
        }
        Ok(Self::new(path, opened, recipe, front))
    }

    /// Opens an index of any lens, for its names, sweeps and numbers. It answers no other questions.
    pub fn open_names(path: &Path) -> Result<Self, Error> {
        Ok(Self::of_names(path, Opened::open(path)?))
    }

    /// What an index of any lens has in common with one of shingles: names, sweeps, numbers.
    pub(crate) fn of_names(path: &Path, opened: Opened) -> Self {
        Self::new(path, opened, ShingleRecipe::words(1), None)
    }

    fn new(path: &Path, opened: Opened, recipe: Recipe, front: Option<Sketcher>) -> Self {
        let Opened { meta, generation, shelf, standing } = opened;
        let mut order: Vec<usize> = (0..meta.sweeps.len()).filter(|at| meta.sweeps[*at].observations > 0).collect();
        // what has no date comes first
        let time = |at: usize| meta.sweeps[at].date.as_deref().map_or(f64::MIN, |date| days(date).unwrap_or(f64::MIN));
        order.sort_by(|a, b| {
            time(*a).total_cmp(&time(*b)).then_with(|| meta.sweeps[*a].date.cmp(&meta.sweeps[*b].date))
        });
        let mut moments = vec![u32::MAX; meta.sweeps.len()];
        for (moment, sweep) in order.iter().enumerate() {
            moments[*sweep] = moment as u32;
        }
        let sweeps = order.into_iter().map(|at| meta.sweeps[at].clone()).collect();
        Self { path: path.to_owned(), meta, generation, shelf, standing, recipe, front, sweeps, moments }
    }

    /// The recipe by which documents became sketches.
    pub fn recipe(&self) -> &ShingleRecipe {
        &self.recipe
    }

    /// What makes sketches of documents.
    pub(crate) fn front(&self) -> Result<&Sketcher, Error> {
        self.front.as_ref().ok_or_else(|| no_key(&self.path, &self.recipe))
    }

    /// The sweeps by date; what was added without a date comes first. A moment is a place in this list.
    pub fn sweeps(&self) -> &[Sweep] {
        &self.sweeps
    }

    pub(crate) fn lookup(&self) -> Lookup<'_, Stored> {
        Lookup { shelf: &self.shelf, standing: &self.standing, sampling: self.recipe.sampling }
    }

    /// The moment of an observation, and the content that was seen; none if it counts no more.
    fn observed(&self, spot: Spot) -> Result<Option<(u32, u128)>, Error> {
        if self.standing.is_dead(spot)? {
            return Ok(None);
        }
        let sweep = self.shelf.views[spot.0].observation(spot.1)?.sweep;
        let moment = self.moments.get(sweep as usize).copied().unwrap_or(u32::MAX);
        Ok(Some((moment, self.shelf.observed(spot)?)))
    }

    /// The document with a content id.
    pub(crate) fn document(&self, content: u128) -> Result<Option<u32>, Error> {
        find_live(&self.shelf, &self.standing, content)
    }

    fn history(&self, spots: &[Spot]) -> Result<Vec<(u32, u32)>, Error> {
        let mut history = Vec::with_capacity(spots.len());
        for spot in spots {
            if let Some((moment, content)) = self.observed(*spot)?
                && let Some(document) = self.document(content)?
            {
                history.push((moment, document));
            }
        }
        history.sort_unstable();
        Ok(history)
    }

    /// The observations of a URL or id, oldest first, as moments and documents; none if it was never seen.
    pub fn find(&self, url: &str) -> Result<Vec<(u32, u32)>, Error> {
        self.history(&self.shelf.find_name(url)?)
    }

    /// Every URL or id once, with its observations, oldest first; in the same order for the same contents.
    pub fn for_each_history(
        &self,
        mut visit: impl FnMut(&str, &[(u32, u32)]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let all: Vec<usize> = (0..self.shelf.views.len()).collect();
        self.shelf.for_each_name(&all, |_, name, spots| {
            let history = self.history(spots)?;
            if history.is_empty() { Ok(()) } else { visit(name, &history) }
        })
    }

    /// The content id of a document.
    pub fn content(&self, document: u32) -> Result<String, Error> {
        Ok(content_name(self.shelf.record(document)?.content()))
    }

    /// The representative of a document's cluster: itself, if it is alone.
    pub fn cluster(&self, document: u32) -> Result<u32, Error> {
        Ok(self.standing.leader(document)?)
    }

    /// The documents that a representative stands for, without itself.
    pub fn members(&self, representative: u32) -> Result<Vec<u32>, Error> {
        Ok(self.standing.members(representative)?)
    }

    /// How two documents relate, estimated from their sketches.
    pub fn resemblance(&self, a: u32, b: u32) -> Result<PairEstimate, Error> {
        let lookup = self.lookup();
        let probe = lookup.probe(a)?;
        // nothing would be left of a document that is common text nearly throughout
        let whole = probe.is_crowd() || self.standing.is_crowd(b)?;
        let sample = lookup.compare(&probe, b, whole, &mut Sketch::default())?;
        Ok(sample.estimate(self.recipe.sampling))
    }

    /// Where and when a document was seen, the most recent first.
    pub fn seen(&self, document: u32) -> Result<Vec<Seen>, Error> {
        let content = self.shelf.record(document)?.content();
        let mut sightings: Vec<(&str, u32)> = Vec::new();
        for spot in self.shelf.sightings(content)? {
            if let Some((moment, _)) = self.observed(spot)? {
                let view = &self.shelf.views[spot.0];
                sightings.push((view.name(view.name_of(spot.1)?)?.2, moment));
            }
        }
        sightings.sort_unstable();
        let date = |moment: u32| self.sweeps.get(moment as usize).and_then(|sweep| sweep.date.clone());
        let present = self.sweeps.len().saturating_sub(1) as u32;
        let mut seen = Vec::new();
        for same in sightings.chunk_by(|a, b| a.0 == b.0) {
            let (url, last) = same[same.len() - 1];
            // in one sweep a URL has one document: who is there at the end of all is there now
            let current = last == present;
            seen.push((last, Seen { url: url.to_owned(), first: date(same[0].1), last: date(last), current }));
        }
        seen.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.url.cmp(&b.1.url)));
        Ok(seen.into_iter().map(|seen| seen.1).collect())
    }

    /// The body of a document, if it can still be read where it was once seen and is still what it was.
    pub(crate) fn original(&self, content: u128) -> Result<Option<(String, Body<'static>)>, Error> {
        for spot in self.shelf.sightings(content)?.into_iter().take(MOST_PLACES) {
            if self.observed(spot)?.is_none() {
                continue;
            }
            let view = &self.shelf.views[spot.0];
            let name = view.name(view.name_of(spot.1)?)?.2;
            let Some(readable) = view.sources()?.decode(name, view.place(spot.1)?) else { continue };
            if let Some(body) = read(&readable).filter(|body| body.content_id() == content) {
                return Ok(Some((name.to_owned(), body)));
            }
        }
        Ok(None)
    }

    /// The index in numbers.
    pub fn info(&self) -> Result<Info, Error> {
        let mut urls = 0;
        self.for_each_history(|_, _| {
            urls += 1;
            Ok(())
        })?;
        let pairs = self.standing.pairs()?;
        let clusters = pairs.chunk_by(|a, b| a[0] == b[0]).count() as u64;
        let leaders = self.standing.leaders()?;
        let mut segments = Vec::new();
        for (at, view) in self.shelf.views.iter().enumerate() {
            let (mut documents, mut removed) = (0, 0);
            for local in 0..view.len() {
                if !view.record(local)?.is_reference() {
                    documents += 1;
                    removed += u64::from(leaders[(self.shelf.base(at) + local) as usize] == GONE);
                }
            }
            let file = view.segment.file();
            segments.push(SegmentInfo { file: file.name.clone(), documents, removed, bytes: file.bytes });
        }
        let standing = self.standing.segment().file();
        let manifest = self.path.join("manifest.json").metadata().map_or(0, |metadata| metadata.len());
        Ok(Info {
            generation: self.generation,
            lens: self.meta.lens().name(),
            recipe: self.meta.recipe.clone(),
            threshold: self.meta.policy.threshold,
            contained: self.meta.policy.contained,
            common: self.meta.common,
            documents: self.meta.documents,
            urls,
            observations: self.meta.observations,
            document_bytes: self.meta.bytes,
            index_bytes: segments.iter().map(|segment| segment.bytes).sum::<u64>() + standing.bytes + manifest,
            clusters,
            clustered: clusters + pairs.len() as u64,
            common_features: self.standing.counts()?.len() as u64,
            sweeps: self.sweeps.clone(),
            segments,
        })
    }
}

/// Asks for the key that an index was made with.
pub(crate) fn no_key(path: &Path, recipe: &ShingleRecipe) -> Error {
    Error::Index { path: path.display().to_string(), reason: wrong_key(recipe.key.as_deref()) }
}

/// The same, in words; `name` is what the key is called.
pub(crate) fn wrong_key(name: Option<&str>) -> String {
    match name {
        Some(name) => format!("was made with the key that is called {name}; give that key with --key"),
        None => "was made without a key; leave out --key".to_owned(),
    }
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
            (PathBuf::from(path), Place::Line { source: 0, offset: *offset, len: *len }, options)
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
