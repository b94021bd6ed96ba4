//! Requests a second and their latency, by wrk.

use super::served::Served;
use super::{Findings, note};
use crate::bars::{Bar, Unit};
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::simhash::random::{self, Spread};
use crate::table::table;
use anyhow::{Context, Result, ensure};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use wait4::Wait4;

/// Every request asks for another fingerprint; with a pause, each connection waits between two of them.
const CHECK: &str = r#"
local pause = tonumber(os.getenv("PAUSE") or "0")
local thread = 0
function setup(t) thread = thread + 1; t:set("seed", thread) end
function init(args) math.randomseed(seed * 7919) end
function request()
  return wrk.format("GET", string.format("/v1/collections/store/check?fingerprint=%08x%08x", math.random(0, 0xffffffff), math.random(0, 0xffffffff)))
end
if pause > 0 then function delay() return pause end end
"#;

/// Every request brings a page of about 5 KB that nobody sent before: words in another order.
const INSERT: &str = r#"
local thread, words = 0, {}
function setup(t) thread = thread + 1; t:set("seed", thread) end
function init(args)
  math.randomseed(seed * 104729)
  for n = 1, 4000 do words[n] = string.format("w%x", n * 7919) end
  count = 0
end
function request()
  local page = {}
  for n = 1, 780 do page[n] = words[math.random(4000)] end
  count = count + 1
  local body = string.format('{"id":"https://%d.example/%d","text":"%s"}', seed, count, table.concat(page, " "))
  return wrk.format("POST", "/v1/collections/pages/check-and-insert", {["Content-Type"] = "application/json"}, body)
end
"#;

/// What wrk told.
struct Load {
    rate: f64,
    p99: f64,
    errors: u64,
    /// CPU seconds of the client.
    client: f64,
}

pub(super) fn measure(
    cache: &Cache,
    lookalike: &mut Lookalike,
    n: u64,
    seconds: u64,
    connections: u32,
) -> Result<Findings> {
    let file = cache.path(&format!("fingerprints-even-{n}-{n}.u64"));
    random::write(&file, (0..n).map(|row| random::fingerprint(Spread::Even, row, n)))?;
    let scratch = tempfile::Builder::new().prefix("serve").tempdir_in(cache.path(""))?;
    let [store, pages] = ["store", "pages"].map(|name| scratch.path().join(name));
    note("building the store");
    let shown = |path: &Path| path.display().to_string();
    lookalike.told(&["simhash", "build", &shown(&file), "-o", &shown(&store), "--distance", "3", "--quiet"])?;
    let server = Served::start(lookalike, &[&store])?;
    note("questions at full load");
    wrk(scratch.path(), CHECK, &server.address, seconds.min(5), connections, 0)?;
    let full = wrk(scratch.path(), CHECK, &server.address, seconds, connections, 0)?;
    note("questions at half of it");
    // each connection waits so long that all of them ask half as often
    let pause = (f64::from(connections) * 1000.0 / (full.rate / 2.0)).ceil() as u64;
    let half = wrk(scratch.path(), CHECK, &server.address, seconds, connections, pause)?;
    let asked = server.stop()?;
    lookalike.told(&["simhash", "online", &shown(&pages)])?;
    let server = Served::start(lookalike, &[&pages])?;
    note("pages that are inserted");
    let insert = wrk(scratch.path(), INSERT, &server.address, seconds, connections, 0)?;
    let memory = server.memory()?;
    let inserted = server.stop()?;
    let bars = vec![
        Bar::at_least(20_000.0, Unit::Count, "check with a fingerprint, a second", full.rate),
        Bar::at_most(5.0, Unit::Milliseconds, "check at half of that load, p99", half.p99),
        Bar::at_least(2_000.0, Unit::Count, "check-and-insert of 5 KB pages, durable, a second", insert.rate),
        Bar::at_most(0.0, Unit::Count, "answers that were errors", (full.errors + half.errors + insert.errors) as f64),
    ];
    let row = |what: &str, load: &Load| {
        vec![
            what.to_owned(),
            format!("{:.0}", load.rate),
            format!("{:.2}", load.p99),
            format!("{:.1}", load.client),
            load.errors.to_string(),
        ]
    };
    let rows = [row("check", &full), row("check, half of it", &half), row("check-and-insert", &insert)];
    let section = format!(
        "{connections} connections of wrk on two threads, {seconds} s each; client and server share the machine. The server took {:.1} CPU s for \
         all questions, and {:.1} CPU s for the pages; it had {} MB in memory after these.\n\n{}",
        asked.cpu,
        inserted.cpu,
        memory >> 20,
        table(&["load", "a second", "p99 ms", "client CPU s", "errors"], &rows)
    );
    let told =
        |load: &Load| json!({ "rate": load.rate, "p99": load.p99, "errors": load.errors, "client": load.client });
    let numbers = json!({ "fingerprints": n, "full": told(&full), "half": told(&half), "insert": told(&insert) });
    Ok(Findings { bars, sections: vec![section], numbers })
}

fn wrk(scratch: &Path, script: &str, address: &str, seconds: u64, connections: u32, pause: u64) -> Result<Load> {
    let (lua, out) = (scratch.join("load.lua"), scratch.join("load.txt"));
    fs::write(&lua, script)?;
    let child = Command::new("wrk")
        .args(["-t2", "--latency", &format!("-c{connections}"), &format!("-d{seconds}s"), "-s"])
        .arg(&lua)
        .arg(format!("http://{address}"))
        .env("PAUSE", pause.to_string())
        .stdout(Stdio::from(fs::File::create(&out)?))
        .spawn()
        .context("cannot run wrk; install it (apt-get install wrk)")?;
    let used = child.wait4()?;
    let told = fs::read_to_string(&out)?;
    ensure!(used.status.success(), "wrk: {}: {told}", used.status);
    let after = |label: &str| told.lines().find_map(|line| line.trim().strip_prefix(label)).map(str::trim);
    let rate = after("Requests/sec:").and_then(|rate| rate.parse().ok()).with_context(|| told.clone())?;
    let p99 = after("99%").and_then(milliseconds).with_context(|| told.clone())?;
    let numbers =
        |line: &str| line.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<u64>().ok()).sum::<u64>();
    let errors = [after("Non-2xx or 3xx responses:"), after("Socket errors:")].into_iter().flatten().map(numbers).sum();
    let client = (used.rusage.utime + used.rusage.stime).as_secs_f64();
    Ok(Load { rate, p99, errors, client })
}

/// `870.00us`, `4.10ms` or `1.02s` as milliseconds.
fn milliseconds(text: &str) -> Option<f64> {
    let factors = [("us", 0.001), ("ms", 1.0), ("s", 1000.0)];
    let (number, factor) = factors.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)))?;
    number.parse::<f64>().ok().map(|number| number * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_of_wrk() {
        for (text, expected) in [("870.00us", 0.87), ("4.10ms", 4.1), ("1.02s", 1020.0)] {
            assert!((milliseconds(text).unwrap() - expected).abs() < 1e-9, "{text}");
        }
        assert_eq!(milliseconds("soon"), None);
    }
}
