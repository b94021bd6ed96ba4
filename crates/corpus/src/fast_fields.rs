//! The quick way through a line of JSONL: each string is read once, and nothing is known but what is common.
//!
//! What it does not know (any oddity, any error) it leaves to the parser, which also words the messages. What it does know it reads exactly
//! as the parser does.

use crate::fields::{Field, LineFields, Value};
use crate::options::Options;
use crate::unescape::{read_string, read_string_into};
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

/// The fields of a line, if it is an object without surprises. The content may be made in a buffer.
pub(crate) fn fields<'a>(
    line: &'a str,
    options: &Options,
    mut buffer: Option<&'a mut Vec<u8>>,
) -> Option<LineFields<'a>> {
    if options.features_field.is_some() || options.has_nested_fields() {
        return None;
    }
    let mut found = LineFields::default();
    let mut at = skip_space(line, 0);
    if line.as_bytes().get(at) != Some(&b'{') {
        return None;
    }
    loop {
        at = skip_space(line, at + 1);
        let (key, length) = read_string(line.get(at..)?)?;
        at = skip_space(line, at + length);
        if line.as_bytes().get(at) != Some(&b':') {
            return None;
        }
        at = skip_space(line, at + 1);
        let value = line.get(at..)?;
        let field = Field::of(&key, options);
        if field == Field::Body {
            // a field that is there twice has a text of its own
            let (text, length) = read_string_into(value, buffer.take())?;
            found.body = Some(Value::Text(text));
            at += length;
        } else {
            let length = value_length(value)?;
            if let Field::Asked(roles) = field {
                found.take(roles, serde_json::from_str::<&RawValue>(&value[..length]).ok()?);
            }
            at += length;
        }
        at = skip_space(line, at);
        match line.as_bytes().get(at)? {
            b',' => {}
            b'}' if skip_space(line, at + 1) == line.len() => return Some(found),
            _ => return None,
        }
    }
}

fn skip_space(line: &str, from: usize) -> usize {
    let space = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | b'\n');
    from + line.as_bytes().get(from..).map_or(0, |rest| rest.iter().take_while(|b| space(b)).count())
}

/// How long the value is that a text begins with.
fn value_length(text: &str) -> Option<usize> {
    if text.starts_with('"') {
        return read_string(text).map(|(_, length)| length);
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    Some(values.byte_offset())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::FieldsVisitor;
    use proptest::prelude::*;
    use serde::de::Deserializer as _;

    type Values = [Option<String>; 4];

    fn values(LineFields { id, body, category, rank }: LineFields<'_>) -> Values {
        let text = |value: Value<'_>| match value {
            Value::Text(text) => text.into_owned(),
            Value::Features(_) | Value::Other(_) => "no text".into(),
        };
        let raw = |value: Option<&RawValue>| value.map(|value| value.get().to_owned());
        [raw(id), body.map(text), raw(category), raw(rank)]
    }

    /// Whether the quick way knew the line; then the parser must agree.
    fn check(line: &str) -> bool {
        let options =
            Options { category_field: Some("more".into()), rank_field: Some("id".into()), ..Options::default() };
        let mut buffer = Vec::new();
        let Some(quick) = fields(line, &options, Some(&mut buffer)) else { return false };
        let mut json = serde_json::Deserializer::from_str(line);
        let slow = json.deserialize_map(FieldsVisitor::new(&options)).and_then(|found| json.end().map(|()| found));
        assert_eq!(Some(values(quick)), slow.ok().map(values), "{line}");
        true
    }

    #[test]
    fn common_lines_are_known() {
        for line in [
            r#"{"id":"a","text":"some words"}"#,
            r#" { "id" : 7 , "more" : [1, {"x": null}] , "text" : "line\nline \u00e9\ud83d\ude00" } "#,
            r#"{"text":"twice","text":"the last counts","id":"x"}"#,
            r#"{"te\u0078t":"an escaped key","meta":-1.5e3}"#,
        ] {
            assert!(check(line), "{line}");
        }
    }

    #[test]
    fn oddities_are_left_to_the_parser() {
        for line in [
            "",
            "{}",
            "[]",
            r#"{"text":1}"#,
            r#"{"text":"x"} x"#,
            r#"{"text":"x",}"#,
            r#"{"text":"x"#,
            r#"{"text":"x\"#,
            r#"{"text":"\ud800"}"#,
            r#"{"text":"\q"}"#,
            r#"{"text":"x","other":"\q"}"#,
            "{\"text\":\"a\tb\"}",
            r#"{"text" "x"}"#,
            r#"{"a":tru,"text":"x"}"#,
        ] {
            assert!(!check(line), "{line}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_parser(line in r#"(\{|\}|"|:|,|"id":|"text":|"[a-z\\é ]{0,30}"|\\[nu"]|[0-9]|null|\[| ){0,24}"#) {
            check(&line);
        }

        #[test]
        fn any_text_comes_through(text: String, id: String) {
            let line = serde_json::json!({ "id": id, "text": text }).to_string();
            prop_assert!(check(&line), "{}", line);
        }
    }
}
