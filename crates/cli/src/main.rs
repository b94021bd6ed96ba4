//! The command `lookalike`: one file for each verb, and one for each group of flags that verbs share.

#![expect(clippy::doc_markdown, reason = "doc comments of flags are the help text, where backticks would show")]

#[cfg(unix)]
mod act;
mod changes;
mod chunk_flags;
mod collapse;
mod compare;
mod completions;
mod copies;
mod errors;
mod flags;
mod holders;
mod index;
mod lens;
mod lost;
mod names;
mod numbers;
mod output;
mod page;
mod progress;
mod query;
mod recluster;
mod scan;
mod simhash;
mod sizes;
mod sketch;
mod templates;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Where have I seen this before? Finds copies, near-copies and documents inside other documents.
#[derive(Parser)]
#[command(name = "lookalike", version, propagate_version = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Scan(Box<scan::Scan>),
    Compare(compare::Compare),
    Copies(Box<copies::Copies>),
    Moss(Box<copies::Moss>),
    Recluster(recluster::Recluster),
    Sketch(sketch::Sketch),
    Simhash(simhash::Simhash),
    Templates(templates::Templates),
    #[cfg(unix)]
    Act(Box<act::Act>),
    Index(index::Index),
    Query(query::Query),
    Lost(lost::Lost),
    Holders(holders::Holders),
    Changes(changes::Changes),
    Collapse(collapse::Collapse),
    Completions(completions::Completions),
    Man(completions::Man),
}

/// Everything went well.
const SUCCESS: u8 = 0;
/// Asked for by --exit-code: something was found.
const FOUND: u8 = 1;
/// The input or the flags are wrong, or something could not be read or written.
const WRONG: u8 = 2;
/// Ctrl-C, as shells expect it.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let result = match Cli::parse().verb {
        Verb::Scan(verb) => verb.run(),
        Verb::Compare(verb) => verb.run(),
        Verb::Copies(verb) => verb.run(),
        Verb::Moss(verb) => verb.run(),
        Verb::Recluster(verb) => verb.run(),
        Verb::Sketch(verb) => verb.run(),
        Verb::Simhash(verb) => verb.run(),
        Verb::Templates(verb) => verb.run(),
        #[cfg(unix)]
        Verb::Act(verb) => verb.run(),
        Verb::Index(verb) => verb.run(),
        Verb::Query(verb) => verb.run(),
        Verb::Lost(verb) => verb.run(),
        Verb::Holders(verb) => verb.run(),
        Verb::Changes(verb) => verb.run(),
        Verb::Collapse(verb) => verb.run(),
        Verb::Completions(verb) => verb.run(),
        Verb::Man(verb) => verb.run(),
    };
    ExitCode::from(match result {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => SUCCESS,
        Err(error) => {
            output::message(&format!("error: {}", errors::describe(&error)));
            match error.downcast_ref() {
                Some(lookalike::Error::Cancelled) => INTERRUPTED,
                _ => WRONG,
            }
        }
    })
}

/// `lookalike scan … | head` is no error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .any(|cause| cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe))
}
