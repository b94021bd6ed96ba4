//! Presentations: slides in their order, each followed by its notes.

use lookalike_extract::ExtractError;

use super::bounded_text::BoundedText;
use super::docx::paragraphs;
use super::package::Package;
use super::relations::{self, Relations};
use super::xml::{self, Node};

pub(super) fn read(bytes: &[u8], out: &mut BoundedText) -> Result<(), ExtractError> {
    let format = out.format();
    let mut package = Package::open(bytes, format)?;
    let main = relations::main_part(&mut package, "ppt/presentation.xml")?;
    let mut ids = Vec::new();
    xml::for_each(package.required_part(&main)?, format, |node| {
        if let Node::Start(element) = node
            && element.name() == "sldId"
        {
            ids.extend(element.local_attribute("id").map(std::borrow::Cow::into_owned));
        }
        Ok(())
    })?;
    let parts = Relations::of(&mut package, &main)?.by_id();
    for name in ids.iter().filter_map(|id| parts.get(id)) {
        let Some(slide) = package.part(name)? else { continue };
        paragraphs(slide, out)?;
        let relations = Relations::of(&mut package, name)?;
        if let Some(name) = relations.of_kind("notesSlide")
            && let Some(notes) = package.part(name)?
        {
            paragraphs(notes, out)?;
        }
    }
    Ok(())
}
