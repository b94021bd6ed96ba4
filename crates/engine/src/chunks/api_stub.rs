//! Signatures to build against; replaced by the real thing.
#![allow(missing_docs, unused_variables, clippy::pedantic)]

use super::{Names, Options, TemplateList};
use crate::report::{PairRow, Report};
use crate::{Cancel, Compared, Described, Differences, Error, Input, Policy, Progress, Text, Viewed};
use std::path::Path;

/// A finished scan by chunks.
pub struct Scan {
    /// What was found.
    pub report: Report,
}

/// Scans by chunks. A path that is an exchange file of the chunks lens (see [`is_exchange`]) joins with what it holds.
pub fn scan(inputs: Vec<Input>, options: &Options, progress: &dyn Progress, cancel: &Cancel) -> Result<Scan, Error> {
    unimplemented!()
}

/// Whether a file begins as an exchange file does.
pub fn is_exchange(path: &Path) -> bool {
    unimplemented!()
}

/// What a new exchange file holds.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Sketched {
    /// Documents in it.
    pub documents: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Their chunks.
    pub chunks: u64,
    /// Bytes of the file.
    pub written: u64,
    /// How they were made.
    pub recipe: String,
    /// What was left out, and why.
    pub skipped: Vec<crate::Skip>,
}

/// Writes an exchange file: names, lengths and chunk hashes.
pub fn sketch(
    inputs: Vec<Input>,
    options: &Options,
    names: Names,
    out: &Path,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Sketched, Error> {
    unimplemented!()
}

/// Analyses a saved run again: with another policy, with templates. The originals are not needed.
pub fn recluster(run: &Path, policy: impl FnOnce(Policy) -> Policy, templates: &TemplateList) -> Result<Report, Error> {
    unimplemented!()
}

/// Whether a folder is a saved run of the chunks lens.
pub fn is_run(run: &Path) -> bool {
    unimplemented!()
}

/// What a template is made of.
pub enum Mark<'a> {
    /// The chunks that all documents of a cluster of the run share, by the cluster's number (after the templates that are on the list already).
    Cluster(u64),
    /// One chunk, by its hash or the beginning of it.
    Chunk(&'a str),
    /// All chunks of a file: a boilerplate.
    File(&'a Path),
}

/// Marks a template: adds it to the list and returns its name. `name` is made up if it is not given.
pub fn mark(
    run: &Path,
    what: &Mark<'_>,
    name: Option<&str>,
    policy: impl FnOnce(Policy) -> Policy,
    list: &mut TemplateList,
    key: &str,
) -> Result<String, Error> {
    unimplemented!()
}

impl Scan {
    /// Keeps the run in a new folder, for [`recluster`] and [`mark`].
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        unimplemented!()
    }

    /// Calls `each` with every pair that the policy accepts. Needs `all_pairs`.
    pub fn pairs<E: From<Error>>(&self, each: impl FnMut(PairRow) -> Result<(), E>) -> Result<(), E> {
        unimplemented!()
    }

    /// What differs between two documents of the report, in a few words; none where they cannot be read again or are no text.
    pub fn differences(&self, a: u32, b: u32) -> Result<Option<Differences>, Error> {
        unimplemented!()
    }
}

impl Viewed for Scan {
    fn report(&self) -> &Report {
        &self.report
    }
    fn explored(&self) -> f64 {
        unimplemented!()
    }
    fn describe(&self, document: u32) -> Result<Described, Error> {
        unimplemented!()
    }
    fn text(&self, document: u32) -> Result<Option<Text>, Error> {
        unimplemented!()
    }
    fn compared(&self, each: &mut dyn FnMut(Compared) -> Result<(), Error>) -> Result<(), Error> {
        unimplemented!()
    }
}
