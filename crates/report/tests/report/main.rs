//! Reports and answers, as people and programs see them.

mod clusters;
#[path = "../fixtures/mod.rs"]
mod fixtures;
mod history;
mod passages;
mod sarif;
mod schema;
#[path = "../fixtures/submissions.rs"]
mod submissions;

use lookalike::Lens;
use lookalike_report::{Form, Show, Source, write_answer};
use std::io::{self, Write};

/// What is written, without colours.
fn text(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    let mut plain = String::new();
    for (at, part) in out.split('\x1b').enumerate() {
        plain.push_str(if at == 0 { part } else { part.split_once('m').unwrap().1 });
    }
    plain
}

/// A report in one of its forms.
fn rendered(form: &str, source: &Source<'_>) -> String {
    text(|out| Form::named(form).unwrap().renderer.render(source, out))
}

/// An answer as text.
fn shown(answer: &impl Show) -> String {
    text(|out| write_answer(out, answer, false))
}

/// An answer as JSON.
fn json(answer: &impl Show) -> String {
    text(|out| write_answer(out, answer, true))
}

#[test]
fn every_form_is_written_or_refused() {
    let (clusters, passages) = (fixtures::chunks(), submissions::cohort());
    for form in lookalike_report::FORMS.iter().filter(|form| form.name != "html") {
        for (lens, source) in [(Lens::Chunks, Source::new(&clusters)), (Lens::Passages, Source::new(&passages))] {
            let mut out = Vec::new();
            let written = form.renderer.render(&source, &mut out);
            if form.lenses.contains(&lens) {
                assert!(written.is_ok() && !out.is_empty(), "{} of {lens}", form.name);
            } else {
                assert_eq!(written.unwrap_err().kind(), io::ErrorKind::Unsupported, "{} of {lens}", form.name);
            }
        }
    }
    assert!(Form::named("nothing").is_none());
}
