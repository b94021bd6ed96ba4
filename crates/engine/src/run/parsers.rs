//! Files that are read in processes of their own: source code, and documents whose readers may crash or take much memory.

use lookalike_extract::{self as extract, ExtractError, Format};
use lookalike_languages::{CodeParser, parser_version};
pub use lookalike_process::end_parsers;
use lookalike_process::{self as process, Allowance, Failure, Permit, Task};
use std::io;
use std::process::Command;
use xxhash_rust::xxh3::xxh3_64;

/// What begins an answer: the text of a document, or why it has none.
const TEXT: u8 = 0;
const REASON: u8 = 1;
/// The version of requests and answers, which both ends of a pipe must know.
const PROTOCOL: u32 = 2;
/// The longest reason that is believed.
const MAX_REASON: u64 = 4096;

/// Formats that are read in another process, in the order of their numbers in requests.
const APART: [Format; 7] =
    [Format::Pdf, Format::Docx, Format::Xlsx, Format::Pptx, Format::Odf, Format::Epub, Format::Email];

/// E-mails of at most this many bytes are read in this process: they hold nothing packed, and their parts take 20 times as much at most.
const SMALL_EMAIL: usize = 64 << 10;

/// Bytes of memory that the reader of a document usually takes: for each byte of it, and beside that. One that takes more is read again
/// alone.
const READER_MEMORY_PER_BYTE: u64 = 12;
const READER_MEMORY: u64 = 12 << 20;
/// Bytes that the reader of an e-mail takes beside what is known of it.
const MAIL_READER_MEMORY: u64 = 4 << 20;

/// The part of the memory of a run that is for documents that are parsed: one half.
const PARSERS_SHARE: u64 = 2;
/// And at least this many bytes, in which small documents are parsed.
const MIN_PARSER_MEMORY: u64 = 24 << 20;
/// Documents that take less to be parsed are not counted.
const UNCOUNTED: u64 = 256 << 10;
/// A text from another process is in memory twice for a moment, beside the document.
const MIN_TEXT_WEIGHT: u64 = 4;

/// From now on this process has files parsed by processes that `command` starts. They must do [`serve_parser`] and
/// nothing else. What is read is the same, but that a file on which a reader crashes costs that file. Only the first call
/// counts.
pub fn parse_apart(command: Command) {
    process::parse_apart(command, greeting());
}

/// Reads for another process until that ends. A program that is to be started as a parser calls this first, and does
/// nothing else.
pub fn serve_parser() -> io::Result<()> {
    let mut code = CodeParser::default();
    process::serve(greeting(), |task, request, out| match task {
        Task::Code => code.answer(request, out),
        Task::Document => {
            let (format, bytes) = request.split_first().ok_or(io::ErrorKind::InvalidData)?;
            let format = APART.get(usize::from(*format)).ok_or(io::ErrorKind::InvalidData)?;
            match extract::office_text(bytes, *format) {
                Ok(text) => {
                    out.push(TEXT);
                    out.extend(text.into_bytes());
                }
                Err(reason) => {
                    out.push(REASON);
                    out.extend(reason.to_string().into_bytes());
                }
            }
            Ok(())
        }
    })
}

fn greeting() -> [u8; 8] {
    xxh3_64(format!("{} {PROTOCOL}", parser_version()).as_bytes()).to_le_bytes()
}

/// Sets the memory of the run: the part of it that documents may take while they are parsed, in this process and in others, is bounded by
/// it. Of several runs in one process the last one counts.
pub fn limit_memory(memory: u64) {
    process::parser_memory().set_limit((memory / PARSERS_SHARE).max(MIN_PARSER_MEMORY));
}

/// The memory of a run, as far as parsers know of it.
fn memory() -> u64 {
    process::parser_memory().limit().saturating_mul(PARSERS_SHARE)
}

