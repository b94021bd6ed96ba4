//! Results of a part as files: a page to read, numbers to compute with.

use crate::bars::{Bar, bars};
use crate::facts;
use crate::table::table;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

/// All that a part found out.
pub(crate) struct Page {
    /// The verb and its part, as on the command line; after a hyphen, which of its results. A verb without parts has no name.
    pub(crate) verb: &'static str,
    pub(crate) name: &'static str,
    pub(crate) facts: Vec<(String, String)>,
    pub(crate) bars: Vec<Bar>,
    /// Markdown.
    pub(crate) sections: Vec<String>,
    pub(crate) numbers: Value,
    pub(crate) commands: Vec<String>,
}

impl Page {
    fn text(&self) -> String {
        let facts: Vec<Vec<String>> =
            self.facts.iter().map(|(name, value)| vec![name.clone(), value.clone()]).collect();
        let Self { verb, name, .. } = self;
        let part = name.split('-').next().unwrap_or(name);
        let made =
            format!("Made by `{}`.", format!("cargo run --profile dist -p lookalike-eval -- {verb} {part}").trim());
        let name = if name.is_empty() { String::new() } else { format!(": {name}") };
        let title = format!("# {}{}{name}, {}", verb[..1].to_uppercase(), &verb[1..], facts::today());
        let mut parts = vec![title, made, table(&["with", ""], &facts)];
        if !self.bars.is_empty() {
            parts.push(bars(&self.bars));
        }
        parts.extend(self.sections.iter().cloned());
        if !self.commands.is_empty() {
            parts.push(format!("## Commands\n\n```\n{}\n```", self.commands.join("\n")));
        }
        let parts = parts.iter().map(|part| part.trim_end()).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("\n\n") + "\n"
    }

    /// The name of a file of this part.
    pub(crate) fn file(&self, form: &str) -> String {
        let name = if self.name.is_empty() { String::new() } else { format!("-{}", self.name) };
        format!("{}-{}{name}.{form}", facts::today(), self.verb)
    }

    fn json(&self) -> Value {
        json!({ "date": facts::today(), "facts": self.facts, "bars": self.bars, "results": self.numbers, "commands": self.commands })
    }

    /// Writes both into the folder, if there is one, and one of them to standard output.
    pub(crate) fn tell(&self, folder: Option<&Path>, as_json: bool) -> Result<()> {
        let json = format!("{:#}\n", self.json());
        if let Some(folder) = folder {
            fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
            for (form, text) in [("md", &self.text()), ("json", &json)] {
                let path = folder.join(self.file(form));
                fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
            }
        }
        let text = if as_json { json } else { self.text() };
        stdout().lock().write_all(text.as_bytes()).context("cannot write to stdout")
    }
}

/// Where results go: the folder told, else `eval/results`, and nowhere if it was only a try.
pub(crate) fn folder(told: Option<PathBuf>, quick: bool) -> Option<PathBuf> {
    told.or_else(|| (!quick).then(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("results")))
}
