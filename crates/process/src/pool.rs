//! The processes that read for this one: started when they are needed, used again and again, replaced when they die.

use crate::limits::{self, MAX_MEMORY};
use crate::{MemoryBudget, Task, frame};
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};

/// The pool that [`parse_apart`] chose for this process.
static CHOSEN: OnceLock<Arc<ParserPool>> = OnceLock::new();

/// The memory of [`parser_memory`].
static MEMORY: LazyLock<Arc<MemoryBudget>> = LazyLock::new(|| MemoryBudget::new(MAX_MEMORY));

/// The memory that everything takes together that parses a document at this moment, in this process and in those of the chosen pool; 4 GiB
/// until another limit is set.
pub fn parser_memory() -> &'static Arc<MemoryBudget> {
    &MEMORY
}

/// From now on strangers' files are read by processes that `command` starts. They must do [`serve`](crate::serve) with
/// the same greeting, and nothing else. What is read is the same, but that a file on which a reader crashes costs that
/// file. Only the first call counts.
pub fn parse_apart(command: Command, greeting: [u8; 8]) {
    CHOSEN.get_or_init(|| Arc::new(ParserPool { memory: Arc::clone(&MEMORY), ..ParserPool::new(command, greeting) }));
}

/// What [`parse_apart`] chose.
pub fn chosen() -> Option<Arc<ParserPool>> {
    CHOSEN.get().cloned()
}

/// Why a request has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The process that was asked died, twice: it crashed, or took more time than any file should.
    Crashed,
    /// The request takes more memory than all processes together may take.
    Memory {
        /// Bytes that it takes at least.
        needed: u64,
    },
    /// The caller has no room for the answer.
    Room {
        /// Bytes of the answer.
        length: u64,
    },
}

/// Bounds of one request.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// Bytes of the longest answer that makes sense.
    pub answer: u64,
    /// Bytes of the longest answer that the caller has room for.
    pub room: u64,
    /// Bytes of memory that the request usually takes. If it takes more, it is tried again with all that the pool has, alone.
    pub memory: u64,
}

/// Parsers in processes of their own: as many as there are files being read at the same time.
pub struct ParserPool {
    command: Mutex<Command>,
    /// Two builds with the same greeting speak the same protocol.
    greeting: [u8; 8],
    idle: Mutex<Vec<ParserProcess>>,
    /// No process can be started here, as in some sandboxes.
    unavailable: AtomicBool,
    /// Bytes of memory of all processes together.
    memory: Arc<MemoryBudget>,
}

impl ParserPool {
    /// Parsers that `command` starts, and that send this greeting. All of them together may take 4 GiB.
    pub fn new(mut command: Command, greeting: [u8; 8]) -> Self {
        // the last words of a parser say whether it ran out of memory
        let stderr = if cfg!(unix) { Stdio::piped() } else { Stdio::null() };
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        let memory = MemoryBudget::new(MAX_MEMORY);
        let (command, unavailable) = (Mutex::new(command), AtomicBool::new(false));
        Self { command, greeting, idle: Mutex::default(), unavailable, memory }
    }

    /// The answer of a process to the parts of a request, one after the other; none if no process can be started. An
    /// answer that is too long, or that `read` refuses, is that of a process that wrote over its own memory.
    ///
    /// If a parser dies of a request, a new one is asked once more: the first one may have died of an earlier request, or of a
    /// signal from outside.
    pub fn ask<T>(
        &self,
        task: Task,
        request: &[&[u8]],
        allowance: Allowance,
        read: impl Fn(&[u8]) -> io::Result<T>,
    ) -> Option<Result<T, Failure>> {
        let whole = self.memory.limit();
        let (mut granted, mut is_retry) = (allowance.memory.min(whole), false);
        loop {
            let _permit = self.memory.take(granted);
            let used = if is_retry { None } else { self.idle().pop() };
            let Some(mut process) = used.or_else(|| self.start()) else {
                // what killed a parser is not read in this process
                return is_retry.then_some(Err(Failure::Crashed));
            };
            let asked = process.ask(task, granted, request, allowance.answer);
            if let Ok(length) = asked
                && length > allowance.room
            {
                return Some(Err(Failure::Room { length }));
            }
            if let Ok(answer) = asked.and_then(|length| process.answer(length)).and_then(|()| read(&process.answer)) {
                process.shrink();
                self.idle().push(process);
                return Some(Ok(answer));
            }
            match process.end() {
                Some(bytes) if granted == whole => {
                    return Some(Err(Failure::Memory { needed: whole.saturating_add(bytes.max(1)) }));
                }
                Some(_) => granted = whole,
                None if is_retry => return Some(Err(Failure::Crashed)),
                None => {}
            }
            is_retry = true;
        }
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

/// Bytes that both ends keep for the next request and answer.
pub(crate) const MAX_KEPT: usize = 1 << 20;

/// The last words of a process that ran out of memory, before the number of bytes that it asked for: of the standard library, of ours, and
/// of tree-sitter.
pub(crate) const OUT_OF_MEMORY: &str = "memory allocation of";
const OUT_OF_MEMORY_IN_C: &str = "failed to allocate";

/// A process that reads.
struct ParserProcess {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    errors: Option<ChildStderr>,
    request: Vec<u8>,
    answer: Vec<u8>,
}

impl ParserProcess {
    fn start(command: &Mutex<Command>, greeting: [u8; 8]) -> io::Result<Self> {
        let mut child = command.lock().unwrap_or_else(PoisonError::into_inner).spawn()?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (errors, answers) = (child.stderr.take(), BufReader::new(answers));
        let mut process = Self { child, requests, answers, errors, request: Vec::new(), answer: Vec::new() };
        let mut greeted = [0; 8];
        process.answers.read_exact(&mut greeted)?;
        if greeted == greeting { Ok(process) } else { Err(io::ErrorKind::InvalidData.into()) }
    }

    /// Sends a request and waits for the length of its answer. Fails if the process dies, or has a longer answer than `most`.
    fn ask(&mut self, task: Task, memory: u64, request: &[&[u8]], most: u64) -> io::Result<u64> {
        let bytes = request.iter().map(|part| part.len()).sum();
        self.request.clear();
        self.request.extend(frame::request_head(task, memory, bytes));
        if bytes <= MAX_KEPT {
            // in one piece, so that the other end wakes up once
            request.iter().for_each(|part| self.request.extend_from_slice(part));
            self.requests.write_all(&self.request)?;
        } else {
            self.requests.write_all(&self.request)?;
            request.iter().try_for_each(|part| self.requests.write_all(part))?;
        }
        frame::read_length(&mut self.answers, most)
    }

    fn answer(&mut self, length: u64) -> io::Result<()> {
        frame::read_bytes(&mut self.answers, length, &mut self.answer)
    }

    /// Ends the process. If it ran out of memory: the bytes that it asked for last.
    fn end(mut self) -> Option<u64> {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let errors = self.errors.take()?;
        // another process that it started may hold the other end
        limits::without_waiting(&errors);
        let mut said = Vec::new();
        let _ = errors.take(MAX_KEPT as u64).read_to_end(&mut said);
        let said = String::from_utf8_lossy(&said);
        let behind = |words: &str| said.rfind(words).map(|at| &said[at + words.len()..]);
        let number = behind(OUT_OF_MEMORY).or_else(|| behind(OUT_OF_MEMORY_IN_C))?;
        Some(number.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0))
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
