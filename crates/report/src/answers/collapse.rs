//! Search results, collapsed: what looks alike stands under the first of its kind.

use super::show::Show;
use crate::clean::clean;
use crate::style::{BOLD, DIM, estimate};
use crate::units::{commas, count};
use lookalike::index::CollapseResult;
use std::io::{self, Write};

/// The first result of each group, one a line, with the others indented by a tab under it: for other programs.
pub fn write_collapsed_text(out: &mut dyn Write, collapsed: &CollapseResult) -> io::Result<()> {
    for group in &collapsed.groups {
        writeln!(out, "{}", clean(&group.url))?;
        group.others.iter().try_for_each(|other| writeln!(out, "\t{}", clean(&other.url)))?;
    }
    Ok(())
}

impl Show for CollapseResult {
    /// Writes the groups with colours.
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let groups = count(self.groups.len() as u64, "group");
        let unknown = match self.unknown {
            0 => String::new(),
            n => format!("; {} not in the index", commas(n)),
        };
        writeln!(out, "{BOLD}{} in {groups}{BOLD:#}{DIM}{unknown}{DIM:#}\n", count(self.results, "result"))?;
        for group in &self.groups {
            let note = if group.known { "" } else { "  not in the index" };
            writeln!(out, "{BOLD}{:>4}  {}{BOLD:#}{DIM}{note}{DIM:#}", group.rank, clean(&group.url))?;
            for other in &group.others {
                let alike = if other.identical { "identical".to_owned() } else { estimate(other.resemblance) };
                writeln!(out, "{:>10}  {}  {DIM}{alike}{DIM:#}", other.rank, clean(&other.url))?;
            }
        }
        Ok(())
    }
}
