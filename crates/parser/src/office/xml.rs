//! XML as a stream of events. Names have no prefix: the writer chooses prefixes, and the names that matter here mean the
//! same in all vocabularies of a document.

use std::borrow::Cow;
use std::io::BufRead;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use lookalike_extract::{ExtractError, Format};

use super::damaged;

/// The next item of a part.
pub(super) enum Node<'a> {
    /// An element begins; one without content begins and ends.
    Start(&'a Element<'a>),
    /// An element ends.
    End(&'a str),
    /// Text, with its references resolved.
    Text(&'a str),
}

/// The start tag of an element.
pub(super) struct Element<'a>(BytesStart<'a>);

impl Element<'_> {
    /// Its name, without prefix.
    pub(super) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// An attribute by its name, with its prefix if it has one.
    pub(super) fn attribute(&self, name: &str) -> Option<Cow<'_, str>> {
        let attribute = self.0.attributes().with_checks(false).flatten().find(|attribute| attribute.key.0 == name)?;
        attribute.normalized_value(XmlVersion::Implicit1_0).ok()
    }

    /// The value of the attribute whose name without prefix this is.
    pub(super) fn local_attribute(&self, name: &str) -> Option<Cow<'_, str>> {
        let is_named = |key: &str| key.rsplit(':').next() == Some(name) && key != name;
        let attribute = self.0.attributes().with_checks(false).flatten().find(|attribute| is_named(attribute.key.0))?;
        attribute.normalized_value(XmlVersion::Implicit1_0).ok()
    }
}

/// Calls `each` with everything in a part, in order.
pub(super) fn for_each(
    part: impl BufRead,
    format: Format,
    mut each: impl FnMut(Node<'_>) -> Result<(), ExtractError>,
) -> Result<(), ExtractError> {
    let mut reader = Reader::from_reader(part);
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(|error| damaged(format, &error))? {
            Event::Start(tag) => each(Node::Start(&Element(tag)))?,
            Event::Empty(tag) => {
                let element = Element(tag);
                each(Node::Start(&element))?;
                each(Node::End(element.name()))?;
            }
            Event::End(tag) => each(Node::End(tag.local_name().into_inner()))?,
            Event::Text(text) => each(Node::Text(&text.xml10_content()))?,
            Event::CData(text) => each(Node::Text(&text.xml10_content()))?,
            Event::GeneralRef(reference) => {
                let character = reference.resolve_char_ref().ok().flatten();
                match (character, quick_xml::escape::resolve_xml_entity(&reference)) {
                    (Some(character), _) => each(Node::Text(character.encode_utf8(&mut [0; 4])))?,
                    (None, Some(text)) => each(Node::Text(text))?,
                    // entities of the document's own are not expanded
                    (None, None) => each(Node::Text("\u{FFFD}"))?,
                }
            }
            Event::Eof => return Ok(()),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}
