//! What verbs that measure a command are told alike, and how their parts tell what they found.

use crate::bars::Bar;
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::facts;
use crate::page::{Page, folder};
use anyhow::Result;
use serde_json::Value;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Common {
    /// A little of everything: shows that all works, and is no result
    #[arg(long)]
    pub(crate) quick: bool,
    /// The command to measure, or to compare with [default: lookalike beside this program]
    #[arg(long, value_name = "FILE")]
    pub(crate) lookalike: Option<PathBuf>,
    /// Folder for corpora, peers and what runs write [default: lookalike-eval in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
    /// Folder for the result [default: eval/results; none with --quick]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a part found out.
pub(crate) struct Findings {
    pub(crate) bars: Vec<Bar>,
    pub(crate) sections: Vec<String>,
    pub(crate) numbers: Value,
}

impl Common {
    /// Runs a part of a verb and writes its page.
    pub(crate) fn tell(
        &self,
        verb: &'static str,
        name: &'static str,
        part: impl FnOnce(&Cache, &mut Lookalike) -> Result<Findings>,
    ) -> Result<()> {
        let cache = Cache::open(self.cache.clone())?;
        let mut lookalike = Lookalike::find(self.lookalike.clone())?;
        let mut facts = facts::facts();
        facts.extend(lookalike.version().map(|version| ("measured".to_owned(), version)));
        let Findings { bars, sections, numbers } = part(&cache, &mut lookalike)?;
        let page = Page { verb, name, facts, bars, sections, numbers, commands: lookalike.lines };
        page.tell(folder(self.out.clone(), self.quick).as_deref(), self.json)
    }
}
