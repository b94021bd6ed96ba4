//! What a process does that reads for another: it answers requests until there are no more.

use crate::{Task, frame, limits};
use std::io::{self, Write};

/// Answers the requests of a [`ParserPool`](crate::ParserPool) on standard input and output, until the input ends.
/// `answer` puts its answer to the bytes of a request behind what is in the vector.
pub fn serve(greeting: [u8; 8], mut answer: impl FnMut(Task, &[u8], &mut Vec<u8>) -> io::Result<()>) -> io::Result<()> {
    limits::confine();
    limits::end_with_parent();
    let fault = Fault::from_environment();
    let mut cpu = limits::CpuLimit::new(fault.as_ref().map(|_| 0));
    let (mut input, mut output) = (io::stdin().lock(), output()?);
    let (mut request, mut answered) = (Vec::new(), greeting.to_vec());
    loop {
        output.write_all(&answered)?;
        output.flush()?;
        let Some(task) = frame::read_request(&mut input, &mut request)? else { return Ok(()) };
        cpu.renew();
        if let Some(fault) = &fault {
            fault.strike(&request);
        }
        answered.clear();
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

/// What a test lets happen to a parser, as a grammar with a defect would: `abort` or `hang`, a colon, and the word in a
/// request that does it. Builds for use know none.
struct Fault {
    hangs: bool,
    word: String,
}

impl Fault {
    fn from_environment() -> Option<Self> {
        let asked = if cfg!(debug_assertions) { std::env::var("LOOKALIKE_PARSER_FAULT").ok()? } else { return None };
        let (kind, word) = asked.split_once(':')?;
        Some(Self { hangs: kind == "hang", word: word.to_owned() })
    }

    fn strike(&self, request: &[u8]) {
        if memchr::memmem::find(request, self.word.as_bytes()).is_none() {
            return;
        }
        if self.hangs {
            loop {
                std::hint::spin_loop();
            }
        }
        std::process::abort();
    }
}
