//! Full load for long, with a kill in the middle: memory stays flat, nothing fails, and every insert that was acknowledged is there.

use super::connection::Connection;
use super::served::Served;
use super::{Findings, note};
use crate::bars::{Bar, Unit};
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::numbers::thousands;
use crate::simhash::random::{Spread, fingerprint};
use crate::table::table;
use anyhow::{Context, Result};
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Clients that insert, each on a connection of its own.
const CLIENTS: u64 = 32;
/// Of so many requests one inserts; the others ask for what was inserted before.
const INSERTS: u64 = 2;
/// Lines of a batch when all is asked for again.
const BATCH: usize = 1000;

/// What clients did together.
#[derive(Default)]
struct Counts {
    /// For each client, how many of its inserts were acknowledged.
    acknowledged: Vec<AtomicU64>,
    asked: AtomicU64,
    errors: AtomicU64,
    wrong: AtomicU64,
}

pub(super) fn measure(cache: &Cache, lookalike: &mut Lookalike, seconds: u64) -> Result<Findings> {
    let scratch = tempfile::Builder::new().prefix("soak").tempdir_in(cache.path(""))?;
    let store = scratch.path().join("seen");
    lookalike.told(&["simhash", "online", &store.display().to_string()])?;
    let counts = Counts { acknowledged: (0..CLIENTS).map(|_| AtomicU64::new(0)).collect(), ..Counts::default() };
    note("under load");
    let server = Served::start(lookalike, &[&store])?;
    let (samples, server) = load(server, &counts, seconds, false)?;
    let used = server.context("it was not killed")?.stop()?;
    let soaked: u64 = counts.acknowledged.iter().map(|count| count.load(Ordering::SeqCst)).sum();
    let missing_after_stop = missing(lookalike, &store, &counts)?;
    note("killed in the middle");
    let server = Served::start(lookalike, &[&store])?;
    load(server, &counts, (seconds / 10).clamp(2, 20), true)?;
    let all: u64 = counts.acknowledged.iter().map(|count| count.load(Ordering::SeqCst)).sum();
    let missing_after_kill = missing(lookalike, &store, &counts)?;
    // what is kept of the newest entries comes and goes: the highest of a quarter counts
    let quarter = samples.len().div_ceil(4).max(1);
    let highest = |some: &[u64]| some.iter().copied().max().unwrap_or(0) as f64;
    let (second, last) = (
        highest(&samples[quarter.min(samples.len())..(2 * quarter).min(samples.len())]),
        highest(&samples[samples.len() - quarter.min(samples.len())..]),
    );
    let number = |count: &AtomicU64| count.load(Ordering::SeqCst) as f64;
    let bars = vec![
        Bar::at_most(0.0, Unit::Count, "answers that were errors", number(&counts.errors)),
        Bar::at_most(0.0, Unit::Count, "answers that were wrong", number(&counts.wrong)),
        Bar::at_most(
            0.0,
            Unit::Count,
            "acknowledged inserts that are missing after it stopped",
            missing_after_stop as f64,
        ),
        Bar::at_most(
            0.0,
            Unit::Count,
            "acknowledged inserts that are missing after SIGKILL",
            missing_after_kill as f64,
        ),
        Bar::at_most(1.2, Unit::Times, "memory of the last quarter beside the second", last / second.max(1.0)),
    ];
    let row = |at: usize| vec![(at / 10).to_string(), (samples[at] >> 20).to_string()];
    let rows: Vec<Vec<String>> = (0..samples.len()).step_by(samples.len().div_ceil(12).max(1)).map(row).collect();
    let section = format!(
        "{CLIENTS} clients for {seconds} s: {} inserts acknowledged, {} questions, {:.0} CPU s of the server. Then {} inserts more until it was \
         killed. Bytes in memory are those that no file has.\n\n{}",
        thousands(soaked),
        thousands(counts.asked.load(Ordering::SeqCst)),
        used.cpu,
        thousands(all - soaked),
        table(&["after seconds", "MB in memory"], &rows)
    );
    let numbers = json!({ "seconds": seconds, "inserts": soaked, "killed_after": all - soaked, "memory_each_second": samples.iter().step_by(10).collect::<Vec<_>>() });
    Ok(Findings { bars, sections: vec![section], numbers })
}

