//! The programs that are run: found, built or installed into the cache. What cannot be had is said, and the rest goes on.

use super::{debian, peers};
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
pub(crate) fn lookalike(told: Option<PathBuf>) -> Result<String> {
    let program = if let Some(told) = told {
        told.canonicalize().with_context(|| format!("cannot find {}", told.display()))?
    } else {
        build(&["--package", "lookalike-cli", "--package", "lookalike-parser"])?;
        std::env::current_exe()?.with_file_name("lookalike")
    };
    if output(&program.to_string_lossy(), &["--version"]).is_none() {
        bail!(
            "{} does not run: build it with `cargo build --profile dist -p lookalike-cli -p lookalike-parser`, or name it with --lookalike",
            program.display()
        );
    }
    Ok(program.to_string_lossy().into_owned())
}

/// An example program of the engine: the one told, or the one of this checkout, built now.
pub(crate) fn example(told: Option<&Path>, name: &str) -> Result<String> {
    let program = if let Some(told) = told {
        told.to_owned()
    } else {
        build(&["--package", "lookalike-engine", "--example", name])?;
        std::env::current_exe()?.with_file_name("examples").join(name)
    };
    let help = || {
        let path = program.display();
        format!(
            "{path}: no such file; build it with `cargo build --profile dist -p lookalike-engine --example {name}`, or name it with --{name}"
        )
    };
    Ok(program.canonicalize().with_context(help)?.to_string_lossy().into_owned())
}

/// Builds a part of this checkout as this program was built, if cargo runs it. Otherwise what is there is taken.
fn build(what: &[&str]) -> Result<()> {
    if let Some(cargo) = std::env::var_os("CARGO") {
        let program = std::env::current_exe()?;
        let profile = crate::facts::profile(&program).context("this program lies in no folder of cargo's")?;
        let mut build = Command::new(cargo);
        build.args(["build", "--quiet", "--profile", &profile]).args(what);
        let built = build.current_dir(env!("CARGO_MANIFEST_DIR")).status()?;
        anyhow::ensure!(built.success(), "{} does not build", what.last().unwrap_or(&"lookalike"));
    }
    Ok(())
}

/// `b3sum` from the path or the cache, else built into the cache.
pub(super) fn b3sum(cache: &Cache) -> Result<String> {
    installed(cache, "b3sum", "1.8.7")
}

/// `fclones` from the path or the cache, else built into the cache.
pub(crate) fn fclones(cache: &Cache) -> Result<String> {
    installed(cache, "fclones", "0.35.0")
}

fn installed(cache: &Cache, name: &str, version: &str) -> Result<String> {
    let kept = cache.text(&format!("tools/bin/{name}"));
    if let Some(found) = first_that_runs(&[name, &kept]) {
        return Ok(found);
    }
    super::note(&format!("installing {name}"));
    let root = cache.text("tools");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let job = Job::new(cargo, &["install", "--quiet", "--locked", "--root", &root, &format!("{name}@{version}")]);
    run(&job, INSTALL).with_context(|| format!("no {name}: `cargo install {name}` failed"))?;
    first_that_runs(&[&kept]).with_context(|| format!("no {name}: the one that was built does not run"))
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
pub(crate) fn python(cache: &Cache, name: &str, requirements: &Path) -> Result<String> {
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

/// Installs this wheel, whatever of its name was there.
pub(crate) fn wheel(python: &str, wheel: &Path) -> Result<()> {
    let wheel = wheel.canonicalize().with_context(|| format!("cannot find {}", wheel.display()))?;
    let pip = ["-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", &wheel.to_string_lossy()];
    run(&Job::new(python, &pip), INSTALL).map(drop)
}

/// A corpus of the cache as Parquet, made if it is not there yet.
pub(crate) fn parquet(cache: &Cache, name: &str) -> Result<String> {
    let (jsonl, file) = (cache.text(&format!("{name}.jsonl")), cache.text(&format!("{name}.parquet")));
    if !Path::new(&file).exists() {
        super::note(&format!("making {file}"));
        let convert = peers::folder().join("convert.py").to_string_lossy().into_owned();
        let python = python(cache, "venv", &peers::folder().join("requirements.txt"))?;
        run(&Job::new(python, &[&convert, &jsonl, &file]), INSTALL)?;
    }
    Ok(file)
}

/// The size of the corpus in lines and bytes, read once: it is then in the system's cache for all contenders.
pub(crate) fn warm(corpus: &Path) -> Result<(u64, u64)> {
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
