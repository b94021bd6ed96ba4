//! Files that the parser program reads: source code, PDF, Office documents, books and e-mails.

use lookalike_extract::{self as extract, ExtractError, Format, message};
use lookalike_languages::parser_greeting;
pub use lookalike_process::end_parsers;
use lookalike_process::{self as process, Allowance, Failure, NoParser, Permit, Task};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, io};

/// The environment variable that names the parser program.
const PROGRAM_VARIABLE: &str = "LOOKALIKE_PARSER";

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

/// The parser program: the one that the environment variable `LOOKALIKE_PARSER` names, or else `lookalike-parser` in a folder, which is
/// usually that of the running program. A named file that does not exist is an error.
pub fn find_program(folder: Option<&Path>) -> io::Result<Option<PathBuf>> {
    if let Some(named) = env::var_os(PROGRAM_VARIABLE).filter(|named| !named.is_empty()) {
        let path = std::path::absolute(named)?;
        if path.is_file() {
            return Ok(Some(path));
        }
        let reason =
            format!("{PROGRAM_VARIABLE}: {}: no such file; expected the program {}", path.display(), process::PROGRAM);
        return Err(io::Error::new(io::ErrorKind::NotFound, reason));
    }
    Ok(folder.and_then(program_in))
}

fn program_in(folder: &Path) -> Option<PathBuf> {
    let name = format!("{}{}", process::PROGRAM, env::consts::EXE_SUFFIX);
    // Cargo puts tests and examples into folders below that of the programs
    let is_below = ["deps", "examples"].iter().any(|name| folder.ends_with(name));
    let folders = [Some(folder), folder.parent().filter(|_| is_below)];
    folders.into_iter().flatten().map(|folder| folder.join(&name)).find(|path| path.is_file())
}

/// From now on this process has source code, PDF, Office documents, books and e-mails parsed by a program, `lookalike-parser` of the same
/// build. Without it code is read word by word, and the other documents are skipped. Only the first call counts.
pub fn use_program(program: &Path) {
    let mut command = Command::new(program);
    // a parser needs no secrets
    command.env_remove("LOOKALIKE_KEY");
    process::use_parser(command, parser_greeting());
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

/// Bytes of the longest text that a run has room for of an office document of `bytes` bytes, if each byte of text takes `weight` bytes of
/// memory.
pub fn max_text(bytes: u64, weight: u64) -> u64 {
    extract::max_office_text(bytes).min(memory() / weight.max(MIN_TEXT_WEIGHT))
}

/// The text of an office document, or the reason for which it has none. The parser program reads it. Each byte of the text is going to
/// take `weight` bytes of memory.
pub fn office_text(bytes: &[u8], format: Format, weight: u64) -> Result<String, String> {
    let head = message::request_head(format).ok_or_else(|| ExtractError::NeedsParser { format }.to_string())?;
    let pool = process::chosen().ok_or_else(|| NoParser::NotFound.to_string())?;
    let length = bytes.len() as u64;
    let what = format!("read as {}", format.title());
    let known = extract::office_memory(bytes, format).map(|bytes| bytes + MAIL_READER_MEMORY);
    if let Some(needed) = known.filter(|needed| *needed > process::parser_memory().limit()) {
        return Err(too_much(&what, needed.saturating_mul(PARSERS_SHARE)));
    }
    let usual = length.saturating_mul(READER_MEMORY_PER_BYTE).saturating_add(READER_MEMORY);
    let allowance = Allowance {
        answer: message::max_answer(extract::max_office_text(length)),
        room: message::max_answer(max_text(length, weight)),
        memory: known.unwrap_or(usual),
    };
    match pool.ask(Task::Document, &[&[head], bytes], allowance, message::read_answer) {
        Ok(answer) => answer,
        Err(Failure::NoParser(reason)) => Err(reason.to_string()),
        Err(Failure::Crashed) => Err(ExtractError::Crashed { format }.to_string()),
        Err(Failure::TookTooLong(limit)) => {
            Err(ExtractError::TookTooLong { format, limit: limit.to_string() }.to_string())
        }
        Err(Failure::Memory { needed }) => {
            // it failed early: twice as much is named, so that few attempts lead to what is enough
            Err(too_much(&what, needed.saturating_mul(PARSERS_SHARE).max(2 * memory())))
        }
        Err(Failure::Room { length }) => {
            let needed = length.saturating_mul(weight.max(MIN_TEXT_WEIGHT));
            Err(too_much(&format!("work on its {length} bytes of text"), needed))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_found_beside_programs_and_tests() {
        let target = tempfile::tempdir().unwrap();
        let [deps, examples, other] = ["deps", "examples", "other"].map(|name| target.path().join(name));
        for folder in [&deps, &examples, &other] {
            std::fs::create_dir(folder).unwrap();
        }
        assert_eq!(program_in(target.path()), None);
        let program = target.path().join(format!("lookalike-parser{}", env::consts::EXE_SUFFIX));
        std::fs::write(&program, "").unwrap();
        for folder in [target.path(), &deps, &examples] {
            assert_eq!(program_in(folder).as_ref(), Some(&program));
        }
        assert_eq!(program_in(&other), None);
    }

    #[test]
    fn without_the_program_documents_have_no_text() {
        let reason = office_text(b"%PDF-1.7", Format::Pdf, 1).unwrap_err();
        assert!(reason.starts_with("needs lookalike-parser (not found; build it with `cargo install"), "{reason}");
        assert_eq!(
            office_text(b"text", Format::Text, 1).unwrap_err().split(" (").next(),
            Some("needs lookalike-parser")
        );
    }
}