/// Runs clients for some time; samples of the memory, ten a second; and the server, unless it was killed.
fn load(server: Served, counts: &Counts, seconds: u64, kill: bool) -> Result<(Vec<u64>, Option<Served>)> {
    let stop = AtomicBool::new(false);
    let address = server.address.clone();
    let mut samples = Vec::new();
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (stop, address) = (&stop, &address);
            scope.spawn(move || {
                if let Err(error) = run(client, counts, address, stop) {
                    // a server that is killed answers no more
                    if !stop.load(Ordering::SeqCst) {
                        note(&format!("client {client}: {error:#}"));
                        counts.errors.fetch_add(1, Ordering::SeqCst);
                    }
                }
            });
        }
        let end = Instant::now() + Duration::from_secs(seconds);
        while Instant::now() < end {
            samples.push(server.memory()?);
            thread::sleep(Duration::from_millis(100));
        }
        stop.store(true, Ordering::SeqCst);
        if kill {
            server.kill()?;
            return Ok((samples, None));
        }
        Ok((samples, Some(server)))
    })
}

/// The fingerprint of an insert.
fn of(client: u64, number: u64) -> u64 {
    fingerprint(Spread::Even, number * CLIENTS + client, u64::MAX)
}

fn run(client: u64, counts: &Counts, address: &str, stop: &AtomicBool) -> Result<()> {
    let mut connection = Connection::open(address)?;
    let acknowledged = &counts.acknowledged[client as usize];
    let mut request = 0;
    while !stop.load(Ordering::SeqCst) {
        request += 1;
        let done = acknowledged.load(Ordering::SeqCst);
        if request % INSERTS == 0 {
            let body = json!({ "id": format!("https://{client}.example/{done}"), "fingerprint": format!("{:016x}", of(client, done)) });
            let answer = connection.ask("/v1/collections/seen/check-and-insert", &body)?;
            // of one that was not acknowledged before a kill it may say that it is there
            let own = answer["matches"][0]["id"] == body["id"];
            counts.wrong.fetch_add(u64::from(answer["new"] != true && !own), Ordering::SeqCst);
            acknowledged.store(done + 1, Ordering::SeqCst);
        } else if done > 0 {
            let old = of(client, request * 7919 % done);
            let answer =
                connection.ask("/v1/collections/seen/check", &json!({ "fingerprint": format!("{old:016x}") }))?;
            counts.wrong.fetch_add(u64::from(answer["new"] != false), Ordering::SeqCst);
            counts.asked.fetch_add(1, Ordering::SeqCst);
        }
    }
    Ok(())
}

/// Acknowledged inserts that a server that was started again does not know.
fn missing(lookalike: &mut Lookalike, store: &Path, counts: &Counts) -> Result<u64> {
    let server = Served::start(lookalike, &[store])?;
    let mut connection = Connection::open(&server.address)?;
    let mut missing = 0;
    for (client, acknowledged) in counts.acknowledged.iter().enumerate() {
        let all: Vec<u64> = (0..acknowledged.load(Ordering::SeqCst)).map(|number| of(client as u64, number)).collect();
        for group in all.chunks(BATCH) {
            let mut lines = String::new();
            for fingerprint in group {
                writeln!(lines, "{{\"fingerprint\":\"{fingerprint:016x}\",\"distance\":0,\"limit\":1}}")?;
            }
            let (_, answer) =
                connection.post("/v1/collections/seen/batch", "application/x-ndjson", lines.as_bytes())?;
            let known = String::from_utf8_lossy(&answer).lines().filter(|line| line.contains("\"new\":false")).count();
            missing += (group.len() - known) as u64;
        }
    }
    drop(connection);
    server.stop()?;
    Ok(missing)
}
