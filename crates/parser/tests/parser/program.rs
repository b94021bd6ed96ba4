//! Documents are parsed by the program, as `lookalike` has it done.

use crate::samples::{docx, email, pdf};
use lookalike_extract::{Format, message};
use lookalike_languages::{CodeReader, Language, TokenDetail, languages, parser_greeting};
use lookalike_parser::{TreeReader, office_text};
use lookalike_process::{Allowance, ParserPool, Task};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, LazyLock};

const PROGRAM: &str = env!("CARGO_BIN_EXE_lookalike-parser");

/// Processes that all tests of this process share.
static POOL: LazyLock<Arc<ParserPool>> =
    LazyLock::new(|| Arc::new(ParserPool::new(Command::new(PROGRAM), parser_greeting())));

fn language(name: &str) -> &'static Language {
    Language::by_name(name).expect("a row of the table")
}

/// The program gives the tokens of the trees, whatever was read before.
#[test]
fn programs_are_read_as_in_this_process() {
    let mut trees = TreeReader::default();
    let mut here = CodeReader::with(move |text, language, detail| trees.read(text, language, detail));
    let mut apart = CodeReader::with_pool(Arc::clone(&POOL));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../languages/samples");
    let all = TokenDetail { identifiers: true, literals: true, comments: true };
    let mut parsed = 0;
    for language in languages().iter().filter(|language| language.has_grammar()) {
        let sample = fs::read_to_string(folder.join(language.name()).with_extension("txt")).expect("a sample");
        for text in [sample.as_str(), &sample[..sample.floor_char_boundary(sample.len() / 2)], "}}} no code (("] {
            for detail in [TokenDetail::default(), all] {
                let [here, apart] = [&mut here, &mut apart].map(|reader| reader.read(text, language, detail));
                assert_eq!((&here.tokens, &here.degraded), (&apart.tokens, &apart.degraded), "{}", language.name());
                parsed += usize::from(here.degraded.is_none());
            }
        }
    }
    assert!(parsed > 60, "{parsed} texts were parsed");
}

#[test]
fn documents_are_read_as_in_this_process() {
    let allowance = Allowance { answer: 1 << 20, room: 1 << 20, memory: 64 << 20 };
    for bytes in [pdf(&["Some words"]), docx(&["Some words"]), email("Subject", &["words"]).into_bytes()] {
        let format = Format::sniff(&bytes);
        let head = [message::request_head(format).expect("an office format")];
        for bytes in [&bytes[..], &bytes[..bytes.len() / 2]] {
            let answer = POOL.ask(Task::Document, &[&head, bytes], allowance, message::read_answer).expect("an answer");
            assert_eq!(answer, office_text(bytes, format).map_err(|reason| reason.to_string()), "{format}");
        }
    }
}

/// Started by hand it explains itself, and parses nothing.
#[test]
fn with_arguments_it_says_what_it_is_for() {
    let output = Command::new(PROGRAM).arg("--help").output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("parses programs and documents for lookalike"));
    assert!(output.stdout.is_empty());
}

#[test]
fn a_program_of_another_build_is_not_used() {
    let pool = ParserPool::new(Command::new(PROGRAM), *b"another!");
    let code = CodeReader::with_pool(Arc::new(pool)).read("x = 1\n", language("lua"), TokenDetail::default());
    let reason = code.degraded.expect("a reason").to_string();
    assert!(reason.starts_with("needs lookalike-parser (") && reason.contains("is of another build"), "{reason}");
    assert_eq!(code.tokens.len(), 3, "it is read word by word");
}
