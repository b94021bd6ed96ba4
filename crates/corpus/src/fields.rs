//! Taking the id and the content out of a JSON object while it is parsed, and building nothing else.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::Options;
use crate::features::{FeatureList, Kind, kind};
use crate::unescape::unescape;

/// The id, not yet looked at, and the content, as far as the object has them.
pub(crate) type Found<'a> = (Option<&'a RawValue>, Option<Value<'a>>);

/// What the content field holds.
pub(crate) enum Value<'a> {
    Text(Cow<'a, str>),
    Features(FeatureList<'a>),
    /// Something else; says what.
    Other(&'static str),
}

/// Takes the two fields out of an object.
pub(crate) struct Fields<'o>(pub(crate) &'o Options);

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = Found<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut id, mut body) = (None, None);
        while let Some(key) = map.next_key_seed(Key(self.0))? {
            match key {
                Field::Body if self.0.features_field.is_some() => {
                    body = Some(Value::Features(map.next_value()?));
                }
                Field::Body => body = Some(map.next_value()?),
                Field::Id => id = Some(map.next_value()?),
                Field::Other => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok((id, body))
    }
}

enum Field {
    Id,
    Body,
    Other,
}

/// Recognises a key without keeping it.
struct Key<'o>(&'o Options);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Field;

    fn deserialize<D: Deserializer<'de>>(self, key: D) -> Result<Field, D::Error> {
        key.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Field;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Field, E> {
        Ok(if key == self.0.body_field() {
            Field::Body
        } else if key == self.0.id_field {
            Field::Id
        } else {
            Field::Other
        })
    }
}

impl<'de> Deserialize<'de> for Value<'de> {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(value)?.get();
        match kind(raw) {
            Kind::String => {
                let text = unescape(raw).ok_or_else(|| D::Error::custom("lone surrogate in an escape"))?;
                Ok(Value::Text(text))
            }
            Kind::Number => Ok(Value::Other("a number")),
            Kind::Array => Ok(Value::Other("an array")),
            Kind::Other(found) => Ok(Value::Other(found)),
        }
    }
}
