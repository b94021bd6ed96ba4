//! Notebooks are their code cells.

use super::{names, read};
use crate::Degraded;

const NOTEBOOK: &str = r##"{"cells": [
    {"cell_type": "markdown", "source": ["# Title\n", "words"]},
    {"cell_type": "code", "source": ["%matplotlib inline\n", "x = 1\n", "y = x"], "outputs": [{"data": {"image/png": "AAAA"}}]},
    {"cell_type": "code", "source": "print(x)"}
  ], "metadata": {"kernelspec": {"language": "python", "name": "python3"}}, "nbformat": 4, "nbformat_minor": 5}"##;

#[test]
fn code_cells_are_joined() {
    let code = read("notebook", NOTEBOOK);
    assert_eq!(code.text, "# cell 2\n# %matplotlib inline\nx = 1\ny = x\n# cell 3\nprint(x)\n");
    assert_eq!(code.degraded, read("python", &code.text).degraded);
    assert_eq!(names("python", "x = 1\ny = x\nprint(x)\n"), names("python", &code.text));
    assert_eq!(code.tokens.len(), read("python", &code.text).tokens.len());
}

#[test]
fn the_language_is_that_of_the_metadata() {
    let cells = r#""cells": [{"cell_type": "code", "source": "f <- 1"}]"#;
    let text = |metadata: &str| read("notebook", &format!("{{{cells}, \"metadata\": {metadata}}}")).tokens;
    let plain = |name: &str| {
        let mark = if name == "other" { "//" } else { "#" };
        read(name, &format!("{mark} cell 1\nf <- 1\n")).tokens
    };
    assert_eq!(text(r#"{"language_info": {"name": "R"}}"#), plain("r"));
    assert_eq!(text(r#"{"kernelspec": {"language": "R"}}"#), plain("r"));
    assert_eq!(text(r#"{"kernelspec": {"language": "unheard-of"}}"#), plain("other"));
    assert_eq!(text(r#"{"kernelspec": {"language": "notebook"}}"#), plain("other"));
    assert_eq!(text("{}"), plain("python"));
}

#[test]
fn an_old_notebook_has_worksheets() {
    let old = r#"{"worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1"]}]}], "nbformat": 3}"#;
    assert_eq!(read("notebook", old).text, "# cell 1\nx = 1\n");
}

#[test]
fn what_is_no_notebook_is_read_word_by_word() {
    for text in ["", "x = 1", "[1]", "{\"cells\": 3}", &"[".repeat(100_000)] {
        let code = read("notebook", text);
        assert_eq!(code.text, text);
        assert!(matches!(code.degraded, Some(Degraded::NotANotebook { .. })), "{text:.20}");
    }
    let odd = r#"{"cells": [{"cell_type": "code", "source": 3}, {"cell_type": 1}, {}], "metadata": {"language_info": {"name": {}}}}"#;
    assert_eq!(read("notebook", odd).text, "// cell 1\n");
}
