//! The tools that people would take instead: installed into the cache, each with a script of ours in `peers/`.

use crate::cache::Cache;
use crate::measure::{Job, run};
use crate::speed::section::Row;
use crate::speed::tools;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const DOLOS: &str = "@dodona/dolos-lib@3.5.1";
const DOLOS_SCRIPT: &str = include_str!("../../peers/run_dolos.mjs");
/// Its grammars are compiled.
const INSTALL: Duration = Duration::from_mins(30);

pub(super) const DOLOS_NAME: &str = "Dolos 3.5.1";
pub(super) const COPYDETECT_NAME: &str = "copydetect 0.5.0";

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers")
}

/// Node looks for packages beside the script, so the script is put beside them.
fn dolos_script(cache: &Cache) -> Result<String> {
    let folder = cache.path("dolos");
    fs::create_dir_all(&folder)?;
    if !folder.join("node_modules/@dodona/dolos-lib").exists() {
        super::note("installing Dolos");
        let prefix = folder.to_string_lossy();
        let install = Job::new("npm", &["install", "--no-audit", "--no-fund", "--prefix", &prefix, DOLOS]);
        run(&install, INSTALL).context("Dolos needs node, npm, python3 and a compiler")?;
    }
    let script = folder.join("run_dolos.mjs");
    fs::write(&script, DOLOS_SCRIPT)?;
    Ok(script.to_string_lossy().into_owned())
}

pub(super) fn dolos(cache: &Cache, folder: &str) -> Row {
    match dolos_script(cache) {
        // its own heap limit is lower than what it needs
        Ok(script) => Row::new(DOLOS_NAME, Job::new("node", &["--max-old-space-size=16384", &script, folder])),
        Err(error) => Row::missing(DOLOS_NAME, &format!("{error:#}")),
    }
}

pub(super) fn copydetect(cache: &Cache, folder: &str) -> Row {
    let script = scripts().join("run_copydetect.py").to_string_lossy().into_owned();
    match tools::python(cache, "venv-copydetect", &scripts().join("requirements-copydetect.txt")) {
        Ok(python) => {
            Row::new(COPYDETECT_NAME, Job::new(python, &[&script, folder]).with_env("PYTHONDONTWRITEBYTECODE", "1"))
        }
        Err(error) => Row::missing(COPYDETECT_NAME, &format!("{error:#}")),
    }
}
