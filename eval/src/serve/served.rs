//! A server that was started for a measurement.

use crate::command::Lookalike;
use crate::measure::Usage;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Instant;
use wait4::Wait4;

/// A running server.
pub(super) struct Served {
    child: Child,
    pub(super) address: String,
    begin: Instant,
}

impl Served {
    /// Serves folders; returns when it listens.
    pub(super) fn start(lookalike: &mut Lookalike, folders: &[&Path]) -> Result<Self> {
        let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
        let mut words = vec!["serve"];
        words.extend(folders.iter().map(String::as_str));
        words.extend(["--listen", "127.0.0.1:0"]);
        lookalike.remember(&words);
        let begin = Instant::now();
        let mut child = Command::new(lookalike.program()).args(&words).stderr(Stdio::piped()).spawn()?;
        let mut log = BufReader::new(child.stderr.take().context("a pipe")?).lines();
        let address = log
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.split_once("http://").map(|(_, address)| address.trim().to_owned()));
        let address = address.context("the server did not start")?;
        // nobody may wait for the pipe
        thread::spawn(move || log.for_each(drop));
        Ok(Self { child, address, begin })
    }

    /// Bytes that it has in memory, files aside.
    pub(super) fn memory(&self) -> Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
        let kilobytes: u64 = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).context("RssAnon")?;
        Ok(kilobytes * 1024)
    }

    /// Kills it, without a warning.
    pub(super) fn kill(mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Tells it to stop, and says what it took.
    pub(super) fn stop(self) -> Result<Usage> {
        let told = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status()?;
        ensure!(told.success(), "cannot stop the server");
        let used = self.child.wait4()?;
        ensure!(used.status.success(), "the server ended with {}", used.status);
        let cpu = (used.rusage.utime + used.rusage.stime).as_secs_f64();
        Ok(Usage { cpu, wall: self.begin.elapsed().as_secs_f64(), peak: used.rusage.maxrss })
    }
}
