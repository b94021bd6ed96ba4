//! What a scan has to do with an index, on the terminal.

use crate::clean::clean;
use crate::hints;
use crate::style::{BOLD, DIM, class_style, estimate};
use crate::units::{commas, count, percent};
use lookalike::report::{Against, Touching};
use std::io::{self, Write};

/// Says what is known and what is new, and lists up to `top` new documents that touch what is known.
pub(super) fn write(out: &mut dyn Write, against: &Against, top: usize) -> io::Result<()> {
    writeln!(out, "\n{BOLD}Held against {}{BOLD:#}", clean(&against.index))?;
    let row = |out: &mut dyn Write, name: &str, n: usize, what: &str| {
        writeln!(out, "  {name:<11} {:>7}  {DIM}{what}{DIM:#}", commas(n as u64))
    };
    row(out, "known", against.known as usize, "in the index, byte for byte")?;
    row(out, "new", against.new as usize, "not in the index")?;
    row(out, "touching", against.touching.len(), "new, but like a document of the index, inside one, or around one")?;
    if against.touching.is_empty() || top == 0 {
        return Ok(());
    }
    writeln!(
        out,
        "\n{DIM}{:>13}  {:<9}  new document, and what it is like in the index{DIM:#}",
        "resemblance", "class"
    )?;
    for touching in against.touching.iter().take(top) {
        write_touching(out, touching)?;
    }
    let rest = against.touching.len().saturating_sub(top);
    if rest > 0 {
        writeln!(out, "  … and {}; {}", count(rest as u64, "more document"), hints::MORE)?;
    }
    Ok(())
}

fn write_touching(out: &mut dyn Write, touching: &Touching) -> io::Result<()> {
    let Touching { id, url, class, resemblance, verified, more, .. } = touching;
    let (alike, sure) = match verified {
        Some(verified) => (percent(verified.resemblance), "; counted on the originals".to_owned()),
        None => (percent(resemblance.value), format!("; estimated {}", estimate(*resemblance))),
    };
    let style = class_style(Some(*class));
    writeln!(out, "{style}{alike:>13}  {:<9}{style:#}  {}", class.name(), clean(id))?;
    let date = touching.date.as_ref().map_or_else(String::new, |date| format!(", seen {}", clean(date)));
    let more = if *more > 0 { format!(", and {}", count(*more, "more document")) } else { String::new() };
    writeln!(out, "{:>26}{}{DIM}{date}{more}{sure}{DIM:#}", "", clean(url))
}
