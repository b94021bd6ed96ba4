//! The answers that were wrong, for a closer look: one file for pages that moved, one for pages that were deleted.

use super::tally::{Case, Deleted, Lost, Place};
use super::{Gone, Moved, Pair};
use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

pub(super) struct Misses {
    moved: BufWriter<File>,
    gone: BufWriter<File>,
}

/// Exact numbers (shingles of ten words) first, then what `lookalike lost` estimated. Places are counted from 1.
const MOVED: &str = "from\tto\told\tnew\tshingles_old\tshingles_new\tsimilarity\tnew_survived\tnew_resemblance\tstatus\tplace_of_new\t\
                     new_estimates\tfirst\tfirst_survived\tfirst_resemblance\tfirst_estimates";
const GONE: &str =
    "from\tto\told\tshingles_old\tredirected\tstatus\tfirst\tfirst_survived\tfirst_resemblance\tfirst_estimates";

impl Misses {
    pub(super) fn create(folder: &Path, set: &str) -> Result<Self> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let create = |name: &str, head: &str| {
            let file = folder.join(format!("{name}-{set}.tsv"));
            let mut out =
                BufWriter::new(File::create(&file).with_context(|| format!("cannot write {}", file.display()))?);
            writeln!(out, "{head}")?;
            Ok::<_, anyhow::Error>(out)
        };
        Ok(Self { moved: create("misses", MOVED)?, gone: create("gone", GONE)? })
    }

    pub(super) fn moved(&mut self, pair: &Pair<'_>, row: &Moved, case: &Case, lost: &Lost) -> Result<()> {
        let Moved { from, to, old, new, similarity } = row;
        let (place, estimates) = match case.place {
            Some(place) => ((place + 1).to_string(), lost.found.get(place).map(estimates).unwrap_or_default()),
            None => ("–".to_owned(), String::new()),
        };
        let (shingles, of_new) = (pair.old.shingles(old), pair.new.shingles(new));
        let (survived, resemblance) = (case.survived, pair.resemblance(old, new));
        let first = first(pair, old, lost);
        let status = &lost.status;
        writeln!(
            self.moved,
            "{from}\t{to}\t{old}\t{new}\t{shingles}\t{of_new}\t{similarity}\t{survived:.3}\t{resemblance:.3}\t{status}\t{place}\t\
             {estimates}\t{first}"
        )?;
        Ok(())
    }

    pub(super) fn gone(&mut self, pair: &Pair<'_>, row: &Gone, one: &Deleted, lost: &Lost) -> Result<()> {
        let Gone { from, to, old } = row;
        let redirected = match (one.redirected, one.right) {
            (false, _) => "no",
            (true, false) => "elsewhere",
            (true, true) => "to first",
        };
        let (shingles, status, first) = (pair.old.shingles(old), &lost.status, first(pair, old, lost));
        writeln!(self.gone, "{from}\t{to}\t{old}\t{shingles}\t{redirected}\t{status}\t{first}")?;
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<()> {
        self.moved.flush()?;
        Ok(self.gone.flush()?)
    }
}

/// The four columns of what was found first.
fn first(pair: &Pair<'_>, old: &str, lost: &Lost) -> String {
    let Some(first) = lost.found.first() else { return "–\t\t\t".to_owned() };
    let (survived, resemblance) = (pair.survived(old, &first.url), pair.resemblance(old, &first.url));
    format!("{}\t{survived:.3}\t{resemblance:.3}\t{}", first.url, estimates(first))
}

fn estimates(place: &Place) -> String {
    let held = place.query_in_document.map_or("–".to_owned(), |held| format!("{:.3}", held.value));
    let new = if place.new { ", new" } else { "" };
    format!("held {held}, resemblance {:.3}, {}{new}", place.resemblance.value, place.role)
}
