//! The part of a report that act reads back.

use crate::error::Error;
use lookalike_corpus::path_of;
use lookalike_engine::report::SCHEMA;
use lookalike_engine::report::chunks::IdenticalSet;
use serde::Deserialize;
use std::path::PathBuf;

/// Sets of identical files, and where they are.
pub(crate) struct IdenticalFiles {
    /// The folder from which relative ids count.
    pub(crate) base: Option<PathBuf>,
    pub(crate) sets: Vec<IdenticalSet>,
}

/// Fields that are not named here are not looked at.
#[derive(Deserialize)]
struct ReportFields {
    schema: Option<u32>,
    chunks: Option<SectionFields>,
}

#[derive(Deserialize)]
struct SectionFields {
    #[serde(default)]
    base: Option<String>,
    identical: Vec<IdenticalSet>,
}

impl IdenticalFiles {
    /// Reads a JSON report; `name` is what messages call it.
    pub(crate) fn parse(report: &[u8], name: &str) -> Result<Self, Error> {
        let name = || name.to_owned();
        let fields: ReportFields =
            serde_json::from_slice(report).map_err(|source| Error::NotAReport { name: name(), source })?;
        match fields.schema {
            None => return Err(Error::NoSchema { name: name() }),
            Some(found) if found > SCHEMA => {
                return Err(Error::UnsupportedSchema { name: name(), found, supported: SCHEMA });
            }
            Some(_) => {}
        }
        let section = fields.chunks.ok_or_else(|| Error::WrongLens { name: name() })?;
        Ok(Self { base: section.base.as_deref().map(path_of), sets: section.identical })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_report_is_told() {
        let reason =
            |report: &str| IdenticalFiles::parse(report.as_bytes(), "r.json").err().expect("refused").to_string();
        for (report, words) in [
            ("<html>", "is not a JSON report"),
            ("{\"type\":\"scan\"}\n{\"type\":\"cluster\"}\n", "is not a JSON report"),
            ("{}", "no schema"),
            ("{\"schema\":1,\"clusters\":[]}", "another lens"),
            ("{\"schema\":99,\"chunks\":{\"identical\":[]}}", "has schema 99"),
            ("{\"schema\":1,\"chunks\":{\"identical\":[{\"bytes\":-1}]}}", "is not a JSON report"),
        ] {
            let reason = reason(report);
            assert!(reason.starts_with("r.json: ") && reason.contains(words), "{reason}");
        }
    }

    #[test]
    fn what_is_not_needed_is_not_looked_at() {
        let report = r#"{"schema":1,"recipe":7,"chunks":{"mean":"x","base":"/a\\xE9","identical":[
            {"bytes":3,"content":"c","files":[{"id":"x","modified":5,"new":1},{"id":"y"}]}]}}"#;
        let found = IdenticalFiles::parse(report.as_bytes(), "-").expect("a report");
        assert_eq!(lookalike_corpus::id_of(&found.base.expect("a base")), "/a\\xE9");
        assert_eq!(found.sets[0].files[0].modified, Some(5));
        assert_eq!(found.sets[0].files[1].modified, None);
    }
}
