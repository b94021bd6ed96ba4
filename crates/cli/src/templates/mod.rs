//! `lookalike templates`: chunks that are ignored because people said so; one file for each verb below it.

mod list;
mod mark;
mod show;
mod unmark;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use lookalike::chunks::{self, MarkedTemplate, TemplateList};
use std::path::{Path, PathBuf};

/// Mark what files share as a template, so that it is ignored
///
/// Files that share nothing but a long header, a script or a licence are no copies of each other. A template is a set of chunks that
/// lookalike recluster and lookalike scan --templates ignore; sizes of files are then counted without them.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike scan --lens chunks site/ --save run
  lookalike templates mark run --cluster 3             the chunks that all files of cluster 3 share
  lookalike recluster run                              without them
  lookalike templates mark run --file boilerplate.html --name boilerplate
  lookalike templates unmark run boilerplate

The list is RUN/templates.json. With --templates LIST it is a file of yours, to be kept beside the documents in version control.")]
pub(crate) struct Templates {
    #[command(subcommand)]
    verb: TemplatesVerb,
}

#[derive(Subcommand)]
enum TemplatesVerb {
    Mark(mark::Mark),
    List(list::List),
    Show(show::Show),
    Unmark(unmark::Unmark),
}

impl Templates {
    pub(crate) fn run(&self) -> Result<u8> {
        match &self.verb {
            TemplatesVerb::Mark(verb) => verb.run(),
            TemplatesVerb::List(verb) => verb.run(),
            TemplatesVerb::Show(verb) => verb.run(),
            TemplatesVerb::Unmark(verb) => verb.run(),
        }
    }
}

/// A list that is there already.
#[derive(Args)]
struct ListFlags {
    /// Folder written by lookalike scan --lens chunks --save
    #[arg(value_name = "RUN", required_unless_present = "templates")]
    run: Option<PathBuf>,
    /// The list [default: RUN/templates.json]
    #[arg(long, value_name = "LIST")]
    templates: Option<PathBuf>,
}

impl ListFlags {
    /// The list and where it is.
    fn read(&self) -> Result<(TemplateList, PathBuf)> {
        if let Some(run) = &self.run {
            check_run(run)?;
        }
        match (&self.templates, &self.run) {
            (Some(list), _) => Ok((TemplateList::read(list, true)?, list.clone())),
            // a run on which nothing was marked has an empty list
            (None, run) => {
                let list = of_run(run.as_deref().unwrap_or(Path::new("")));
                Ok((TemplateList::read(&list, false)?, list))
            }
        }
    }
}

/// The list of a run.
pub(crate) fn of_run(run: &Path) -> PathBuf {
    run.join("templates.json")
}

fn check_run(run: &Path) -> Result<()> {
    if !chunks::is_run(run) {
        bail!(
            "{} is no saved run of the chunks lens; make one with lookalike scan --lens chunks --save RUN",
            run.display()
        );
    }
    Ok(())
}

fn find<'a>(list: &'a TemplateList, name: &str, path: &Path) -> Result<&'a MarkedTemplate> {
    match list.templates.iter().find(|template| template.name == name) {
        Some(template) => Ok(template),
        None => bail!("{}: has no template called {name}; lookalike templates list tells which it has", path.display()),
    }
}
