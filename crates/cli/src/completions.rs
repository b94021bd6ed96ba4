//! `lookalike completions` and `lookalike man`: generated from the same definitions as the help.

use crate::{Cli, output};
use anyhow::{Result, anyhow};
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::path::PathBuf;

/// Print completions for a shell
#[derive(Args)]
pub(crate) struct Completions {
    /// Which shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self) -> Result<u8> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "lookalike", &mut script);
        output::to(None, false, |out| out.write_all(&script))?;
        Ok(crate::SUCCESS)
    }
}

/// Print the man page, or write one for each verb into a folder
#[derive(Args)]
pub(crate) struct Man {
    /// Write lookalike.1, lookalike-scan.1 … here
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(&self) -> Result<u8> {
        if let Some(folder) = &self.folder {
            clap_mangen::generate_to(Cli::command(), folder)
                .map_err(|e| anyhow!("cannot write man pages into {}: {e}; make the folder first", folder.display()))?;
        } else {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            output::to(None, false, |out| out.write_all(&page))?;
        }
        Ok(crate::SUCCESS)
    }
}
