//! Names of documents on standard input, one a line.

use anyhow::{Result, anyhow};
use std::io::BufRead;

/// The names; empty lines and the ends of lines do not count.
pub(crate) fn of_stdin() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| anyhow!("cannot read names from standard input: {e}; expected one a line"))?;
        let name = line.trim_end_matches('\r');
        if !name.is_empty() {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}
