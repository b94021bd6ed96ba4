//! Taking the id and the content out of a JSON object while it is parsed, and building nothing else.

use std::borrow::Cow;
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
}

impl<'a> LineFields<'a> {
    /// Takes a value that is not the content, if it is asked for; one field may be both.
    pub(crate) fn take(&mut self, field: Field, value: &'a RawValue) {
        if matches!(field, Field::Id { .. }) {
            self.id = Some(value);
        }
        if matches!(field, Field::Category | Field::Id { category: true }) {
            self.category = Some(value);
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
pub(crate) struct FieldsVisitor<'o>(pub(crate) &'o Options);

impl<'de> Visitor<'de> for FieldsVisitor<'_> {
    type Value = LineFields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = LineFields::default();
        while let Some(key) = map.next_key_seed(KeySeed(self.0))? {
            match key {
                Field::Body if self.0.features_field.is_some() => {
                    found.body = Some(Value::Features(map.next_value()?));
                }
                Field::Body => found.body = Some(map.next_value()?),
                Field::Id { .. } | Field::Category => found.take(key, map.next_value()?),
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
    Id {
        /// The same field tells the category.
        category: bool,
    },
    Body,
    Category,
    Other,
}

impl Field {
    pub(crate) fn of(key: &str, options: &Options) -> Self {
        let category = options.category_field.as_deref() == Some(key);
        if key == options.body_field() {
            Self::Body
        } else if key == options.id_field {
            Self::Id { category }
        } else if category {
            Self::Category
        } else {
            Self::Other
        }
    }
}

/// Recognises a key without keeping it.
struct KeySeed<'o>(&'o Options);

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = Field;

    fn deserialize<D: Deserializer<'de>>(self, key: D) -> Result<Field, D::Error> {
        key.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_> {
    type Value = Field;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Field, E> {
        Ok(Field::of(key, self.0))
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
