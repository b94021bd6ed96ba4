//! Runs the command with a time limit, so that a hang fails instead of blocking.

use crate::dir::Dir;
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_lookalike");

/// The parser program, which the command finds beside itself. Cargo builds it with its own package only.
pub(crate) static PARSER: LazyLock<PathBuf> = LazyLock::new(|| {
    let parser = Path::new(PROGRAM).with_file_name("lookalike-parser");
    assert!(parser.exists(), "{} is missing; build it with `cargo build -p lookalike-parser`", parser.display());
    parser
});
const LIMIT: Duration = Duration::from_secs(90);

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/cli is two below the root").to_owned()
}

/// What a run left.
pub(crate) struct Outcome {
    /// The exit code; none if a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Outcome {
    /// Fails the test if the code is another one.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stderr: {}\nstdout begins: {:.300}", self.stderr, self.stdout);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }

    /// Success, and standard output as JSON.
    #[track_caller]
    pub(crate) fn json(self) -> serde_json::Value {
        let outcome = self.expect(0);
        serde_json::from_str(&outcome.stdout).unwrap_or_else(|e| panic!("no JSON: {e}: {:.300}", outcome.stdout))
    }
}

/// The command with some arguments; colours off, no key, input from nowhere.
pub(crate) fn lookalike<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = plain(PROGRAM);
    command.args(arguments);
    LazyLock::force(&PARSER);
    command
}

/// A shell script in which `$LOOKALIKE` is the command.
pub(crate) fn shell(script: &str) -> Command {
    let mut command = plain("sh");
    command.args(["-c", script]).env("LOOKALIKE", PROGRAM);
    command
}

/// A program, with colours off, no key, and input from nowhere.
pub(crate) fn plain(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for name in
        ["LOOKALIKE_KEY", "CLICOLOR_FORCE", "CLICOLOR", "COLUMNS", "RUST_BACKTRACE", "RUST_LOG", "LOOKALIKE_PARSER"]
    {
        command.env_remove(name);
    }
    command.env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
    // a group of its own, so that all of a pipeline can be stopped
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    command
}

/// Runs to the end.
#[track_caller]
pub(crate) fn run(command: &mut Command) -> Outcome {
    Running::start(command).finish()
}

/// Runs to the end with something on standard input.
#[track_caller]
pub(crate) fn run_with(command: &mut Command, input: &[u8]) -> Outcome {
    let mut running = Running::start(command.stdin(Stdio::piped()));
    let mut stdin = running.child.stdin.take().expect("piped");
    let input = input.to_vec();
    let feeder = thread::spawn(move || {
        // a command that refuses its flags reads nothing
        let _ = stdin.write_all(&input);
    });
    let outcome = running.finish();
    feeder.join().expect("feeding does not panic");
    outcome
}

/// `lookalike scan … --json`, which must succeed.
#[track_caller]
pub(crate) fn scan_json<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> serde_json::Value {
    run(lookalike(["scan", "--json"]).args(arguments)).json()
}

/// A command on its way.
pub(crate) struct Running {
    pub(crate) child: Child,
    stdout: JoinHandle<Vec<u8>>,
    stderr: JoinHandle<Vec<u8>>,
    started: Instant,
}

impl Running {
    #[track_caller]
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap_or_else(|e| panic!("cannot start {command:?}: {e}"));
        let stdout = drain(child.stdout.take().expect("piped"));
        let stderr = drain(child.stderr.take().expect("piped"));
        Self { child, stdout, stderr, started: Instant::now() }
    }

    /// Sends a signal to the whole group.
    pub(crate) fn signal(&self, name: &str) {
        let group = format!("-{}", self.child.id());
        let sent = Command::new("kill").args([&format!("-{name}"), "--", &group]).stderr(Stdio::null()).status();
        assert!(sent.is_ok(), "no kill command");
    }

    #[track_caller]
    pub(crate) fn finish(self) -> Outcome {
        self.finish_within(LIMIT)
    }

    /// Waits for the end; one that does not come in time is a failure.
    #[track_caller]
    pub(crate) fn finish_within(mut self, limit: Duration) -> Outcome {
        let until = Instant::now() + limit;
        let mut late = false;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child can be waited for") {
                break status;
            }
            if !late && Instant::now() > until {
                late = true;
                self.signal("KILL");
            }
            thread::sleep(Duration::from_millis(5));
        };
        let text = |bytes: JoinHandle<Vec<u8>>| {
            let bytes = bytes.join().expect("reading does not panic");
            String::from_utf8(bytes).expect("the command writes UTF-8")
        };
        let outcome = Outcome { code: status.code(), stdout: text(self.stdout), stderr: text(self.stderr) };
        assert!(!late, "still running after {:?}; stderr: {}", self.started.elapsed(), outcome.stderr);
        outcome
    }
}

fn drain(mut from: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).expect("a pipe can be read");
        bytes
    })
}

/// Runs it in a folder.
pub(crate) fn at(dir: &Dir, arguments: &[&str]) -> Outcome {
    run(lookalike(arguments).current_dir(dir.path()))
}

/// Must fail, with all these words on standard error and nothing on standard output.
#[track_caller]
pub(crate) fn refused(dir: &Dir, arguments: &[&str], words: &[&str]) -> Outcome {
    let outcome = at(dir, arguments).expect(2);
    for word in words {
        assert!(outcome.stderr.contains(word), "{arguments:?}: no {word:?} in: {}", outcome.stderr);
    }
    assert_eq!(outcome.stdout, "", "{arguments:?}");
    outcome
}
