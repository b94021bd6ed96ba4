//! `lookalike scan --lens chunks`: by the bytes that files share.

use super::{Finished, Scan, ScanFormat};
use crate::chunk_flags::{MeanFlag, ShareFlags, mean};
use crate::lens::LensName;
use crate::numbers;
use crate::progress::{Bars, cancel_on_signal};
use anyhow::{Result, bail};
use clap::Args;
use lookalike::chunks::{self, Options, TemplateList};
use lookalike::{Differences, Error, PairRow, ScanOptions};
use std::path::{Path, PathBuf};

/// What only this lens is asked.
#[derive(Args)]
#[command(next_help_heading = "Chunks")]
pub(super) struct ChunkFlags {
    #[command(flatten)]
    mean: MeanFlag,
    #[command(flatten)]
    links: ShareFlags,
    /// A chunk in more than this share of all files does not connect them; it is reported [default: 50]
    #[arg(long, value_name = "PERCENT", value_parser = numbers::percent)]
    common_share: Option<f64>,
    /// Also count the true bytes in common of each file and the first of its cluster, by aligning the two
    #[arg(long)]
    exact: bool,
    /// Cut again, into chunks of this mean, where the first pass leaves doubt [default: 100]
    #[arg(
        long,
        value_name = "BYTES",
        value_parser = mean,
        conflicts_with = "save",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "100"
    )]
    refine: Option<u32>,
    /// Ignore the chunks of this list, which lookalike templates mark writes
    #[arg(long, value_name = "LIST")]
    templates: Option<PathBuf>,
}

impl ChunkFlags {
    /// Which of them were given.
    pub(super) fn given(&self) -> Vec<(&'static str, bool)> {
        let own = [
            ("--common-share", self.common_share.is_some()),
            ("--exact", self.exact),
            ("--refine", self.refine.is_some()),
            ("--templates", self.templates.is_some()),
        ];
        [&self.mean.given()[..], &self.links.given(), &own].concat()
    }
}

impl Scan {
    pub(super) fn by_chunks(&self) -> Result<u8> {
        self.refuse_shingles()?;
        LensName::Simhash.refuse(&self.simhash.given())?;
        let flags = &self.chunks;
        if let Some(refine) = flags.refine.filter(|refine| *refine >= flags.mean.mean()) {
            let mean = flags.mean.mean();
            bail!("--refine={refine}: expected a mean below --avg-chunk {mean}; say a smaller one, or leave it out");
        }
        self.check_targets()?;
        let templates = flags.templates.as_deref().map(|list| TemplateList::read(list, true)).transpose()?;
        let defaults = Options::default();
        let scan = ScanOptions {
            policy: flags.links.policy(self.policy.linkage.policy(defaults.scan.policy)),
            all_pairs: self.pairs.is_some() || self.page.html.is_some(),
            ..self.options()?
        };
        let options = Options {
            scan,
            mean: flags.mean.mean(),
            key: self.key.key.clone(),
            common_share: flags.common_share.unwrap_or(defaults.common_share),
            exact: flags.exact,
            refine: flags.refine,
            templates: templates.unwrap_or_default(),
        };
        let cancel = cancel_on_signal();
        let scan = chunks::scan(self.input.inputs(), &options, &Bars::new(self.output.quiet), &cancel)?;
        self.finish(&scan, &options.scan.decisions, &options.templates)
    }

    /// Fails if a flag of the other lens was given.
    fn refuse_shingles(&self) -> Result<()> {
        let format = self.format.is_some_and(|format| format != ScanFormat::Fdupes);
        let own = [
            ("--format (but fdupes)", format),
            ("--features", self.input.brings_features()),
            ("--against", self.against.is_some()),
        ];
        let given = [&self.shingles.given()[..], &self.policy.links.given(), &self.running.given(), &own].concat();
        LensName::Shingles.refuse(&given)
    }
}

impl Finished for chunks::Scan {
    fn save(&self, run: &Path) -> Result<(), Error> {
        self.save(run)
    }

    fn each_pair(&self, each: &mut dyn FnMut(PairRow) -> Result<(), Error>) -> Result<(), Error> {
        self.pairs(each)
    }

    fn differences(&self, a: u32, b: u32) -> Result<Option<Differences>, Error> {
        self.differences(a, b)
    }
}
