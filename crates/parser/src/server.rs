//! The main loop of the program: it answers requests until its input ends.

use crate::code::CodeParser;
use crate::{limits, office};
use lookalike_extract::message as documents;
use lookalike_languages::parser_greeting;
use lookalike_process::limits::{FAULT, MAX_KEPT, OUT_OF_MEMORY};
use lookalike_process::{Task, frame};
use std::io::{self, Write};

/// Appends the answer to a request.
fn answer(task: Task, request: &[u8], code: &mut CodeParser, out: &mut Vec<u8>) -> io::Result<()> {
    match task {
        Task::Code => code.answer(request, out),
        Task::Document => {
            let (format, bytes) = documents::read_request(request)?;
            documents::write_answer(office::text(bytes, format), out);
            Ok(())
        }
    }
}

/// Answers the requests of a [`ParserPool`](lookalike_process::ParserPool) on standard input and output, until the input ends. Where a
/// request takes more memory than it may, this process ends and reports that on standard error, which the pool reads.
pub fn serve() -> io::Result<()> {
    // standard error is for the end of this process alone
    std::panic::set_hook(Box::new(|_| {}));
    limits::confine();
    limits::end_with_parent();
    let fault = Fault::from_environment();
    let mut code = CodeParser::default();
    let mut cpu = limits::CpuLimit::new(fault.as_ref().map(|_| 0));
    let (mut input, mut output) = (io::stdin().lock(), output()?);
    let (mut request, mut answered) = (Vec::new(), parser_greeting().to_vec());
    let memory = limits::MemoryLimit::new();
    loop {
        output.write_all(&answered)?;
        output.flush()?;
        // a large request or answer is no reason to keep as much
        answered.clear();
        answered.shrink_to(MAX_KEPT);
        request.clear();
        request.shrink_to(MAX_KEPT);
        let read = frame::read_request(&mut input, &mut request, |bytes| memory.set(bytes));
        if let Err(error) = &read
            && error.kind() == io::ErrorKind::OutOfMemory
        {
            let _ = writeln!(io::stderr(), "{OUT_OF_MEMORY} 0 bytes failed");
        }
        let Some(task) = read? else { return Ok(()) };
        cpu.renew();
        if let Some(fault) = &fault {
            fault.strike(&request);
        }
        answered.resize(frame::ANSWER_HEAD, 0);
        answer(task, &request, &mut code, &mut answered)?;
        let length = (answered.len() - frame::ANSWER_HEAD) as u64;
        answered[..frame::ANSWER_HEAD].copy_from_slice(&length.to_le_bytes());
    }
}

/// Standard output without the buffer of the library, which cuts what is written at the last line end: an answer would
/// wake its reader twice.
#[cfg(unix)]
fn output() -> io::Result<impl Write> {
    use std::os::fd::AsFd as _;
    Ok(std::fs::File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

#[cfg(not(unix))]
fn output() -> io::Result<impl Write> {
    Ok(io::stdout())
}

/// A fault that a test asks for, as a grammar with a defect or another program would cause it: `abort`, `hang` or `stop`, a colon, and
/// the word in a request that triggers it. Release builds have none.
struct Fault {
    kind: FaultKind,
    word: String,
}

enum FaultKind {
    Abort,
    Hang,
    Stop,
}

impl Fault {
    fn from_environment() -> Option<Self> {
        let fault = if cfg!(debug_assertions) { std::env::var(FAULT).ok()? } else { return None };
        let (kind, word) = fault.split_once(':')?;
        let kind = match kind {
            "hang" => FaultKind::Hang,
            "stop" => FaultKind::Stop,
            _ => FaultKind::Abort,
        };
        Some(Self { kind, word: word.to_owned() })
    }

    fn strike(&self, request: &[u8]) {
        if memchr::memmem::find(request, self.word.as_bytes()).is_none() {
            return;
        }
        match self.kind {
            FaultKind::Abort => std::process::abort(),
            FaultKind::Hang => loop {
                std::hint::spin_loop();
            },
            FaultKind::Stop => limits::stop(),
        }
    }
}
