//! `lookalike scan --lens simhash`: by one fingerprint for each document.

use super::{Scan, ScanFormat};
use crate::flags::FormatFlag;
use crate::lens::LensName;
use crate::progress::{Bars, cancel_on_signal};
use crate::simhash::flags::{TermFlags, WeightFlags};
use anyhow::{Result, bail};
use clap::Args;
use lookalike::chunks::TemplateList;
use lookalike::simhash::{self, Question};
use lookalike::{Policy, ScanOptions};

/// What only this lens is asked.
#[derive(Args)]
#[command(next_help_heading = "Simhash")]
pub(super) struct SimhashFlags {
    /// Link documents whose fingerprints differ in at most so many bits [default: 3]
    #[arg(short, value_name = "BITS")]
    k: Option<u32>,
    /// Compare every pair by its shingles, drop those of less resemblance than --threshold, and tell how many hold
    #[arg(long)]
    verify: bool,
    /// Link only documents of which the shorter has at least this share of the words of the longer, from 0 to 1
    #[arg(long, value_name = "SHARE")]
    length_ratio: Option<f64>,
    /// Link only documents with the same value of this JSONL field, such as a language or a site; those without it only among themselves
    #[arg(long, value_name = "FIELD")]
    category: Option<String>,
    /// Leave out features that more than N different documents have, such as menus; reads the documents twice
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    drop_common: Option<u64>,
    #[command(flatten)]
    terms: TermFlags,
    #[command(flatten)]
    weights: WeightFlags,
}

impl SimhashFlags {
    /// Which of them were given.
    pub(super) fn given(&self) -> Vec<(&'static str, bool)> {
        let own = [
            ("-k", self.k.is_some()),
            ("--verify", self.verify),
            ("--length-ratio", self.length_ratio.is_some()),
            ("--category", self.category.is_some()),
            ("--drop-common", self.drop_common.is_some()),
        ];
        [&own[..], &self.terms.given(), &self.weights.given()].concat()
    }
}

impl Scan {
    pub(super) fn by_simhash(&self) -> Result<u8> {
        self.refuse_others()?;
        self.check_targets()?;
        let flags = &self.simhash;
        let format = self.format.and_then(ScanFormat::of_documents).unwrap_or(FormatFlag::Auto);
        let scan = self.options()?;
        let mut corpus = lookalike::CorpusOptions { category_field: flags.category.clone(), ..scan.corpus };
        if let Some(table) = flags.weights.table() {
            // it is no document
            corpus.exclude = self.input.options_without(table).exclude;
        }
        let scan = ScanOptions {
            corpus,
            recipe: self.shingles.recipe(false, Some(format), &self.key.key),
            policy: self.policy.policy(Policy::default())?,
            ..scan
        };
        let question = Question {
            options: flags.weights.options(flags.terms.options(scan, format, &self.key.key))?,
            k: flags.k.unwrap_or(3),
            length_ratio: flags.length_ratio,
            drop_common: flags.drop_common,
            verify: flags.verify,
        };
        let cancel = cancel_on_signal();
        let scan = simhash::scan(self.input.inputs(), &question, &Bars::new(self.output.quiet), &cancel)?;
        self.finish(&scan, &question.options.scan.decisions, &TemplateList::default())
    }

    /// Fails if a flag of another lens was given, or one that needs the words of documents though only fingerprints are compared.
    fn refuse_others(&self) -> Result<()> {
        LensName::Chunks.refuse(&self.chunks.given())?;
        let [words, sketch] = self.shingles.given();
        let own = [
            sketch,
            ("--features", self.input.brings_features()),
            ("--against", self.against.is_some()),
            ("--save", self.running.save.is_some()),
        ];
        LensName::Shingles.refuse(&[&self.running.given()[..], &own].concat())?;
        if self.fdupes() {
            bail!("--format fdupes: only the chunks lens looks for all identical files; scan with --lens chunks");
        }
        let verified = [
            ("--html", self.page.html.is_some()),
            ("--pairs", self.pairs.is_some()),
            ("--decisions", self.decisions.is_some()),
            words,
        ];
        let verified = [&verified[..], &self.policy.links.given()].concat();
        match verified.iter().find(|(_, given)| *given) {
            Some((flag, _)) if !self.simhash.verify => {
                bail!(
                    "{flag} is about resemblance, and without --verify only fingerprints are compared; add --verify, or leave it out"
                )
            }
            _ => Ok(()),
        }
    }
}
