//! What entries of a store are called: by numbers, or by names such as URLs.

use anyhow::{Result, bail};
use lookalike::hamming::FingerprintBits;
use lookalike::hamming::store::{OnlineStore, OperationGroup, StoreNames};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::PathBuf;

/// The ids of a store. The first that is inserted decides what they are.
pub(super) struct Ids {
    folder: PathBuf,
    /// The recipe by which pages become fingerprints.
    recipe: String,
    /// Whether a name must survive a crash of the machine.
    sync: bool,
    names: Option<StoreNames>,
}

/// Names of one group of commands: the same fingerprint and name are one entry.
pub(super) type Reserved<F> = HashMap<(F, String), u64>;

impl Ids {
    pub(super) fn new(folder: PathBuf, recipe: String, sync: bool, names: Option<StoreNames>) -> Self {
        Self { folder, recipe, sync, names }
    }

    /// Whether ids are names. A store without entries takes what comes first: pages have names, and so has what is no number.
    pub(super) fn are_names<F: FingerprintBits>(
        &mut self,
        store: &OnlineStore<F>,
        id: &str,
        page: bool,
    ) -> Result<bool> {
        let is_number = id.parse::<u64>().is_ok();
        if self.names.is_none() && (page || !is_number) && store.is_empty() {
            self.names = Some(StoreNames::create(&self.folder, &self.recipe)?);
        }
        Ok(self.names.is_some())
    }

    pub(super) fn is_named(&self) -> bool {
        self.names.is_some()
    }

    /// The number of an id where ids are numbers.
    pub(super) fn number(id: &str) -> Result<u64, String> {
        id.parse().map_err(|_| format!("expected an id that is a number, as all ids of this store are, found {id:?}"))
    }

    /// The entry with this fingerprint and name, if there is one.
    pub(super) fn find<F: FingerprintBits>(
        &mut self,
        group: &mut OperationGroup<'_, F>,
        fingerprint: F,
        name: &str,
    ) -> Result<Option<u64>> {
        let Some(names) = &mut self.names else { return Ok(None) };
        for hit in group.near(fingerprint, 0, usize::MAX)?.matches {
            if names.name(hit.id)? == name {
                return Ok(Some(hit.id));
            }
        }
        Ok(None)
    }

    /// An id for an entry that may be inserted.
    pub(super) fn add(&mut self, name: &str) -> Result<u64> {
        match &mut self.names {
            Some(names) => Ok(names.add(name)?),
            None => bail!("{}: this store has no names", self.folder.display()),
        }
    }

    /// Returns when the names that were added are safe: entries may refer to them from then on.
    pub(super) fn sync(&mut self) -> Result<()> {
        let sync = self.sync;
        Ok(self.names.as_mut().map_or(Ok(()), |names| names.sync(sync))?)
    }

    /// An id as it was given.
    pub(super) fn shown(&mut self, id: u64) -> Result<Value> {
        Ok(match &mut self.names {
            Some(names) => json!(names.name(id)?),
            None => json!(id),
        })
    }
}
