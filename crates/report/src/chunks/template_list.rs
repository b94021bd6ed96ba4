//! Templates that people have marked: the list, one of them, and what a change did.

use super::quoted;
use crate::clean::clean;
use crate::shares::{BOLD, DIM};
use crate::units::{bytes, commas, count};
use lookalike::chunks::{MarkedTemplate, TemplateList};
use std::io::{self, Write};

/// Writes the list with colours: a line or two for each template.
pub fn write_template_list(out: &mut dyn Write, list: &TemplateList) -> io::Result<()> {
    let templates = count(list.templates.len() as u64, "template");
    let recipe = list.recipe.as_deref().unwrap_or_default();
    writeln!(out, "{BOLD}{templates}{BOLD:#}  {DIM}{}{DIM:#}", clean(recipe))?;
    if list.templates.is_empty() {
        return writeln!(
            out,
            "\n  mark what the documents of a cluster share: lookalike templates mark RUN --cluster N"
        );
    }
    writeln!(out, "\n{DIM}{:>11}  {:>7}  {:>11}  name{DIM:#}", "documents", "chunks", "bytes")?;
    for template in &list.templates {
        let [documents, chunks] = [template.documents, template.chunks.len() as u64].map(commas);
        let (size, name, from) = (bytes(template.bytes()), clean(&template.name), clean(&template.from));
        writeln!(out, "{documents:>11}  {chunks:>7}  {size:>11}  {BOLD}{name}{BOLD:#}  {DIM}{from}{DIM:#}")?;
        if let Some(text) = &template.text {
            writeln!(out, "{:35}{DIM}{}{DIM:#}", "", quoted(text))?;
        }
    }
    Ok(())
}

/// Writes one template with colours: where it comes from, how it begins, and its chunks.
pub fn write_template(out: &mut dyn Write, template: &MarkedTemplate) -> io::Result<()> {
    writeln!(out, "{BOLD}{}{BOLD:#}  {DIM}{}{DIM:#}\n", clean(&template.name), holds(template))?;
    writeln!(out, "  from        {}", clean(&template.from))?;
    writeln!(out, "  documents   {}  {DIM}shared it when it was marked{DIM:#}", commas(template.documents))?;
    if let Some(text) = &template.text {
        writeln!(out, "  begins      {}", quoted(text))?;
    }
    writeln!(out, "\n{DIM}{:>11}  chunk{DIM:#}", "bytes")?;
    for chunk in &template.chunks {
        writeln!(out, "{:>11}  {}", commas(u64::from(chunk.bytes)), clean(&chunk.hash))?;
    }
    Ok(())
}

/// Says what was marked, and on which list it is.
pub fn write_marked(out: &mut dyn Write, template: &MarkedTemplate, list: &str) -> io::Result<()> {
    changed(out, "marked", template, list)?;
    writeln!(out, "  {}; in {}", holds(template), count(template.documents, "document"))?;
    template.text.as_deref().map_or(Ok(()), |text| writeln!(out, "  begins {}", quoted(text)))
}

/// Says what was taken off a list.
pub fn write_unmarked(out: &mut dyn Write, template: &MarkedTemplate, list: &str) -> io::Result<()> {
    changed(out, "unmarked", template, list)?;
    writeln!(out, "  {} count again", holds(template))
}

fn changed(out: &mut dyn Write, done: &str, template: &MarkedTemplate, list: &str) -> io::Result<()> {
    let (name, from) = (clean(&template.name), clean(&template.from));
    writeln!(out, "{done} {BOLD}{name}{BOLD:#} in {}  {DIM}{from}{DIM:#}", clean(list))
}

/// `17 chunks, 16.2 KB`
fn holds(template: &MarkedTemplate) -> String {
    format!("{}, {}", count(template.chunks.len() as u64, "chunk"), bytes(template.bytes()))
}
