//! The part of a report that act reads back. The JSON is all that it knows of the engine.

use crate::error::Error;
use lookalike_corpus::path_of;
use serde::Deserialize;
use std::path::PathBuf;

/// The newest schema of reports that can be read.
pub const MAX_SCHEMA: u32 = 1;

/// Sets of identical files, and where they are.
pub(crate) struct IdenticalFiles {
    /// The folder from which relative ids count.
    pub(crate) base: Option<PathBuf>,
    pub(crate) sets: Vec<IdenticalSet>,
}

/// Files with the same content.
#[derive(Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(crate) struct IdenticalSet {
    /// Bytes of each.
    pub(crate) bytes: u64,
    pub(crate) files: Vec<IdenticalFile>,
}

/// One of them, as it was when it was scanned.
#[derive(Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(crate) struct IdenticalFile {
    pub(crate) id: String,
    /// When it was changed last, in nanoseconds since 1970; none for what is not a file of this machine.
    #[serde(default)]
    pub(crate) modified: Option<i64>,
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
            Some(found) if found > MAX_SCHEMA => {
                return Err(Error::UnsupportedSchema { name: name(), found, supported: MAX_SCHEMA });
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
