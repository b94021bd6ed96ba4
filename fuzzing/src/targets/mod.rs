//! All targets, one file for each. Each checks one input of arbitrary bytes, and panics if a property does not hold.

use crate::shards::allow_guarded_panics;

/// A fuzz target.
#[derive(Debug)]
pub struct Target {
    /// Its name, also that of its folders of seeds and artifacts.
    pub name: &'static str,
    /// Checks one input.
    pub run: fn(&[u8]),
}

macro_rules! targets {
    ($($name:ident),* $(,)?) => {
        $(mod $name;)*

        /// All targets by name.
        pub const TARGETS: &[Target] = &[$(Target { name: stringify!($name), run: $name::fuzz }),*];
    };
}

targets![
    act,
    archives,
    arrow,
    code,
    compare,
    copy,
    csv,
    decisions,
    encoding,
    exchange,
    fingerprints,
    html,
    index,
    jsonl,
    markdown,
    notebooks,
    office,
    parquet,
    pdf,
    records,
    serve,
    store,
    templates,
    warc,
    words,
];

/// Targets whose input reaches the decoders of columns.
const GUARDED: [&str; 4] = ["arrow", "copy", "fingerprints", "parquet"];

impl Target {
    /// The target that the variable `FUZZ_TARGET` names.
    pub fn from_environment() -> &'static Self {
        let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
        TARGETS.iter().find(|target| target.name == name).unwrap_or_else(|| {
            let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
            panic!("FUZZ_TARGET: expected one of {}; found {name:?}", names.join(", "))
        })
    }

    /// Sets up what a run needs before its first input.
    pub fn prepare(&self) {
        if GUARDED.contains(&self.name) {
            allow_guarded_panics();
        }
    }
}
