//! What all saved runs say of themselves, in `run.json`.

use crate::Error;
use crate::error::SavedRunError;
use crate::report::policy::Policy;
use crate::report::{Report, Skip};
use lookalike_core::lens::Lens;
use lookalike_store::Error as StoreError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Version of the folder's form.
const FORMAT_VERSION: u32 = 3;
const MANIFEST_NAME: &str = "run.json";

/// What was done; `C` is what only one lens keeps.
#[derive(Serialize, Deserialize)]
pub struct Manifest<C> {
    /// BLAKE3 of this file with an empty checksum.
    checksum: String,
    pub lens: Lens,
    format: u32,
    lookalike: String,
    pub recipe: String,
    pub policy: Policy,
    pub skipped: Vec<Skip>,
    pub contents: C,
}

/// The lens and the form of a saved run, whatever else is in it.
#[derive(Deserialize)]
struct Form {
    lens: Lens,
    format: u32,
}

impl<C: Serialize + DeserializeOwned> Manifest<C> {
    pub fn of(report: &Report, contents: C) -> Self {
        Self {
            checksum: String::new(),
            // a scan by all lenses is not saved
            lens: report.head.lens.unwrap_or(Lens::Shingles),
            format: FORMAT_VERSION,
            lookalike: report.head.lookalike.to_owned(),
            recipe: report.head.recipe.clone(),
            policy: report.head.policy,
            skipped: report.skipped.clone(),
            contents,
        }
    }

    fn sum(&mut self) -> String {
        self.checksum.clear();
        blake3::hash(&serde_json::to_vec(self).expect("plain data")).to_hex().to_string()
    }

    pub fn write(mut self, folder: &Path) -> Result<(), Error> {
        self.checksum = self.sum();
        let (path, json) = (folder.join(MANIFEST_NAME), serde_json::to_vec_pretty(&self).expect("plain data"));
        let failed = |source| StoreError::Write { what: path.display().to_string(), source };
        Ok(std::fs::write(&path, json).map_err(failed)?)
    }

    pub fn read(run: &Path, lens: Lens) -> Result<Self, Error> {
        let wrong = |reason| Error::SavedRun { path: run.to_owned(), reason };
        let damaged = |what: String| wrong(SavedRunError::Damaged(what));
        let bytes = std::fs::read(run.join(MANIFEST_NAME)).map_err(|e| wrong(SavedRunError::Unreadable(e)))?;
        let form: Form = serde_json::from_slice(&bytes).map_err(|e| damaged(format!("run.json is damaged: {e}")))?;
        if (form.lens, form.format) != (lens, FORMAT_VERSION) {
            let named = |lens: Lens, format: u32| format!("{lens}, format {format}");
            let (expected, found) = (named(lens, FORMAT_VERSION), named(form.lens, form.format));
            return Err(wrong(SavedRunError::WrongForm { expected, found }));
        }
        let mut manifest: Self =
            serde_json::from_slice(&bytes).map_err(|e| damaged(format!("run.json is damaged: {e}")))?;
        let checksum = std::mem::take(&mut manifest.checksum);
        if checksum != manifest.sum() {
            return Err(damaged("run.json is damaged: its checksum does not match".into()));
        }
        Ok(manifest)
    }
}

/// The lens of a saved run; none if the folder is no such.
pub fn lens_of(run: &Path) -> Option<Lens> {
    let bytes = std::fs::read(run.join(MANIFEST_NAME)).ok()?;
    serde_json::from_slice::<Form>(&bytes).ok().map(|form| form.lens)
}
