//! Source code is parsed by further processes of this program, so that a grammar that crashes costs one file.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What makes this program a parser. Nobody types it, so it is no verb.
const PARSER: &str = "__parse";

/// Where Linux has the program that is running, even if its file was replaced meanwhile.
const RUNNING: &str = "/proc/self/exe";

/// Whether this process was started as a parser.
pub(crate) fn is_asked_for() -> bool {
    env::args_os().nth(1).is_some_and(|word| word == PARSER)
}

/// Parses for another process until that ends.
pub(crate) fn serve() -> ExitCode {
    match lookalike::code::serve_parser() {
        Ok(()) => ExitCode::from(crate::SUCCESS),
        Err(_) => ExitCode::from(crate::WRONG),
    }
}

/// Parsers are started by whoever reads source code. If this program cannot be found, they read it themselves.
pub(crate) fn start_when_needed() {
    let running = Path::new(RUNNING).exists().then(|| PathBuf::from(RUNNING));
    if let Some(program) = running.or_else(|| env::current_exe().ok()) {
        let mut parser = Command::new(program);
        // a grammar needs no secrets
        parser.arg(PARSER).env_remove("LOOKALIKE_KEY");
        #[cfg(unix)]
        std::os::unix::process::CommandExt::arg0(&mut parser, "lookalike");
        lookalike::code::parse_apart(parser);
    }
}
