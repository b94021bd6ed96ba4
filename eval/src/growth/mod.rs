//! `eval growth`: how the work grows where it once grew with the square of the input. Each shape in three sizes, each twice the one before.

mod shapes;

use crate::bars::{Bar, Unit};
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::facts;
use crate::measure::Usage;
use crate::numbers::{number, thousands};
use crate::page::{Page, folder};
use crate::table::table;
use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::json;
use shapes::{SHAPES, Shape};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Growth {
    /// A tenth of every size: shows that all works, and is no result
    #[arg(long)]
    quick: bool,
    /// Only the shapes whose name has this in it
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// The command to measure [default: lookalike beside this program]
    #[arg(long, value_name = "PATH")]
    lookalike: Option<PathBuf>,
    /// Folder for the files [default: lookalike-eval in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Folder for the results [default: eval/results; none with --quick or --only]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// One shape in one size.
#[derive(Serialize)]
struct Found {
    shape: &'static str,
    size: usize,
    unit: &'static str,
    usage: Usage,
    /// What is counted, and how much of it; nothing where the command does not tell.
    counted: &'static str,
    work: Option<u64>,
    #[serde(skip)]
    most_times: f64,
}

impl Growth {
    pub(crate) fn run(self) -> Result<()> {
        let cache = Cache::open(self.cache)?;
        let mut lookalike = Lookalike::find(self.lookalike)?;
        let mut found: Vec<[Found; 3]> = Vec::new();
        let wanted = |shape: &&Shape| self.only.as_ref().is_none_or(|text| shape.name.contains(text));
        for shape in SHAPES.iter().filter(wanted) {
            let size = if self.quick { shape.size / 10 } else { shape.size };
            let [one, two, four] = [size, 2 * size, 4 * size].map(|size| measure(shape, size, &cache, &mut lookalike));
            found.push([one?, two?, four?]);
        }
        let mut facts = facts::facts();
        facts.extend(lookalike.version().map(|version| ("measured".to_owned(), version)));
        let page = Page {
            verb: "growth",
            name: "",
            facts,
            bars: if self.quick { Vec::new() } else { found.iter().map(bar).collect() },
            sections: section(&found),
            numbers: json!(found),
            commands: lookalike.lines,
        };
        page.tell(folder(self.out, self.quick || self.only.is_some()).as_deref(), self.json)
    }
}

fn measure(shape: &Shape, size: usize, cache: &Cache, lookalike: &mut Lookalike) -> Result<Found> {
    let beside = tempfile::tempdir_in(cache.path(""))?;
    let ending = if shape.arguments[0] == "simhash" { "input.u64" } else { "input.jsonl" };
    let path = beside.path().join(ending);
    (shape.write)(&path, size)?;
    let path = path.to_string_lossy();
    let (told, usage) = lookalike.told_and_measured(&[shape.arguments, &["-q", &*path]].concat())?;
    let report = serde_json::from_slice(&told).context("what was written is no JSON")?;
    let work = shape.work.of(&report);
    Ok(Found {
        shape: shape.name,
        size,
        unit: shape.unit,
        usage,
        counted: shape.work.name(),
        work,
        most_times: shape.most_times,
    })
}

/// How many times as much as the size before.
fn times(more: f64, less: f64) -> f64 {
    more / less.max(0.01)
}

fn bar([_, two, four]: &[Found; 3]) -> Bar {
    let what = format!(
        "{}: CPU time of {} for that of {}",
        four.shape,
        thousands(four.size as u64),
        thousands(two.size as u64)
    );
    Bar::at_most(four.most_times, Unit::Times, what, times(four.usage.cpu, two.usage.cpu))
}

fn section(found: &[[Found; 3]]) -> Vec<String> {
    let three = |cells: [String; 3]| cells.join(" / ");
    let row = |sizes: &[Found; 3]| {
        let [one, two, four] = sizes;
        let cpu = |found: &Found| found.usage.cpu;
        let work = |found: &Found| found.work.map_or(0.0, |work| work as f64);
        let ratios =
            |of: &dyn Fn(&Found) -> f64| format!("{:.1} / {:.1}", times(of(two), of(one)), times(of(four), of(two)));
        let told = |found: &Found| found.work.map_or_else(|| "–".to_owned(), thousands);
        vec![
            format!("{}, {} {}", one.shape, three([one, two, four].map(|f| thousands(f.size as u64))), one.unit),
            three([one, two, four].map(|found| number(found.usage.cpu))),
            ratios(&cpu),
            three([one, two, four].map(told)),
            one.counted.to_owned(),
            if four.work.is_some() { ratios(&work) } else { "–".to_owned() },
            three([one, two, four].map(|found| (found.usage.peak >> 20).to_string())),
        ]
    };
    let head = ["shape", "CPU s", "times", "work", "counted", "times", "peak MiB"];
    let about = "## By doubling\n\nThe work is what the report counts: pairs of fingerprints or documents that were compared, places in lists that were followed (about), chunks, tokens of both sides of all pairs that were compared. What was cut off is told in the report of each.";
    vec![about.to_owned(), table(&head, &found.iter().map(row).collect::<Vec<_>>())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_show_what_doubling_takes() {
        let found = |size: usize, cpu: f64, work: Option<u64>| Found {
            shape: "zeros",
            size,
            unit: "files",
            usage: Usage { cpu, wall: cpu, peak: 3 << 20 },
            counted: "tokens",
            work,
            most_times: 3.0,
        };
        let sizes = [found(10, 1.0, Some(10)), found(20, 2.0, Some(25)), found(40, 8.0, Some(50))];
        let rows = section(std::slice::from_ref(&sizes)).concat();
        assert!(rows.contains("| 2.0 / 4.0 |") && rows.contains("| 2.5 / 2.0 |"), "{rows}");
        assert!(
            !bar(&sizes).is_met() && bar(&[found(1, 1.0, None), found(2, 2.0, None), found(4, 4.0, None)]).is_met()
        );
    }
}
