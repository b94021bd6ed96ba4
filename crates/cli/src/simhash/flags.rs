//! How documents become fingerprints: flags that the verbs of `simhash` share.

use crate::flags::{FormatFlag, KeyFlag};
use anyhow::Result;
use clap::Args;
use lookalike::ScanOptions;
use lookalike::simhash::{Languages, Ngrams, Options, SimhashRecipe, Weight};
use std::path::{Path, PathBuf};

/// Which words make features.
#[derive(Args)]
#[command(next_help_heading = "Simhash")]
pub(crate) struct TermFlags {
    /// Words of a feature: a number, or a range such as 2-3 for all sizes in it [default: 2-3]
    #[arg(long, value_name = "N")]
    ngrams: Option<Ngrams>,
    /// Leave out the stop words of these languages: de, en, es, fr, it, nl, pt; phrases are made of what remains
    #[arg(long, value_name = "LANG,…")]
    stop_words: Option<Languages>,
}

/// What features weigh, and how many bits they make.
#[derive(Args)]
#[command(next_help_heading = "Simhash")]
pub(crate) struct WeightFlags {
    /// What a feature weighs by how often a document has it: tf (as often), log (1, and 1 more with every doubling) or binary (1) [default: tf]
    #[arg(long, value_name = "KIND")]
    weight: Option<Weight>,
    /// Weigh rare features more, by a table that lookalike simhash idf made
    #[arg(long, value_name = "FILE")]
    idf: Option<PathBuf>,
    /// Bits of a fingerprint [default: 64]
    #[arg(long, value_name = "64|128", value_parser = bits)]
    bits: Option<u32>,
}

/// Which features a document has.
#[derive(Args)]
#[command(next_help_heading = "Lens")]
pub(crate) struct FeatureFlags {
    #[command(flatten)]
    terms: TermFlags,
    /// Format of all documents; auto goes by file name, then by content
    #[arg(long, value_enum, default_value_t = FormatFlag::Auto)]
    format: FormatFlag,
    #[command(flatten)]
    key: KeyFlag,
}

/// The same, and what features weigh.
#[derive(Args)]
pub(crate) struct FingerprintFlags {
    #[command(flatten)]
    features: FeatureFlags,
    #[command(flatten)]
    weights: WeightFlags,
}

/// A value of --bits.
pub(crate) fn bits(text: &str) -> Result<u32, String> {
    match text {
        "64" => Ok(64),
        "128" => Ok(128),
        _ => Err("expected 64 or 128".into()),
    }
}

impl TermFlags {
    /// Options with these features of documents of a format.
    pub(crate) fn options(&self, scan: ScanOptions, format: FormatFlag, key: &str) -> Options {
        let recipe = SimhashRecipe {
            format: format.name().to_owned(),
            ngrams: self.ngrams.unwrap_or_default(),
            stop: self.stop_words.clone().unwrap_or_default(),
            ..SimhashRecipe::default()
        };
        Options { scan, recipe, ..Options::default() }.with_key(key)
    }

    /// Which of them were given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 2] {
        [("--ngrams", self.ngrams.is_some()), ("--stop-words", self.stop_words.is_some())]
    }
}

impl WeightFlags {
    /// The table that is used, if any.
    pub(crate) fn table(&self) -> Option<&Path> {
        self.idf.as_deref()
    }

    /// Options with these weights.
    pub(crate) fn options(&self, mut options: Options) -> Result<Options> {
        options.recipe.weight = self.weight.unwrap_or_default();
        options.recipe.bits = self.bits.unwrap_or(options.recipe.bits);
        Ok(match &self.idf {
            Some(path) => options.with_idf(path)?,
            None => options,
        })
    }

    /// Which of them were given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 3] {
        [("--weight", self.weight.is_some()), ("--idf", self.idf.is_some()), ("--bits", self.bits.is_some())]
    }
}

impl FeatureFlags {
    /// Options with these features.
    pub(crate) fn options(&self, scan: ScanOptions) -> Options {
        self.terms.options(scan, self.format, &self.key.key)
    }
}

impl FingerprintFlags {
    /// The table that is used, if any.
    pub(crate) fn table(&self) -> Option<&Path> {
        self.weights.table()
    }

    /// Options with these fingerprints.
    pub(crate) fn options(&self, scan: ScanOptions) -> Result<Options> {
        self.weights.options(self.features.options(scan))
    }
}
