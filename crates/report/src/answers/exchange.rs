//! A new exchange file, and what it tells those who get it.

use super::show::Show;
use crate::clean::clean;
use crate::style::{BOLD, DIM};
use crate::units::{bytes, commas, count, percent};
use crate::words::kinds;
use lookalike::exchange::{ExchangeSummary, Names};
use serde::Serialize;
use std::io::{self, Write};

/// A new exchange file.
#[derive(Serialize)]
pub struct ExchangeFile<'a> {
    /// Its name.
    #[serde(skip)]
    pub file: &'a str,
    /// How it calls documents.
    #[serde(skip)]
    pub names: Names,
    /// What it holds.
    #[serde(flatten)]
    pub sketched: &'a ExchangeSummary,
}

impl Show for ExchangeFile<'_> {
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { file, names, sketched } = self;
        let size = bytes(sketched.written);
        writeln!(out, "{BOLD}{}{BOLD:#}  {size}  {DIM}{}{DIM:#}\n", clean(file), clean(&sketched.recipe))?;
        let mut row =
            |name: &str, n: u64, what: &str| writeln!(out, "  {name:<11} {:>11}  {DIM}{what}{DIM:#}", commas(n));
        let share = match sketched.bytes {
            0 => String::new(),
            all => format!("; the file is {} of that", percent(sketched.written as f64 / all as f64)),
        };
        row("documents", sketched.documents, &format!("{}{share}", bytes(sketched.bytes)))?;
        let mean = sketched.bytes.checked_div(sketched.features).unwrap_or(0);
        if sketched.recipe.contains("|chunks:") {
            row("chunks", sketched.features, &format!("{} on average", count(mean, "byte")))?;
        } else {
            row("features", sketched.features, "kept in the sketches")?;
        }
        if !sketched.skipped.is_empty() {
            row("skipped", sketched.skipped.len() as u64, &kinds(&sketched.skipped))?;
        }
        writeln!(out, "\n  {}", reveals(*names, sketched.recipe.contains("|key=")))
    }
}

/// What a stranger learns from the file.
fn reveals(names: Names, keyed: bool) -> &'static str {
    match (names, keyed) {
        (Names::Plain, false) => {
            "It tells names, sizes and hashes of chunks, no content; who guesses a text can test the guess."
        }
        (Names::Plain, true) => {
            "It tells names, sizes and which chunks are equal, no content; to test a guess one needs the key."
        }
        (Names::Hashed, false) => {
            "It tells sizes and hashes of names and chunks; who guesses a name or a text can test the guess."
        }
        (Names::Hashed, true) => {
            "It tells sizes, and which names and chunks are equal; to test a guess one needs the key."
        }
    }
}
