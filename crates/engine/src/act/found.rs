//! The part of a report that act reads back.

use crate::chunks::IdenticalSet;
use crate::{Error, SCHEMA};
use lookalike_corpus::path_of;
use serde::Deserialize;
use std::path::PathBuf;

/// Sets of identical files, and where they are.
pub(super) struct Found {
    /// The folder from which relative ids count.
    pub(super) base: Option<PathBuf>,
    pub(super) sets: Vec<IdenticalSet>,
}

/// Fields that are not named here are not looked at.
#[derive(Deserialize)]
struct Head {
    schema: Option<u32>,
    chunks: Option<Section>,
}

#[derive(Deserialize)]
struct Section {
    #[serde(default)]
    base: Option<String>,
    identical: Vec<IdenticalSet>,
}

const AGAIN: &str = "make one with lookalike scan --lens chunks --json";

/// Reads a report; `name` is what messages call it.
pub(super) fn read(report: &[u8], name: &str) -> Result<Found, Error> {
    let wrong = |reason: String| Error::Act { path: name.to_owned(), reason };
    let head: Head = serde_json::from_slice(report)
        .map_err(|e| wrong(format!("is no report as --json writes it ({e}); {AGAIN}")))?;
    match head.schema {
        None => return Err(wrong(format!("is no report of lookalike: it has no schema; {AGAIN}"))),
        Some(schema) if schema > SCHEMA => {
            let reason = format!("has schema {schema}, and this lookalike knows {SCHEMA}; {AGAIN}, with this version");
            return Err(wrong(reason));
        }
        Some(_) => {}
    }
    let Some(section) = head.chunks else {
        return Err(wrong(format!(
            "is a report of another lens: only the chunks lens lists identical files with their times; {AGAIN}"
        )));
    };
    Ok(Found { base: section.base.as_deref().map(path_of), sets: section.identical })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_report_is_told() {
        let reason = |report: &str| read(report.as_bytes(), "r.json").err().expect("refused").to_string();
        for (report, words) in [
            ("<html>", "is no report as --json writes it"),
            ("{\"type\":\"scan\"}\n{\"type\":\"cluster\"}\n", "is no report as --json writes it"),
            ("{}", "no schema"),
            ("{\"schema\":1,\"clusters\":[]}", "another lens"),
            ("{\"schema\":99,\"chunks\":{\"identical\":[]}}", "has schema 99"),
            ("{\"schema\":1,\"chunks\":{\"identical\":[{\"bytes\":-1}]}}", "is no report as --json writes it"),
        ] {
            let reason = reason(report);
            assert!(reason.starts_with("r.json: ") && reason.contains(words), "{reason}");
            assert!(reason.contains("lookalike scan --lens chunks --json"), "{reason}");
        }
    }

    #[test]
    fn what_is_not_needed_is_not_looked_at() {
        let report = r#"{"schema":1,"recipe":7,"chunks":{"mean":"x","base":"/a\\xE9","identical":[
            {"bytes":3,"content":"c","files":[{"id":"x","modified":5,"new":1},{"id":"y"}]}]}}"#;
        let found = read(report.as_bytes(), "-").expect("a report");
        assert_eq!(lookalike_corpus::id_of(&found.base.expect("a base")), "/a\\xE9");
        assert_eq!(found.sets[0].files[0].modified, Some(5));
        assert_eq!(found.sets[0].files[1].modified, None);
    }
}
