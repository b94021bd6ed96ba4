//! What the simhash lens promises: near fingerprints for near documents, and many of them a second.

mod candidates;
mod distances;
mod documents;
mod faiss;
mod fingerprints;
mod pages;
mod quality;
pub(crate) mod random;
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
    /// Pairs within three bits on real pages, and how many of them the shingles confirm
    Pages(pages::Pages),
    /// Documents a second beside the Python package simhash and beside the sketches of a scan
    Fingerprints(fingerprints::Fingerprints),
    /// Time, room and recall of looking up among many fingerprints, spread evenly and in dense neighbourhoods
    Search(search::Search),
}

impl Simhash {
    pub(crate) fn run(self) -> Result<()> {
        match self.part {
            Part::Quality(quality) => quality.run(),
            Part::Pages(pages) => pages.run(),
            Part::Fingerprints(fingerprints) => fingerprints.run(),
            Part::Search(search) => search.run(),
        }
    }
}

/// Tells what is being done; a closed terminal is no error.
fn note(text: &str) {
    let _ = writeln!(stderr().lock(), "simhash: {text}");
}
