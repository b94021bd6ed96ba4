//! `OpenDocument` texts, spreadsheets and presentations: what paragraphs and headings hold. Comments and tracked changes
//! are left out.

use lookalike_extract::ExtractError;

use super::bounded_text::BoundedText;
use super::package::Package;
use super::xml::{self, Node};

pub(super) fn read(bytes: &[u8], out: &mut BoundedText) -> Result<(), ExtractError> {
    let format = out.format();
    let mut package = Package::open(bytes, format)?;
    if let Some(manifest) = package.part("META-INF/manifest.xml")? {
        xml::for_each(manifest, format, |node| match node {
            Node::Start(element) if element.name() == "encryption-data" => Err(ExtractError::Encrypted { format }),
            _ => Ok(()),
        })?;
    }
    let content = package.required_part("content.xml")?;
    // paragraphs around this place, and elements whose text does not count
    let (mut paragraphs, mut hidden) = (0_usize, 0_usize);
    xml::for_each(content, format, |node| {
        match node {
            Node::Start(element) => match element.name() {
                name if is_hidden(name) => hidden += 1,
                _ if hidden > 0 => {}
                "p" | "h" => paragraphs += 1,
                "tab" => out.push("\t")?,
                "line-break" => out.separate(),
                // more than one space in a row
                "s" => out.push(" ")?,
                _ => {}
            },
            Node::End(name) if is_hidden(name) => hidden = hidden.saturating_sub(1),
            Node::End(_) if hidden > 0 => {}
            Node::End("p" | "h") => {
                paragraphs = paragraphs.saturating_sub(1);
                out.separate();
            }
            Node::Text(text) if paragraphs > 0 && hidden == 0 => out.push(text)?,
            Node::End(_) | Node::Text(_) => {}
        }
        Ok(())
    })
}

fn is_hidden(name: &str) -> bool {
    matches!(name, "annotation" | "tracked-changes" | "note-citation")
}
