//! What a run found when it was begun: a run that goes on must find the same.

use crate::Error;
use crate::listing::Object;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// An object as it was listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    url: String,
    bytes: u64,
    etag: Option<String>,
    /// Microseconds since 1970.
    modified: i64,
}

impl Stamp {
    fn of(object: &Object) -> Self {
        let meta = &object.meta;
        let modified = meta.last_modified.timestamp_micros();
        Self { url: object.url(), bytes: meta.size, etag: meta.e_tag.clone(), modified }
    }
}

/// Remembers the objects, or makes sure that they are those of the run that was stopped.
pub(crate) fn check(path: &Path, objects: &[Object]) -> Result<(), Error> {
    let now: Vec<Stamp> = objects.iter().map(Stamp::of).collect();
    let io = |source| Error::Io { path: path.to_owned(), source };
    let damaged = |_| Error::Damaged { path: path.to_owned() };
    if path.exists() {
        let then: Vec<Stamp> = serde_json::from_slice(&fs::read(path).map_err(io)?).map_err(damaged)?;
        let differs = then.iter().zip(&now).find(|(then, now)| then != now).map(|(then, _)| then);
        let differs = differs.or_else(|| then.get(now.len())).or_else(|| now.get(then.len()));
        return differs.map_or(Ok(()), |stamp| Err(Error::Changed { url: stamp.url.clone() }));
    }
    let text = serde_json::to_vec_pretty(&now).map_err(damaged)?;
    let unfinished = path.with_extension("unfinished");
    fs::write(&unfinished, text).and_then(|()| fs::rename(&unfinished, path)).map_err(io)
}
