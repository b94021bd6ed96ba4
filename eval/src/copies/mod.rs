//! What the passages lens promises, held against labels, peers and hostile input.

mod calibration;
mod clough;
mod code;
mod decide;
mod hostile;
mod labelled;
mod pan;
mod peers;
mod plagdet;
mod prose;
mod python;
mod report;
mod scores;
mod set;
mod spearman;
mod speed;

use anyhow::Result;
use std::io::{Write, stderr};

#[derive(clap::Args)]
pub(crate) struct Copies {
    #[command(subcommand)]
    part: Part,
}

#[derive(clap::Subcommand)]
enum Part {
    /// Copied passages of prose: plagdet on PAN 2013, rank correlation on Clough and Stevenson's answers
    Prose(prose::Prose),
    /// Copied programs: AUC, average precision and F-measures on labelled sets, beside what others reach
    Code(code::Code),
    /// The decision: on each labelled set, with numbers that were chosen on the others
    Decide(decide::Decide),
    /// CPU time and memory beside Dolos, copydetect and wc
    Speed(speed::Speed),
    /// Input that breaks others: time and memory are bounded, and the report is sane
    Hostile(hostile::Hostile),
}

impl Copies {
    pub(crate) fn run(self) -> Result<()> {
        match self.part {
            Part::Prose(prose) => prose.run(),
            Part::Code(code) => code.run(),
            Part::Decide(decide) => decide.run(),
            Part::Speed(speed) => speed.run(),
            Part::Hostile(hostile) => hostile.run(),
        }
    }
}

/// Tells what is being done; a closed terminal is no error.
fn note(text: &str) {
    let _ = writeln!(stderr().lock(), "copies: {text}");
}
