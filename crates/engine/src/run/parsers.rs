//! Strangers' files that are read in processes of their own: source code, and documents whose readers may crash.

use lookalike_extract::{self as extract, ExtractError, Format};
use lookalike_languages::{CodeParser, parser_version};
use lookalike_process::{self as process, Task};
use std::io;
use std::process::Command;
use xxhash_rust::xxh3::xxh3_64;

/// What begins an answer: the text of a document, or why it has none.
const TEXT: u8 = 0;
const REASON: u8 = 1;
/// The longest reason that is believed.
const MAX_REASON: u64 = 4096;

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
            match extract::office_text(request, Format::Pdf) {
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
    xxh3_64(parser_version().as_bytes()).to_le_bytes()
}

/// The text of an office document, or why it has none. PDF is read in another process, if there are any: it is the one
/// format that is a program.
pub fn office_text(bytes: &[u8], format: Format) -> Result<String, String> {
    let here = || extract::office_text(bytes, format).map_err(|error| error.to_string());
    if format != Format::Pdf {
        return here();
    }
    let most = extract::max_office_text(bytes.len() as u64).max(MAX_REASON) + 1;
    let apart = process::chosen().and_then(|pool| pool.ask(Task::Document, &[bytes], most, read_answer));
    match apart {
        Some(Ok(answer)) => answer,
        Some(Err(process::Crashed)) => Err(ExtractError::Crashed { format }.to_string()),
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
