//! `lookalike templates`: chunks that are ignored because people said so.

use super::Group;
use crate::args::{Args, Spec};
use crate::lens::Lens;
use crate::output;
use crate::recipes::{self, key};
use crate::verb::Verb;
use anyhow::{Result, bail};
use lookalike::templates::{self, MarkedTemplate, TemplateList};
use lookalike_report::TemplateChange;
use std::path::{Path, PathBuf};

pub(super) const GROUP: Group = Group {
    name: "templates",
    about: "Mark what files share as a template, so that it is ignored",
    long: "Files that share nothing but a long header, a script or a licence are no copies of each other. A template is a set of \
           chunks that lookalike recluster and lookalike files --templates ignore; sizes of files are then counted without them.",
    after: "Examples:
  lookalike files site/ --save run
  lookalike templates mark run --cluster 3             the chunks that all files of cluster 3 share
  lookalike recluster run                              without them
  lookalike templates mark run --file boilerplate.html --name boilerplate
  lookalike templates unmark run boilerplate

The list is RUN/templates.json. With --templates LIST it is a file of yours, to be kept beside the documents in version control.",
};

pub(super) const MARK: Spec = Spec::new(
    Verb::TemplatesMark,
    "templates mark",
    "Mark the chunks that all files of a cluster share, one chunk, or those of a file",
    mark,
)
.lenses(&[Lens::Chunks])
.one_of("marked")
.long(
    "Clusters are numbered as lookalike recluster RUN numbers them with the list as it is. If you gave it --threshold, --min-shared \
     or --linkage, give them here too.",
)
.after(
    "Examples:
  lookalike templates mark run --cluster 3
  lookalike templates mark run --chunk 5f3a9c21      a chunk by its hash, or the beginning of it
  lookalike templates mark run --file boilerplate.html --name boilerplate
  lookalike templates mark run --cluster 1 --templates site-templates.json",
);

pub(super) const LIST: Spec = Spec::new(
    Verb::TemplatesList,
    "templates list",
    "List the templates: what they are called, where they come from, how much they hold",
    list,
)
.after(
    "Examples:
  lookalike templates list run
  lookalike templates list run --json
  lookalike templates list run --templates shared.json",
);

pub(super) const SHOW: Spec =
    Spec::new(Verb::TemplatesShow, "templates show", "Show a template: how it begins, and its chunks", show).after(
        "Examples:
  lookalike templates show run letterhead
  lookalike templates show run letterhead --json
  lookalike templates show --templates shared.json letterhead",
    );

pub(super) const UNMARK: Spec = Spec::new(
    Verb::TemplatesUnmark,
    "templates unmark",
    "Take a template off the list: its chunks count again",
    unmark,
)
.after(
    "Examples:
  lookalike templates unmark run letterhead
  lookalike templates unmark --templates shared.json letterhead
  lookalike templates unmark run letterhead && lookalike recluster run",
);

/// Fewer bytes are hardly something that a person wrote once for many documents.
const SMALL_TEMPLATE: u64 = 64;

fn mark(args: &Args) -> Result<u8> {
    let run: PathBuf = args.value("run");
    check_run(&run)?;
    let path = args.path("templates").unwrap_or_else(|| of_run(&run));
    output::check_target(&path, false)?;
    let mut list = TemplateList::read(&path, false)?;
    let (chunk, file) = (args.get::<String>("chunk").unwrap_or_default(), args.path("file"));
    let what = match (args.get("cluster"), &file) {
        (Some(number), _) => templates::Mark::Cluster(number),
        (None, Some(file)) => templates::Mark::File(file),
        (None, None) => templates::Mark::Chunk(&chunk),
    };
    let name: Option<String> = args.get("name");
    let policy = |saved| recipes::policy_of_files(args, saved);
    let name = templates::mark(&run, what, name.as_deref(), policy, &mut list, &key(args))?;
    list.write(&path)?;
    let template = find(&list, &name, &path)?;
    output::answer(args, &TemplateChange { list: &path.display().to_string(), marked: true, template })?;
    let bytes: u64 = template.chunks.iter().map(|chunk| u64::from(chunk.bytes)).sum();
    if bytes < SMALL_TEMPLATE && !args.has("quiet") {
        output::message(&format!(
            "warning: {name} is only {bytes} bytes: too little for a template; lookalike templates unmark takes it off the list"
        ));
    }
    Ok(crate::SUCCESS)
}

fn list(args: &Args) -> Result<u8> {
    let (list, _) = read(args)?;
    output::answer(args, &list)?;
    Ok(crate::SUCCESS)
}

fn show(args: &Args) -> Result<u8> {
    let (list, path) = read(args)?;
    let template = find(&list, &args.value::<String>("template"), &path)?;
    output::answer(args, template)?;
    Ok(crate::SUCCESS)
}

fn unmark(args: &Args) -> Result<u8> {
    let (mut list, path) = read(args)?;
    let name: String = args.value("template");
    let template = find(&list, &name, &path)?.clone();
    list.unmark(&name);
    list.write(&path)?;
    output::answer(args, &TemplateChange { list: &path.display().to_string(), marked: false, template: &template })?;
    Ok(crate::SUCCESS)
}

/// The list that is meant, and where it is.
fn read(args: &Args) -> Result<(TemplateList, PathBuf)> {
    let run = args.path("run");
    if let Some(run) = &run {
        check_run(run)?;
    }
    match (args.path("templates"), run) {
        (Some(list), _) => Ok((TemplateList::read(&list, true)?, list)),
        // a run on which nothing was marked has an empty list
        (None, run) => {
            let list = of_run(&run.unwrap_or_default());
            Ok((TemplateList::read(&list, false)?, list))
        }
    }
}

/// The list of a run.
pub(super) fn of_run(run: &Path) -> PathBuf {
    run.join("templates.json")
}

fn check_run(run: &Path) -> Result<()> {
    if lookalike::saved_lens(run) != Some(lookalike::Lens::Chunks) {
        bail!("{} is no saved run of the chunks lens; make one with lookalike files --save RUN", run.display());
    }
    Ok(())
}

fn find<'a>(list: &'a TemplateList, name: &str, path: &Path) -> Result<&'a MarkedTemplate> {
    match list.templates.iter().find(|template| template.name == name) {
        Some(template) => Ok(template),
        None => bail!("{}: has no template called {name}; lookalike templates list tells which it has", path.display()),
    }
}
