//! One JSON object with the version of its form and of the program before everything else.

use lookalike::SCHEMA;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct Versioned<'a, T> {
    schema: u32,
    lookalike: &'static str,
    #[serde(flatten)]
    value: &'a T,
}

/// Writes the object on one line.
pub fn write_versioned(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let versioned = Versioned { schema: SCHEMA, lookalike: env!("CARGO_PKG_VERSION"), value };
    serde_json::to_writer(&mut *out, &versioned)?;
    out.write_all(b"\n")
}
