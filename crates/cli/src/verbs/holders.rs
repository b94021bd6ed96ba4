//! `lookalike holders`: who has this document, or a part of it?

use super::index::{least_share, open};
use super::query::is_features;
use crate::args::{Args, Spec};
use crate::output;
use crate::verb::Verb;
use anyhow::{Result, bail};
use lookalike::Index;
use lookalike::index::{Holders, HoldersOptions, Query};
use lookalike_report::{clean, write_answer, write_holders_csv, write_versioned_json};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(super) const SPEC: Spec =
    Spec::new(Verb::Holders, "holders", "List everyone who holds a document, or a part of it", run)
        .long(
            "For each URL of the index: how much of the document it has, since when, and whether it has it now. Those are the ones \
             to tell when the document changes.",
        )
        .after(
            "Examples:
  lookalike holders pages.index https://a.example/terms.html           who has copied this page?
  lookalike holders pages.index terms.html --contained 0.5 --csv > notify.csv
  lookalike holders pages.index terms.html --json | jq '.holders[].id'

What the index knows by that name comes before a file that is called so.",
        );

/// Where the document comes from.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum QuerySource {
    /// A name of the index: what it had when it was last seen.
    Name,
    /// A file.
    File,
}

#[derive(Serialize)]
struct HoldersAnswer<'a> {
    asked: QuerySource,
    #[serde(flatten)]
    holders: &'a Holders,
}

fn run(args: &Args) -> Result<u8> {
    output::check_targets(args, &["output"])?;
    let options = HoldersOptions { least: least_share(args)?, ..HoldersOptions::default() };
    let document: PathBuf = args.value("held");
    let index = open(args)?;
    let (asked, holders) = &ask(args, &index, &document, &options)?;
    let asked = *asked;
    if args.has("csv") {
        output::to(args.path("output").as_deref(), false, |out| write_holders_csv(out, holders))?;
    } else {
        let json = args.has("json");
        output::to(args.path("output").as_deref(), !json, |out| {
            if json {
                return write_versioned_json(out, &HoldersAnswer { asked, holders });
            }
            write_asked(out, asked, &document)?;
            write_answer(out, holders, false)
        })?;
    }
    Ok(crate::SUCCESS)
}

fn ask(args: &Args, index: &Index, document: &Path, options: &HoldersOptions) -> Result<(QuerySource, Holders)> {
    // ./ says that a file is meant
    let file = document.starts_with(".") && document.is_file();
    if let Some(name) = document.to_str().filter(|_| !file)
        && !index.find(name)?.is_empty()
    {
        return Ok((QuerySource::Name, index.holders(&Query::Url(name), options)?));
    }
    let path: PathBuf = args.value("index");
    if document != Path::new("-") && !document.exists() {
        bail!(
            "{}: expected a URL or id that {} knows, or a file; found neither; check its spelling",
            document.display(),
            path.display()
        );
    }
    if is_features(index) {
        bail!("{} has features, not words: expected a name that it knows, found a file", path.display());
    }
    Ok((QuerySource::File, index.holders(&Query::File(document), options)?))
}

fn write_asked(out: &mut dyn Write, asked: QuerySource, document: &Path) -> io::Result<()> {
    let name = document.display().to_string();
    match asked {
        QuerySource::Name => writeln!(out, "asked for what the index knows as {}", clean(&name)),
        QuerySource::File if document == Path::new("-") => writeln!(out, "asked for standard input"),
        QuerySource::File => writeln!(out, "asked for the file {}", clean(&name)),
    }
}
