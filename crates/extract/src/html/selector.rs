//! CSS selectors, as far as one element tells: its name, id, classes and attributes. Selectors that look at other elements are refused.

use super::attributes::Attributes;
use super::boilerplate::tokens;
use super::tags::{Name, pack_any};
use crate::error::ExtractError;
use std::fmt;
use std::str::FromStr;

/// Some selectors with commas between; an element is selected if one of them fits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selectors {
    any: Vec<Compound>,
    text: String,
}

/// What one element must be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Compound {
    name: Option<Name>,
    conditions: Vec<Condition>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Condition {
    Id(String),
    Class(String),
    /// An attribute, and its value if that is asked for.
    Attribute(String, Option<String>),
}

impl Selectors {
    /// No selector.
    pub const NONE: Self = Self { any: Vec::new(), text: String::new() };

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.any.is_empty()
    }

    /// Whether one of them fits an element.
    pub(super) fn fit(&self, name: Name, attributes: &Attributes<'_>) -> bool {
        self.any.iter().any(|compound| compound.fits(name, attributes))
    }
}

impl Compound {
    fn fits(&self, name: Name, attributes: &Attributes<'_>) -> bool {
        self.name.is_none_or(|wanted| wanted == name) && self.conditions.iter().all(|one| one.holds(attributes))
    }
}

impl Condition {
    fn holds(&self, attributes: &Attributes<'_>) -> bool {
        let value = |name: &str| attributes.get(name);
        match self {
            Self::Id(id) => value("id") == Some(id.as_bytes()),
            Self::Class(class) => {
                value("class").is_some_and(|classes| tokens(classes).any(|one| one == class.as_bytes()))
            }
            Self::Attribute(name, None) => value(name).is_some(),
            Self::Attribute(name, Some(wanted)) => value(name) == Some(wanted.as_bytes()),
        }
    }
}

impl fmt::Display for Selectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Selectors {
    type Err = ExtractError;

    fn from_str(text: &str) -> Result<Self, ExtractError> {
        let wrong = || ExtractError::Selector { found: text.to_owned() };
        let any: Vec<Compound> =
            text.split(',').map(|one| compound(one.trim())).collect::<Option<_>>().ok_or_else(wrong)?;
        let trimmed: Vec<&str> = text.split(',').map(str::trim).collect();
        Ok(Self { any, text: trimmed.join(",") })
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || !byte.is_ascii()
}

/// The name at the beginning of a text, and the rest; none if there is no name.
fn name(text: &str) -> Option<(&str, &str)> {
    let end = text.bytes().position(|byte| !is_name(byte)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

fn compound(text: &str) -> Option<Compound> {
    let mut found = Compound::default();
    let mut rest = text;
    if let Some((element, after)) = name(rest) {
        found.name = Some(pack_any(element)?);
        rest = after;
    } else if let Some(after) = rest.strip_prefix('*') {
        rest = after;
    }
    while let Some(kind) = rest.chars().next() {
        let after = &rest[kind.len_utf8()..];
        let (condition, after) = match kind {
            '#' => name(after).map(|(id, after)| (Condition::Id(id.to_owned()), after))?,
            '.' => name(after).map(|(class, after)| (Condition::Class(class.to_owned()), after))?,
            '[' => attribute(after)?,
            _ => return None,
        };
        found.conditions.push(condition);
        rest = after;
    }
    (!text.is_empty()).then_some(found)
}

/// `name]` or `name=value]`, the value in quotes or not.
fn attribute(text: &str) -> Option<(Condition, &str)> {
    let (attribute, rest) = name(text)?;
    if let Some(rest) = rest.strip_prefix(']') {
        return Some((Condition::Attribute(attribute.to_owned(), None), rest));
    }
    let rest = rest.strip_prefix('=')?;
    let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\''));
    let (value, rest) = match quote {
        Some(quote) => rest[1..].split_once(quote)?,
        None => name(rest)?,
    };
    // what parts the recipe has must not be in it
    let is_plain = !value.contains(['|', ':']);
    Some((Condition::Attribute(attribute.to_owned(), Some(value.to_owned())), rest.strip_prefix(']')?))
        .filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::super::tags::pack;
    use super::*;

    fn fits(selectors: &str, element: &str, attributes: &str) -> bool {
        let selectors: Selectors = selectors.parse().unwrap();
        selectors.fit(pack(element), &Attributes::new(format!("{attributes}>").as_bytes(), 0))
    }

    #[test]
    fn one_element() {
        assert!(fits("div", "div", "") && !fits("div", "p", ""));
        assert!(fits("#main", "div", "id=main") && !fits("#main", "div", "id=mains"));
        assert!(fits(".a.b", "p", "class='x b a'") && !fits(".a.b", "p", "class='x b'"));
        assert!(fits("div.a, main", "main", "") && fits("*", "x", ""));
        assert!(fits("[role]", "p", "role") && fits("[role=main]", "p", "ROLE=main"));
        assert!(fits("p[data-x='a b']", "p", "data-x='a b'") && !fits("p[data-x=\"a b\"]", "p", "data-x=a"));
    }

    #[test]
    fn what_looks_at_other_elements_is_refused() {
        for wrong in [
            "",
            "a b",
            "a > b",
            "a,",
            ":first-child",
            "a::before",
            "[x^=y]",
            "[a='x|y']",
            ".",
            "a.very-long-element-name-that-nobody-has b",
        ] {
            assert!(wrong.parse::<Selectors>().is_err(), "{wrong}");
        }
        assert_eq!("a , .b".parse::<Selectors>().unwrap().to_string(), "a,.b");
    }
}
