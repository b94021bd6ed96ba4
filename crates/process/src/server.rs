//! The main loop of a parser process: it answers requests until there are no more.

use crate::pool::{MAX_KEPT, OUT_OF_MEMORY};
use crate::{Task, frame, limits};
use std::io::{self, Write};

/// Answers the requests of a [`ParserPool`](crate::ParserPool) on standard input and output, until the input ends.
/// `answer` appends its answer to the bytes of a request to the vector. Where it runs out of the memory that the request may take, this
/// process ends and says so on standard error, which the pool reads.
pub fn serve(greeting: [u8; 8], mut answer: impl FnMut(Task, &[u8], &mut Vec<u8>) -> io::Result<()>) -> io::Result<()> {
    // standard error is for the end of this process alone
    std::panic::set_hook(Box::new(|_| {}));
    limits::confine();
    limits::end_with_parent();
    let fault = Fault::from_environment();
    let mut cpu = limits::CpuLimit::new(fault.as_ref().map(|_| 0));
    let (mut input, mut output) = (io::stdin().lock(), output()?);
    let (mut request, mut answered) = (Vec::new(), greeting.to_vec());
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
        answer(task, &request, &mut answered)?;
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
pub(crate) struct Fault {
    kind: FaultKind,
    word: String,
}

#[derive(PartialEq, Eq)]
enum FaultKind {
    Abort,
    Hang,
    Stop,
}

impl Fault {
    pub(crate) fn from_environment() -> Option<Self> {
        let asked = if cfg!(debug_assertions) { std::env::var("LOOKALIKE_PARSER_FAULT").ok()? } else { return None };
        let (kind, word) = asked.split_once(':')?;
        let kind = match kind {
            "hang" => FaultKind::Hang,
            "stop" => FaultKind::Stop,
            _ => FaultKind::Abort,
        };
        Some(Self { kind, word: word.to_owned() })
    }

    /// Whether a parser stops, and its time on the clock should be short.
    pub(crate) fn is_stop(&self) -> bool {
        self.kind == FaultKind::Stop
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
