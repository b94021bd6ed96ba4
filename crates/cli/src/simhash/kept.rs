//! How the fingerprints of an index are made: flags that `index build` and `index add` share. Format and key are those of any lens.

use super::flags::bits;
use crate::flags::LensFlags;
use anyhow::Result;
use clap::Args;
use lookalike::simhash::{Languages, Ngrams, Options, SimhashRecipe, Weight};
use lookalike::{FeatureHasher, ScanOptions};
use std::path::{Path, PathBuf};

/// How documents become fingerprints, where it is not as in an index or by default.
#[derive(Args)]
#[command(next_help_heading = "Fingerprints (--lens simhash)")]
pub(crate) struct KeptFlags {
    /// Words of a feature: a number, or a range such as 1-3 for all sizes in it [default: 2-3]
    #[arg(long, value_name = "N")]
    ngrams: Option<Ngrams>,
    /// Leave out the stop words of these languages: de, en, es, fr, it, nl, pt
    #[arg(long, value_name = "LANG,…")]
    stop_words: Option<Languages>,
    /// What a feature weighs by how often a document has it: tf, log or binary [default: tf]
    #[arg(long, value_name = "KIND")]
    weight: Option<Weight>,
    /// Weigh rare features more, by a table that lookalike simhash idf made
    #[arg(long, value_name = "FILE")]
    idf: Option<PathBuf>,
    /// Bits of a fingerprint [default: 64]
    #[arg(long, value_name = "64|128", value_parser = bits)]
    bits: Option<u32>,
}

impl KeptFlags {
    /// Which of them were given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 5] {
        [
            ("--ngrams", self.ngrams.is_some()),
            ("--stop-words", self.stop_words.is_some()),
            ("--weight", self.weight.is_some()),
            ("--idf", self.idf.is_some()),
            ("--bits", self.bits.is_some()),
        ]
    }

    /// The table that is used, if any: it is no document.
    pub(crate) fn table(&self) -> Option<&Path> {
        self.idf.as_deref()
    }

    /// Options with these fingerprints, where a flag is not given as in `base`.
    pub(crate) fn options_like(&self, base: &SimhashRecipe, lens: &LensFlags, scan: ScanOptions) -> Result<Options> {
        let key = lens.key();
        let recipe = SimhashRecipe {
            format: lens.given_format().map_or_else(|| base.format.clone(), |format| format.name().to_owned()),
            bits: self.bits.unwrap_or(base.bits),
            ngrams: self.ngrams.unwrap_or(base.ngrams),
            weight: self.weight.unwrap_or(base.weight),
            idf: None,
            stop: self.stop_words.clone().unwrap_or_else(|| base.stop.clone()),
            key: (!key.is_empty()).then(|| FeatureHasher::key_name(key)),
        };
        let options = Options { scan, recipe, key: key.to_owned(), idf: None };
        Ok(match &self.idf {
            Some(path) => options.with_idf(path)?,
            None => options,
        })
    }
}
