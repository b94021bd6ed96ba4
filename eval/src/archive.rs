//! Sets of documents as archives of tar and zstd: unpacked into the cache when they are needed.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Unpacks what an archive holds under `inside`, as `folder`. Beside its place and then renamed, so that a set is there whole or not at all.
pub(crate) fn unpack(archive: &Path, inside: &str, folder: &Path) -> Result<()> {
    let parent = folder.parent().context("a folder in the cache")?;
    fs::create_dir_all(parent)?;
    let beside = tempfile::tempdir_in(parent)?;
    let mut zstd = Command::new("zstd");
    let zstd = zstd.args(["-d", "--long=28", "-c"]).arg(archive).stdout(Stdio::piped()).spawn();
    let mut zstd = zstd.with_context(|| format!("zstd is needed to unpack {}", archive.display()))?;
    let pipe = zstd.stdout.take().context("a pipe was asked for")?;
    let tar = Command::new("tar").arg("-x").arg("-C").arg(beside.path()).stdin(pipe).status()?;
    if !zstd.wait()?.success() || !tar.success() {
        bail!("cannot unpack {}", archive.display());
    }
    fs::rename(beside.path().join(inside), folder)
        .with_context(|| format!("{} does not hold {inside}", archive.display()))
}
