//! Flags of `lookalike copies`: how submissions are made, how they are read, which pairs are listed.

use super::values;
use crate::numbers;
use anyhow::{Result, bail};
use clap::Args;
use lookalike::Input;
use lookalike::copies::{Cohort, CopiesOptions, MaxShare, Reading};
use std::path::PathBuf;

/// What a submission is, and what is known of it.
#[derive(Args)]
#[command(next_help_heading = "Submissions")]
pub(super) struct CohortFlags {
    /// Each folder (or zip or tar file) directly below a PATH is one submission, with all its files; otherwise each file is one
    #[arg(long)]
    per_folder: bool,
    /// Code that was given to all: it does not count, and is shown in grey (may be repeated)
    #[arg(long, value_name = "PATH")]
    base: Vec<PathBuf>,
    /// Submissions of earlier years: compared with these, not with each other (may be repeated)
    #[arg(long, value_name = "PATH")]
    archive: Vec<PathBuf>,
    /// Regular expression whose first group, in the name of a submission, is its owner; submissions of one owner are not compared
    #[arg(long, value_name = "REGEX")]
    owner: Option<String>,
    /// Names, labels and dates of submissions, as Dolos reads them [default: info.csv in a PATH, if there is one]
    #[arg(long, value_name = "FILE")]
    info: Option<PathBuf>,
}

impl CohortFlags {
    pub(super) fn cohort(&self) -> Cohort {
        Cohort { per_folder: self.per_folder, owner: self.owner.clone(), info: self.info.clone() }
    }

    pub(super) fn base(&self) -> Vec<Input> {
        paths(&self.base)
    }

    pub(super) fn archive(&self) -> Vec<Input> {
        paths(&self.archive)
    }
}

/// Paths as inputs.
pub(super) fn paths(paths: &[PathBuf]) -> Vec<Input> {
    paths.iter().cloned().map(Input::Path).collect()
}

/// How files become tokens and fingerprints.
#[derive(Args)]
#[command(next_help_heading = "Lens")]
pub(crate) struct ReadingFlags {
    /// What files are read as: auto (by their names), text (words), bytes, or a language such as python
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = values::reading)]
    lang: Reading,
    /// Noise threshold: nothing shorter than this many tokens is found [default: by kind of file]
    #[arg(short, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    k: Option<u32>,
    /// Guarantee: whatever two share of this many tokens in a row is found; at least k [default: by kind of file]
    #[arg(short, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    t: Option<u32>,
    /// Names of variables, functions and types count: renaming hides a copy
    #[arg(long)]
    keep_identifiers: bool,
    /// Values of numbers and strings count
    #[arg(long)]
    keep_literals: bool,
    /// Comments count
    #[arg(long)]
    keep_comments: bool,
}

/// Which pairs are listed, and what is ignored.
#[derive(Args)]
#[command(next_help_heading = "Policy")]
pub(super) struct PairFlags {
    /// Least similarity of a pair that is listed, from 0 to 1 [default: 0.1, of prose and bytes 0.01]
    #[arg(long, value_name = "SHARE", value_parser = values::share)]
    min: Option<f64>,
    /// Pairs to list with their passages, most similar first [default: 500]
    #[arg(long, value_name = "N", value_parser = numbers::at_least_one)]
    limit: Option<usize>,
    /// Ignore what more submissions than this share: a number, a percentage such as 10%, or off [default: 1000]
    #[arg(long, value_name = "N|P%|off", value_parser = values::max_share)]
    max_share: Option<MaxShare>,
    /// Similarity from which on pairs make clusters, from 0 to 1 [default: estimated from these submissions]
    #[arg(long, value_name = "SHARE", value_parser = values::share)]
    threshold: Option<f64>,
}

impl ReadingFlags {
    /// Which of them were given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 6] {
        [
            ("--lang", self.lang != Reading::Auto),
            ("-k", self.k.is_some()),
            ("-t", self.t.is_some()),
            ("--keep-identifiers", self.keep_identifiers),
            ("--keep-literals", self.keep_literals),
            ("--keep-comments", self.keep_comments),
        ]
    }

    /// The options with what these flags say.
    pub(crate) fn options(&self, options: CopiesOptions) -> Result<CopiesOptions> {
        if let (Some(k), Some(t)) = (self.k, self.t)
            && t < k
        {
            bail!("-t {t}: expected at least -k {k}, found less; say a larger -t or a smaller -k");
        }
        Ok(CopiesOptions {
            reading: self.lang.clone(),
            k: self.k,
            t: self.t,
            identifiers: self.keep_identifiers,
            literals: self.keep_literals,
            comments: self.keep_comments,
            ..options
        })
    }
}

impl PairFlags {
    /// The options with what these flags say.
    pub(super) fn options(&self, options: CopiesOptions) -> Result<CopiesOptions> {
        if let (Some(min), Some(threshold)) = (self.min, self.threshold)
            && threshold < min
        {
            bail!(
                "--threshold {threshold}: expected at least --min {min}, since pairs below it are not kept; say a larger \
                 --threshold or a smaller --min"
            );
        }
        let (min, limit, threshold) = (self.min, self.limit, self.threshold);
        Ok(CopiesOptions { min, limit, threshold, max_share: self.max_share.unwrap_or_default(), ..options })
    }
}
