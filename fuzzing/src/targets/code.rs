//! Arbitrary text read as source code. The first byte chooses the language, unless `FUZZ_LANGUAGE` names one; the second
//! which details count, and how often the text stands there: grammars fail on what is long or deep.

use crate::check_tokens;
use lookalike_languages::{CodeReader, Language, TokenDetail, languages};
use lookalike_parser::TreeReader;
use std::sync::LazyLock;

/// Bytes of the longest text that is made by saying a short one again.
const MAX_REPEATED: usize = 100_000;

static ONLY: LazyLock<Option<&Language>> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_LANGUAGE").ok().filter(|name| !name.is_empty())?;
    Some(Language::by_name(&name).expect("FUZZ_LANGUAGE is a language of the table"))
});

pub(crate) fn fuzz(input: &[u8]) {
    let [language, choice, bytes @ ..] = input else { return };
    let language = ONLY.unwrap_or(&languages()[usize::from(*language) % languages().len()]);
    let detail = TokenDetail { identifiers: choice & 1 != 0, literals: choice & 2 != 0, comments: choice & 4 != 0 };
    let text = String::from_utf8_lossy(bytes);
    let times = [1, 1, 2, 16, 256, 4096, 10_000, 50_000][usize::from(choice >> 3) % 8];
    let text = text.repeat(times.min(MAX_REPEATED / text.len().max(1)).max(1));
    let mut trees = TreeReader::default();
    let mut reader = CodeReader::with(move |text, language, detail| trees.read(text, language, detail));
    check_tokens(&reader.read(&text, language, detail));
}
