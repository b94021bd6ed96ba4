//! Versions of everything that was measured.

use super::tools;
use crate::cache::Cache;
use crate::facts::output;

/// Names and versions; what is not there is left out.
pub(super) fn all(cache: &Cache, lookalike: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut tell = |name: &str, program: Option<String>| {
        let version = program.and_then(|program| output(&program, &["--version"]));
        found.extend(version.map(|version| (name.to_owned(), version)));
    };
    tell("lookalike measured", Some(lookalike.to_owned()));
    tell("wc", Some("wc".to_owned()));
    tell("sort", Some("sort".to_owned()));
    tell("b3sum", tools::b3sum(cache).ok());
    tell("xxhsum", tools::xxhsum(cache).ok());
    tell("python", Some(cache.text("venv/bin/python")));
    found
}
