//! JSON of what the report crate does not render: what a change or a check of an index did.

use serde::Serialize;
use std::io::{self, Write};

/// One JSON object on one line, with the version of its form.
pub(crate) fn write(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let versioned = Versioned { schema: lookalike::SCHEMA, lookalike: env!("CARGO_PKG_VERSION"), value };
    serde_json::to_writer(&mut *out, &versioned)?;
    out.write_all(b"\n")
}

#[derive(Serialize)]
struct Versioned<'a, T> {
    schema: u32,
    lookalike: &'static str,
    #[serde(flatten)]
    value: &'a T,
}
