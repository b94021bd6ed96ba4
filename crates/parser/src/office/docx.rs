//! Word documents: the body, then footnotes and endnotes. Headers, footers, comments and deleted text are left out.

use std::io::BufRead;

use lookalike_extract::ExtractError;

use super::bounded_text::BoundedText;
use super::package::Package;
use super::relations::{self, Relations};
use super::xml::{self, Node};

pub(super) fn read(bytes: &[u8], out: &mut BoundedText) -> Result<(), ExtractError> {
    let mut package = Package::open(bytes, out.format())?;
    let main = relations::main_part(&mut package, "word/document.xml")?;
    paragraphs(package.required_part(&main)?, out)?;
    let relations = Relations::of(&mut package, &main)?;
    for kind in ["footnotes", "endnotes"] {
        if let Some(name) = relations.of_kind(kind)
            && let Some(part) = package.part(name)?
        {
            paragraphs(part, out)?;
        }
    }
    Ok(())
}

/// The paragraphs of a part of Word or `PowerPoint`, which name what matters alike.
pub(super) fn paragraphs(part: impl BufRead, out: &mut BoundedText) -> Result<(), ExtractError> {
    let format = out.format();
    let mut is_text = false;
    // elements around this one whose text does not count
    let mut hidden = 0_usize;
    xml::for_each(part, format, |node| {
        match node {
            Node::Start(element) => match element.name() {
                name if is_hidden(name) => hidden += 1,
                _ if hidden > 0 => {}
                "t" => is_text = true,
                "tab" => out.push("\t")?,
                "br" | "cr" => out.separate(),
                "noBreakHyphen" => out.push("-")?,
                _ => {}
            },
            Node::End(name) if is_hidden(name) => hidden = hidden.saturating_sub(1),
            Node::End("t") => is_text = false,
            Node::End("p") => out.separate(),
            Node::Text(text) if is_text && hidden == 0 => out.push(text)?,
            Node::End(_) | Node::Text(_) => {}
        }
        Ok(())
    })
}

/// Elements without text of their own: copies of other elements for older programs, tab stops, fields that count slides.
fn is_hidden(name: &str) -> bool {
    matches!(name, "Fallback" | "tabs" | "fld")
}
