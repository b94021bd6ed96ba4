//! Templates that people have marked: the list, one of them, and what a change did.

use super::show::Show;
use crate::clean::clean;
use crate::hints;
use crate::style::{BOLD, DIM};
use crate::units::{bytes, commas, count};
use crate::words::quoted;
use lookalike::templates::{MarkedTemplate, TemplateList};
use serde::Serialize;
use std::io::{self, Write};

impl Show for TemplateList {
    /// Writes the list with colours: a line or two for each template.
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let templates = count(self.templates.len() as u64, "template");
        let recipe = self.recipe.as_deref().unwrap_or_default();
        writeln!(out, "{BOLD}{templates}{BOLD:#}  {DIM}{}{DIM:#}", clean(recipe))?;
        if self.templates.is_empty() {
            return writeln!(
                out,
                "\n  mark what the documents of a cluster share: {}",
                hints::mark_template("N", None)
            );
        }
        writeln!(out, "\n{DIM}{:>11}  {:>7}  {:>11}  name{DIM:#}", "documents", "chunks", "bytes")?;
        for template in &self.templates {
            let [documents, chunks] = [template.documents, template.chunks.len() as u64].map(commas);
            let (size, name, from) = (bytes(template.bytes()), clean(&template.name), clean(&template.from));
            writeln!(out, "{documents:>11}  {chunks:>7}  {size:>11}  {BOLD}{name}{BOLD:#}  {DIM}{from}{DIM:#}")?;
            if let Some(text) = &template.text {
                writeln!(out, "{:35}{DIM}{}{DIM:#}", "", quoted(text))?;
            }
        }
        Ok(())
    }
}

impl Show for MarkedTemplate {
    /// Writes one template with colours: where it comes from, how it begins, and its chunks.
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{BOLD}{}{BOLD:#}  {DIM}{}{DIM:#}\n", clean(&self.name), holds(self))?;
        writeln!(out, "  from        {}", clean(&self.from))?;
        writeln!(out, "  documents   {}  {DIM}shared it when it was marked{DIM:#}", commas(self.documents))?;
        if let Some(text) = &self.text {
            writeln!(out, "  begins      {}", quoted(text))?;
        }
        writeln!(out, "\n{DIM}{:>11}  chunk{DIM:#}", "bytes")?;
        for chunk in &self.chunks {
            writeln!(out, "{:>11}  {}", commas(u64::from(chunk.bytes)), clean(&chunk.hash))?;
        }
        Ok(())
    }
}

/// What a change of a list of templates did.
#[derive(Serialize)]
pub struct TemplateChange<'a> {
    /// The list.
    #[serde(skip)]
    pub list: &'a str,
    /// Whether the template was put on the list, or taken off.
    #[serde(skip)]
    pub marked: bool,
    /// The template.
    #[serde(flatten)]
    pub template: &'a MarkedTemplate,
}

impl Show for TemplateChange<'_> {
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { list, marked, template } = self;
        let (name, from) = (clean(&template.name), clean(&template.from));
        let done = if *marked { "marked" } else { "unmarked" };
        writeln!(out, "{done} {BOLD}{name}{BOLD:#} in {}  {DIM}{from}{DIM:#}", clean(list))?;
        if !marked {
            return writeln!(out, "  {} count again", holds(template));
        }
        writeln!(out, "  {}; in {}", holds(template), count(template.documents, "document"))?;
        template.text.as_deref().map_or(Ok(()), |text| writeln!(out, "  begins {}", quoted(text)))
    }
}

/// `17 chunks, 16.2 KB`
fn holds(template: &MarkedTemplate) -> String {
    format!("{}, {}", count(template.chunks.len() as u64, "chunk"), bytes(template.bytes()))
}
