//! One line of JSONL.

use std::borrow::Cow;

use proptest::prelude::*;

use lookalike_corpus::{Body, Options, Reason, Record, parse_line};

fn parse(line: &str) -> Record<'_> {
    parse_line(line.as_bytes(), &Options::default())
}

fn features(line: &str) -> Result<Vec<String>, Reason> {
    let options = Options { features_field: Some("f".into()), ..Options::default() };
    match parse_line(line.as_bytes(), &options).body? {
        Body::Features(features) => Ok(features.into_iter().map(Cow::into_owned).collect()),
        other => panic!("{other:?}"),
    }
}

fn id(line: &str) -> Option<String> {
    parse(line).id.map(Cow::into_owned)
}

#[test]
fn an_unescaped_line_is_borrowed() {
    let record = parse(r#" {"x": {"id": [1, {"text": 2}]}, "text": "größe", "id": "a"} "#);
    assert!(matches!(record.id, Some(Cow::Borrowed("a"))));
    assert!(matches!(record.body, Ok(Body::Text(Cow::Borrowed("größe")))));
    let record = parse(r#"{"text": "a\nb\u00e9", "i\u0064": "\"x\""}"#);
    assert_eq!(record.id.as_deref(), Some("\"x\""));
    assert_eq!(record.body, Ok(Body::Text("a\nbé".into())));
}

#[test]
fn ids_are_strings_or_numbers_as_spelled() {
    for number in ["7", "-0", "1.50", "1e3", "123456789012345678901234567890"] {
        assert_eq!(id(&format!(r#"{{"id": {number} , "text": ""}}"#)).as_deref(), Some(number));
    }
    assert_eq!(id(r#"{"id": "", "text": ""}"#).as_deref(), Some(""));
    assert_eq!(id(r#"{"id": null, "text": ""}"#), None);
    assert_eq!(id(r#"{"text": ""}"#), None);
    for other in ["true", "[1]", r#"{"$oid": "x"}"#, r#""\ud800""#] {
        let line = format!(r#"{{"id": {other}, "text": ""}}"#);
        assert!(matches!(parse(&line).body, Err(Reason::BadId(_))), "{line}");
    }
    let long = format!(r#"{{"id": "{}", "text": ""}}"#, "x".repeat((64 << 10) + 1));
    assert!(matches!(parse(&long).body, Err(Reason::BadId(_))));
}

#[test]
fn the_last_of_equal_keys_counts() {
    let record = parse(r#"{"id": 1, "text": "a", "id": 2, "text": "b"}"#);
    assert_eq!((record.id.as_deref(), record.body), (Some("2"), Ok(Body::Text("b".into()))));
    let record = parse(r#"{"text": "a", "text": 3}"#);
    assert!(matches!(record.body, Err(Reason::NoText(_))));
}

#[test]
fn what_is_no_text_is_named() {
    for (value, found) in [
        ("1", "a number"),
        ("-1", "a number"),
        ("1.5", "a number"),
        ("true", "true or false"),
        ("null", "null"),
        ("[[]]", "an array"),
        (r#"{"a": {}}"#, "an object"),
    ] {
        let line = format!(r#"{{"text": {value}, "id": "x"}}"#);
        let record = parse(&line);
        assert_eq!(record.id.as_deref(), Some("x"));
        let expected = format!(r#"the field "text" is {found}; expected a string"#);
        assert_eq!(record.body, Err(Reason::NoText(expected)));
    }
    for (line, found) in [
        ("{}", "no fields"),
        (r#"{"id": 1, "body": "x"}"#, r#""body", "id""#),
        (
            r#"{"id": 1, "meta": {"url": "u", "n": {"a": 1}}, "tags": [], "none": {}}"#,
            r#""id", "meta.n", "meta.url", "none", "tags""#,
        ),
    ] {
        let expected = format!(r#"the field "text" is missing; expected a string, found {found}"#);
        assert_eq!(parse(line).body, Err(Reason::NoText(expected)));
    }
}

#[test]
fn a_field_may_be_inside_another() {
    let options = Options { id_field: "meta.url".into(), text_field: "page.body.text".into(), ..Options::default() };
    let read = |line: &str| {
        let record = parse_line(line.as_bytes(), &options);
        (
            record.id.map(String::from),
            record.body.ok().and_then(|body| Some(String::from_utf8_lossy(body.as_bytes()?).into_owned())),
        )
    };
    let both = (Some("u".to_owned()), Some("words".to_owned()));
    assert_eq!(read(r#"{"page": {"n": 1, "body": {"text": "words"}}, "meta": {"site": {}, "url": "u"}}"#), both);
    assert_eq!(read(r#"{"meta.url": "u", "page": {"body.text": "words"}}"#), both, "or a field that is called so");
    assert_eq!(read(r#"{"meta": "u", "page": {"body": ["text"]}}"#), (None, None));
    assert_eq!(read(r#"{"meta": {"url": "u"}, "page": {"body": {"text": "wor"#), (None, None));
}

#[test]
fn what_is_no_object_is_said_with_the_column() {
    for (line, expected) in [
        ("[1]", "column 1: expected an object, found another value"),
        ("\"a long string\"", "column 1: expected an object, found another value"),
        ("oops", "column 1: expected value"),
        (r#"{"text": "a""#, "column 12: EOF while parsing an object"),
        (r#"{"text": "a"} x"#, "column 15: trailing characters"),
        (r#"{"text": "\ud800"}"#, "column 18: lone surrogate in an escape"),
    ] {
        assert_eq!(parse(line).body, Err(Reason::NotJson(expected.into())), "{line}");
    }
    let record = parse_line(b"{\"text\": \"\xff\"}", &Options::default());
    assert_eq!(record.body, Err(Reason::NotJson("column 11: invalid UTF-8".into())));
}

#[test]
fn depth_costs_no_stack() {
    let deep = "[".repeat(1 << 20);
    for line in [deep.clone(), format!("{{\"x\":{deep}"), format!("{{\"id\":{deep}"), format!("{{\"text\":{deep}")] {
        assert!(matches!(parse(&line).body, Err(Reason::NotJson(_))));
    }
    let closed = format!("{deep}{}", "]".repeat(1 << 20));
    let line = format!(r#"{{"x": {closed}, "text": "a"}}"#);
    assert_eq!(parse(&line).body, Ok(Body::Text("a".into())));
    assert!(matches!(features(&format!(r#"{{"f": [{closed}]}}"#)), Err(Reason::NoText(_))));
    assert!(matches!(features(&format!(r#"{{"f": {deep}}}"#)), Err(Reason::NotJson(_))));
}

#[test]
fn features_keep_strings_and_numbers_apart() {
    let line = r#"{"f": [1, "1", 1.0, "\u0031", "a\"b", ""], "text": 3}"#;
    assert_eq!(features(line).unwrap(), ["1", "\"1\"", "1.0", "\"1\"", "\"a\"b\"", "\"\""]);
    assert_eq!(features(r#"{"f": []}"#).unwrap(), [""; 0]);
}

#[test]
fn wrong_features_are_named() {
    for (value, expected) in [
        ("\"a\"", "the field \"f\" is a string; expected an array of strings and numbers"),
        ("null", "the field \"f\" is null; expected an array of strings and numbers"),
        ("[1, null]", "element 2 of the field \"f\" is null; expected a string or a number"),
        ("[[], {}]", "element 1 of the field \"f\" is an array; expected a string or a number"),
        (
            r#"["\ud800"]"#,
            "element 1 of the field \"f\" is a string with a broken escape; expected a string or a number",
        ),
    ] {
        let reason = features(&format!(r#"{{"f": {value}}}"#)).unwrap_err();
        assert_eq!(reason, Reason::NoText(expected.into()), "{value}");
    }
    assert!(matches!(features("{\"text\": \"a\"}"), Err(Reason::NoText(_))));
}

#[test]
fn short_texts_can_be_refused() {
    let options = Options { min_size: 3, ..Options::default() };
    let body = parse_line(br#"{"text": "ab"}"#, &options).body;
    assert_eq!(body, Err(Reason::TooSmall { bytes: 2, limit: 3 }));
    assert!(parse_line(br#"{"text": "abc"}"#, &options).body.is_ok());
}

proptest! {
    /// The naive twin builds the whole value.
    #[test]
    fn agrees_with_the_whole_value(id in any::<Option<String>>(), text: String, other: Vec<i32>) {
        let value = serde_json::json!({ "a": other, "id": id, "text": text, "z": { "text": 1 } });
        let line = value.to_string();
        let record = parse(&line);
        prop_assert_eq!(record.id.as_deref(), id.as_deref());
        prop_assert_eq!(record.body, Ok(Body::Text(text.into())));
    }

    #[test]
    fn nothing_panics(line in prop::collection::vec(prop::sample::select(vec![
        &b"{"[..], b"}", b"[", b"]", b":", b",", b"\"id\"", b"\"text\"", b"1", b"\"\\u00", b"\xff", b" ", b"null",
        b"\n",
    ]), 0..12)) {
        let line = line.concat();
        for features_field in [None, Some("text".to_owned())] {
            let options = Options { features_field, ..Options::default() };
            let whole = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(&line);
            let record = parse_line(&line, &options);
            if record.body.is_ok() {
                prop_assert!(whole.is_ok());
            }
        }
    }
}
