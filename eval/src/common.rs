//! What verbs that measure a command are told alike.

use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Common {
    /// A little of everything: shows that all works, and is no result
    #[arg(long)]
    pub(crate) quick: bool,
    /// The command to measure, or to compare with [default: lookalike beside this program]
    #[arg(long, value_name = "FILE")]
    pub(crate) lookalike: Option<PathBuf>,
    /// Folder for corpora, peers and what runs write [default: lookalike-eval in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
    /// Folder for the result [default: eval/results; none with --quick]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}
