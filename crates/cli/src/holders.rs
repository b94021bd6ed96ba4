//! `lookalike holders`: who has this document, or a part of it?

use crate::flags::IndexFlags;
use crate::{output, sizes};
use anyhow::{Result, bail};
use clap::Args;
use lookalike::index::{Answer, Holders as Found, HoldersOptions, Index, QueryOptions, holders};
use lookalike_report::{clean, write_answer, write_holders_csv, write_versioned_json};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// List everyone who holds a document, or a part of it
///
/// For each URL of the index: how much of the document it has, since when, and whether it has it now. Those are the ones to tell when
/// the document changes.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike holders pages.index https://a.example/terms.html           who has copied this page?
  lookalike holders pages.index terms.html --least 0.5 --csv > notify.csv

What the index knows by that name comes before a file that is called so.")]
pub(crate) struct Holders {
    #[command(flatten)]
    index: IndexFlags,
    /// A URL or id that the index knows, or a file; - is standard input
    #[arg(value_name = "FILE|URL")]
    document: PathBuf,
    /// Least share of the document that a holder has, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    least: f64,
    /// Count on the originals, where they are still there and have not changed
    #[arg(long)]
    verify: bool,
    /// Largest document that is read
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = sizes::parse)]
    max_size: u64,
    /// One JSON object
    #[arg(long, group = "form")]
    json: bool,
    /// A row for each holder
    #[arg(long, group = "form")]
    csv: bool,
}

/// What was asked for.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum Asked {
    /// A name of the index: what it had when it was last seen.
    Name,
    /// A file.
    File,
}

#[derive(Serialize)]
struct Answered<'a> {
    asked: Asked,
    #[serde(flatten)]
    found: &'a Found,
}

impl Holders {
    pub(crate) fn run(&self) -> Result<u8> {
        let options = HoldersOptions { least: self.least, ..HoldersOptions::default() };
        if !(self.least > 0.0 && self.least <= 1.0) {
            bail!("--least: expected a share of more than 0 and at most 1, found {}", self.least);
        }
        let index = self.index.open()?;
        let (asked, answer) = self.ask(&index, &QueryOptions { verify: self.verify, ..options.query() })?;
        let found = holders(&answer, &options);
        output::to(None, !(self.json || self.csv), |out| {
            if self.json {
                write_versioned_json(out, &Answered { asked, found: &found })
            } else if self.csv {
                write_holders_csv(out, &found)
            } else {
                said(out, asked, &self.document)?;
                write_answer(out, &found, false)
            }
        })?;
        Ok(crate::SUCCESS)
    }

    fn ask(&self, index: &Index, options: &QueryOptions) -> Result<(Asked, Answer)> {
        // ./ says that a file is meant
        let file = self.document.starts_with(".") && self.document.is_file();
        if let Some(name) = self.document.to_str().filter(|_| !file)
            && !index.find(name)?.is_empty()
        {
            return Ok((Asked::Name, index.query_url(name, options)?));
        }
        if self.document != Path::new("-") && !self.document.exists() {
            bail!(
                "{}: expected a URL or id that {} knows, or a file; found neither; check its spelling",
                self.document.display(),
                self.index.path().display()
            );
        }
        if index.recipe().is_features() {
            bail!(
                "{} has features, not words: expected a name that it knows, found a file",
                self.index.path().display()
            );
        }
        Ok((Asked::File, index.query_file(&self.document, self.max_size, options)?))
    }
}

fn said(out: &mut dyn Write, asked: Asked, document: &Path) -> io::Result<()> {
    let name = document.display().to_string();
    match asked {
        Asked::Name => writeln!(out, "asked for what the index knows as {}", clean(&name)),
        Asked::File if document == Path::new("-") => writeln!(out, "asked for standard input"),
        Asked::File => writeln!(out, "asked for the file {}", clean(&name)),
    }
}
