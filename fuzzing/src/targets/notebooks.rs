//! Arbitrary bytes as a Jupyter notebook, and notebooks with arbitrary cells.

use crate::check_tokens;
use lookalike_languages::{CodeReader, Language, TokenDetail};
use lookalike_parser::TreeReader;
use serde_json::json;

/// Between two cells.
const BETWEEN: char = '\u{1e}';

pub(crate) fn fuzz(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let notebook = Language::by_name("notebook").expect("a row of the table");
    let mut trees = TreeReader::default();
    let mut reader = CodeReader::with(move |text, language, detail| trees.read(text, language, detail));
    check_tokens(&reader.read(&text, notebook, TokenDetail::default()));

    // the first word is its language, then there are cells: code, text, code in lines, of the old format
    let mut pieces = text.split(BETWEEN);
    let language = pieces.next().unwrap_or_default();
    let cells: Vec<_> = pieces.collect();
    let cell = |(number, source): (usize, &&str)| match number % 3 {
        0 => json!({ "cell_type": "code", "source": source }),
        1 => json!({ "cell_type": "markdown", "source": source }),
        _ => json!({ "cell_type": "code", "source": source.split_inclusive('\n').collect::<Vec<_>>() }),
    };
    let made: Vec<_> = cells.iter().enumerate().map(cell).collect();
    let metadata = json!({ "language_info": { "name": language } });
    let new = json!({ "metadata": metadata, "cells": made }).to_string();
    let old = json!({ "metadata": metadata, "worksheets": [{ "cells": made }] }).to_string();
    let [new, old] = [&new, &old].map(|text| reader.read(text, notebook, TokenDetail::default()));
    check_tokens(&new);
    assert_eq!((&new.text, &new.tokens, &new.degraded), (&old.text, &old.tokens, &old.degraded));
    // every line of code is there, in order
    let mut rest: &str = &new.text;
    for (_, source) in cells.iter().enumerate().filter(|(number, _)| number % 3 != 1) {
        for line in source.lines() {
            let at = rest.find(line).expect("a line of a cell");
            rest = &rest[at + line.len()..];
        }
    }
}
