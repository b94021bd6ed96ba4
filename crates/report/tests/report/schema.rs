//! The JSON Schema of a report: made from the types, kept in `docs/report.schema.json`, and held against real reports.

use crate::{fixtures, rendered, submissions};
use lookalike::report::Report;
use lookalike::{ChunksOptions, Input, LensOptions, PassagesOptions, Scanner, ShinglesOptions, SimhashOptions};
use lookalike_report::Source;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::Path;

fn generated() -> Value {
    // as it is written: what is left out when it is empty is not required
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    serde_json::to_value(settings.into_generator().into_root_schema_for::<Report>()).unwrap()
}

/// To write the file anew: `UPDATE_SCHEMA=1 cargo test -p lookalike-report schema`.
#[test]
fn the_document_is_the_schema_of_the_types() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/report.schema.json");
    let schema = serde_json::to_string_pretty(&generated()).unwrap() + "\n";
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&file, &schema).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(written == schema, "docs/report.schema.json is not what the types say: UPDATE_SCHEMA=1 writes it anew");
}

#[test]
fn every_field_is_described() {
    fn look(value: &Value, at: &str) {
        if let Some(properties) = value.get("properties").and_then(Value::as_object) {
            for (name, property) in properties {
                let described = ["description", "$ref"].iter().any(|key| property.get(key).is_some());
                assert!(described, "{at}.{name} has no description");
            }
        }
        match value {
            Value::Object(fields) => fields.iter().for_each(|(name, inner)| look(inner, &format!("{at}.{name}"))),
            Value::Array(items) => items.iter().for_each(|inner| look(inner, at)),
            _ => {}
        }
    }
    look(&generated(), "Report");
}

fn text(seed: u64, words: u64) -> String {
    let words: Vec<String> = (0..words).map(|n| format!("word{}", (seed * 7919 + n * n * 31 + n) % 997)).collect();
    words.join(" ")
}

fn scanned(lens: impl Into<LensOptions>) -> String {
    let mut texts: Vec<String> = (0..6).map(|seed| text(seed, 400)).collect();
    texts.push(texts[0].clone());
    texts.push(text(1, 380));
    texts.push(String::new());
    let scan = Scanner::new(lens).stats(true).run(vec![Input::texts(texts)]).unwrap();
    rendered("json", &Source::new(scan.report()))
}

