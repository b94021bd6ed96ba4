//! One line of JSONL: the id and the content, and nothing else, out of a JSON object.

use std::borrow::Cow;

use serde::de::{Deserializer, IgnoredAny};
use serde_json::value::RawValue;

use crate::document::Body;
use crate::fast_fields;
use crate::features::FeatureList;
use crate::fields::{FieldsVisitor, LineFields, Value, field_names};
use crate::options::Options;
use crate::skipped::Reason;
use crate::table::value::check_id;
use crate::unescape::unescape;

/// What a line holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record<'a> {
    /// The id, if the line has one that can be used.
    pub id: Option<Cow<'a, str>>,
    /// The category, if one was asked for and the line has one.
    pub category: Option<Cow<'a, str>>,
    /// The rank, if one was asked for and the line has one.
    pub rank: Option<Cow<'a, str>>,
    /// The content, or why there is none.
    pub body: Result<Body<'a>, Reason>,
}

/// Parses a line. Of a key that occurs twice the last one counts. What is not asked for is checked for its syntax and
/// not built; that takes no stack however deep it is nested.
///
/// Hostile input is welcome: this never panics, and takes memory in proportion to the line.
pub fn parse_line<'a>(line: &'a [u8], options: &Options) -> Record<'a> {
    parse_line_into(line, options, None)
}

/// The same; a text with escapes may be made in a buffer that is used for line after line.
pub(crate) fn parse_line_into<'a>(line: &'a [u8], options: &Options, buffer: Option<&'a mut Vec<u8>>) -> Record<'a> {
    let none = |reason| Record { id: None, category: None, rank: None, body: Err(reason) };
    let LineFields { id, body, category, rank } = match fields(line, options, buffer) {
        Ok(found) => found,
        Err(reason) => return none(reason),
    };
    match id.map_or(Ok(None), id_from) {
        Ok(id) => {
            let (category, rank) = (category.and_then(value_from), rank.and_then(value_from));
            Record { id, category, rank, body: content(body, line, options) }
        }
        Err(reason) => none(reason),
    }
}

fn fields<'a>(line: &'a [u8], options: &Options, buffer: Option<&'a mut Vec<u8>>) -> Result<LineFields<'a>, Reason> {
    let text = simdutf8::compat::from_utf8(line)
        .map_err(|error| Reason::NotJson(format!("column {}: invalid UTF-8", error.valid_up_to() + 1)))?;
    if let Some(found) = fast_fields::fields(text, options, buffer) {
        return Ok(found);
    }
    if !text.trim_ascii_start().starts_with('{') {
        // Asked for a map, the parser would quote the whole value in its message.
        return Err(Reason::NotJson(match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) => "column 1: expected an object, found another value".into(),
            Err(error) => message(&error),
        }));
    }
    let mut json = serde_json::Deserializer::from_str(text);
    let found = json.deserialize_map(FieldsVisitor::new(options)).and_then(|found| json.end().map(|()| found));
    found.map_err(|error| Reason::NotJson(message(&error)))
}

/// The parser's message with the column in front; the line it counts is always the first.
fn message(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let what = message.rsplit_once(" at line ").map_or(&*message, |(what, _)| what);
    format!("column {}: {what}", error.column())
}

fn id_from(raw: &RawValue) -> Result<Option<Cow<'_, str>>, Reason> {
    let raw = raw.get();
    let id = match raw.as_bytes().first() {
        Some(b'"') => match unescape(raw) {
            Some(id) => id,
            None => return Err(Reason::BadId("it is a string with a broken escape".into())),
        },
        Some(b'-' | b'0'..=b'9') => Cow::Borrowed(raw),
        Some(b'n') => return Ok(None),
        first => {
            let found = match first {
                Some(b'{') => "an object",
                Some(b'[') => "an array",
                _ => "true or false",
            };
            return Err(Reason::BadId(format!("it is {found}; expected a string or a number")));
        }
    };
    check_id(id).map(Some)
}

/// A string as it is, null as if it were not there, anything else as it is written.
fn value_from(raw: &RawValue) -> Option<Cow<'_, str>> {
    let raw = raw.get();
    match raw.as_bytes().first() {
        Some(b'n') => None,
        Some(b'"') => unescape(raw).or(Some(Cow::Borrowed(raw))),
        _ => Some(Cow::Borrowed(raw)),
    }
}

fn content<'a>(found: Option<Value<'a>>, line: &[u8], options: &Options) -> Result<Body<'a>, Reason> {
    let field = options.body_field();
    let expected = if options.features_field.is_some() { "an array of strings and numbers" } else { "a string" };
    match found {
        Some(Value::Text(text)) => {
            // The line is within the limit, so its text is; only the lower limit can fail.
            options.check_size((text.len() as u64).min(options.max_size))?;
            Ok(Body::Text(text))
        }
        Some(Value::Features(FeatureList::All(features))) => Ok(Body::Features(features)),
        Some(Value::Features(FeatureList::Wrong { position, found })) => Err(Reason::NoText(format!(
            "element {position} of the field {field:?} is {found}; expected a string or a number"
        ))),
        Some(Value::Features(FeatureList::NoArray(found)) | Value::Other(found)) => {
            Err(Reason::NoText(format!("the field {field:?} is {found}; expected {expected}")))
        }
        None => {
            let found = field_names(line);
            Err(Reason::NoText(format!("the field {field:?} is missing; expected {expected}, found {found}")))
        }
    }
}
