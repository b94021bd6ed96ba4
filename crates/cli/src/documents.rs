//! Which documents are read, and what a run may use of the machine.

use crate::args::Args;
use crate::recipes::key;
use crate::remote;
use anyhow::{Result, anyhow, bail};
use lookalike::exchange::is_exchange;
use lookalike::{CorpusOptions, Input, Resources, ScanOptions};
use std::io::BufRead;
use std::path::PathBuf;

pub(crate) fn inputs(args: &Args) -> Result<Vec<Input>> {
    let paths = remote::inputs(args, "path")?.into_iter().map(|path| match path.to_str() {
        Some("-") => Input::Stdin,
        _ => Input::Path(path),
    });
    let list = args.has("stdin").then(|| Input::PathList { nul: args.has("null") });
    Ok(paths.chain(list).collect())
}

/// Paths as inputs.
pub(crate) fn paths(args: &Args, name: &str) -> Result<Vec<Input>> {
    Ok(remote::inputs(args, name)?.into_iter().map(Input::Path).collect())
}

/// What is read, as the user called it.
pub(crate) fn names(args: &Args) -> Vec<String> {
    let paths = args.all::<PathBuf>("path").into_iter().map(|path| match path.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => path.display().to_string(),
    });
    paths.chain(args.has("stdin").then(|| "paths of standard input".to_owned())).collect()
}

/// Where that is on this machine.
pub(crate) fn places(args: &Args) -> Vec<String> {
    let whole = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone()).display().to_string();
    args.all("path").iter().map(whole).collect()
}

/// The first path that is an exchange file. What is called one and is none is damaged, or a mistake.
pub(crate) fn exchange_file(args: &Args) -> Result<Option<PathBuf>> {
    let paths = remote::inputs(args, "path")?;
    let called = |path: &&PathBuf| path.extension().is_some_and(|e| e == "lka") && path.is_file();
    if let Some(path) = paths.iter().filter(called).find(|path| !is_exchange(path)) {
        bail!(
            "{}: expected an exchange file, found something else or a damaged one; make it again with lookalike sketch, or \
             rename it if it is a document",
            path.display()
        );
    }
    Ok(paths.into_iter().find(|path| is_exchange(path)))
}

/// What is read of folders. What the command itself writes there is no document.
pub(crate) fn corpus(args: &Args) -> CorpusOptions {
    let usual = CorpusOptions::default();
    CorpusOptions {
        own: args.own_paths().into_iter().chain(remote::folders(args)).collect(),
        hidden: args.has("hidden"),
        no_ignore: args.has("no-ignore"),
        follow_links: args.has("follow-links"),
        one_fs: args.has("one-fs"),
        include: args.all("include"),
        exclude: args.all("exclude"),
        min_size: args.get("min-size").unwrap_or(usual.min_size),
        max_size: args.value("max-size"),
        id_field: args.value("id-field"),
        text_field: args.value("text-field"),
        features_field: args.get("features-field"),
        category_field: args.get("category-field"),
        ..usual
    }
}

/// What is read of folders of submissions: they come in zip and tar files, and a file of theirs is one.
pub(crate) fn with_archives(options: CorpusOptions) -> CorpusOptions {
    CorpusOptions { archives: true, shards: false, ..options }
}

/// What is read where the bytes of files are compared: all of them, and each of them whole.
pub(crate) fn whole_files(args: &Args, options: CorpusOptions) -> CorpusOptions {
    CorpusOptions { no_ignore: !args.has("ignore-files"), shards: false, ..options }
}

/// What a run may use of the machine.
pub(crate) fn resources(args: &Args) -> Resources {
    let usual = Resources::default();
    Resources {
        memory: args.get("memory").unwrap_or(usual.memory),
        threads: args.get("threads").unwrap_or(usual.threads),
        tmp: args.path("tmp"),
    }
}

/// What any run is asked, whatever its lens.
pub(crate) fn options(args: &Args, corpus: CorpusOptions) -> ScanOptions {
    let mut options = ScanOptions::default();
    options.corpus = corpus;
    options.key = key(args);
    options.resources = resources(args);
    options.stats = args.has("stats");
    options
}

/// Names of documents on standard input, one a line; empty lines and the ends of lines do not count.
pub(crate) fn names_of_stdin() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| anyhow!("cannot read names from standard input: {e}; expected one a line"))?;
        let name = line.trim_end_matches('\r');
        if !name.is_empty() {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}
