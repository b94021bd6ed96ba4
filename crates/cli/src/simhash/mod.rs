//! `lookalike simhash`: fingerprints and who is near them; one file for each verb below it.

mod online;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Fingerprints of 64 or 128 bits, and who is near them
#[derive(Args)]
pub(crate) struct Simhash {
    #[command(subcommand)]
    verb: SimhashVerb,
}

#[derive(Subcommand)]
enum SimhashVerb {
    Online(online::OnlineVerb),
}

impl Simhash {
    pub(crate) fn run(&self) -> Result<u8> {
        match &self.verb {
            SimhashVerb::Online(verb) => verb.run(),
        }
    }
}
