//! The program `lookalike-parser`: `lookalike` starts it, writes requests to its standard input and reads the answers.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args_os().len() > 1 || std::io::stdin().is_terminal() {
        let _ = writeln!(
            std::io::stderr(),
            "lookalike-parser {} parses programs and documents for lookalike, which starts it by itself.",
            env!("CARGO_PKG_VERSION")
        );
        return ExitCode::from(2);
    }
    match lookalike_parser::serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(2),
    }
}
