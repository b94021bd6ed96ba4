//! Runs a command as a child and says what it took: CPU of the child and of all that it waited for, wall time, peak memory.
//!
//! The system counts the memory of the parent at the moment of the start as the child's own. So this process must stay
//! small, and everything that needs memory (corpora, truth, scores) is a child as well: see `task.rs`.

use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use wait4::{ResUse, Wait4};

/// A command line, as data: it is run many times and shown in the results.
#[derive(Clone, Debug, Default)]
pub(crate) struct Job {
    pub(crate) program: String,
    pub(crate) arguments: Vec<String>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) folder: Option<PathBuf>,
    /// A command that writes to this one's standard input; what it takes is not counted.
    pub(crate) feed: Option<Box<Job>>,
}

impl Job {
    pub(crate) fn new(program: impl Into<String>, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        Self { program: program.into(), arguments, ..Self::default() }
    }

    pub(crate) fn with_env(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command
    }
}

/// What one run took.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Usage {
    /// User and system CPU seconds.
    pub(crate) cpu: f64,
    pub(crate) wall: f64,
    /// The most memory in use, in bytes.
    pub(crate) peak: u64,
}

/// Runs the job to its end, standard output thrown away. A job that fails or takes longer than `limit` is an error.
pub(crate) fn run(job: &Job, limit: Duration) -> Result<Usage> {
    let mut said = tempfile::tempfile()?;
    let mut feeder = match &job.feed {
        Some(feed) => Some(spawn(feed, Stdio::null(), Stdio::piped(), &said)?),
        None => None,
    };
    let stdin = match feeder.as_mut().and_then(|feeder| feeder.stdout.take()) {
        Some(pipe) => Stdio::from(pipe),
        None => Stdio::null(),
    };
    let start = Instant::now();
    let child = spawn(job, stdin, Stdio::null(), &said)?;
    let used = wait(child, start, limit);
    if let Some(mut feeder) = feeder {
        // it has ended by itself unless the job failed
        if used.is_err() {
            feeder.kill()?;
        }
        feeder.wait()?;
    }
    let (used, wall) = used.with_context(|| job.program.clone())?;
    if !used.status.success() {
        bail!("{} ended with {}: {}", job.program, used.status, last_line(&mut said)?);
    }
    let cpu = (used.rusage.utime + used.rusage.stime).as_secs_f64();
    Ok(Usage { cpu, wall: wall.as_secs_f64(), peak: used.rusage.maxrss })
}

fn spawn(job: &Job, stdin: Stdio, stdout: Stdio, stderr: &File) -> Result<Child> {
    let mut command = job.command();
    command.stdin(stdin).stdout(stdout).stderr(stderr.try_clone()?);
    command.spawn().with_context(|| format!("cannot start {}", job.program))
}

/// Waits by asking every other millisecond: that is what lets it give up.
fn wait(mut child: Child, start: Instant, limit: Duration) -> Result<(ResUse, Duration)> {
    loop {
        if let Some(used) = child.try_wait4()? {
            return Ok((used, start.elapsed()));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            bail!("took longer than {} s and was stopped", limit.as_secs());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

pub(crate) fn last_line(said: &mut File) -> Result<String> {
    let mut bytes = Vec::new();
    said.rewind()?;
    said.read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing").trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_mins(1);

    fn shell(script: &str) -> Job {
        Job::new("sh", &["-c", script])
    }

    #[test]
    fn a_child_and_its_children_are_measured() {
        // a busy loop in a grandchild, bounded by the CPU that it may use
        let busy = run(&shell("(ulimit -t 1; while :; do :; done) 2>/dev/null; true"), LIMIT).unwrap();
        assert!((0.7..3.0).contains(&busy.cpu), "{busy:?}");
        let idle = run(&shell("sleep 0.2"), LIMIT).unwrap();
        assert!(idle.cpu < 0.1 && idle.wall >= 0.2, "{idle:?}");
        assert!(idle.peak > 100 << 10, "{idle:?}");
    }

    #[test]
    fn failures_say_why() {
        let failed = run(&shell("echo first >&2; echo no such corpus >&2; exit 3"), LIMIT).unwrap_err();
        assert!(format!("{failed:#}").contains("no such corpus"), "{failed:#}");
        let missing = run(&Job::new("no-such-program-here", &[]), LIMIT).unwrap_err();
        assert!(format!("{missing:#}").contains("cannot start no-such-program-here"), "{missing:#}");
        let slow = run(&shell("exec sleep 30"), Duration::from_millis(50)).unwrap_err();
        assert!(format!("{slow:#}").contains("longer"), "{slow:#}");
    }

    #[test]
    fn a_feed_is_read() {
        let mut job = shell("test \"$(cat)\" = hello");
        job.feed = Some(Box::new(shell("echo hello")));
        run(&job, LIMIT).unwrap();
    }
}
