//! Everyone who holds a document or a part of it: terminal and CSV.

use super::show::Show;
use crate::clean::clean;
use crate::csv::{guarded, io_error};
use crate::style::{BOLD, DIM, estimate, role_style};
use crate::units::{commas, count, percent, short_percent};
use crate::words::role_name;
use lookalike::index::{Holder, Holders};
use std::io::{self, Write};

impl Show for Holders {
    /// Writes the holders with colours, host by host where they have hosts. Hosts come in the order of their first holders.
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let all = self.holders.len() as u64;
        let sum = format!("{}, {} of them now", count(all, "holder"), commas(self.current));
        writeln!(out, "{BOLD}{}{BOLD:#}  {DIM}{sum}{DIM:#}", clean(&self.query))?;
        if self.more > 0 {
            writeln!(out, "  {DIM}{} not looked at: raise the limit{DIM:#}", count(self.more, "document"))?;
        }
        if self.holders.is_empty() {
            return writeln!(out, "\n  nobody has {} or more of it", short_percent(self.least));
        }
        writeln!(out)?;
        let columns = format!(
            "  {:>7}  {:<5}  {:<22}  {:<10}  {:<10}  URL",
            "held", "role", "resemblance", "first seen", "last seen"
        );
        writeln!(out, "{DIM}{columns}{DIM:#}")?;
        if self.holders.iter().all(|holder| holder.host.is_empty()) {
            return self.holders.iter().try_for_each(|holder| write_holder(out, holder));
        }
        let mut hosts: Vec<(&str, Vec<&Holder>)> = Vec::new();
        for holder in &self.holders {
            match hosts.iter_mut().find(|(host, _)| *host == holder.host) {
                Some((_, of_host)) => of_host.push(holder),
                None => hosts.push((&holder.host, vec![holder])),
            }
        }
        for (host, of_host) in hosts {
            let host = if host.is_empty() { "no host" } else { host };
            let n = count(of_host.len() as u64, "URL");
            writeln!(out, "\n{BOLD}{}{BOLD:#}  {DIM}{n}{DIM:#}", clean(host))?;
            of_host.into_iter().try_for_each(|holder| write_holder(out, holder))?;
        }
        Ok(())
    }
}

fn write_holder(out: &mut dyn Write, holder: &Holder) -> io::Result<()> {
    let style = role_style(holder.role);
    let (held, alike, role) = (percent(holder.held()), estimate(holder.resemblance), role_name(holder.role));
    let [first, last] = [&holder.first, &holder.last].map(|d| clean(d.as_deref().unwrap_or("–")));
    let note = if holder.current { "" } else { "  not any more" };
    writeln!(
        out,
        "  {style}{held:>7}  {role:<5}{style:#}  {alike:<22}  {first:<10}  {last:<10}  {}{DIM}{note}{DIM:#}",
        clean(&holder.url)
    )
}

const COLUMNS: &str = "url host role held resemblance low high document_in_query first last current content verified";

/// A row for each holder; `low` and `high` are the ends of the 95% interval of the resemblance.
pub fn write_holders_csv(out: &mut dyn Write, holders: &Holders) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(COLUMNS.split(' ')).map_err(io_error)?;
    holders.holders.iter().try_for_each(|holder| {
        rows.write_record(row(holder).map(|cell| guarded(&cell).into_owned())).map_err(io_error)
    })?;
    rows.flush()
}

fn row(holder: &Holder) -> [String; 13] {
    let date = |date: &Option<String>| date.clone().unwrap_or_default();
    [
        holder.url.clone(),
        holder.host.clone(),
        role_name(holder.role).to_owned(),
        holder.held().to_string(),
        holder.resemblance.value.to_string(),
        holder.resemblance.low.to_string(),
        holder.resemblance.high.to_string(),
        holder.document_in_query.map_or_else(String::new, |share| share.value.to_string()),
        date(&holder.first),
        date(&holder.last),
        holder.current.to_string(),
        holder.content.clone(),
        holder.verified.to_string(),
    ]
}
