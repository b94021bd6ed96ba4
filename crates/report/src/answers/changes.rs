//! How pages change over time: terminal, JSON and CSV.

use super::rows::{Row, cell};
use super::show::Show;
use crate::clean::clean;
use crate::csv::io_error;
use crate::hints;
use crate::style::{BOLD, DIM, share};
use crate::units::{commas, count, percent, short_percent};
use crate::words::page_change_name;
use lookalike::index::{Changes, Interval, PageChange, PageChangeKind, Spread};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Pages that are shown of each kind of change.
const MAX_PAGES: u64 = 5;

impl Row for PageChange {
    const LIST: &'static str = "pages";
    const COLUMNS: &'static str = "from to change url moved_to resemblance resemblance_low resemblance_high";

    fn cells(&self) -> Vec<String> {
        let resemblance = self.resemblance;
        let words = [&self.from, &self.to, page_change_name(self.change), &self.url].map(str::to_owned);
        let numbers = [resemblance.map(|e| e.value), resemblance.map(|e| e.low), resemblance.map(|e| e.high)];
        words.into_iter().chain([cell(self.moved_to.as_ref())]).chain(numbers.map(cell)).collect()
    }

    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let (change, date, url) = (page_change_name(self.change), clean(&self.to), clean(&self.url));
        let alike = share(self.resemblance.map(|e| e.value));
        let moved = self.moved_to.as_ref().map_or_else(String::new, |to| format!(" → {}", clean(to)));
        writeln!(out, "  {change:<8}  {date:<10}  {alike:>7}  {url}{moved}")
    }
}

fn pages(out: &mut dyn Write, pages: &[PageChange]) -> io::Result<()> {
    if pages.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}Pages{BOLD:#}  {DIM}the latest first; resemblance to what they were{DIM:#}")?;
    let (mut shown, mut more) = (BTreeMap::<PageChangeKind, u64>::new(), 0);
    for page in pages {
        let of_kind = shown.entry(page.change).or_default();
        if *of_kind < MAX_PAGES {
            *of_kind += 1;
            page.show(out)?;
        } else {
            more += 1;
        }
    }
    match more {
        0 => Ok(()),
        more => writeln!(out, "  {DIM}… and {}; {}{DIM:#}", count(more, "more page"), hints::PAGES),
    }
}

/// Days, to the hour where that matters.
fn days(days: f64) -> String {
    if days >= 10.0 || days.fract() == 0.0 { format!("{days:.0}") } else { format!("{days:.1}") }
}

/// A row for each interval; the last ten columns are the histogram of resemblance to the version before.
pub fn write_changes_csv(out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    let fixed = "from to days both unchanged changed born returned died renamed moved_within_host moved_between_hosts \
                 unmeasured mean_resemblance median_resemblance";
    let bins = (0..10).map(|bin| format!("resemblance_0.{bin}"));
    rows.write_record(fixed.split_whitespace().map(str::to_owned).chain(bins)).map_err(io_error)?;
    for i in &changes.intervals {
        let number = |n: Option<f64>| n.map_or_else(String::new, |n| n.to_string());
        let mut row = vec![i.from.clone(), i.to.clone(), i.days.to_string()];
        let counts = [i.both, i.unchanged, i.changed, i.born, i.returned, i.died];
        let moves = [i.moves.renamed, i.moves.within_host, i.moves.between_hosts, i.resemblance.unmeasured];
        row.extend(counts.iter().chain(&moves).map(u64::to_string));
        row.extend([number(i.resemblance.mean), number(i.resemblance.median)]);
        row.extend(i.resemblance.bins.iter().map(u64::to_string));
        rows.write_record(row).map_err(io_error)?;
    }
    rows.flush()
}

impl Show for Changes {
    /// Writes the numbers with colours.
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let (urls, observations) = (count(self.urls, "URL"), count(self.observations, "observation"));
        writeln!(out, "{BOLD}{urls} in {}{BOLD:#}  {DIM}{observations}{DIM:#}", count(self.sweeps, "dated sweep"))?;
        if self.incomplete > 0 {
            let left_out = count(self.incomplete, "observation");
            writeln!(out, "  {DIM}{left_out} of sweeps that could not be read as a whole left out{DIM:#}")?;
        }
        if self.undated > 0 {
            writeln!(out, "  {DIM}{} without a date left out{DIM:#}", count(self.undated, "observation"))?;
        }
        if self.intervals.is_empty() {
            return writeln!(out, "\n  nothing to compare: that takes two sweeps with dates");
        }
        intervals(out, &self.intervals)?;
        pages(out, &self.pages)?;
        how_often(out, self)?;
        how_much(out, &self.resemblance)?;
        how_far(out, self)?;
        how_long(out, self)
    }
}

