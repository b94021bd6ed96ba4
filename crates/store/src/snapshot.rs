//! An index folder as a reader sees it.

use crate::manifest::{MANIFEST, Manifest};
use crate::{Error, Segment, folder};
use serde::de::DeserializeOwned;
use std::path::Path;

/// How often a writer may commit while a reader opens its files.
const TRIES: usize = 100;

/// An index as one commit left it. Later commits do not change it, though they remove its files.
#[derive(Debug)]
pub struct Snapshot<M> {
    /// What the commit said about the index.
    pub meta: M,
    /// The number of the commit.
    pub generation: u64,
    /// The segments, in the order of the commit.
    pub segments: Vec<Segment>,
}

impl<M: DeserializeOwned> Snapshot<M> {
    /// Opens the last commit.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let read = || folder::read(path)?.ok_or_else(|| Error::NoIndex { path: path.to_owned() });
        let mut text = read()?;
        for _ in 1..TRIES {
            let error = match Self::open_as(path, &text) {
                Ok(snapshot) => return Ok(snapshot),
                Err(error) => error,
            };
            // a file is not there because a writer has committed since and removed it, or it is really not there
            let now = read()?;
            if now == text {
                return Err(error);
            }
            text = now;
        }
        Self::open_as(path, &text)
    }

    fn open_as(path: &Path, text: &[u8]) -> Result<Self, Error> {
        let Manifest { generation, files, meta, .. } = Manifest::decode(&path.join(MANIFEST), text)?;
        let segments = files.iter().map(|file| Segment::open(path, file)).collect::<Result<_, _>>()?;
        Ok(Self { meta, generation, segments })
    }
}
