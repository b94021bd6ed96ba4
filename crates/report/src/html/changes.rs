//! How pages change over time, as one page of plots, with the names of the pages. It is markup already and asks for nothing.

use super::plot::{Bar, bars, escape, link, rows, steps};
use crate::units::{commas, count, percent, short_percent};
use lookalike::index::{Changes, Interval, PageChange, PageChangeKind};
use lookalike_web::write_plain;
use std::fmt::Write as _;
use std::io::{self, Write};

pub(super) const STYLE: &str = include_str!("changes.css");
/// Pages that are named of each kind.
const MAX_NAMED: usize = 200;

/// Writes the page; `source` names the index.
pub fn write_changes_html(out: &mut dyn Write, changes: &Changes, source: &str) -> io::Result<()> {
    let mut body = format!("<h1>How pages change</h1>\n<p>{}</p>\n", escape(&summary(changes)));
    if changes.intervals.is_empty() {
        body.push_str("<p>Nothing to compare: that takes two sweeps with dates.</p>\n");
    } else {
        let plots = [often(changes), much(changes), births(changes), far(changes), long(changes), times(changes)];
        let _ = writeln!(body, "<div class=\"plots\">\n{}</div>", plots.concat());
        body.push_str(&table(&changes.intervals));
        body.push_str(&named(&changes.pages));
    }
    let title = format!("How pages change: {} · lookalike", crate::clean(source));
    let foot = format!("lookalike {}", env!("CARGO_PKG_VERSION"));
    write_plain(out, &title, &crate::clean(source), STYLE, &body, &foot)
}

fn summary(changes: &Changes) -> String {
    let mut text = format!(
        "{} in {}, {}. Resemblance is estimated from sketches.",
        count(changes.urls, "URL"),
        count(changes.sweeps, "dated sweep"),
        count(changes.observations, "observation")
    );
    if changes.incomplete > 0 {
        let left_out = count(changes.incomplete, "observation");
        let _ = write!(text, " {left_out} of sweeps that could not be read as a whole left out.");
    }
    if changes.undated > 0 {
        let _ = write!(text, " {} without a date left out.", count(changes.undated, "observation"));
    }
    text
}

/// A plot with its title, what it says, and what its colours mean.
fn card(title: &str, says: &str, plot: &str, key: &[(&str, &str)]) -> String {
    let mut items = String::new();
    for (colour, name) in key {
        let _ = write!(
            items,
            "<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"{colour}\" width=\"10\" height=\"10\" rx=\"2\"/></svg>{name}</li>"
        );
    }
    let key = if items.is_empty() { items } else { format!("<ul class=\"key\">{items}</ul>") };
    format!("<figure class=\"panel\"><h2>{title}</h2><p>{}</p>{plot}{key}</figure>\n", escape(says))
}

fn part(n: u64, of: u64) -> String {
    if of == 0 { "none".to_owned() } else { percent(n as f64 / of as f64) }
}

/// The day is enough for a label.
fn day(date: &str) -> String {
    date.chars().take(10).collect()
}

fn often(changes: &Changes) -> String {
    let rate = &changes.rate;
    let mut says = format!(
        "{} of {} found another version than the one before.",
        part(rate.changed, rate.repeated),
        count(rate.repeated, "second look")
    );
    if let Some(days) = rate.days_per_change {
        let _ = write!(says, " That is one change in {days:.0} days, as far as the sweeps can tell.");
    }
    let bar = |i: &Interval| Bar {
        label: day(&i.to),
        up: vec![(i.unchanged, "e", "unchanged"), (i.changed, "b", "changed")],
        down: Vec::new(),
    };
    let all: Vec<Bar> = changes.intervals.iter().map(bar).collect();
    let title = "How often pages change";
    let plot = bars("often", title, "URLs in two consecutive sweeps, by the date of the second", &all);
    card(title, &says, &plot, &[("b", "changed"), ("e", "unchanged")])
}