#[test]
fn reports_of_all_lenses_are_as_the_schema_says() {
    let schema = Schema { root: generated() };
    let reports = [
        scanned(ShinglesOptions::default()),
        scanned(ChunksOptions::default()),
        scanned(SimhashOptions::default()),
        scanned(PassagesOptions::default()),
        rendered("json", &Source::new(&fixtures::shingles())),
        rendered("json", &Source::new(&fixtures::chunks())),
        rendered("json", &Source::new(&submissions::with_stats())),
    ];
    for report in reports {
        let report: Value = serde_json::from_str(&report).unwrap();
        schema.check(&schema.root, &report, report["lens"].as_str().unwrap()).unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}

#[test]
fn what_the_schema_does_not_say_is_refused() {
    let schema = Schema { root: generated() };
    let good: Value = serde_json::from_str(&rendered("json", &Source::new(&fixtures::chunks()))).unwrap();
    let refused = |change: &dyn Fn(&mut Map<String, Value>)| {
        let mut report = good.clone();
        change(report.as_object_mut().unwrap());
        schema.check(&schema.root, &report, "report").is_err()
    };
    assert!(!refused(&|_| {}));
    assert!(refused(&|report| drop(report.remove("documents"))));
    assert!(refused(&|report| drop(report.insert("documents".into(), "many".into()))));
    assert!(refused(&|report| drop(report.insert("unheard".into(), 1.into()))));
    assert!(refused(&|report| drop(report.insert("lens".into(), "lens".into()))));
    assert!(refused(&|report| drop(report.remove("chunks"))));
    assert!(refused(&|report| report["clusters"][0]["members"][0]["class"] = "alike".into()));
}

/// As much of JSON Schema as the schema of a report needs. Other than the standard it also refuses fields that are not named.
struct Schema {
    root: Value,
}

/// Fields that were named, or what is wrong and where.
type Checked = Result<BTreeSet<String>, String>;

impl Schema {
    fn check(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let named = self.named(schema, value, at)?;
        match value.as_object().and_then(|fields| fields.keys().find(|name| !named.contains(*name))) {
            Some(name) => Err(format!("{at}: {name} is not in the schema")),
            None => Ok(()),
        }
    }

    fn named(&self, schema: &Value, value: &Value, at: &str) -> Checked {
        let mut named = BTreeSet::new();
        for (key, rule) in schema.as_object().into_iter().flatten() {
            let each = || rule.as_array().into_iter().flatten();
            match key.as_str() {
                "$schema" | "$defs" | "title" | "description" | "format" | "default" | "minItems" | "maxItems" => {}
                "minimum" => wrong(value.is_number() && value.as_f64() < rule.as_f64(), at, value, rule)?,
                "maximum" => wrong(value.is_number() && value.as_f64() > rule.as_f64(), at, value, rule)?,
                "$ref" => {
                    let place = rule.as_str().and_then(|r| r.strip_prefix('#')).unwrap();
                    named.extend(self.named(self.root.pointer(place).unwrap(), value, at)?);
                }
                "type" => {
                    let fits = |name: &Value| is_type(name.as_str().unwrap(), value);
                    wrong(!(rule.is_string() && fits(rule) || each().any(fits)), at, value, rule)?;
                }
                "const" => wrong(value != rule, at, value, rule)?,
                "enum" => wrong(!each().any(|one| one == value), at, value, rule)?,
                "required" => {
                    let missing = each().find(|name| value.get(name.as_str().unwrap()).is_none());
                    wrong(missing.is_some(), at, missing.unwrap_or(&Value::Null), rule)?;
                }
                "properties" => {
                    for (name, rule) in rule.as_object().unwrap() {
                        if let Some(inner) = value.get(name) {
                            self.check(rule, inner, &format!("{at}.{name}"))?;
                            named.insert(name.clone());
                        }
                    }
                }
                "additionalProperties" if rule.is_boolean() => {}
                "additionalProperties" => {
                    let known = schema.get("properties").and_then(Value::as_object);
                    for (name, inner) in value.as_object().into_iter().flatten() {
                        if known.is_none_or(|known| !known.contains_key(name)) {
                            self.check(rule, inner, &format!("{at}.{name}"))?;
                        }
                        named.insert(name.clone());
                    }
                }
                "items" | "prefixItems" => {
                    for (place, inner) in value.as_array().into_iter().flatten().enumerate() {
                        let rule = if key == "items" { Some(rule) } else { rule.get(place) };
                        rule.map_or(Ok(()), |rule| self.check(rule, inner, &format!("{at}[{place}]")))?;
                    }
                }
                "allOf" => {
                    for rule in each() {
                        named.extend(self.named(rule, value, at)?);
                    }
                }
                "anyOf" | "oneOf" => {
                    let all: Vec<Checked> = each().map(|rule| self.named(rule, value, at)).collect();
                    let fitting = all.iter().filter(|checked| checked.is_ok()).count();
                    let wanted = if key == "oneOf" { fitting == 1 } else { fitting > 0 };
                    wrong(!wanted, at, &format!("{all:?}").into(), &key.as_str().into())?;
                    named.extend(all.into_iter().flatten().flatten());
                }
                other => return Err(format!("{at}: the check does not know {other}")),
            }
        }
        Ok(named)
    }
}

fn is_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_u64() || value.is_i64(),
        _ => value.is_number(),
    }
}

fn wrong(is_wrong: bool, at: &str, value: &Value, rule: &Value) -> Result<(), String> {
    if is_wrong { Err(format!("{at}: {value} is not {rule}")) } else { Ok(()) }
}
