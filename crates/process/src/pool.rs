//! The processes that read for this one: started when they are needed, used again and again, replaced when they die.

use crate::limits::{self, MAX_KEPT, MAX_MEMORY, OUT_OF_MEMORY, TimeLimit};
use crate::pipe::Pipe;
use crate::{MemoryBudget, PROGRAM, Task, frame, usage};
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The pool that [`use_parser`] chose for this process.
static CHOSEN: OnceLock<Arc<ParserPool>> = OnceLock::new();

/// The memory of [`parser_memory`].
static MEMORY: LazyLock<Arc<MemoryBudget>> = LazyLock::new(|| MemoryBudget::new(MAX_MEMORY));

/// The memory that everything takes together that parses a document at this moment, in this process and in those of the chosen pool; 4 GiB
/// until another limit is set.
pub fn parser_memory() -> &'static Arc<MemoryBudget> {
    &MEMORY
}

/// From now on documents are parsed by processes that `command` starts, if they send this greeting. Only the first call counts.
pub fn use_parser(command: Command, greeting: [u8; 8]) {
    CHOSEN.get_or_init(|| Arc::new(ParserPool { memory: Arc::clone(&MEMORY), ..ParserPool::new(command, greeting) }));
}

/// The pool that [`use_parser`] chose.
pub fn chosen() -> Option<Arc<ParserPool>> {
    CHOSEN.get().cloned()
}

/// Processor time of all processes of the chosen pool so far; zero where the system does not say.
pub fn processor_time() -> Duration {
    CHOSEN.get().map_or(Duration::ZERO, |pool| pool.processor_time())
}

/// Ends the processes of the chosen pool that have nothing to do, and waits for them, so that the system counts their time as that of
/// children of this process. New ones are started when they are needed.
pub fn end_parsers() {
    if let Some(pool) = CHOSEN.get() {
        pool.idle().clear();
    }
}

/// The reason for which a request was not sent. It is a reason for a document to be skipped, and says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoParser {
    /// No parser program was chosen.
    #[error("needs {PROGRAM} (not found; {HOW_TO_BUILD})")]
    NotFound,
    /// The program cannot be started, or ends at once.
    #[error("needs {PROGRAM} ({} cannot be started: {reason})", program.display())]
    NotStarted {
        /// The program.
        program: PathBuf,
        /// The error of the system.
        reason: String,
    },
    /// The program was built from other sources.
    #[error("needs {PROGRAM} ({} is of another build; {HOW_TO_BUILD})", program.display())]
    OtherBuild {
        /// The program.
        program: PathBuf,
    },
}

const HOW_TO_BUILD: &str =
    "build it with `cargo install --path crates/parser`, or `cargo build --release -p lookalike-parser`";

/// The reason for which a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// There is no process to ask.
    NoParser(NoParser),
    /// Two processes died of it, or gave answers that make no sense.
    Crashed,
    /// It took more time than any file should. It was not tried again.
    TookTooLong(TimeLimit),
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
    /// The reason for which the first process could not be started, if it could not: then no other is started.
    first: OnceLock<Option<NoParser>>,
    /// Bytes of memory of all processes together.
    memory: Arc<MemoryBudget>,
    /// How long an answer may take on the clock.
    wait: Duration,
    /// Processor time of processes that ended, in nanoseconds.
    spent: Arc<AtomicU64>,
}

impl ParserPool {
    /// Parsers that `command` starts, and that send this greeting. All of them together may take 4 GiB.
    pub fn new(mut command: Command, greeting: [u8; 8]) -> Self {
        // the last words of a parser say whether it ran out of memory
        let stderr = if cfg!(unix) { Stdio::piped() } else { Stdio::null() };
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        let memory = MemoryBudget::new(MAX_MEMORY);
        Self {
            command: Mutex::new(command),
            greeting,
            idle: Mutex::default(),
            first: OnceLock::new(),
            memory,
            wait: limits::max_wait(),
            spent: Arc::default(),
        }
    }

