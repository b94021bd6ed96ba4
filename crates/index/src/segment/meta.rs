//! What the manifest says of an index beyond its files.

use crate::info::Sweep;
use crate::segment::cluster_state::{GONE, WorkingState, address_key};
use crate::segment::segment_set::SegmentSet;
use lookalike_core::recipe::Recipe;
use lookalike_engine::report::policy::Policy;
use lookalike_engine::{Error, IndexError};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Version of segments, cluster state and what is said of them here.
pub(crate) const FORMAT_VERSION: u32 = 3;

/// How an index was made, and its sums.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Meta {
    pub(crate) version: u32,
    pub(crate) lookalike: String,
    /// How documents become what is kept of them; names the lens.
    pub(crate) recipe: String,
    /// Which documents are of one cluster; only shingles have clusters.
    pub(crate) policy: Policy,
    /// A feature in more documents than this is frequent.
    pub(crate) max_df: u32,
    /// The sweeps, by number. What has no date is a sweep of its own.
    pub(crate) sweeps: Vec<Sweep>,
    /// Documents that are there, and their bytes.
    pub(crate) documents: u64,
    pub(crate) bytes: u64,
    pub(crate) observations: u64,
}

impl Meta {
    pub(crate) fn new(recipe: &Recipe, policy: Policy, max_df: u32) -> Self {
        Self {
            version: FORMAT_VERSION,
            lookalike: env!("CARGO_PKG_VERSION").to_owned(),
            recipe: recipe.to_string(),
            policy,
            max_df,
            sweeps: Vec::new(),
            documents: 0,
            bytes: 0,
            observations: 0,
        }
    }

    /// What a manifest says; refuses that of another version.
    pub(crate) fn read(path: &Path, manifest: serde_json::Value) -> Result<Self, Error> {
        let wrong = |reason: IndexError| Error::Index { path: path.to_owned(), reason };
        if manifest.get("recipe").is_none() {
            return Err(wrong(IndexError::OtherKind));
        }
        let version = manifest.get("version").and_then(serde_json::Value::as_u64);
        if version != Some(u64::from(FORMAT_VERSION)) {
            let found = version.unwrap_or(1);
            return Err(wrong(IndexError::WrongVersion { expected: FORMAT_VERSION, found }));
        }
        serde_json::from_value(manifest).map_err(|error| wrong(IndexError::Damaged(error.to_string())))
    }

    pub(crate) fn recipe(&self, path: &Path) -> Result<Recipe, Error> {
        let wrong = |problem| Error::Index { path: path.to_owned(), reason: IndexError::Recipe(problem) };
        self.recipe.parse().map_err(wrong)
    }

    /// The number of a sweep, new or not.
    pub(crate) fn sweep(&mut self, date: Option<&str>) -> u32 {
        let known = self.sweeps.iter().position(|sweep| sweep.date.as_deref() == date);
        known.unwrap_or_else(|| {
            self.sweeps.push(Sweep::new(date.map(str::to_owned)));
            self.sweeps.len() - 1
        }) as u32
    }

    /// Counts what is there.
    pub(crate) fn count(&mut self, segments: &SegmentSet, state: &WorkingState) -> Result<(), Error> {
        (self.documents, self.bytes) = (0, 0);
        for (document, _) in (0..).zip(&state.representatives).filter(|(_, of)| **of != GONE) {
            self.documents += 1;
            self.bytes = self.bytes.saturating_add(segments.record(document)?.bytes);
        }
        self.sweeps.iter_mut().for_each(|sweep| sweep.observations = 0);
        for (segment, view) in segments.views.iter().enumerate() {
            for observation in 0..view.observations() {
                let number = view.observation(observation)?.sweep as usize;
                if !state.dead.contains(&address_key((segment, observation)))
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
