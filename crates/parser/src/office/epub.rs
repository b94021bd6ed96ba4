//! Books: the chapters in the order of their spine, each read as a page.

use std::collections::BTreeMap;
use std::io::Read;

use lookalike_extract::{ExtractError, Format, PageRules};
use memchr::memmem;

use super::bounded_text::BoundedText;
use super::damaged;
use super::package::Package;
use super::relations::resolve;
use super::xml::{self, Node};

pub(super) fn read(bytes: &[u8], out: &mut BoundedText) -> Result<(), ExtractError> {
    let format = out.format();
    let mut package = Package::open(bytes, format)?;
    let mut root = None;
    xml::for_each(package.required_part("META-INF/container.xml")?, format, |node| {
        if let Node::Start(element) = node
            && element.name() == "rootfile"
            && root.is_none()
        {
            root = element.attribute("full-path").map(std::borrow::Cow::into_owned);
        }
        Ok(())
    })?;
    let root = root.ok_or_else(|| damaged(format, &"it names no list of its parts"))?;
    let (mut names, mut spine) = (BTreeMap::new(), Vec::new());
    xml::for_each(package.required_part(&root)?, format, |node| {
        if let Node::Start(element) = node {
            let text = |name| element.attribute(name).unwrap_or_default().into_owned();
            match element.name() {
                "item" if text("media-type").contains("html") => drop(names.insert(text("id"), text("href"))),
                "itemref" => spine.push(text("idref")),
                _ => {}
            }
        }
        Ok(())
    })?;
    let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
    // a reader of a book does not see the titles of its files
    let body = PageRules { select: "body".parse()?, ..PageRules::WHOLE };
    let (mut page, mut scratch) = (Vec::new(), String::new());
    for href in spine.iter().filter_map(|id| names.get(id)) {
        let Some(mut chapter) = package.part(&resolve(folder, &unescape(href)))? else { continue };
        page.clear();
        chapter.read_to_end(&mut page).map_err(|error| damaged(format, &error))?;
        drop(chapter);
        out.separate();
        // pieces of pages have no body
        let rules = if memmem::find(&page, b"<body").is_some() { &body } else { &PageRules::WHOLE };
        out.push(lookalike_extract::visible_text(&page, Some(Format::Html), rules, &mut scratch)?)?;
        out.separate();
    }
    Ok(())
}

/// Undoes `%20` and the like, as names of parts are not escaped.
fn unescape(href: &str) -> String {
    let mut bytes = Vec::with_capacity(href.len());
    let mut rest = href.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = match (first, after) {
            (b'%', [high, low, ..]) => char::from(*high).to_digit(16).zip(char::from(*low).to_digit(16)),
            _ => None,
        };
        bytes.push(escaped.map_or(*first, |(high, low)| (high << 4 | low) as u8));
        rest = &after[if escaped.is_some() { 2 } else { 0 }..];
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