fn intervals(out: &mut dyn Write, intervals: &[Interval]) -> io::Result<()> {
    writeln!(out, "\n{BOLD}From sweep to sweep{BOLD:#}")?;
    // a date may have a time
    let wide = intervals.iter().flat_map(|i| [&i.from, &i.to]).map(|date| clean(date).len()).max().unwrap_or(0).max(4);
    let columns = format!(
        "  {:<wide$}  {:<wide$}  {:>9}  {:>8}  {:>11}  {:>8}  {:>8}  {:>8}  {:>11}  {:>13}",
        "from", "to", "in both", "changed", "resemblance", "born", "returned", "died", "within host", "between hosts"
    );
    writeln!(out, "{DIM}{columns}{DIM:#}")?;
    for i in intervals {
        let changed = if i.both == 0 { "–".to_owned() } else { percent(i.changed as f64 / i.both as f64) };
        writeln!(
            out,
            "  {:<wide$}  {:<wide$}  {:>9}  {changed:>8}  {:>11}  {:>8}  {:>8}  {:>8}  {:>11}  {:>13}",
            clean(&i.from),
            clean(&i.to),
            commas(i.both),
            share(i.resemblance.mean),
            commas(i.born),
            commas(i.returned),
            commas(i.died),
            commas(i.moves.within_host),
            commas(i.moves.between_hosts)
        )?;
    }
    Ok(())
}

fn how_often(out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
    let rate = &changes.rate;
    writeln!(out, "\n{BOLD}How often pages change{BOLD:#}")?;
    if rate.repeated == 0 {
        return writeln!(out, "  no URL was seen twice");
    }
    let part = percent(rate.changed as f64 / rate.repeated as f64);
    writeln!(out, "  {part} of {} found another version than the one before", count(rate.repeated, "second look"))?;
    if let Some(each) = rate.days_per_change.filter(|_| has_rates(changes)) {
        writeln!(out, "  one change in {} days on average, as far as the sweeps can tell", days(each))?;
    }
    for by in rate.by_observations.iter().filter(|by| by.observations > 1) {
        let never = by.changes.first().copied().unwrap_or(0);
        let always = by.changes.get(by.observations as usize - 1).copied().unwrap_or(0);
        let seen = format!("seen {} times", commas(by.observations));
        let (never, always) = (commas(never), commas(always));
        writeln!(out, "  {seen:<14} {:>13}: {never} never changed, {always} every time", count(by.urls, "URL"))?;
    }
    Ok(())
}

fn how_much(out: &mut dyn Write, spread: &Spread) -> io::Result<()> {
    writeln!(out, "\n{BOLD}How much they change{BOLD:#}  {DIM}resemblance to the version before{DIM:#}")?;
    let (Some(mean), Some(median)) = (spread.mean, spread.median) else {
        return writeln!(out, "  nothing changed");
    };
    writeln!(out, "  mean {}, median {}", percent(mean), percent(median))?;
    let most = spread.bins.iter().copied().max().unwrap_or(0).max(1);
    for (bin, n) in spread.bins.iter().enumerate().rev() {
        let bar = if *n == 0 { String::new() } else { format!("  {}", "█".repeat((n * 40).div_ceil(most) as usize)) };
        writeln!(out, "  {:>3}–{:>3}%  {:>9}{DIM}{bar}{DIM:#}", bin * 10, bin * 10 + 10, commas(*n))?;
    }
    match spread.unmeasured {
        0 => Ok(()),
        n => writeln!(out, "  {DIM}{} too short to tell{DIM:#}", count(n, "page")),
    }
}

fn how_far(out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
    let moves = changes.moves;
    let found = moves.within_host + moves.between_hosts;
    let died: u64 = changes.intervals.iter().map(|i| i.died).sum();
    let least = short_percent(changes.threshold);
    writeln!(out, "\n{BOLD}How far they move{BOLD:#}  {DIM}found again with a resemblance of {least} or more{DIM:#}")?;
    let mut row = |name: &str, n: u64| writeln!(out, "  {name:<24} {:>9}", commas(n));
    row("renamed in their folder", moves.renamed)?;
    row("elsewhere on the host", moves.within_host - moves.renamed)?;
    row("on another host", moves.between_hosts)?;
    row("not found again", died - found)
}

/// Two looks say whether something changed, not how often, and of no URL when it came and when it went.
fn has_rates(changes: &Changes) -> bool {
    changes.intervals.len() > 1
}

fn how_long(out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
    let lives = &changes.lifetimes;
    writeln!(out, "\n{BOLD}How long they live{BOLD:#}")?;
    let (born, died, alive) = (commas(lives.born), commas(lives.died), commas(lives.alive));
    writeln!(out, "  {born} born, {died} died, {alive} alive in the last sweep")?;
    if !has_rates(changes) {
        return writeln!(out, "  {DIM}two sweeps do not tell for how long; three or more do{DIM:#}");
    }
    if let (Some(mean), Some(median)) = (lives.mean_days, lives.median_days) {
        let (mean, median) = (days(mean), days(median));
        writeln!(out, "  those that died were seen for {mean} days on average, median {median}")?;
    }
    for step in lives.survival.iter().take(10) {
        let of = count(step.at_risk, "URL");
        writeln!(
            out,
            "  {:>7} days  {:>7} live on  {DIM}of {of} followed so long{DIM:#}",
            days(step.days),
            percent(step.share)
        )?;
    }
    match lives.survival.len().saturating_sub(10) {
        0 => Ok(()),
        rest => writeln!(out, "  {DIM}… and {}; {}{DIM:#}", count(rest as u64, "more step"), hints::ALL),
    }
}