    /// The answer of a process to the parts of a request, one after the other. An answer that is too long, or that `read`
    /// refuses, is that of a process that wrote over its own memory.
    ///
    /// If a parser dies of a request, a new one is asked once more: the first one may have died of an earlier request, or of a
    /// signal from outside. One that took too long is ended, and the request is not repeated.
    pub fn ask<T>(
        &self,
        task: Task,
        request: &[&[u8]],
        allowance: Allowance,
        read: impl Fn(&[u8]) -> io::Result<T>,
    ) -> Result<T, Failure> {
        let whole = self.memory.limit();
        let (mut granted, mut is_retry) = (allowance.memory.min(whole), false);
        loop {
            let _permit = self.memory.take(granted);
            let used = if is_retry { None } else { self.take_idle() };
            let mut process = match used.map_or_else(|| self.start(), Ok) {
                Ok(process) => process,
                Err(_) if is_retry => return Err(Failure::Crashed),
                Err(reason) => return Err(Failure::NoParser(reason)),
            };
            process.wait_at_most(self.wait);
            let asked = process.ask(task, granted, request, allowance.answer);
            if let Ok(length) = asked
                && length > allowance.room
            {
                return Err(Failure::Room { length });
            }
            match asked.and_then(|length| process.answer(length)).and_then(|()| read(&process.answer)) {
                Ok(answer) => {
                    process.shrink();
                    self.idle().push(process);
                    return Ok(answer);
                }
                Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                    return Err(Failure::TookTooLong(TimeLimit::Clock));
                }
                Err(_) if process.end().is_some_and(is_out_of_time) => {
                    return Err(Failure::TookTooLong(TimeLimit::Processor));
                }
                Err(_) => {}
            }
            match process.memory_asked_for() {
                Some(bytes) if granted == whole => {
                    return Err(Failure::Memory { needed: whole.saturating_add(bytes.max(1)) });
                }
                Some(_) => granted = whole,
                None if is_retry => return Err(Failure::Crashed),
                None => {}
            }
            is_retry = true;
        }
    }

    /// Processor time of all processes so far, except for those that are working.
    fn processor_time(&self) -> Duration {
        let idle: Duration = self
            .idle()
            .iter()
            .filter(|process| process.is_own())
            .map(|process| usage::processor_time(process.child.id()))
            .sum();
        idle + Duration::from_nanos(self.spent.load(Ordering::Relaxed))
    }

    fn idle(&self) -> MutexGuard<'_, Vec<ParserProcess>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A process that has nothing to do. Those that a fork of this process inherited belong to the process that started them.
    fn take_idle(&self) -> Option<ParserProcess> {
        let mut idle = self.idle();
        idle.retain(ParserProcess::is_own);
        idle.pop()
    }

    /// A new process. If the system has no room for one more beside those that work, one that is idle by then.
    fn start(&self) -> Result<ParserProcess, NoParser> {
        let mut process = None;
        // one attempt counts for all threads, so that a report is the same with any number of them
        let first = self.first.get_or_init(|| match ParserProcess::start(self) {
            Ok(started) => {
                process = Some(started);
                None
            }
            Err(reason) => Some(reason),
        });
        if let Some(reason) = first {
            return Err(reason.clone());
        }
        let until = Instant::now() + MAX_START;
        loop {
            if let Some(process) = process.take() {
                return Ok(process);
            }
            match ParserProcess::start(self) {
                Ok(started) => process = Some(started),
                Err(NoParser::NotStarted { .. }) if Instant::now() < until => {
                    thread::sleep(Duration::from_millis(10));
                    process = self.take_idle();
                }
                Err(reason) => return Err(reason),
            }
        }
    }
}

/// The time for which a process that cannot be started is tried again, if another was started before.
const MAX_START: Duration = Duration::from_secs(10);

/// Whether a process was ended by its limit of processor time.
#[cfg(unix)]
fn is_out_of_time(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt as _;
    status.signal() == Some(rustix::process::Signal::XCPU.as_raw())
}

#[cfg(not(unix))]
fn is_out_of_time(_status: ExitStatus) -> bool {
    false
}

/// The last words of tree-sitter where it runs out of memory.
const OUT_OF_MEMORY_IN_C: &str = "failed to allocate";

/// A process that reads.
struct ParserProcess {
    child: Child,
    requests: Pipe<ChildStdin>,
    answers: BufReader<Pipe<ChildStdout>>,
    errors: Option<ChildStderr>,
    request: Vec<u8>,
    answer: Vec<u8>,
    /// The process that started it.
    owner: u32,
    /// None after the processor time was added to that of the pool.
    spent: Option<Arc<AtomicU64>>,
}

impl ParserProcess {
    fn start(pool: &ParserPool) -> Result<Self, NoParser> {
        let mut command = pool.command.lock().unwrap_or_else(PoisonError::into_inner);
        let program = PathBuf::from(command.get_program());
        let spawned = command.spawn();
        drop(command);
        match spawned.and_then(|child| Self::greet(child, pool)) {
            Ok((process, greeted)) if greeted == pool.greeting => Ok(process),
            Ok(_) => Err(NoParser::OtherBuild { program }),
            Err(error) => Err(NoParser::NotStarted { program, reason: error.to_string() }),
        }
    }

