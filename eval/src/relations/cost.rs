//! What a scan by all lenses costs, beside a scan by each of them, on pages of Debian's documentation.

use crate::bars::{Bar, Unit};
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::common::Findings;
use crate::measure::Usage;
use crate::numbers::median;
use crate::speed::task;
use crate::table::table;
use anyhow::Result;
use serde_json::json;

/// CPU time of all lenses at once, as a part of that of four scans.
const BAR: f64 = 0.8;
/// The scans: all lenses at once, then each of them.
const SCANS: [&[&str]; 5] =
    [&["scan", "--lens", "all"], &["scan"], &["scan", "--lens", "chunks"], &["scan", "--lens", "simhash"], &["copies"]];

/// Scans so many pages, so often, one scan after the other.
pub(super) fn measure(cache: &Cache, lookalike: &mut Lookalike, pages: usize, rounds: usize) -> Result<Findings> {
    task::pages(cache, pages)?;
    let folder = cache.text(&format!("pages{pages}"));
    let mut usages: [Vec<Usage>; SCANS.len()] = Default::default();
    for _ in 0..rounds {
        for (scan, usages) in SCANS.iter().zip(&mut usages) {
            let arguments: Vec<&str> = scan.iter().copied().chain(["-q", &folder]).collect();
            usages.push(lookalike.measured(&arguments)?);
        }
    }
    let cpu = |scan: usize| median(usages[scan].iter().map(|usage| usage.cpu));
    let each: f64 = (1..SCANS.len()).map(cpu).sum();
    let ratio = cpu(0) / each;
    let row = |(at, scan): (usize, &&[&str])| {
        let wall = median(usages[at].iter().map(|usage| usage.wall));
        let peak = usages[at].iter().map(|usage| usage.peak).max().unwrap_or(0);
        let numbers = [format!("{:.1}", cpu(at)), format!("{wall:.1}"), format!("{}", peak >> 20)];
        std::iter::once(scan.join(" ")).chain(numbers).collect::<Vec<String>>()
    };
    let mut rows: Vec<Vec<String>> = SCANS.iter().enumerate().map(row).collect();
    rows.push(vec!["the four scans added up".to_owned(), format!("{each:.1}"), String::new(), String::new()]);
    let about = format!(
        "## Cost\n\n{pages} HTML pages, read from the system's cache. The median of {rounds} rounds; in each, every scan ran once, one after the other."
    );
    let what = format!("{pages} pages: CPU time of all lenses at once, by that of the four scans");
    Ok(Findings {
        bars: vec![Bar::at_most(BAR, Unit::Times, what, ratio)],
        sections: vec![about, table(&["scan", "CPU s", "wall s", "peak MiB"], &rows)],
        numbers: json!({ "pages": pages, "rounds": rounds, "ratio": ratio, "scans": SCANS, "usages": usages }),
    })
}
