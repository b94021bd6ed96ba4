//! How documents become fingerprints: flags that the verbs of `simhash` share.

use crate::flags::{FormatFlag, KeyFlag};
use anyhow::Result;
use clap::Args;
use lookalike::ScanOptions;
use lookalike::simhash::{Languages, Ngrams, Options, SimhashRecipe, Weight};
use std::path::{Path, PathBuf};

/// Which features a document has.
#[derive(Args)]
#[command(next_help_heading = "Lens")]
pub(crate) struct FeatureFlags {
    /// Words of a feature: a number, or a range such as 1-3 for all sizes in it
    #[arg(long, value_name = "N", default_value_t = Ngrams::default())]
    ngrams: Ngrams,
    /// Leave out the stop words of these languages: de, en, es, fr, it, nl, pt; phrases are made of what remains
    #[arg(long, value_name = "LANG,…")]
    stop_words: Option<Languages>,
    /// Format of all documents; auto goes by file name, then by content
    #[arg(long, value_enum, default_value_t = FormatFlag::Auto)]
    format: FormatFlag,
    #[command(flatten)]
    key: KeyFlag,
}

/// The same, and what features weigh.
#[derive(Args)]
#[command(next_help_heading = "Lens")]
pub(crate) struct FingerprintFlags {
    #[command(flatten)]
    features: FeatureFlags,
    /// What a feature weighs by how often a document has it: tf (as often), log (1, and 1 more with every doubling) or binary (1)
    #[arg(long, value_name = "KIND", default_value_t = Weight::default())]
    weight: Weight,
    /// Weigh rare features more, by a table that lookalike simhash idf made
    #[arg(long, value_name = "FILE")]
    idf: Option<PathBuf>,
    /// Bits of a fingerprint
    #[arg(long, value_name = "64|128", default_value_t = 64, value_parser = bits)]
    bits: u32,
}

/// A value of --bits.
pub(super) fn bits(text: &str) -> Result<u32, String> {
    match text {
        "64" => Ok(64),
        "128" => Ok(128),
        _ => Err("expected 64 or 128".into()),
    }
}

impl FeatureFlags {
    /// Options with these features.
    pub(crate) fn options(&self, scan: ScanOptions) -> Options {
        let recipe = SimhashRecipe {
            front: self.format.name().to_owned(),
            ngrams: self.ngrams,
            stop: self.stop_words.clone().unwrap_or_default(),
            ..SimhashRecipe::default()
        };
        Options { scan, recipe, ..Options::default() }.with_key(&self.key.key)
    }
}

impl FingerprintFlags {
    /// The table that is used, if any.
    pub(crate) fn table(&self) -> Option<&Path> {
        self.idf.as_deref()
    }

    /// Options with these fingerprints.
    pub(crate) fn options(&self, scan: ScanOptions) -> Result<Options> {
        let mut options = self.features.options(scan);
        (options.recipe.weight, options.recipe.bits) = (self.weight, self.bits);
        Ok(match &self.idf {
            Some(path) => options.with_idf(path)?,
            None => options,
        })
    }
}
