//! Jupyter notebooks: the code cells, one after the other.

use super::language::Reading;
use super::{Degraded, Language};
use serde::Deserialize;
use serde::de::IgnoredAny;

/// What of a notebook matters; outputs and the like are gone over without being kept.
#[derive(Deserialize)]
struct Notebook {
    #[serde(default)]
    metadata: Metadata,
    #[serde(default)]
    cells: Vec<Cell>,
    /// Where the third version of the format has its cells.
    #[serde(default)]
    worksheets: Vec<Worksheet>,
}

#[derive(Deserialize)]
struct Worksheet {
    #[serde(default)]
    cells: Vec<Cell>,
}

#[derive(Default, Deserialize)]
struct Metadata {
    kernelspec: Option<Named>,
    language_info: Option<Named>,
}

#[derive(Deserialize)]
struct Named {
    language: Option<Field>,
    name: Option<Field>,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(rename = "cell_type")]
    kind: Option<Field>,
    source: Option<Field>,
    input: Option<Field>,
}

/// A text in one piece or in lines. Notebooks are hostile: whatever else stands there is no text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Field {
    Text(String),
    Lines(Vec<String>),
    Other(IgnoredAny),
}

impl Field {
    fn text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Lines(lines) => lines.concat(),
            Self::Other(_) => String::new(),
        }
    }
}

/// The code cells joined, each behind a line that says which cell it is, and their language; or why there are none.
pub(super) fn code(text: &str) -> Result<(String, &'static Language), Degraded> {
    let notebook: Notebook =
        serde_json::from_str(text).map_err(|error| Degraded::NotANotebook { reason: error.to_string() })?;
    let language = language(notebook.metadata);
    let mark = language.line_comments.first().unwrap_or(&"#");
    let mut code = String::new();
    let cells = notebook.cells.into_iter().chain(notebook.worksheets.into_iter().flat_map(|sheet| sheet.cells));
    for (number, cell) in (1..).zip(cells) {
        if cell.kind.is_none_or(|kind| kind.text() != "code") {
            continue;
        }
        code.extend([mark, " cell ", &number.to_string(), "\n"]);
        let source = cell.source.or(cell.input).map(Field::text).unwrap_or_default();
        for line in source.lines() {
            // commands to the notebook, which no grammar knows
            if line.starts_with(['%', '!']) {
                code.push_str(mark);
                code.push(' ');
            }
            code.push_str(line);
            code.push('\n');
        }
    }
    Ok((code, language))
}

/// The language that a notebook says it is in; Python, as most are, if it says none.
fn language(metadata: Metadata) -> &'static Language {
    let info = metadata.language_info.and_then(|info| info.name);
    let name = info.or(metadata.kernelspec.and_then(|kernel| kernel.language.or(kernel.name)));
    let name = name.map_or_else(|| "python".to_owned(), Field::text);
    let known = Language::by_name(&name).filter(|language| !matches!(language.reading, Reading::Notebook));
    known.unwrap_or(Language::other())
}
