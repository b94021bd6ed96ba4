//! Where the last content of a URL lives now.

use super::show::Show;
use crate::clean::clean;
use crate::style::{BOLD, DIM, estimate, role_style, share};
use crate::units::{count, percent};
use crate::words::role_name;
use anstyle::{AnsiColor, Style};
use lookalike::index::{Location, LostResult, LostStatus, Role, Version};
use std::io::{self, Write};

/// Versions of the history that are shown, the latest ones.
const VERSIONS: usize = 10;

impl Show for LostResult {
    /// Writes the answer with colours: what became of the content, where it is, what the URL had over time.
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let (status, style) = (status(self), status_style(self.status));
        writeln!(out, "{BOLD}{}{BOLD:#}  {style}{status}{style:#}", clean(&self.url))?;
        if self.status == LostStatus::Unknown {
            return Ok(());
        }
        let date = |date: &Option<String>| clean(date.as_deref().unwrap_or("no date")).into_owned();
        let seen = format!("last seen {}; the last sweep was {}", date(&self.last_seen), date(&self.now));
        writeln!(out, "  {DIM}{seen}{DIM:#}")?;
        if self.status != LostStatus::Unchanged {
            let content = clean(self.content.as_deref().unwrap_or("–"));
            writeln!(out, "  {DIM}looked for what it had on {}: content {content}{DIM:#}", date(&self.last))?;
        }
        let (now, later): (Vec<&Location>, Vec<&Location>) = self.found.iter().partition(|place| place.current);
        places(out, if self.status == LostStatus::Gone { "Parts of it" } else { "Where it is now" }, &now)?;
        places(out, "Where it was seen later, but is no more", &later)?;
        if self.more > 0 {
            writeln!(out, "  … and {}", count(self.more, "more place"))?;
        }
        history(out, &self.history)
    }
}

fn status(lost: &LostResult) -> String {
    match lost.status {
        LostStatus::Unchanged => "unchanged: it is there as it was".to_owned(),
        LostStatus::Changed => "changed in place".to_owned(),
        LostStatus::Moved => match lost.found.first().filter(|place| place.role != Role::Copy) {
            Some(place) => {
                let held = place.query_in_document.unwrap_or(place.resemblance);
                format!("moved: another URL has {} of it now", percent(held.value))
            }
            None => "moved: another URL has it now".to_owned(),
        },
        LostStatus::Split => {
            let together = lost.together.map_or_else(String::new, |t| format!(", {} of it together", percent(t)));
            format!("split: several URLs have parts of it{together}")
        }
        LostStatus::Merged => "merged into a larger document".to_owned(),
        LostStatus::Gone => "gone: nothing in the last sweep has a substantial part of it".to_owned(),
        LostStatus::Unknown => "unknown: never seen by this index, or not by then".to_owned(),
    }
}

fn status_style(status: LostStatus) -> Style {
    let colour = match status {
        LostStatus::Unchanged => AnsiColor::Green,
        LostStatus::Changed | LostStatus::Moved => AnsiColor::Yellow,
        LostStatus::Split | LostStatus::Merged => AnsiColor::Blue,
        LostStatus::Gone | LostStatus::Unknown => AnsiColor::Red,
    };
    Style::new().fg_color(Some(colour.into()))
}

fn places(out: &mut dyn Write, title: &str, places: &[&Location]) -> io::Result<()> {
    if places.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}{title}{BOLD:#}  {DIM}estimates with 95% intervals{DIM:#}")?;
    let columns = format!(
        "  {:<22}  {:>7}  {:<5}  {:<10}  {:<10}  URL",
        "resemblance", "held", "role", "first seen", "last seen"
    );
    writeln!(out, "{DIM}{columns}{DIM:#}")?;
    for place in places {
        let style = role_style(place.role);
        let (alike, held) = (estimate(place.resemblance), share(place.query_in_document.map(|e| e.value)));
        let [first, last] = [&place.first, &place.last].map(|d| clean(d.as_deref().unwrap_or("–")));
        let note = match (place.new, place.gained) {
            (true, _) => "  new",
            (_, true) => "  took it in",
            _ => "",
        };
        writeln!(
            out,
            "  {style}{alike:<22}{style:#}  {held:>7}  {style}{:<5}{style:#}  {first:<10}  {last:<10}  {}{DIM}{note}{DIM:#}",
            role_name(place.role),
            clean(&place.url)
        )?;
        if let Some(through) = &place.intermediate {
            let date = clean(through.date.as_deref().unwrap_or("no date"));
            let alike = percent(through.resemblance.value);
            let (what, url) = if through.url == place.url {
                ("edited since", String::new())
            } else {
                ("by way of", format!(" {}", clean(&through.url)))
            };
            writeln!(out, "  {:>22}  {DIM}{what}{url}, which resembled it by {alike} on {date}{DIM:#}", "")?;
        }
    }
    Ok(())
}

fn history(out: &mut dyn Write, history: &[Version]) -> io::Result<()> {
    writeln!(out, "\n{BOLD}What the URL had{BOLD:#}  {DIM}resemblance to the version before{DIM:#}")?;
    let skipped = history.len().saturating_sub(VERSIONS);
    if skipped > 0 {
        writeln!(out, "  {DIM}… {} before{DIM:#}", count(skipped as u64, "observation"))?;
    }
    for (at, version) in history.iter().enumerate().skip(skipped) {
        let date = clean(version.date.as_deref().unwrap_or("no date"));
        let change = match version.resemblance {
            _ if at == 0 => "first seen".to_owned(),
            Some(resemblance) => format!("changed  {}", estimate(resemblance)),
            None if version.changed => "changed".to_owned(),
            None => "as before".to_owned(),
        };
        writeln!(out, "  {date:<12}  {}  {change}", clean(&version.content))?;
    }
    Ok(())
}