fn much(changes: &Changes) -> String {
    let spread = &changes.resemblance;
    let says = match (spread.mean, spread.median) {
        (Some(mean), Some(median)) => format!(
            "A new version resembles the one before by {} on average; half of them by {} or more.",
            percent(mean),
            percent(median)
        ),
        _ => "Nothing changed.".to_owned(),
    };
    let bar = |(bin, n): (usize, &u64)| Bar {
        label: format!("{}%", bin * 10),
        up: vec![(*n, "a", "new versions from here to 10% more")],
        down: Vec::new(),
    };
    let all: Vec<Bar> = spread.bins.iter().enumerate().map(bar).collect();
    let title = "How much they change";
    card(title, &says, &bars("much", title, "New versions by their resemblance to the version before", &all), &[])
}

fn births(changes: &Changes) -> String {
    let sum = |of: fn(&Interval) -> u64| changes.intervals.iter().map(of).sum::<u64>();
    let (born, returned, died) = (sum(|i| i.born), sum(|i| i.returned), sum(|i| i.died));
    let moved = changes.moves.within_host + changes.moves.between_hosts;
    let says = format!(
        "{} came and {} returned; {} left, and {} of these were found again under another URL.",
        count(born, "URL"),
        commas(returned),
        commas(died),
        commas(moved)
    );
    let bar = |i: &Interval| {
        let moved = i.moves.within_host + i.moves.between_hosts;
        Bar {
            label: day(&i.to),
            up: vec![(i.born, "c", "born"), (i.returned, "a", "returned")],
            down: vec![(moved, "b", "moved"), (i.died - moved, "d", "not found again")],
        }
    };
    let all: Vec<Bar> = changes.intervals.iter().map(bar).collect();
    let title = "How many are born and die";
    let key = [("c", "born"), ("a", "returned"), ("b", "moved"), ("d", "not found again")];
    card(title, &says, &bars("births", title, "URLs that came, above, and left, below, by sweep", &all), &key)
}

fn far(changes: &Changes) -> String {
    let (moves, died) = (changes.moves, changes.intervals.iter().map(|i| i.died).sum::<u64>());
    let found = moves.within_host + moves.between_hosts;
    let says = format!(
        "{} of the URLs that left were found again with a resemblance of {} or more, {} of them on another host.",
        part(found, died),
        short_percent(changes.threshold),
        part(moves.between_hosts, found)
    );
    let all = [
        ("renamed in their folder", moves.renamed, "c"),
        ("elsewhere on the host", moves.within_host - moves.renamed, "a"),
        ("on another host", moves.between_hosts, "b"),
        ("not found again", died - found, "d"),
    ];
    let title = "How far they move";
    card(title, &says, &rows("far", title, "URLs that left, by where their content went", &all), &[])
}

fn long(changes: &Changes) -> String {
    let lives = &changes.lifetimes;
    let half = lives.survival.iter().find(|step| step.share <= 0.5);
    let mut says = match half {
        Some(step) => format!("Half of the pages are gone {:.0} days after they were first seen.", step.days),
        None => "More than half of the pages outlive the sweeps.".to_owned(),
    };
    let _ = write!(says, " {} are alive in the last sweep: how old they get is not known yet.", commas(lives.alive));
    let points: Vec<(f64, f64)> = lives.survival.iter().map(|step| (step.days, step.share)).collect();
    let days: f64 = changes.intervals.iter().map(|i| i.days).sum();
    let title = "How long they live";
    let plot = steps("long", title, "Share of URLs that live on, by days since they were first seen", &points, days);
    card(title, &says, &plot, &[])
}

fn times(changes: &Changes) -> String {
    let mut counts: Vec<u64> = Vec::new();
    for by in changes.rate.by_observations.iter().filter(|by| by.observations > 1) {
        counts.resize(counts.len().max(by.changes.len()), 0);
        counts.iter_mut().zip(&by.changes).for_each(|(sum, n)| *sum += n);
    }
    let (all, never) = (counts.iter().sum(), counts.first().copied().unwrap_or(0));
    let says = format!("{} of {} that were seen more than once never changed.", part(never, all), count(all, "URL"));
    let bar =
        |(times, n): (usize, &u64)| Bar { label: format!("{times}×"), up: vec![(*n, "a", "URLs")], down: Vec::new() };
    let bars_of: Vec<Bar> = counts.iter().enumerate().map(bar).collect();
    let title = "How many times they change";
    card(title, &says, &bars("times", title, "URLs by how many times they were seen to change", &bars_of), &[])
}

