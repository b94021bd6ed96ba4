//! The fields that the caller named, and whether the first records of the inputs have them.

use std::collections::BTreeMap;

use lookalike_core::edit_distance::edit_distance;
use serde_json::value::RawValue;

use crate::fields::{in_words, names_of_line};
use crate::lines::Block;
use crate::missing_field::{FieldRole, MissingField};
use crate::options::Options;

/// Records of each shard that are looked at.
pub(crate) const FIRST_RECORDS: usize = 100;
/// Names of fields that hold the text, or the id, in corpora that are well known; suggested where no name is spelt like the one asked for.
const TEXT_FIELDS: [&str; 8] =
    ["text", "content", "contents", "body", "raw_content", "raw_text", "document", "article"];
const ID_FIELDS: [&str; 7] = ["id", "doc_id", "document_id", "uuid", "url", "_id", "key"];
/// The field of web archives by which a dedup ranks records, whether or not other formats have it.
const WARC_DATE: &str = "WARC-Date";

/// The fields that were asked for by name.
pub(crate) struct AskedFields(Vec<(FieldRole, String)>);

impl AskedFields {
    /// The fields with other names than the usual ones; of the text also the usual one, if `with_usual_text` is set.
    pub(crate) fn of(options: &Options, with_usual_text: bool) -> Self {
        let usual = Options::default();
        let mut asked = Vec::new();
        let mut ask = |role, field: &Option<String>| asked.extend(field.clone().map(|field| (role, field)));
        if options.features_field.is_some() {
            ask(FieldRole::Features, &options.features_field);
        } else if with_usual_text || options.text_field != usual.text_field {
            ask(FieldRole::Text, &Some(options.text_field.clone()));
        }
        if options.id_field != usual.id_field {
            ask(FieldRole::Id, &Some(options.id_field.clone()));
        }
        ask(FieldRole::Category, &options.category_field);
        ask(FieldRole::Rank, &options.rank_field.clone().filter(|field| field != WARC_DATE));
        Self(asked)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (FieldRole, &str)> {
        self.0.iter().map(|(role, field)| (*role, field.as_str()))
    }
}

/// The fields of the first records of one shard.
#[derive(Default)]
pub(crate) struct FoundFields {
    /// In the order in which they were found.
    names: Vec<String>,
    /// The names that were asked for and found, also those deep inside other fields.
    has: Vec<String>,
}

impl FoundFields {
    /// Of a shard whose schema says which fields all records have.
    pub(crate) fn of_schema(names: Vec<String>, asked: &AskedFields, has: impl Fn(&str) -> bool) -> Self {
        let has = asked.iter().filter(|(_, field)| has(field)).map(|(_, field)| field.to_owned()).collect();
        Self { names, has }
    }

    /// Adds a line of JSON; what is no object is left out.
    pub(crate) fn add_line(&mut self, line: &[u8], asked: &AskedFields) {
        let Ok(object) = serde_json::from_slice::<BTreeMap<String, &RawValue>>(line) else { return };
        self.add(names_of_line(line), asked.iter().filter(|(_, field)| has_field(&object, field)));
    }

    /// Adds a record with some named fields, whose names are the same in upper and lower case.
    pub(crate) fn add_named<'a>(&mut self, names: impl Iterator<Item = &'a str>, asked: &AskedFields) {
        let names: Vec<String> = names.map(str::to_owned).collect();
        let has = |(role, field): &(FieldRole, &str)| {
            // The content of a web archive is behind the fields.
            *role == FieldRole::Text || names.iter().any(|name| name.eq_ignore_ascii_case(field))
        };
        let has: Vec<(FieldRole, &str)> = asked.iter().filter(has).collect();
        self.add(names.clone(), has.into_iter());
    }

    fn add<'a>(&mut self, names: Vec<String>, has: impl Iterator<Item = (FieldRole, &'a str)>) {
        for name in names {
            if !self.names.contains(&name) {
                self.names.push(name);
            }
        }
        for (_, field) in has {
            if !self.has(field) {
                self.has.push(field.to_owned());
            }
        }
    }

    /// Whether any record has fields.
    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Whether a field has this name, asked for or not.
    pub(crate) fn has_name(&self, name: &str) -> bool {
        self.names.iter().any(|other| other == name)
    }

    fn has(&self, field: &str) -> bool {
        self.has.iter().any(|name| name == field)
    }

    /// The first of the fields that this shard, called so, does not have.
    pub(crate) fn missing(&self, path: &str, role: FieldRole, field: &str) -> Option<MissingField> {
        (!self.is_empty() && !self.has(field)).then(|| MissingField {
            role,
            field: field.to_owned(),
            path: path.to_owned(),
            more: 0,
            found: in_words(&self.names, "no fields"),
            suggestion: suggestion(role, field, &self.names),
        })
    }
}