/// Waits until there is memory to parse a document in this process, or says how much it takes. What takes little is not counted.
pub fn admit(needed: u64) -> Result<Option<Permit>, String> {
    if needed > memory() {
        return Err(too_much("parse", needed));
    }
    Ok((needed > UNCOUNTED).then(|| process::parser_memory().take(needed)))
}

/// The kind of document that [`admit`] and [`office_text`] refuse: the beginning of their reasons.
pub const TOO_MUCH_MEMORY: &str = "too much memory";

fn too_much(what: &str, needed: u64) -> String {
    format!("{TOO_MUCH_MEMORY}: to {what} takes {} MB or more", needed.div_ceil(1 << 20))
}

/// Bytes of the longest text that a run has room for of an office document of so many bytes, if each byte of text takes `weight` bytes of
/// memory.
pub fn max_text(bytes: u64, weight: u64) -> u64 {
    extract::max_office_text(bytes).min(memory() / weight.max(MIN_TEXT_WEIGHT))
}

/// The text of an office document, or why it has none. It is read in another process, if there are any. Each byte of the text is going to
/// take `weight` bytes of memory.
pub fn office_text(bytes: &[u8], format: Format, weight: u64) -> Result<String, String> {
    let here = || extract::office_text(bytes, format).map_err(|error| error.to_string());
    let number = APART.iter().position(|apart| *apart == format);
    let number = number.filter(|_| format != Format::Email || bytes.len() > SMALL_EMAIL);
    let (Some(number), Some(pool)) = (number, process::chosen()) else { return here() };
    let length = bytes.len() as u64;
    let what = format!("read as {}", format.title());
    let known = extract::office_memory(bytes, format).map(|bytes| bytes + MAIL_READER_MEMORY);
    if let Some(needed) = known.filter(|needed| *needed > process::parser_memory().limit()) {
        return Err(too_much(&what, needed.saturating_mul(PARSERS_SHARE)));
    }
    let usual = length.saturating_mul(READER_MEMORY_PER_BYTE).saturating_add(READER_MEMORY);
    let allowance = Allowance {
        answer: extract::max_office_text(length).max(MAX_REASON) + 1,
        room: max_text(length, weight).max(MAX_REASON) + 1,
        memory: known.unwrap_or(usual),
    };
    match pool.ask(Task::Document, &[&[number as u8], bytes], allowance, read_answer) {
        Some(Ok(answer)) => answer,
        Some(Err(Failure::Crashed)) => Err(ExtractError::Crashed { format }.to_string()),
        Some(Err(Failure::TookTooLong(limit))) => {
            Err(ExtractError::TookTooLong { format, limit: limit.to_string() }.to_string())
        }
        Some(Err(Failure::Memory { needed })) => {
            // it failed early: twice as much is named, so that few attempts lead to what is enough
            Err(too_much(&what, needed.saturating_mul(PARSERS_SHARE).max(2 * memory())))
        }
        Some(Err(Failure::Room { length })) => {
            let needed = length.saturating_mul(weight.max(MIN_TEXT_WEIGHT));
            Err(too_much(&format!("work on its {length} bytes of text"), needed))
        }
        None => here(),
    }
}

fn read_answer(answer: &[u8]) -> io::Result<Result<String, String>> {
    let nonsense = || io::Error::from(io::ErrorKind::InvalidData);
    let (kind, text) = answer.split_first().ok_or_else(nonsense)?;
    let text = String::from_utf8(text.to_vec()).map_err(|_| nonsense())?;
    match *kind {
        TEXT => Ok(Ok(text)),
        REASON => Ok(Err(text)),
        _ => Err(nonsense()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_not_believed() {
        assert_eq!(read_answer(b"\0words").unwrap(), Ok("words".to_owned()));
        assert_eq!(read_answer(b"\x01why").unwrap(), Err("why".to_owned()));
        for nonsense in [&b""[..], b"\x02", b"\0\xFF"] {
            assert!(read_answer(nonsense).is_err());
        }
    }
}
