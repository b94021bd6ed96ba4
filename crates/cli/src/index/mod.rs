//! `lookalike index`: sketches and postings kept on disk; one file for each verb below it.

mod add;
mod build;
mod changed;
mod info;
mod merge;
mod remove;
mod verify;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Keep an index of documents on disk, for answers without a scan
///
/// An index is a folder with the sketches of documents, not their texts. Documents are added day by day; lookalike query asks for
/// one document in milliseconds. With a date for each sweep it also knows the past: lookalike lost, holders and changes.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike index build pages.index site/            a new index of a folder
  lookalike index add pages.index new/               add documents, or new versions of them
  lookalike query pages.index draft.html             where have I seen this before?

A name is what a document is called: the URL or id of a JSON line, or the path of a file.
The same content is kept once, however many names it has.")]
pub(crate) struct Index {
    #[command(subcommand)]
    verb: IndexVerb,
}

#[derive(Subcommand)]
enum IndexVerb {
    Build(Box<build::Build>),
    Add(Box<add::Add>),
    Remove(remove::Remove),
    Info(info::Info),
    Merge(merge::Merge),
    Verify(verify::Verify),
}

impl Index {
    pub(crate) fn run(&self) -> Result<u8> {
        match &self.verb {
            IndexVerb::Build(verb) => verb.run(),
            IndexVerb::Add(verb) => verb.run(),
            IndexVerb::Remove(verb) => verb.run(),
            IndexVerb::Info(verb) => verb.run(),
            IndexVerb::Merge(verb) => verb.run(),
            IndexVerb::Verify(verb) => verb.run(),
        }
    }
}
