//! The command `lookalike`.

fn main() -> std::process::ExitCode {
    lookalike_cli::main()
}
