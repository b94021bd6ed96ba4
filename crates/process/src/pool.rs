//! The processes that read for this one: started when they are needed, used again and again, replaced when they die.

use crate::{Task, frame};
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The pool that [`parse_apart`] chose for this process.
static CHOSEN: OnceLock<Arc<ParserPool>> = OnceLock::new();

/// From now on strangers' files are read by processes that `command` starts. They must do [`serve`](crate::serve) with
/// the same greeting, and nothing else. What is read is the same, but that a file on which a reader crashes costs that
/// file. Only the first call counts.
pub fn parse_apart(command: Command, greeting: [u8; 8]) {
    CHOSEN.get_or_init(|| Arc::new(ParserPool::new(command, greeting)));
}

/// What [`parse_apart`] chose.
pub fn chosen() -> Option<Arc<ParserPool>> {
    CHOSEN.get().cloned()
}

/// The process that was asked died, twice: it crashed, or took more time or memory than any file should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crashed;

/// Parsers in processes of their own: as many as there are files being read at the same time.
pub struct ParserPool {
    command: Mutex<Command>,
    /// Two builds that greet alike mean the same by what they say.
    greeting: [u8; 8],
    idle: Mutex<Vec<ParserProcess>>,
    /// No process can be started here, as in some sandboxes.
    unavailable: AtomicBool,
}

impl ParserPool {
    /// Parsers that `command` starts, and that greet so.
    pub fn new(mut command: Command, greeting: [u8; 8]) -> Self {
        // what a dying process writes would stand between the lines of a report
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        Self { command: Mutex::new(command), greeting, idle: Mutex::default(), unavailable: AtomicBool::new(false) }
    }

    /// What a process answers to the parts of a request, one after the other; nothing if none can be started. An answer
    /// of more bytes than `most`, or that `read` refuses, is that of a process that wrote over its own memory.
    ///
    /// If a parser dies of a request, a new one is asked once more, so that what the first one was through, or somebody
    /// who ends processes, does not count.
    pub fn ask<T>(
        &self,
        task: Task,
        request: &[&[u8]],
        most: u64,
        read: impl Fn(&[u8]) -> io::Result<T>,
    ) -> Option<Result<T, Crashed>> {
        for retry in [false, true] {
            let used = if retry { None } else { self.idle().pop() };
            let Some(mut process) = used.or_else(|| self.start()) else {
                // what killed a parser is not read in this process
                return retry.then_some(Err(Crashed));
            };
            if let Ok(answer) = process.ask(task, request, most).and_then(|()| read(&process.answer)) {
                process.shrink();
                self.idle().push(process);
                return Some(Ok(answer));
            }
        }
        Some(Err(Crashed))
    }

    fn idle(&self) -> MutexGuard<'_, Vec<ParserProcess>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(&self) -> Option<ParserProcess> {
        if self.unavailable.load(Ordering::Relaxed) {
            return None;
        }
        let started = ParserProcess::start(&self.command, self.greeting);
        if started.is_err() {
            self.unavailable.store(true, Ordering::Relaxed);
        }
        started.ok()
    }
}

/// Bytes that a process keeps for what is asked and answered.
const MAX_KEPT: usize = 1 << 20;

/// A process that reads.
struct ParserProcess {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    request: Vec<u8>,
    answer: Vec<u8>,
}

impl ParserProcess {
    fn start(command: &Mutex<Command>, greeting: [u8; 8]) -> io::Result<Self> {
        let mut child = command.lock().unwrap_or_else(PoisonError::into_inner).spawn()?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (request, answer) = (Vec::new(), Vec::new());
        let mut process = Self { child, requests, answers: BufReader::new(answers), request, answer };
        let mut greeted = [0; 8];
        process.answers.read_exact(&mut greeted)?;
        if greeted == greeting { Ok(process) } else { Err(io::ErrorKind::InvalidData.into()) }
    }

    /// Fails if the process dies, or says too much.
    fn ask(&mut self, task: Task, request: &[&[u8]], most: u64) -> io::Result<()> {
        self.request.clear();
        self.request.extend(frame::request_head(task, request.iter().map(|part| part.len()).sum()));
        for part in request {
            self.request.extend_from_slice(part);
        }
        self.requests.write_all(&self.request)?;
        frame::read_bytes(&mut self.answers, most, &mut self.answer)
    }

    fn shrink(&mut self) {
        self.request.clear();
        self.request.shrink_to(MAX_KEPT);
        self.answer.clear();
        self.answer.shrink_to(MAX_KEPT);
    }
}

impl Drop for ParserProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
