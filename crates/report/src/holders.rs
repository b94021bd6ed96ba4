//! Everyone who holds a document or a part of it.

use crate::clean::clean;
use crate::shares::{BOLD, DIM, estimate, role_name, role_style};
use crate::units::{commas, count, percent};
use crate::versioned::write_versioned;
use lookalike::index::{Holder, Holders};
use std::io::{self, Write};

/// The holders as one JSON object.
pub fn write_holders_json(out: &mut dyn Write, holders: &Holders) -> io::Result<()> {
    write_versioned(out, holders)
}

/// Writes the holders with colours, host by host where they have hosts. Hosts come in the order of their first holders.
pub fn write_holders(out: &mut dyn Write, holders: &Holders) -> io::Result<()> {
    let all = holders.holders.len() as u64;
    let sum = format!("{}, {} of them now", count(all, "holder"), commas(holders.current));
    writeln!(out, "{BOLD}{}{BOLD:#}  {DIM}{sum}{DIM:#}", clean(&holders.query))?;
    if holders.more > 0 {
        writeln!(out, "  {DIM}{} not looked at: raise the limit{DIM:#}", count(holders.more, "document"))?;
    }
    if holders.holders.is_empty() {
        return writeln!(out, "\n  nobody has {} or more of it", percent(holders.least));
    }
    writeln!(out)?;
    let columns = format!(
        "  {:>7}  {:<5}  {:<22}  {:<10}  {:<10}  URL",
        "held", "role", "resemblance", "first seen", "last seen"
    );
    writeln!(out, "{DIM}{columns}{DIM:#}")?;
    if holders.holders.iter().all(|holder| holder.host.is_empty()) {
        return holders.holders.iter().try_for_each(|holder| write_holder(out, holder));
    }
    let mut hosts: Vec<(&str, Vec<&Holder>)> = Vec::new();
    for holder in &holders.holders {
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

fn write_holder(out: &mut dyn Write, holder: &Holder) -> io::Result<()> {
    let style = role_style(holder.role);
    let (held, alike, role) = (percent(holder.held()), estimate(holder.resemblance), role_name(holder.role));
    let [first, last] = [&holder.first, &holder.last].map(|d| clean(d.as_deref().unwrap_or("–")));
    let past = if holder.current { "" } else { "  not any more" };
    writeln!(
        out,
        "  {style}{held:>7}  {role:<5}{style:#}  {alike:<22}  {first:<10}  {last:<10}  {}{DIM}{past}{DIM:#}",
        clean(&holder.url)
    )
}
