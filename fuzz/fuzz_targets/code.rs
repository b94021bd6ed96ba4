//! Arbitrary text read as source code. The first two bytes choose the language and which details count.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_languages::{CodeReader, TokenDetail, languages};

fuzz_target!(|input: &[u8]| {
    let [language, keep, bytes @ ..] = input else { return };
    let language = &languages()[usize::from(*language) % languages().len()];
    let detail = TokenDetail { identifiers: keep & 1 != 0, literals: keep & 2 != 0, comments: keep & 4 != 0 };
    let text = String::from_utf8_lossy(bytes);
    let code = CodeReader::new().read(&text, language, detail);
    let mut last = 0;
    for token in &code.tokens {
        assert!(last <= token.start && token.id != 0);
        assert!(code.text.get(token.start as usize..token.end as usize).is_some_and(|text| !text.is_empty()));
        last = token.start;
    }
});
