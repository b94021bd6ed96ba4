//! Spreadsheets: each sheet with its name, a line for each row, tabs between cells. Numbers are written as
//! they are stored, formulas as their results.

use std::borrow::Cow;

use lookalike_extract::ExtractError;

use super::bounded_text::BoundedText;
use super::package::Package;
use super::relations::{self, Relations};
use super::xml::{self, Node};

pub(super) fn read(bytes: &[u8], out: &mut BoundedText) -> Result<(), ExtractError> {
    let format = out.format();
    let mut package = Package::open(bytes, format)?;
    let main = relations::main_part(&mut package, "xl/workbook.xml")?;
    let mut sheets = Vec::new();
    xml::for_each(package.required_part(&main)?, format, |node| {
        if let Node::Start(element) = node
            && element.name() == "sheet"
        {
            let name = element.attribute("name").unwrap_or_default().into_owned();
            sheets.extend(element.local_attribute("id").map(Cow::into_owned).map(|id| (name, id)));
        }
        Ok(())
    })?;
    let relations = Relations::of(&mut package, &main)?;
    let strings = match relations.of_kind("sharedStrings") {
        Some(name) => shared_strings(&mut package, name, out)?,
        None => Vec::new(),
    };
    let parts = relations.by_id();
    for (name, id) in &sheets {
        let Some(part) = parts.get(id) else { continue };
        out.separate();
        out.push(name)?;
        out.separate();
        rows(&mut package, part, &strings, out)?;
    }
    Ok(())
}

/// The strings that cells name by number.
fn shared_strings(package: &mut Package<'_>, name: &str, out: &BoundedText) -> Result<Vec<Box<str>>, ExtractError> {
    let (mut strings, mut string, mut bytes) = (Vec::new(), String::new(), 0);
    let (mut is_text, mut is_reading_aid) = (false, false);
    let Some(part) = package.part(name)? else { return Ok(strings) };
    xml::for_each(part, out.format(), |node| {
        match node {
            Node::Start(element) => match element.name() {
                "t" => is_text = true,
                // how the characters before it are pronounced
                "rPh" => is_reading_aid = true,
                _ => {}
            },
            Node::End("t") => is_text = false,
            Node::End("rPh") => is_reading_aid = false,
            Node::End("si") => {
                bytes += string.len() + size_of::<Box<str>>();
                out.admit(bytes)?;
                strings.push(std::mem::take(&mut string).into_boxed_str());
            }
            Node::Text(text) if is_text && !is_reading_aid => {
                out.admit(string.len() + text.len())?;
                string.push_str(text);
            }
            Node::End(_) | Node::Text(_) => {}
        }
        Ok(())
    })?;
    Ok(strings)
}

fn rows(
    package: &mut Package<'_>,
    name: &str,
    strings: &[Box<str>],
    out: &mut BoundedText,
) -> Result<(), ExtractError> {
    let format = package.format();
    let Some(part) = package.part(name)? else { return Ok(()) };
    let (mut is_shared, mut is_value, mut value) = (false, false, String::new());
    xml::for_each(part, format, |node| {
        match node {
            Node::Start(element) => match element.name() {
                "c" => is_shared = element.attribute("t").as_deref() == Some("s"),
                "v" | "t" => is_value = true,
                _ => {}
            },
            Node::Text(text) if is_value => {
                out.admit(value.len() + text.len())?;
                value.push_str(text);
            }
            Node::End("v" | "t") => is_value = false,
            Node::End("c") => {
                let text = match value.trim().parse::<usize>() {
                    Ok(number) if is_shared => strings.get(number).map_or("", |string| string),
                    _ => &value,
                };
                if !text.is_empty() {
                    let is_first = out.as_str().is_empty() || out.as_str().ends_with('\n');
                    out.push(if is_first { "" } else { "\t" })?;
                    out.push(text)?;
                }
                value.clear();
            }
            Node::End("row") => out.separate(),
            Node::End(_) | Node::Text(_) => {}
        }
        Ok(())
    })
}
