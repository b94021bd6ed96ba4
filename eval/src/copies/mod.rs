//! What the passages lens promises, held against labels.

mod clough;
mod pan;
mod plagdet;
mod prose;
mod set;
mod spearman;

use anyhow::Result;

#[derive(clap::Args)]
pub(crate) struct Copies {
    #[command(subcommand)]
    part: Part,
}

#[derive(clap::Subcommand)]
enum Part {
    /// Copied passages of prose: plagdet on PAN 2013, rank correlation on Clough and Stevenson's answers
    Prose(prose::Prose),
}

impl Copies {
    pub(crate) fn run(self) -> Result<()> {
        match self.part {
            Part::Prose(prose) => prose.run(),
        }
    }
}
