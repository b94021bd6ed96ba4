//! What the manifest says of an index beyond its files.

use crate::segment::merge::Weight;
use crate::segment::shelf::Shelf;
use crate::segment::standing::{GONE, Stored, Working, spot_key};
use lookalike_engine::lens::passages::CopiesOptions;
use crate::answers::{Lens, Sweep};
use crate::passages::reading::{PassageMeta, PassageReader};
use lookalike_engine::run::date::days;
use crate::simhash::reading::SimhashMeta;
use crate::options::Policy;
use crate::{Error, ScanOptions};
use lookalike_engine::lens::simhash;
use lookalike_core::recipe::Recipe;
use lookalike_store::{Segment, Snapshot};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// How an index was made, and its sums.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Meta {
    pub(crate) lookalike: String,
    pub(crate) recipe: String,
    pub(crate) policy: Policy,
    pub(crate) common: u32,
    /// The sweeps, by number. What has no date is a sweep of its own.
    pub(crate) sweeps: Vec<Sweep>,
    /// Documents that are there, and their bytes.
    pub(crate) documents: u64,
    pub(crate) bytes: u64,
    pub(crate) observations: u64,
    /// How documents are read, if this is an index of passages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) passages: Option<PassageMeta>,
    /// What fingerprints are, if this is an index of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) simhash: Option<SimhashMeta>,
}

impl Meta {
    pub(crate) fn new(options: &ScanOptions) -> Self {
        Self {
            lookalike: env!("CARGO_PKG_VERSION").to_owned(),
            recipe: options.recipe.to_string(),
            policy: options.policy,
            common: options.common,
            sweeps: Vec::new(),
            documents: 0,
            bytes: 0,
            observations: 0,
            passages: None,
            simhash: None,
        }
    }

    /// Of an index of passages.
    pub(crate) fn of_passages(options: &CopiesOptions) -> Result<Self, Error> {
        let passages = PassageMeta::new(options);
        let recipe = PassageReader::new(&passages, &options.scan.key)?.recipe();
        Ok(Self { recipe, passages: Some(passages), ..Self::new(&options.scan) })
    }

    /// Of an index of fingerprints.
    pub(crate) fn of_simhash(options: &simhash::Options) -> Self {
        let recipe = options.recipe.to_string();
        Self { recipe, simhash: Some(SimhashMeta::new(options)), ..Self::new(&options.scan) }
    }

    /// What it keeps.
    pub(crate) fn lens(&self) -> Lens {
        match (&self.passages, &self.simhash) {
            (Some(_), _) => Lens::Passages,
            (None, Some(_)) => Lens::Simhash,
            (None, None) => Lens::Shingles,
        }
    }

    /// The name of the secret of a lens whose recipe is not one of shingles.
    pub(crate) fn key(&self) -> Option<String> {
        let passages = self.passages.as_ref().and_then(|passages| passages.key.clone());
        passages.or_else(|| self.simhash.as_ref().and_then(|simhash| simhash.key.clone()))
    }

    pub(crate) fn recipe(&self, path: &Path) -> Result<ShingleRecipe, Error> {
        let wrong =
            |problem: RecipeError| Error::Index { path: path.display().to_string(), reason: problem.to_string() };
        self.recipe.parse().map_err(wrong)
    }

    /// The number of a sweep, new or not.
    pub(crate) fn sweep(&mut self, date: Option<&str>) -> u32 {
        let known = self.sweeps.iter().position(|sweep| sweep.date.as_deref() == date);
        known.unwrap_or_else(|| {
            self.sweeps.push(Sweep { date: date.map(str::to_owned), observations: 0 });
            self.sweeps.len() - 1
        }) as u32
    }

    /// Counts what is there.
    pub(crate) fn count(&mut self, shelf: &Shelf, standing: &Working) -> Result<(), Error> {
        (self.documents, self.bytes) = (0, 0);
        for (document, _) in (0..).zip(&standing.leaders).filter(|(_, leader)| **leader != GONE) {
            self.documents += 1;
            self.bytes = self.bytes.saturating_add(shelf.record(document)?.bytes);
        }
        self.sweeps.iter_mut().for_each(|sweep| sweep.observations = 0);
        for (segment, view) in shelf.views.iter().enumerate() {
            for observation in 0..view.observations() {
                let number = view.observation(observation)?.sweep as usize;
                if !standing.dead.contains(&spot_key((segment, observation)))
                    && let Some(sweep) = self.sweeps.get_mut(number)
                {
                    sweep.observations += 1;
                }
            }
        }
        self.observations = self.sweeps.iter().map(|sweep| sweep.observations).sum();
        Ok(())
    }
}

/// A snapshot, taken apart.
pub(crate) struct Opened {
    pub(crate) meta: Meta,
    pub(crate) generation: u64,
    pub(crate) shelf: Shelf,
    pub(crate) standing: Stored,
}

impl Opened {
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let Snapshot { meta, generation, mut segments } = Snapshot::<Meta>::open(path)?;
        let Some(standing) = segments.pop() else {
            let reason = "has no files; restore it from a copy or make it again".to_owned();
            return Err(Error::Index { path: path.display().to_string(), reason });
        };
        let shelf = Shelf::new(segments.into_iter().map(Arc::new).collect())?;
        let standing = Stored::new(standing, shelf.len())?;
        Ok(Self { meta, generation, shelf, standing })
    }

    /// All files, for checking.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Segment> {
        self.shelf.views.iter().map(|view| &*view.segment).chain([self.standing.segment()])
    }
}

/// How much each segment weighs when it is decided what to merge.
pub(crate) fn weights(shelf: &Shelf, standing: &Working) -> Vec<Weight> {
    let mut weights: Vec<Weight> = shelf.views.iter().map(crate::segment::view::View::weight).collect();
    standing.dead.iter().for_each(|spot| weights[(spot >> 32) as usize].dead += 1);
    weights
}

/// Refuses another recipe, and says what differs.
pub(crate) fn check_recipe(path: &Path, index: &ShingleRecipe, asked: &ShingleRecipe) -> Result<(), Error> {
    if index == asked {
        return Ok(());
    }
    let mut differs = Vec::new();
    if index.format != asked.format {
        differs.push(format!("format {} there, {} here", index.format, asked.format));
    }
    if index.w != asked.w {
        differs.push(format!("{} words a shingle there, {} here", index.w, asked.w));
    }
    if index.sampling != asked.sampling {
        differs.push(format!("sketch {} there, {} here", index.sampling, asked.sampling));
    }
    if index.key != asked.key {
        let name = |key: &Option<String>| key.clone().map_or("no key".to_owned(), |key| format!("key {key}"));
        differs.push(format!("{} there, {} here", name(&index.key), name(&asked.key)));
    }
    Err(Error::Index {
        path: path.display().to_string(),
        reason: format!(
            "has another recipe: {}; expected {index}, found {asked}; use the same flags, or build another index",
            differs.join(", ")
        ),
    })
}

/// Refuses what is no date.
pub(crate) fn check_date(date: &str) -> Result<(), Error> {
    if days(date).is_some() {
        return Ok(());
    }
    Err(Error::Options(format!("--sweep: expected a date such as 2026-05-01 or 2026-05-01T13:30, found {date:?}")))
}
