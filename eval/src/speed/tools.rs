//! The programs that are run: found, built or installed into the cache. What cannot be had is said, and the rest goes on.

use super::debian;
use crate::cache::Cache;
use crate::facts::output;
use crate::measure::{Job, run};
use anyhow::{Context, Result, bail};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Installing a peer may compile or download a gigabyte, but not for ever.
const INSTALL: Duration = Duration::from_mins(20);

/// The lookalike to measure: the one told, or the one of this checkout, built now so that it is never an old one.
pub(super) fn lookalike(told: Option<PathBuf>) -> Result<String> {
    let program = if let Some(told) = told {
        told.canonicalize().with_context(|| format!("cannot find {}", told.display()))?
    } else {
        let beside = std::env::current_exe()?.with_file_name("lookalike");
        if let Some(cargo) = std::env::var_os("CARGO") {
            let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
            let mut build = Command::new(cargo);
            build.args(["build", "--quiet", "--package", "lookalike-cli", "--profile", profile]);
            let built = build.current_dir(env!("CARGO_MANIFEST_DIR")).status()?;
            anyhow::ensure!(built.success(), "lookalike does not build");
        }
        beside
    };
    if output(&program.to_string_lossy(), &["--version"]).is_none() {
        bail!("{} does not run: build it with `cargo build --release`, or name it with --lookalike", program.display());
    }
    Ok(program.to_string_lossy().into_owned())
}

/// `b3sum` from the path or the cache, else built into the cache.
pub(super) fn b3sum(cache: &Cache) -> Result<String> {
    let kept = cache.text("tools/bin/b3sum");
    if let Some(found) = first_that_runs(&["b3sum", &kept]) {
        return Ok(found);
    }
    let root = cache.text("tools");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let job = Job::new(cargo, &["install", "--quiet", "--locked", "--root", &root, "b3sum@1.8.7"]);
    run(&job, INSTALL).context("no b3sum: `cargo install b3sum` failed")?;
    first_that_runs(&[&kept]).context("no b3sum: the one that was built does not run")
}

/// `xxhsum` from the path or the cache, else unpacked into the cache from its Debian package.
pub(super) fn xxhsum(cache: &Cache) -> Result<String> {
    let folder = cache.path("xxhash");
    let kept = cache.text("xxhash/usr/bin/xxhsum");
    if let Some(found) = first_that_runs(&["xxhsum", &kept]) {
        return Ok(found);
    }
    if !folder.exists() {
        debian::unpack("xxhash", &cache.path("debs"), &folder).context("no xxhsum: install the package xxhash")?;
    }
    first_that_runs(&[&kept]).context("no xxhsum: install the package xxhash")
}

fn first_that_runs(programs: &[&str]) -> Option<String> {
    let runs = |program: &&&str| Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success());
    programs.iter().find(runs).map(|&program| program.to_owned())
}

/// The Python of an environment with just these requirements, made in the cache if it is not there or was made for others.
pub(super) fn python(cache: &Cache, name: &str, requirements: &Path) -> Result<String> {
    let folder = cache.path(name);
    let python = cache.text(&format!("{name}/bin/python"));
    let installed = folder.join("installed.txt");
    let wanted = fs::read_to_string(requirements)?;
    if fs::read_to_string(&installed).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    super::note(&format!("installing the peers of {}", requirements.file_name().unwrap_or_default().display()));
    let help = "the peers need python3 (3.11 or so) with venv, and a Python package index";
    run(&Job::new("python3", &["-m", "venv", "--clear", &folder.to_string_lossy()]), INSTALL).context(help)?;
    let file = requirements.to_string_lossy();
    run(&Job::new(&*python, &["-m", "pip", "install", "--quiet", "-r", &file]), INSTALL).context(help)?;
    fs::write(installed, wanted)?;
    Ok(python)
}

/// The size of the corpus in lines and bytes, read once: it is then in the system's cache for all contenders.
pub(super) fn warm(corpus: &Path) -> Result<(u64, u64)> {
    let file = fs::File::open(corpus).with_context(|| format!("cannot read {}", corpus.display()))?;
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let mut line = Vec::new();
    let (mut lines, mut bytes) = (0, 0);
    while reader.read_until(b'\n', &mut line)? > 0 {
        lines += 1;
        bytes += line.len() as u64;
        line.clear();
    }
    Ok((lines, bytes))
}
