//! `lookalike templates mark`: what files share becomes a template.

use super::{check_run, find, of_run};
use crate::chunk_flags::ShareFlags;
use crate::flags::{KeyFlag, LinkageFlags};
use crate::output;
use anyhow::Result;
use clap::Args;
use lookalike::chunks::{self, TemplateList};
use lookalike_report::{TemplateChange, write_answer};
use std::path::{Path, PathBuf};

/// Mark the chunks that all files of a cluster share, one chunk, or those of a file
///
/// Clusters are numbered as lookalike recluster RUN numbers them with the list as it is. If you gave it --min-share, --min-common or
/// --linkage, give them here too.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike templates mark run --cluster 3
  lookalike templates mark run --chunk 5f3a9c21      a chunk by its hash, or the beginning of it
  lookalike templates mark run --file boilerplate.html --name boilerplate
  lookalike templates mark run --cluster 1 --templates site-templates.json")]
#[command(mut_arg("key", |flag| flag.help("Secret that the run was made with, if it was made with one; also LOOKALIKE_KEY")))]
#[command(mut_arg("min_common", |flag| flag.help("Least bytes that two files in a cluster have in common [default: as saved]")))]
#[command(mut_arg("min_share", |flag| flag.help("Least share of the smaller of two files in a cluster that they have in common, in percent [default: as saved]")))]
#[command(mut_arg("linkage", |flag| flag.help("How links make clusters [default: as saved]")))]
pub(crate) struct Mark {
    /// Folder written by lookalike scan --lens chunks --save
    #[arg(value_name = "RUN")]
    run: PathBuf,
    #[command(flatten)]
    what: What,
    /// What to call it [default: made up]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The list to put it on; it need not be there yet [default: RUN/templates.json]
    #[arg(long, value_name = "LIST")]
    templates: Option<PathBuf>,
    /// One JSON object: the template
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    shares: ShareFlags,
    #[command(flatten)]
    linkage: LinkageFlags,
    #[command(flatten)]
    key: KeyFlag,
}

/// What the template is made of.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct What {
    /// The chunks that all files of this cluster share
    #[arg(long, value_name = "N")]
    cluster: Option<u64>,
    /// One chunk, by its hash or the beginning of it
    #[arg(long, value_name = "HASH")]
    chunk: Option<String>,
    /// All chunks of this file
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Mark {
    pub(crate) fn run(&self) -> Result<u8> {
        check_run(&self.run)?;
        let path = self.templates.clone().unwrap_or_else(|| of_run(&self.run));
        output::check_target(&path, false)?;
        let mut list = TemplateList::read(&path, false)?;
        let what = match &self.what {
            What { cluster: Some(number), .. } => chunks::Mark::Cluster(*number),
            What { chunk: Some(hash), .. } => chunks::Mark::Chunk(hash),
            What { file, .. } => chunks::Mark::File(file.as_deref().unwrap_or(Path::new(""))),
        };
        let policy = |saved| self.shares.policy(self.linkage.policy(saved));
        let name = chunks::mark(&self.run, what, self.name.as_deref(), policy, &mut list, &self.key.key)?;
        list.write(&path)?;
        let template = find(&list, &name, &path)?;
        let list = path.display().to_string();
        let change = TemplateChange { list: &list, marked: true, template };
        output::to(None, !self.json, |out| write_answer(out, &change, self.json))?;
        Ok(crate::SUCCESS)
    }
}
