//! Inputs and results in object storage: what the user named by an address is fetched before it is read, and what is written for an address is
//! put there when it is complete. Everything between sees files.

use crate::args::Args;
use crate::verb::Verb;
use anyhow::Result;
use std::path::{Path, PathBuf};

/// Each address, and the files and folders that it stands for.
type Fetches = Vec<(PathBuf, Vec<PathBuf>)>;

#[cfg(feature = "object-store")]
mod fetched;
#[cfg(feature = "object-store")]
use fetched::fetch;
#[cfg(feature = "object-store")]
pub(crate) use fetched::{describe, put, settle};

#[cfg(not(feature = "object-store"))]
mod absent;
#[cfg(not(feature = "object-store"))]
use absent::fetch;
#[cfg(not(feature = "object-store"))]
pub(crate) use absent::{describe, put, settle};

/// Flags whose values are read as documents.
const FLAGS: [&str; 6] = ["path", "base", "archive", "against", "programs", "moss-base"];

/// What addresses begin with.
const SCHEMES: [&str; 5] = ["s3://", "gs://", "az://", "http://", "https://"];

/// An address, if the user gave one.
fn address(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| SCHEMES.iter().any(|scheme| text.starts_with(scheme)))
}

/// Files and folders of this machine that a flag names. What is in object storage is fetched when the first of them is asked for.
pub(crate) fn inputs(args: &Args, flag: &str) -> Result<Vec<PathBuf>> {
    let paths = args.all::<PathBuf>(flag);
    if !paths.iter().any(|path| address(path).is_some()) {
        return Ok(paths);
    }
    let fetched = fetch(args)?;
    let files = |path: PathBuf| match fetched.iter().find(|(from, _)| *from == path) {
        Some((_, files)) => files.clone(),
        None => vec![path],
    };
    Ok(paths.into_iter().flat_map(files).collect())
}

/// Where a result is made: `--output`, or, if that is an address, a folder of this machine.
pub(crate) fn output(args: &Args) -> Option<PathBuf> {
    let out = args.path("output")?;
    Some(if address(&out).is_some() { staging_folder(args, &out).join("result") } else { out })
}

/// The folder of fetched objects and the local folder of a result that goes to an address.
pub(crate) fn folders(args: &Args) -> Vec<PathBuf> {
    let out = args.path("output").filter(|_| args.spec.verb == Verb::Dedup);
    let staging = out.map(|out| staging_folder(args, &out));
    output(args).filter(|_| staging.is_some()).into_iter().chain(staging).collect()
}

/// Whether the result goes to an address; then it is made sure, before anything is read, that it can.
pub(crate) fn prepare_output(args: &Args) -> Result<bool> {
    let is_remote = args.path("output").is_some_and(|out| address(&out).is_some());
    if is_remote {
        fetch(args)?;
    }
    Ok(is_remote)
}

/// Where objects are until a run is finished: beside its result; if that is an address, in the current folder or where `--tmp` says.
fn staging_folder(args: &Args, out: &Path) -> PathBuf {
    match address(out) {
        None => {
            let mut name = out.file_name().unwrap_or_default().to_owned();
            name.push(".staging");
            out.with_file_name(name)
        }
        Some(url) => {
            let name = url.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            args.path("tmp").unwrap_or_default().join(format!("{name}.staging"))
        }
    }
}
