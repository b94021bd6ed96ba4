//! Taking the id and the content out of a JSON object while it is parsed, and building nothing else.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::features::{FeatureList, JsonKind, kind};
use crate::options::Options;
use crate::unescape::unescape;

/// What the object has of what is asked for.
#[derive(Default)]
pub(crate) struct LineFields<'a> {
    /// The id, not yet looked at.
    pub(crate) id: Option<&'a RawValue>,
    /// The content.
    pub(crate) body: Option<Value<'a>>,
    /// The category, not yet looked at.
    pub(crate) category: Option<&'a RawValue>,
    /// The rank, not yet looked at.
    pub(crate) rank: Option<&'a RawValue>,
}

impl<'a> LineFields<'a> {
    /// Adds what was found inside a field.
    fn merge(&mut self, inner: Self) {
        self.id = inner.id.or(self.id);
        self.category = inner.category.or(self.category);
        self.rank = inner.rank.or(self.rank);
        if inner.body.is_some() {
            self.body = inner.body;
        }
    }

    /// Takes a value that is not the content.
    pub(crate) fn take(&mut self, roles: Roles, value: &'a RawValue) {
        for (has_role, field) in
            [(roles.id, &mut self.id), (roles.category, &mut self.category), (roles.rank, &mut self.rank)]
        {
            if has_role {
                *field = Some(value);
            }
        }
    }
}

/// What the content field holds.
pub(crate) enum Value<'a> {
    Text(Cow<'a, str>),
    Features(FeatureList<'a>),
    /// Something else; says what.
    Other(&'static str),
}

/// Takes the fields that are asked for out of an object.
pub(crate) struct FieldsVisitor<'o> {
    options: &'o Options,
    /// The path of the object: that of the field it stands in, with a dot behind; empty for the line.
    path: &'o str,
}

impl<'o> FieldsVisitor<'o> {
    pub(crate) fn new(options: &'o Options) -> Self {
        Self { options, path: "" }
    }
}

impl<'de> Visitor<'de> for FieldsVisitor<'_> {
    type Value = LineFields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = LineFields::default();
        while let Some((key, path)) = map.next_key_seed(KeySeed(&self))? {
            match key {
                Field::Body if self.options.features_field.is_some() => {
                    found.body = Some(Value::Features(map.next_value()?));
                }
                Field::Body => found.body = Some(map.next_value()?),
                Field::Asked(roles) => found.take(roles, map.next_value()?),
                Field::Parent => {
                    let value: &RawValue = map.next_value()?;
                    if value.get().starts_with('{') {
                        let visitor = FieldsVisitor { options: self.options, path: &path };
                        let inner = serde_json::Deserializer::from_str(value.get()).deserialize_map(visitor);
                        found.merge(inner.map_err(A::Error::custom)?);
                    }
                }
                Field::Other => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(found)
    }
}

/// What a key stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Body,
    /// Another that is asked for.
    Asked(Roles),
    /// One that is asked for may be inside it.
    Parent,
    Other,
}

impl Field {
    pub(crate) fn of(key: &str, options: &Options) -> Self {
        let is = |field: &Option<String>| field.as_deref() == Some(key);
        let roles =
            Roles { id: key == options.id_field, category: is(&options.category_field), rank: is(&options.rank_field) };
        if key == options.body_field() {
            Self::Body
        } else if roles != Roles::default() {
            Self::Asked(roles)
        } else if options.is_parent(key) {
            Self::Parent
        } else {
            Self::Other
        }
    }
}

/// What a field is asked for; one may be asked for twice.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Roles {
    id: bool,
    category: bool,
    rank: bool,
}

/// Recognises a key; keeps it only where fields inside it are asked for.
struct KeySeed<'a, 'o>(&'a FieldsVisitor<'o>);

impl<'de> DeserializeSeed<'de> for KeySeed<'_, '_> {
    type Value = (Field, String);

    fn deserialize<D: Deserializer<'de>>(self, key: D) -> Result<Self::Value, D::Error> {
        key.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_, '_> {
    type Value = (Field, String);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        let FieldsVisitor { options, path } = self.0;
        let key = if path.is_empty() { Cow::Borrowed(key) } else { Cow::Owned(format!("{path}{key}")) };
        let field = Field::of(&key, options);
        Ok((field, if field == Field::Parent { format!("{key}.") } else { String::new() }))
    }
}

/// So many fields are named, each by so many characters.
const MAX_NAMES: usize = 12;
const MAX_NAME_CHARS: usize = 40;

/// The fields of a line in words, for a message.
pub(crate) fn field_names(line: &[u8]) -> String {
    in_words(&names_of_line(line), "no fields")
}

/// The fields of a line; those inside a field with its name in front.
pub(crate) fn names_of_line(line: &[u8]) -> Vec<String> {
    let Ok(fields) = serde_json::from_slice::<BTreeMap<String, &RawValue>>(line) else { return Vec::new() };
    let mut names = Vec::new();
    for (name, value) in fields {
        match serde_json::from_str::<BTreeMap<String, &RawValue>>(value.get()) {
            Ok(inner) if !inner.is_empty() => names.extend(inner.keys().map(|key| format!("{name}.{key}"))),
            _ => names.push(name),
        }
    }
    names
}

/// Some names in words, for a message; `none` if there are none.
pub(crate) fn in_words(names: &[String], none: &str) -> String {
    let shown: Vec<String> = names
        .iter()
        .take(MAX_NAMES)
        .map(|name| match name.char_indices().nth(MAX_NAME_CHARS) {
            Some((end, _)) => format!("{:?}…", &name[..end]),
            None => format!("{name:?}"),
        })
        .collect();
    match names.len().saturating_sub(MAX_NAMES) {
        _ if names.is_empty() => none.into(),
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

impl<'de> Deserialize<'de> for Value<'de> {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(value)?.get();
        match kind(raw) {
            JsonKind::String => {
                let text = unescape(raw).ok_or_else(|| D::Error::custom("lone surrogate in an escape"))?;
                Ok(Value::Text(text))
            }
            JsonKind::Number => Ok(Value::Other("a number")),
            JsonKind::Array => Ok(Value::Other("an array")),
            JsonKind::Other(found) => Ok(Value::Other(found)),
        }
    }
}
