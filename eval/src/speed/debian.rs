//! Debian packages as plain archives: downloaded and unpacked into the cache, not installed.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Unpacks a package into `folder`, which gets its name only when it is whole. Downloads it if `downloads` lacks it.
pub(super) fn unpack(package: &str, downloads: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(downloads)?;
    let archive = match downloaded(downloads, package)? {
        Some(archive) => archive,
        None => download(downloads, package)?,
    };
    let partial = folder.with_extension("partial");
    if partial.exists() {
        fs::remove_dir_all(&partial)?;
    }
    let mut unpack = Command::new("dpkg-deb");
    run(unpack.arg("-x").arg(&archive).arg(&partial), "it is a part of Debian and of what is made from it")?;
    Ok(fs::rename(&partial, folder)?)
}

fn download(downloads: &Path, package: &str) -> Result<PathBuf> {
    let mut command = Command::new("apt-get");
    run(
        command.arg("download").arg(package).current_dir(downloads),
        "on Debian 12 run `apt-get update` first; elsewhere put the package of Debian 12 into debs in the cache",
    )?;
    downloaded(downloads, package)?.with_context(|| format!("apt-get download {package} left no .deb file"))
}

fn downloaded(downloads: &Path, package: &str) -> Result<Option<PathBuf>> {
    for entry in fs::read_dir(downloads)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(&format!("{package}_")) && path.extension().is_some_and(|e| e == "deb") {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

fn run(command: &mut Command, help: &str) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("cannot run {name}: {help}"))?;
    if !output.status.success() {
        bail!("{name} failed: {}: {help}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}