fn table(intervals: &[Interval]) -> String {
    let names = [
        "from",
        "to",
        "in both",
        "changed",
        "mean resemblance",
        "born",
        "returned",
        "died",
        "within host",
        "between hosts",
    ];
    let mut out = String::from(
        "<section class=\"panel\"><h2>From sweep to sweep</h2><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"From sweep to sweep\"><table class=\"numbers\"><thead><tr>",
    );
    for name in names {
        let _ = write!(out, "<th scope=\"col\">{name}</th>");
    }
    out.push_str("</tr></thead><tbody>\n");
    for i in intervals {
        let mean = i.resemblance.mean.map_or_else(|| "–".to_owned(), percent);
        let [both, changed, born, returned, died] = [i.both, i.changed, i.born, i.returned, i.died].map(commas);
        let [within, between] = [i.moves.within_host, i.moves.between_hosts].map(commas);
        let cells = [i.from.clone(), i.to.clone(), both, changed, mean, born, returned, died, within, between];
        out.push_str("<tr>");
        for cell in cells {
            let _ = write!(out, "<td>{}</td>", escape(&cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div></section>\n");
    out
}

/// The pages behind the numbers, by what happened to them; the latest interval first.
fn named(pages: &[PageChange]) -> String {
    let kinds = [
        (PageChangeKind::Moved, "moved", "Where it was"),
        (PageChangeKind::Changed, "changed", "Page"),
        (PageChangeKind::Died, "not found again", "Page"),
        (PageChangeKind::Born, "born", "Page"),
        (PageChangeKind::Returned, "returned", "Page"),
    ];
    let mut out = String::new();
    for (kind, name, head) in kinds {
        let all: Vec<&PageChange> = pages.iter().filter(|page| page.change == kind).collect();
        if all.is_empty() {
            continue;
        }
        // what moved can be mended; the rest is there for whoever asks
        let open = if kind == PageChangeKind::Moved { " open" } else { "" };
        let moved = kind == PageChangeKind::Moved;
        let measured = moved || kind == PageChangeKind::Changed;
        let _ = write!(out, "<details{open}><summary>{} {name}</summary>", count(all.len() as u64, "page"));
        let _ = write!(out, "<table class=\"names\"><thead><tr><th scope=\"col\">{head}</th>");
        for (shown, class, head) in [
            (moved, "", "Where it is"),
            (measured, " class=\"number\"", "Resemblance"),
            (true, " class=\"number\"", "Seen"),
        ] {
            if shown {
                let _ = write!(out, "<th scope=\"col\"{class}>{head}</th>");
            }
        }
        out.push_str("</tr></thead><tbody>\n");
        for page in all.iter().take(MAX_NAMED) {
            let _ = write!(out, "<tr><td>{}</td>", link(&page.url));
            if moved {
                let _ = write!(out, "<td>{}</td>", page.moved_to.as_deref().map_or_else(String::new, link));
            }
            if measured {
                let alike = page.resemblance.map_or_else(|| "–".to_owned(), |estimate| percent(estimate.value));
                let _ = write!(out, "<td class=\"number\">{alike}</td>");
            }
            let _ = writeln!(out, "<td class=\"number\">{}</td></tr>", escape(&day(&page.to)));
        }
        out.push_str("</tbody></table>");
        if all.len() > MAX_NAMED {
            let _ = write!(out, "<p>The first {MAX_NAMED} of {}.</p>", commas(all.len() as u64));
        }
        out.push_str("</details>\n");
    }
    if out.is_empty() { out } else { format!("<section class=\"panel\"><h2>Which pages</h2>\n{out}</section>\n") }
}
