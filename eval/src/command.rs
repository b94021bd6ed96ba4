//! Runs the `lookalike` command as a user would: measured, or for what it says.

use crate::measure::Usage;
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;
use wait4::Wait4;

/// The command, and every line that was run with it.
pub(crate) struct Lookalike {
    program: String,
    pub(crate) lines: Vec<String>,
}

impl Lookalike {
    /// The command told, or the one that was built beside this program.
    pub(crate) fn find(told: Option<PathBuf>) -> Result<Self> {
        let beside = || Ok::<_, anyhow::Error>(std::env::current_exe()?.with_file_name("lookalike"));
        let program = told.map_or_else(beside, Ok)?;
        let help = || {
            let name = program.display();
            format!(
                "{name}: no such file; build it with cargo build --profile dist -p lookalike-cli -p lookalike-parser, or name it with --lookalike"
            )
        };
        let program = program.canonicalize().with_context(help)?.to_string_lossy().into_owned();
        Ok(Self { program, lines: Vec::new() })
    }

    pub(crate) fn program(&self) -> &str {
        &self.program
    }

    pub(crate) fn version(&self) -> Option<String> {
        crate::facts::output(&self.program, &["--version"])
    }

    /// Runs it to its end, standard output thrown away, and says what it took.
    pub(crate) fn measured(&mut self, arguments: &[&str]) -> Result<Usage> {
        self.measured_to(arguments, Stdio::null())
    }

    /// Runs it, gives what it writes to standard output, and says what it took.
    pub(crate) fn told_and_measured(&mut self, arguments: &[&str]) -> Result<(Vec<u8>, Usage)> {
        let mut out = tempfile::tempfile()?;
        let used = self.measured_to(arguments, out.try_clone()?.into())?;
        let mut told = Vec::new();
        out.rewind()?;
        out.read_to_end(&mut told)?;
        Ok((told, used))
    }

    fn measured_to(&mut self, arguments: &[&str], stdout: Stdio) -> Result<Usage> {
        self.remember(arguments);
        let mut said = tempfile::tempfile()?;
        let mut command = self.command(arguments);
        command.stdout(stdout).stderr(said.try_clone()?);
        let begin = Instant::now();
        let used = command.spawn().and_then(Wait4::wait4);
        let (used, wall) = (used.with_context(|| format!("cannot run {}", self.program))?, begin.elapsed());
        if !used.status.success() {
            let mut text = Vec::new();
            said.rewind()?;
            said.read_to_end(&mut text)?;
            bail!("{}: {}: {}", line(arguments), used.status, String::from_utf8_lossy(&text).trim());
        }
        let cpu = (used.rusage.utime + used.rusage.stime).as_secs_f64();
        Ok(Usage { cpu, wall: wall.as_secs_f64(), peak: used.rusage.maxrss })
    }

    /// Runs it and gives what it writes to standard output.
    pub(crate) fn told(&mut self, arguments: &[&str]) -> Result<Vec<u8>> {
        self.remember(arguments);
        Ok(self.output(arguments, Stdio::piped())?.stdout)
    }

    /// Runs it with standard output to a file, and gives what it writes to standard error.
    pub(crate) fn written(&mut self, arguments: &[&str], file: &Path) -> Result<String> {
        self.remember(arguments);
        let file = File::create(file).with_context(|| format!("cannot write {}", file.display()))?;
        Ok(String::from_utf8_lossy(&self.output(arguments, file.into())?.stderr).into_owned())
    }

    /// Runs it whatever it ends with: some answers are told by the exit code too.
    pub(crate) fn asked(&self, arguments: &[&str]) -> Result<Output> {
        self.command(arguments).output().with_context(|| format!("cannot run {}", self.program))
    }

    fn output(&self, arguments: &[&str], stdout: Stdio) -> Result<Output> {
        let mut command = self.command(arguments);
        command.stdout(stdout).stderr(Stdio::piped());
        let output = command.spawn().and_then(std::process::Child::wait_with_output);
        let output = output.with_context(|| format!("cannot run {}", self.program))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            bail!("{}: {}: {}", line(arguments), output.status, said.trim());
        }
        Ok(output)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        // a variable of the user's must not change what is sampled
        command.args(arguments).stdin(Stdio::null()).env_remove("LOOKALIKE_KEY");
        command
    }

    /// Keeps the line for the results.
    pub(crate) fn remember(&mut self, arguments: &[&str]) {
        let line = line(arguments);
        if !self.lines.contains(&line) {
            self.lines.push(line);
        }
    }
}

/// The command line without folders: they differ from machine to machine.
fn line(arguments: &[&str]) -> String {
    let short = |argument: &&str| match Path::new(argument).file_name() {
        Some(name) if Path::new(argument).is_absolute() => name.to_string_lossy().into_owned(),
        _ => (*argument).to_owned(),
    };
    std::iter::once("lookalike".to_owned()).chain(arguments.iter().map(short)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell() -> Lookalike {
        Lookalike::find(Some("/bin/sh".into())).unwrap()
    }

    #[test]
    fn lines_name_no_folder_of_the_machine() {
        assert_eq!(line(&["lost", "/tmp/x/index", "a/b.md", "--json"]), "lookalike lost index a/b.md --json");
    }

    #[test]
    fn failures_say_why_and_lines_are_kept_once() {
        let mut shell = shell();
        let failing = ["-c", "echo no such index >&2; exit 2"];
        for failed in [shell.told(&failing).unwrap_err(), shell.measured(&failing).unwrap_err()] {
            assert!(format!("{failed:#}").contains("no such index"), "{failed:#}");
        }
        assert_eq!(shell.told(&["-c", "echo 1"]).unwrap(), b"1\n");
        shell.told(&["-c", "echo 1"]).unwrap();
        assert_eq!(shell.lines.len(), 2, "{:?}", shell.lines);
        assert_eq!(shell.asked(&["-c", "echo 1; exit 1"]).unwrap().stdout, b"1\n");
        assert!(Lookalike::find(Some("/no/such".into())).is_err());
    }

    #[test]
    fn what_a_run_takes() {
        let idle = shell().measured(&["-c", "sleep 0.2"]).unwrap();
        assert!(idle.cpu < 0.1 && idle.wall >= 0.2 && idle.peak > 100 << 10, "{idle:?}");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("out");
        assert_eq!(shell().written(&["-c", "echo out; echo error >&2"], &file).unwrap(), "error\n");
        assert_eq!(std::fs::read_to_string(file).unwrap(), "out\n");
    }
}
