//! The command `lookalike`: one file for each verb, one table of flags. It is a library so that the wheel asks for the same things in the same
//! words: [`request`].

mod args;
mod attributes;
mod command;
mod documents;
mod errors;
mod flags;
mod glossary;
mod lens;
mod moss_languages;
mod output;
mod page;
mod parser;
mod probe;
mod progress;
mod project_file;
mod recipes;
mod refusals;
mod remote;
pub mod request;
mod signals;
mod standard_output;
mod times;
mod values;
mod verb;
mod verbs;

use std::io::Write;
use std::process::ExitCode;

/// Everything went well.
const SUCCESS: u8 = 0;
/// Asked for by --exit-code: something was found.
const FOUND: u8 = 1;
/// The input or the flags are wrong, or something could not be read or written.
const WRONG: u8 = 2;
/// Stopped by a signal; the code of Ctrl-C in shells.
const INTERRUPTED: u8 = 130;

/// Runs the command with the arguments of this process.
pub fn main() -> ExitCode {
    let args = match command::parse(std::env::args_os().collect()) {
        Ok(args) => args,
        Err(usage) => return ExitCode::from(explain(&usage)),
    };
    let ran = parser::choose().and_then(|()| project_file::apply(args)).and_then(|args| {
        if args.has("show-config") {
            return project_file::show(&args);
        }
        let ran = (args.spec.run)(&args);
        remote::settle(&args, ran.as_ref().err());
        ran
    });
    lookalike::parser::end_parsers();
    ExitCode::from(match ran {
        Ok(code) => code,
        Err(error) if errors::is_broken_pipe(&error) => SUCCESS,
        Err(error) => {
            if let Some(usage) = error.downcast_ref::<clap::Error>() {
                return ExitCode::from(explain(usage));
            }
            output::message(&format!("error: {}", errors::describe(&error)));
            if errors::is_cancelled(&error) { INTERRUPTED } else { WRONG }
        }
    })
}

/// Prints help, or what is wrong with the flags.
fn explain(usage: &clap::Error) -> u8 {
    let printed = if usage.use_stderr() { Ok(()) } else { standard_output::stdout().map(drop) };
    match printed.and_then(|()| usage.print()).and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            output::message(&format!("error: cannot write to standard output: {error}"));
            WRONG
        }
        _ if usage.use_stderr() => WRONG,
        _ => SUCCESS,
    }
}
