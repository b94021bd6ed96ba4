//! Where corpora, truth, tools and the peers' environments are kept from one run to the next.

use anyhow::{Context, Result};
use std::env;
use std::fs;
use std::path::PathBuf;

/// A folder; everything in it can be deleted and is made again.
#[derive(Clone)]
pub(crate) struct Cache(PathBuf);

impl Cache {
    /// The folder told, or `lookalike-eval` in the user's cache folder.
    pub(crate) fn open(told: Option<PathBuf>) -> Result<Self> {
        let folder = match told {
            Some(folder) => folder,
            None => users().context("neither XDG_CACHE_HOME nor HOME is set: name a folder with --cache")?,
        };
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Self(folder.canonicalize()?))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The same as text, for command lines.
    pub(crate) fn text(&self, name: &str) -> String {
        self.path(name).to_string_lossy().into_owned()
    }

    pub(crate) fn root(&self) -> String {
        self.0.to_string_lossy().into_owned()
    }
}

fn users() -> Option<PathBuf> {
    let base = env::var_os("XDG_CACHE_HOME").filter(|base| !base.is_empty()).map(PathBuf::from);
    let base = base.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache")));
    Some(base?.join("lookalike-eval"))
}
