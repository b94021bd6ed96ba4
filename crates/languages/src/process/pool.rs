//! The processes that parse for this one: started when they are needed, used again and again, replaced when they die.

use super::message;
use crate::language::Language;
use crate::{Degraded, Token, TokenDetail};
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The pool that [`parse_apart`] chose for this process.
static CHOSEN: OnceLock<Arc<ParserPool>> = OnceLock::new();

/// From now on every reader of this process has its files parsed by processes that `command` starts. They must do
/// [`serve_parser`](super::serve_parser) and nothing else. What is read is the same, but that a file on which a grammar
/// crashes is read word by word. Only the first call counts.
pub fn parse_apart(command: Command) {
    CHOSEN.get_or_init(|| Arc::new(ParserPool::new(command)));
}

/// What [`parse_apart`] chose.
pub(crate) fn chosen() -> Option<Arc<ParserPool>> {
    CHOSEN.get().cloned()
}

/// Parsers in processes of their own: as many as there are texts being parsed at the same time.
pub struct ParserPool {
    command: Mutex<Command>,
    idle: Mutex<Vec<ParserProcess>>,
    /// No process can be started here, as in some sandboxes.
    unavailable: AtomicBool,
}

impl ParserPool {
    /// Parsers that `command` starts.
    pub fn new(mut command: Command) -> Self {
        // what a dying process writes would stand between the lines of a report
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        Self { command: Mutex::new(command), idle: Mutex::default(), unavailable: AtomicBool::new(false) }
    }

    /// The tokens of a text, or why there are none; nothing if no parser can be started.
    ///
    /// If a parser dies of a text, a new one is asked once more, so that what the first one was through, or somebody who
    /// ends processes, does not count.
    pub(crate) fn parse(
        &self,
        text: &str,
        language: &'static Language,
        detail: TokenDetail,
    ) -> Option<Result<Vec<Token>, Degraded>> {
        let crashed = || Err(Degraded::Crashed { language: language.title() });
        for retry in [false, true] {
            let used = if retry { None } else { self.idle().pop() };
            let Some(mut process) = used.or_else(|| self.start()) else {
                // what killed a parser is not read in this process
                return retry.then(crashed);
            };
            if let Ok(answer) = process.ask(text, language, detail) {
                self.idle().push(process);
                return Some(answer);
            }
        }
        Some(crashed())
    }

    fn idle(&self) -> MutexGuard<'_, Vec<ParserProcess>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(&self) -> Option<ParserProcess> {
        if self.unavailable.load(Ordering::Relaxed) {
            return None;
        }
        let started = ParserProcess::start(&self.command);
        if started.is_err() {
            self.unavailable.store(true, Ordering::Relaxed);
        }
        started.ok()
    }
}

/// A process that parses.
struct ParserProcess {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    request: Vec<u8>,
}

impl ParserProcess {
    fn start(command: &Mutex<Command>) -> io::Result<Self> {
        let mut child = command.lock().unwrap_or_else(PoisonError::into_inner).spawn()?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let mut process = Self { child, requests, answers: BufReader::new(answers), request: Vec::new() };
        let mut greeting = [0; 8];
        process.answers.read_exact(&mut greeting)?;
        if greeting == message::greeting() { Ok(process) } else { Err(io::ErrorKind::InvalidData.into()) }
    }

    /// Fails if the process dies, or says what makes no sense.
    fn ask(
        &mut self,
        text: &str,
        language: &'static Language,
        detail: TokenDetail,
    ) -> io::Result<Result<Vec<Token>, Degraded>> {
        message::write_request(text, language, detail, &mut self.request);
        self.requests.write_all(&self.request)?;
        message::read_answer(&mut self.answers, text, language)
    }
}

impl Drop for ParserProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