/// The first of the fields asked for that none of the first lines of a stream has.
pub(crate) fn missing_in_lines(block: &Block, options: &Options) -> Option<MissingField> {
    let asked = AskedFields::of(options, false);
    if asked.is_empty() {
        return None;
    }
    let mut found = FoundFields::default();
    block.lines().take(FIRST_RECORDS).for_each(|line| found.add_line(line.bytes, &asked));
    asked.iter().find_map(|(role, field)| found.missing("-", role, field))
}

/// Whether an object has a field; `a.b` is the field `b` of the object `a`, or a field that is called so.
fn has_field(object: &BTreeMap<String, &RawValue>, field: &str) -> bool {
    object.contains_key(field)
        || object.iter().any(|(name, value)| {
            let rest = field.strip_prefix(name.as_str()).and_then(|rest| rest.strip_prefix('.'));
            rest.is_some_and(|rest| serde_json::from_str(value.get()).is_ok_and(|inner| has_field(&inner, rest)))
        })
}

/// The name that is spelt most like the one that was asked for; or one that other corpora use for the same.
fn suggestion(role: FieldRole, field: &str, names: &[String]) -> Option<String> {
    if let Some(name) = closest(field, names.iter().map(String::as_str)) {
        return Some(name.to_owned());
    }
    let usual: &[&str] = match role {
        FieldRole::Text | FieldRole::Benchmark => &TEXT_FIELDS,
        FieldRole::Id => &ID_FIELDS,
        FieldRole::Features | FieldRole::Category | FieldRole::Rank => &[],
    };
    usual.iter().find(|usual| names.iter().any(|name| name == **usual)).map(|usual| (*usual).to_owned())
}

/// The name that differs the least from one that was given, in upper or lower case, if it is more alike than different. Names that end alike
/// count as near too: `score` is probably `meta.score`.
pub fn closest<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = |text: &str| text.to_lowercase().chars().collect::<Vec<char>>();
    let end = |name: &str| name.rsplit(['.', '/']).next().map_or_else(Vec::new, letters);
    let (whole, last) = (letters(given), end(given));
    let distance = |name: &str| edit_distance(&whole, &letters(name)).min(1 + edit_distance(&last, &end(name)));
    let near = names.into_iter().map(|name| (distance(name), name));
    let near = near.filter(|(distance, _)| *distance <= (whole.len() / 2).max(1));
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_probably_meant() {
        let names = ["id", "content", "meta.score", "lang"].map(str::to_owned);
        for (role, field, expected) in [
            (FieldRole::Rank, "meta.scor", Some("meta.score")),
            (FieldRole::Rank, "score", Some("meta.score")),
            (FieldRole::Rank, "quality", None),
            (FieldRole::Text, "text", Some("content")),
            (FieldRole::Text, "Contents", Some("content")),
            (FieldRole::Category, "language", Some("lang")),
            (FieldRole::Category, "source", None),
            (FieldRole::Id, "url", Some("id")),
        ] {
            assert_eq!(suggestion(role, field, &names).as_deref(), expected, "{field}");
        }
    }

    #[test]
    fn fields_of_lines_are_found_at_any_depth() {
        let options = Options {
            text_field: "a.b.c".into(),
            id_field: "x.y".into(),
            category_field: Some("a.z".into()),
            rank_field: Some(WARC_DATE.into()),
            ..Options::default()
        };
        let asked = AskedFields::of(&options, false);
        let mut found = FoundFields::default();
        found.add_line(b"no json", &asked);
        assert!(found.is_empty() && found.missing("f", FieldRole::Category, "a.z").is_none());
        found.add_line(br#"{"a": {"b": {"c": null}}, "x.y": 1}"#, &asked);
        let missing: Vec<_> = asked.iter().filter_map(|(role, field)| found.missing("f", role, field)).collect();
        assert_eq!(missing.len(), 1);
        assert_eq!(
            missing[0].to_string(),
            r#"f: none of the first records has the field "a.z" for the category or source; found "a.b", "x.y" (did you mean "a.b"?)"#
        );
    }
}
