//! The verbs, one file for each.

#[cfg(unix)]
mod act;
mod calibrate;
mod changes;
mod collapse;
pub(crate) mod compare;
mod completions;
pub(crate) mod copies;
pub(crate) mod dedup;
mod files;
mod holders;
pub(crate) mod index;
mod lost;
mod moss;
pub(crate) mod query;
pub(crate) mod recluster;
pub(crate) mod scan;
mod serve;
mod simhash;
mod sketch;
mod templates;

use crate::args::Spec;
use clap::Command;

/// Verbs that begin with the same word.
pub(crate) struct Group {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) long: &'static str,
    pub(crate) after: &'static str,
}

impl Group {
    pub(crate) fn command(&self) -> Command {
        Command::new(self.name)
            .about(self.about)
            .long_about(format!("{}\n\n{}", self.about, self.long))
            .after_help(self.after)
            .subcommand_required(true)
            .arg_required_else_help(true)
    }
}

pub(crate) static GROUPS: [&Group; 3] = [&index::GROUP, &simhash::GROUP, &templates::GROUP];

/// What people come for, and the verbs that do it, as the help of the whole command lists them.
pub(crate) static TASKS: &[(&str, &[&str])] = &[
    ("Find what looks alike", &["scan", "files", "copies", "compare"]),
    ("Clean a corpus", &["dedup", "calibrate"]),
    ("Keep an index, and ask it", &["index", "query", "lost", "holders", "changes", "collapse", "serve"]),
    ("Fingerprints by the million", &["simhash"]),
    (
        "Act on a report, or look at it again",
        &[
            #[cfg(unix)]
            "act",
            "recluster",
            "templates",
            "sketch",
        ],
    ),
    ("Other", &["moss", "completions", "man", "help"]),
];

/// All verbs.
pub(crate) static SPECS: &[&Spec] = &[
    &scan::SPEC,
    &files::SPEC,
    &dedup::SPEC,
    &calibrate::SPEC,
    &copies::SPEC,
    &compare::SPEC,
    &query::SPEC,
    &recluster::SPEC,
    &sketch::SPEC,
    #[cfg(unix)]
    &act::SPEC,
    &lost::SPEC,
    &holders::SPEC,
    &changes::SPEC,
    &collapse::SPEC,
    &serve::SPEC,
    &moss::SPEC,
    &index::build::SPEC,
    &index::add::SPEC,
    &index::remove::SPEC,
    &index::INFO,
    &index::list::SPEC,
    &index::MERGE,
    &index::SNAPSHOT,
    &index::VERIFY,
    &simhash::fingerprint::SPEC,
    &simhash::idf::SPEC,
    &simhash::near::SPEC,
    &simhash::batch::SPEC,
    &simhash::build::SPEC,
    &simhash::lookup::SPEC,
    &simhash::online::SPEC,
    &simhash::plan::SPEC,
    &templates::MARK,
    &templates::LIST,
    &templates::SHOW,
    &templates::UNMARK,
    &completions::COMPLETIONS,
    &completions::MAN,
];
