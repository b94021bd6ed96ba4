//! What the simhash lens promises: near fingerprints for near documents, and many of them a second.

mod candidates;
mod distances;
mod documents;
mod faiss;
mod fingerprints;
mod quality;
mod random;
mod search;

use anyhow::Result;
use std::io::{Write, stderr};

#[derive(clap::Args)]
pub(crate) struct Simhash {
    #[command(subcommand)]
    part: Part,
}

#[derive(clap::Subcommand)]
enum Part {
    /// Precision and recall by distance on labelled sets, for many ways of choosing and weighing features
    Quality(quality::Quality),
    /// Documents a second beside the Python package simhash and beside the sketches of a scan
    Fingerprints(fingerprints::Fingerprints),
    /// Time, room and recall of looking up among many fingerprints, spread evenly and in dense neighbourhoods
    Search(search::Search),
}

impl Simhash {
    pub(crate) fn run(self) -> Result<()> {
        match self.part {
            Part::Quality(quality) => quality.run(),
            Part::Fingerprints(fingerprints) => fingerprints.run(),
            Part::Search(search) => search.run(),
        }
    }
}

/// Tells what is being done; a closed terminal is no error.
fn note(text: &str) {
    let _ = writeln!(stderr().lock(), "simhash: {text}");
}
