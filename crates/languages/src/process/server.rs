//! What a process does that parses for another: it answers requests until there are no more.

use super::limits;
use super::message::{self, Request};
use crate::Degraded;
use crate::language::Reading;
use crate::tree::TreeReader;
use std::io::{self, Write};

/// Answers the requests of a [`ParserPool`](super::ParserPool) on standard input and output, until the input ends. A
/// program that is to be started as a parser calls this first, and does nothing else.
pub fn serve_parser() -> io::Result<()> {
    limits::confine();
    limits::end_with_parent();
    let fault = Fault::from_environment();
    let mut cpu = limits::CpuLimit::new(fault.as_ref().map(|_| 0));
    let (mut input, mut output) = (io::stdin().lock(), output()?);
    let mut trees = TreeReader::new();
    let mut answer = message::greeting().to_vec();
    loop {
        output.write_all(&answer)?;
        output.flush()?;
        let Some(Request { language, detail, text }) = message::read_request(&mut input)? else { return Ok(()) };
        cpu.renew();
        if let Some(fault) = &fault {
            fault.strike(&text);
        }
        let tokens = match language.reading {
            Reading::Tree(Some(grammar)) => trees.read(grammar, &text, language, detail),
            _ => Err(Degraded::GrammarNotBuiltIn { language: language.title() }),
        };
        message::write_answer(&tokens, &mut answer)?;
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
/// text that does it. Builds for use know none.
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

    fn strike(&self, text: &str) {
        if !text.contains(&self.word) {
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
