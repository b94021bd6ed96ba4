//! What `serve` promises, held against what it does: requests a second, latency, and that nothing is lost under load and kills.

mod connection;
mod served;
mod soak;
mod speed;

use crate::common::{Common, Findings};
use anyhow::Result;
use std::io::{Write, stderr};

#[derive(clap::Args)]
pub(crate) struct Serve {
    #[command(subcommand)]
    part: Part,
}

#[derive(clap::Subcommand)]
enum Part {
    /// Requests a second and their latency, by wrk
    Speed {
        /// Fingerprints of the store that is asked
        #[arg(long, value_name = "N", default_value_t = 10_000_000)]
        n: u64,
        /// Seconds of each load
        #[arg(long, value_name = "S", default_value_t = 30)]
        seconds: u64,
        /// Connections
        #[arg(long, value_name = "N", default_value_t = 64)]
        connections: u32,
        #[command(flatten)]
        common: Common,
    },
    /// Full load for long, and a kill: memory, errors, lost inserts
    Soak {
        /// Seconds under load
        #[arg(long, value_name = "S", default_value_t = 600)]
        seconds: u64,
        #[command(flatten)]
        common: Common,
    },
}

impl Serve {
    pub(crate) fn run(self) -> Result<()> {
        match self.part {
            Part::Speed { n, seconds, connections, common } => {
                let (n, seconds) = if common.quick { (n / 100, 2) } else { (n, seconds) };
                common.tell("serve", "speed", |cache, lookalike| {
                    speed::measure(cache, lookalike, n, seconds, connections)
                })
            }
            Part::Soak { seconds, common } => {
                let seconds = if common.quick { 4 } else { seconds };
                common.tell("serve", "soak", |cache, lookalike| soak::measure(cache, lookalike, seconds))
            }
        }
    }
}

/// Tells how far the run is; a closed terminal is no error.
fn note(text: &str) {
    let _ = writeln!(stderr().lock(), "serve: {text}");
}
