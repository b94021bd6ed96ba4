//! Templates that people have marked: the list, one of them, and what a change did.

use crate::clean::clean;
use crate::shares::{BOLD, DIM};
use crate::units::{bytes, commas, count};
use lookalike::chunks::{MarkedTemplate, TemplateList};
use std::io::{self, Write};

/// Characters of a template's text that are shown.
const TEXT: usize = 100;

/// Writes the list; `path` is where it is kept.
pub fn write_template_list(out: &mut dyn Write, list: &TemplateList, path: &str) -> io::Result<()> {
    let templates = count(list.templates.len() as u64, "template");
    let recipe = clean(list.recipe.as_deref().unwrap_or_default());
    writeln!(out, "{BOLD}{templates}{BOLD:#} in {}  {DIM}{recipe}{DIM:#}", clean(path))?;
    if list.templates.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{DIM}{:>9}  {:>9}  {:>9}  template{DIM:#}", "documents", "chunks", "bytes")?;
    for template in &list.templates {
        let [documents, chunks] = [template.documents, template.chunks.len() as u64].map(commas);
        let size = bytes(template.bytes());
        let (name, from) = (clean(&template.name), clean(&template.from));
        writeln!(out, "{documents:>9}  {chunks:>9}  {size:>9}  {name}  {DIM}{from}{DIM:#}")?;
        if let Some(text) = &template.text {
            writeln!(out, "{:>33}{DIM}{}{DIM:#}", "", beginning(text))?;
        }
    }
    Ok(())
}

/// Writes one template, chunk by chunk.
pub fn write_template(out: &mut dyn Write, template: &MarkedTemplate) -> io::Result<()> {
    writeln!(out, "{BOLD}{}{BOLD:#}  {DIM}{}{DIM:#}", clean(&template.name), clean(&template.from))?;
    let documents = count(template.documents, "document");
    writeln!(out, "  {}; {documents} had it when it was marked", holds(template))?;
    if let Some(text) = &template.text {
        writeln!(out, "  begins {}", beginning(text))?;
    }
    writeln!(out, "\n{DIM}{:>9}  chunk{DIM:#}", "bytes")?;
    let rows = template.chunks.iter();
    rows.map(|chunk| (commas(chunk.bytes.into()), clean(&chunk.hash)))
        .try_for_each(|(bytes, hash)| writeln!(out, "{bytes:>9}  {hash}"))
}

/// Says what was marked, and on which list it is.
pub fn write_marked(out: &mut dyn Write, template: &MarkedTemplate, path: &str) -> io::Result<()> {
    let documents = count(template.documents, "document");
    changed(out, "marked", template, path)?;
    writeln!(out, "  {}; in {documents}", holds(template))?;
    match &template.text {
        Some(text) => writeln!(out, "  begins {}", beginning(text)),
        None => Ok(()),
    }
}

/// Says what was taken off a list.
pub fn write_unmarked(out: &mut dyn Write, template: &MarkedTemplate, path: &str) -> io::Result<()> {
    changed(out, "unmarked", template, path)?;
    writeln!(out, "  {} count again", holds(template))
}

fn changed(out: &mut dyn Write, done: &str, template: &MarkedTemplate, path: &str) -> io::Result<()> {
    let (name, from) = (clean(&template.name), clean(&template.from));
    writeln!(out, "{done} {BOLD}{name}{BOLD:#} in {}  {DIM}{from}{DIM:#}", clean(path))
}

/// `17 chunks, 16.2 KB`
fn holds(template: &MarkedTemplate) -> String {
    format!("{}, {}", count(template.chunks.len() as u64, "chunk"), bytes(template.bytes()))
}

/// The first words of a text, on one line.
fn beginning(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(TEXT).collect();
    let dots = if short.len() < line.len() { "…" } else { "" };
    format!("“{}{dots}”", clean(&short))
}
