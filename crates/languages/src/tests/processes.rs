//! Requests to parser processes, and their answers, which are believed only if they make sense.

use crate::message;
use crate::{Degraded, Language, Token, TokenDetail, languages};
use proptest::prelude::*;
use std::io::Cursor;

fn any_token() -> impl Strategy<Value = Token> {
    (1..u32::MAX, 0..8u32, 1..4u32).prop_map(|(id, start, length)| Token { id, start, end: start + length })
}

proptest! {
    #[test]
    fn requests_come_back(text in "\\PC{0,40}", row in 0..languages().len(), bits in any::<[bool; 3]>()) {
        let [identifiers, literals, comments] = bits;
        let (language, detail) = (&languages()[row], TokenDetail { identifiers, literals, comments });
        let mut bytes = Vec::new();
        message::write_request(&text, language, detail, &mut bytes);
        let mut input = Cursor::new(bytes);
        let request = message::read_request(&mut input).unwrap();
        prop_assert_eq!((request.language.name(), request.detail, request.text), (language.name(), detail, text));
        prop_assert!(message::read_request(&mut input).is_err());
    }

    /// Tokens come back if they lie in the text, and not otherwise.
    #[test]
    fn answers_come_back(tokens in prop::collection::vec(any_token(), 0..6), text in "[aé中]{0,4}") {
        let mut bytes = Vec::new();
        message::write_answer(&Ok(tokens.clone()), &mut bytes).unwrap();
        let read = message::read_answer(&mut Cursor::new(&bytes), &text, Language::other());
        let in_order = tokens.is_sorted_by_key(|token| token.start);
        let inside = tokens.iter().all(|token| text.get(token.start as usize..token.end as usize).is_some());
        prop_assert_eq!(read.ok(), (in_order && inside && tokens.len() <= 4 * text.len()).then_some(Ok(tokens)));
        prop_assert!(message::read_answer(&mut Cursor::new(&bytes[..bytes.len() - 1]), &text, Language::other()).is_err());
    }

    #[test]
    fn any_bytes_are_an_answer_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..60), text in "[aé]{0,9}") {
        if let Ok(Ok(tokens)) = message::read_answer(&mut Cursor::new(bytes), &text, Language::other()) {
            prop_assert!(tokens.iter().all(|token| text.get(token.start as usize..token.end as usize).is_some()));
        }
    }
}

#[test]
fn reasons_come_back() {
    let language = Language::other().title();
    let reasons = [
        Degraded::GrammarVersion { language },
        Degraded::TooTangled { language },
        Degraded::Unparsed { percent: 57, language },
    ];
    for reason in reasons {
        let mut bytes = Vec::new();
        message::write_answer(&Err(reason.clone()), &mut bytes).unwrap();
        let read = message::read_answer(&mut Cursor::new(bytes), "text", Language::other());
        assert_eq!(read.unwrap(), Err(reason));
    }
    assert!(message::write_answer(&Err(Degraded::UnclosedComment), &mut Vec::new()).is_err());
}

/// Shells stand for parsers that are wrong.
#[cfg(unix)]
mod shells {
    use super::super::samples;
    use crate::{CodeReader, Degraded, Language, TokenDetail};
    use lookalike_process::{NoParser, ParserPool};
    use std::process::Command;

    /// A shell that greets as a parser does, and then does something else.
    fn impostor(then: &str) -> ParserPool {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("printf greeting; {then}")]);
        ParserPool::new(shell, *b"greeting")
    }

    /// Samples of languages whose files are always parsed.
    fn parsed() -> impl Iterator<Item = &'static (&'static Language, String)> {
        samples().iter().filter(|(language, _)| language.leaf_rules.is_none()).take(3)
    }

    fn degraded(pool: ParserPool) -> Vec<Option<Degraded>> {
        let mut reader = CodeReader::with_pool(pool.into());
        let read = |(language, text): &(&'static Language, String)| {
            reader.read(text, language, TokenDetail::default()).degraded
        };
        parsed().map(read).collect()
    }

    #[test]
    fn who_dies_or_talks_nonsense_crashed() {
        let crashed: Vec<Option<Degraded>> =
            parsed().map(|(language, _)| Some(Degraded::Crashed { language: language.title() })).collect();
        let wrong = [
            "exit",
            "head -c 1 > /dev/null; kill -SEGV $$",
            "printf nonsense; cat > /dev/null",
            // a token behind the end of the text
            r"printf '\021\000\000\000\000\000\000\000\000\001\000\000\000\001\000\000\000\001\000\000\000\377\377\000\000'; cat > /dev/null",
        ];
        for then in wrong {
            assert_eq!(degraded(impostor(then)), crashed, "{then}");
        }
    }

    /// Files are read word by word, and the reason says what is wrong with the program.
    #[test]
    fn a_program_that_is_no_parser_is_named() {
        let mut other = Command::new("sh");
        other.args(["-c", "printf 'a greeting of another build'"]);
        let commands = [
            (Command::new("/no/such/program"), "(/no/such/program cannot be started: "),
            (Command::new("false"), "(false cannot be started: it ends without a greeting)"),
            (other, "(sh is of another build; build it with `cargo install --path crates/parser`"),
        ];
        for (command, part) in commands {
            let found = degraded(ParserPool::new(command, *b"greeting"));
            assert_eq!(found.len(), 3);
            for reason in found {
                let Some(Degraded::NoParser(reason)) = reason else { panic!("{reason:?}") };
                assert_ne!(reason, NoParser::NotFound);
                let text = reason.to_string();
                assert!(text.starts_with("needs lookalike-parser ") && text.contains(part), "{text}");
            }
        }
    }
}