    /// The process of a program that was started, and its greeting.
    fn greet(mut child: Child, pool: &ParserPool) -> io::Result<(Self, [u8; 8])> {
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let mut process = Self {
            requests: Pipe::to(requests, pool.wait),
            answers: BufReader::new(Pipe::from(answers, pool.wait)),
            errors: child.stderr.take(),
            child,
            owner: std::process::id(),
            request: Vec::new(),
            answer: Vec::new(),
            spent: Some(Arc::clone(&pool.spent)),
        };
        let mut greeted = [0; 8];
        process.answers.read_exact(&mut greeted).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => io::Error::other("it ends without a greeting"),
            _ => error,
        })?;
        Ok((process, greeted))
    }

    /// Whether this process started it.
    fn is_own(&self) -> bool {
        self.owner == std::process::id()
    }

    /// Sets how long writing the next request, and reading its answer, may take.
    fn wait_at_most(&mut self, wait: Duration) {
        self.requests.left = wait;
        self.answers.get_mut().left = wait;
    }

    /// Sends a request and waits for the length of its answer. Fails if the process dies, or has a longer answer than `most`.
    fn ask(&mut self, task: Task, memory: u64, request: &[&[u8]], most: u64) -> io::Result<u64> {
        let bytes = request.iter().map(|part| part.len()).sum();
        self.request.clear();
        self.request.extend(frame::request_head(task, memory, bytes));
        if bytes <= MAX_KEPT {
            // in one piece, so that the other end wakes up once
            for part in request {
                self.request.extend_from_slice(part);
            }
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

    /// Kills the process if it still runs, and waits for it. Returns how it ended. Only the process that started it does so.
    fn end(&mut self) -> Option<ExitStatus> {
        if !self.is_own() {
            return None;
        }
        let _ = self.child.kill();
        if let Some(spent) = self.spent.take() {
            let time = usage::processor_time(self.child.id()).as_nanos();
            spent.fetch_add(u64::try_from(time).unwrap_or(u64::MAX), Ordering::Relaxed);
        }
        self.child.wait().ok()
    }

    /// If the process has ended because it ran out of memory: the bytes that it asked for last.
    fn memory_asked_for(mut self) -> Option<u64> {
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
        self.end();
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    /// Asks a shell in place of a parser: it greets, notes its process id, and then does something else. Returns the failure, the ids of
    /// all processes that were started, and the pool.
    fn asked(then: &str, request: &[u8]) -> (Failure, Vec<u32>, ParserPool) {
        let note = std::env::temp_dir().join(format!("lookalike-pool-{}-{:?}", std::process::id(), Instant::now()));
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("echo $$ >> \"$NOTE\"; printf greeting; {then}")]).env("NOTE", &note);
        let pool = ParserPool { wait: Duration::from_secs(1), ..ParserPool::new(shell, *b"greeting") };
        let allowance = Allowance { answer: 10, room: 10, memory: 1 << 20 };
        let answer = pool.ask(Task::Code, &[request], allowance, |_| Ok(()));
        let noted = fs::read_to_string(&note).expect("a process was started");
        fs::remove_file(note).expect("it is there");
        let started = noted.lines().map(|id| id.parse().expect("a process id")).collect();
        (answer.expect_err("it gives no answer"), started, pool)
    }

    #[test]
    fn a_stopped_process_is_ended_and_not_asked_again() {
        let begun = Instant::now();
        let (failure, started, _pool) = asked("kill -STOP $$", b"text");
        assert_eq!((failure, started.len()), (Failure::TookTooLong(TimeLimit::Clock), 1));
        assert!(begun.elapsed() < Duration::from_secs(30), "took {:?}", begun.elapsed());
        assert!(!Path::new(&format!("/proc/{}", started[0])).exists(), "a zombie is left");
    }

    /// Ctrl-Z stops the command and its parsers. A document that was being parsed is parsed when they continue.
    #[test]
    fn time_in_which_this_process_was_stopped_does_not_count() {
        let mut shell = Command::new("sh");
        let answer = r"printf '\001\000\000\000\000\000\000\000x'; sleep 10";
        let script =
            format!("printf greeting; head -c 21 >/dev/null; kill -STOP $PPID; sleep 4; kill -CONT $PPID; {answer}");
        shell.args(["-c", &script]);
        let pool = ParserPool { wait: Duration::from_secs(3), ..ParserPool::new(shell, *b"greeting") };
        let allowance = Allowance { answer: 10, room: 10, memory: 1 << 20 };
        let begun = Instant::now();
        assert_eq!(pool.ask(Task::Code, &[b"text"], allowance, |answer| Ok(answer.to_vec())), Ok(b"x".to_vec()));
        assert!(begun.elapsed() >= Duration::from_secs(4), "it was not stopped");
    }

    /// A fork of this process has the pipes of its processes too. They must not be used by both.
    #[test]
    fn a_process_that_another_process_started_is_neither_used_nor_ended() {
        let mut shell = Command::new("sh");
        shell.args([
            "-c",
            "printf greeting; while head -c 21 >/dev/null; do printf '\\001\\0\\0\\0\\0\\0\\0\\0x'; done",
        ]);
        let pool = ParserPool::new(shell, *b"greeting");
        let ask = || {
            let allowance = Allowance { answer: 10, room: 10, memory: 1 << 20 };
            pool.ask(Task::Code, &[b"text"], allowance, |answer| Ok(answer.to_vec()))
        };
        let ids = || pool.idle().iter().map(|process| process.child.id()).collect::<Vec<_>>();
        assert_eq!(ask(), Ok(b"x".to_vec()));
        let first = ids();
        assert_eq!((ask(), ids()), (Ok(b"x".to_vec()), first.clone()), "it is used again");
        pool.idle()[0].owner += 1;
        assert_eq!(ask(), Ok(b"x".to_vec()));
        assert!(ids().len() == 1 && ids() != first, "another one is started");
        assert!(Path::new(&format!("/proc/{}", first[0])).exists(), "it is not ended");
    }

    #[test]
    fn a_process_that_does_not_read_its_request_is_ended() {
        let (failure, started, _pool) = asked("exec sleep 100", &vec![b'a'; 1 << 20]);
        assert_eq!((failure, started.len()), (Failure::TookTooLong(TimeLimit::Clock), 1));
    }

    #[test]
    fn a_process_that_reaches_its_processor_time_is_not_asked_again() {
        let (failure, started, pool) = asked("ulimit -S -t 1; while :; do :; done", b"text");
        // on a busy machine the clock may be first
        assert!(matches!(failure, Failure::TookTooLong(_)), "{failure:?}");
        assert_eq!(started.len(), 1);
        assert!(pool.processor_time() > Duration::ZERO, "the time of a process that ended counts");
        let (failure, started, _pool) = asked("kill -XCPU $$", b"text");
        assert_eq!((failure, started.len()), (Failure::TookTooLong(TimeLimit::Processor), 1));
    }

    /// The system has room for one process: the others wait until it is idle.
    #[test]
    fn a_process_that_cannot_be_started_waits_for_another() {
        let note = std::env::temp_dir().join(format!("lookalike-first-{}", std::process::id()));
        let mut shell = Command::new("sh");
        let answers = r"while head -c 18 > /dev/null; do sleep 0.1; printf '\001\000\000\000\000\000\000\000x'; done";
        let script = format!("[ -e \"$NOTE\" ] && exit 1; : > \"$NOTE\"; printf greeting; {answers}");
        shell.args(["-c", &script]).env("NOTE", &note);
        let pool = ParserPool { wait: Duration::from_secs(20), ..ParserPool::new(shell, *b"greeting") };
        let allowance = Allowance { answer: 10, room: 10, memory: 1 << 20 };
        let ask = || pool.ask(Task::Code, &[b"t"], allowance, |answer| Ok(answer.to_vec()));
        let answers = thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect::<Vec<_>>()
        });
        fs::remove_file(note).expect("a process was started");
        assert_eq!(answers, vec![Ok(b"x".to_vec()); 4]);
    }

    /// One attempt decides for all requests: nothing depends on the threads.
    #[test]
    fn a_program_that_cannot_be_started_is_tried_once() {
        let pool = ParserPool::new(Command::new("/no/such/program"), *b"greeting");
        let allowance = Allowance { answer: 10, room: 10, memory: 1 << 20 };
        let ask = || pool.ask(Task::Code, &[b"t"], allowance, |_| Ok(())).expect_err("there is no process");
        let begun = Instant::now();
        let Failure::NoParser(NoParser::NotStarted { program, .. }) = ask() else { panic!("it was not started") };
        assert_eq!(program, Path::new("/no/such/program"));
        assert_eq!(ask(), ask());
        assert!(begun.elapsed() < MAX_START, "took {:?}", begun.elapsed());
    }

    #[test]
    fn a_process_that_dies_is_replaced_once() {
        let (failure, started, _pool) = asked("kill -SEGV $$", b"text");
        assert_eq!((failure, started.len()), (Failure::Crashed, 2));
        assert!(started.iter().all(|id| !Path::new(&format!("/proc/{id}")).exists()), "a zombie is left");
    }
}
