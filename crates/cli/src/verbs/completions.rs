//! `lookalike completions` and `lookalike man`: generated from the table of flags, as the help is.

use crate::args::{Args, Spec};
use crate::output;
use crate::verb::Verb;
use anyhow::{Result, anyhow};
use clap_complete::Shell;
use lookalike::atomic;

pub(super) const COMPLETIONS: Spec =
    Spec::new(Verb::Completions, "completions", "Print completions for a shell", completions).after(
        "Examples:
  lookalike completions bash > /etc/bash_completion.d/lookalike
  lookalike completions zsh > ~/.zfunc/_lookalike
  lookalike completions fish > ~/.config/fish/completions/lookalike.fish",
    );

pub(super) const MAN: Spec =
    Spec::new(Verb::Man, "man", "Print the man page, or write one for each verb into a new folder", man).after(
        "Examples:
  lookalike man | man -l -
  lookalike man > lookalike.1
  lookalike man pages && cp pages/* /usr/local/share/man/man1/",
    );

fn completions(args: &Args) -> Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(args.value::<Shell>("shell"), &mut (args.root)(), "lookalike", &mut script);
    output::to(None, false, |out| out.write_all(&script))?;
    Ok(crate::SUCCESS)
}

fn man(args: &Args) -> Result<u8> {
    if let Some(folder) = args.path("folder") {
        output::check_target(&folder, true)?;
        atomic::folder::<anyhow::Error>(&folder, |folder| {
            clap_mangen::generate_to((args.root)(), folder).map_err(|error| anyhow!("cannot write man pages: {error}"))
        })?;
    } else {
        let mut page = Vec::new();
        clap_mangen::Man::new((args.root)()).render(&mut page)?;
        output::to(None, false, |out| out.write_all(&page))?;
    }
    Ok(crate::SUCCESS)
}
