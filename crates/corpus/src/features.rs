//! Ready-made features: a JSON array of strings and numbers.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::unescape::unescape;

/// What the features field holds.
pub(crate) enum FeatureList<'a> {
    /// Only strings and numbers, in the form that [`crate::Body::Features`] documents.
    All(Vec<Cow<'a, str>>),
    /// An array with something else in it.
    Wrong {
        /// Which element, from 1.
        position: usize,
        found: &'static str,
    },
    /// No array at all; says what.
    NoArray(&'static str),
}

impl<'de> Deserialize<'de> for FeatureList<'de> {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        // Taken raw first: the spelling of numbers counts, and what an element is can be seen from its first byte.
        let raw = <&RawValue>::deserialize(value)?.get();
        match kind(raw) {
            JsonKind::Array => {}
            JsonKind::Number => return Ok(FeatureList::NoArray("a number")),
            JsonKind::String => return Ok(FeatureList::NoArray("a string")),
            JsonKind::Other(found) => return Ok(FeatureList::NoArray(found)),
        }
        let list = serde_json::Deserializer::from_str(raw).deserialize_seq(ElementsVisitor);
        list.map_err(D::Error::custom)
    }
}

/// Takes the elements one by one, each as it is spelled.
struct ElementsVisitor;

impl<'de> Visitor<'de> for ElementsVisitor {
    type Value = FeatureList<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let (mut features, mut wrong) = (Vec::new(), None);
        for position in 1.. {
            let Some(raw) = seq.next_element::<&RawValue>()? else {
                break;
            };
            match feature(raw.get()) {
                Ok(feature) if wrong.is_none() => features.push(feature),
                Err(found) if wrong.is_none() => {
                    wrong = Some(FeatureList::Wrong { position, found });
                }
                // The rest still has to be passed over.
                _ => {}
            }
        }
        Ok(wrong.unwrap_or(FeatureList::All(features)))
    }
}

pub(crate) enum JsonKind {
    String,
    Number,
    Array,
    Other(&'static str),
}

/// What a well-formed JSON value is.
pub(crate) fn kind(raw: &str) -> JsonKind {
    match raw.as_bytes().first() {
        Some(b'"') => JsonKind::String,
        Some(b'-' | b'0'..=b'9') => JsonKind::Number,
        Some(b'[') => JsonKind::Array,
        Some(b'{') => JsonKind::Other("an object"),
        Some(b'n') => JsonKind::Other("null"),
        _ => JsonKind::Other("true or false"),
    }
}

/// A number as it stands; a string between quotes, decoded, as it stands too if nothing in it is escaped.
fn feature(raw: &str) -> Result<Cow<'_, str>, &'static str> {
    match kind(raw) {
        JsonKind::Number => Ok(Cow::Borrowed(raw)),
        JsonKind::String => match unescape(raw) {
            Some(Cow::Borrowed(_)) => Ok(Cow::Borrowed(raw)),
            Some(Cow::Owned(decoded)) => Ok(Cow::Owned(format!("\"{decoded}\""))),
            None => Err("a string with a broken escape"),
        },
        JsonKind::Array => Err("an array"),
        JsonKind::Other(found) => Err(found),
    }
}
