//! Runs the service with the options of the command line.

use crate::args::Args;
use crate::documents::resources;
use crate::output;
use crate::recipes::key;
use crate::signals;
use anyhow::{Result, bail};
use lookalike::StoreError;
use lookalike::hamming::Error as HammingError;
use lookalike_server::{Error, Limits, ServerOptions, Stop, Tokens};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tracing_subscriber::filter::LevelFilter;

pub(super) fn run(args: &Args) -> Result<u8> {
    let usual = Limits::default();
    let seconds: Option<u64> = args.get("request-time");
    let options = ServerOptions {
        indexes: args.all("served"),
        key: key(args),
        read_only: args.has("read-only"),
        texts: args.has("texts"),
        tokens: args.path("token-file").map(|path| Tokens::read(&path)).transpose()?,
        hosts: args.all("host"),
        limits: Limits {
            body: args.value::<u64>("max-body") as usize,
            upload: args.value("max-upload"),
            requests: args.value("max-requests"),
            time: seconds.map_or(usual.time, Duration::from_secs),
            ..usual
        },
        resources: resources(args),
    };
    log(args);
    let stop = Stop::default();
    let (switch, asked) = (stop.clone(), AtomicBool::new(false));
    // without a handler the process ends: every answer is safe on the disk
    signals::on_stop(move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(crate::INTERRUPTED));
        }
        switch.stop();
    });
    let address: SocketAddr = args.value("listen");
    let ready = |address| output::message(&format!("listening on http://{address}"));
    match lookalike_server::run(&options, address, args.has("insecure"), &stop, ready) {
        Ok(()) => Ok(crate::SUCCESS),
        Err(Error::OpenToAll { address }) => bail!(
            "--listen {address}: others can reach this address, and everybody could ask; expected --token-file, or --insecure if that is meant"
        ),
        Err(Error::NotWritable { path, source }) => bail!(
            "{}: cannot be written: {source}; expected a folder that this user may write to, or --read-only",
            path.display()
        ),
        Err(
            Error::Index(lookalike::Error::Store(StoreError::Locked { path }))
            | Error::Store(HammingError::Store(StoreError::Locked { path })),
        ) => bail!(
            "{} is being written by another process, such as another server; stop that one, or add --read-only to answer questions beside it",
            path.display()
        ),
        // in the words of the command
        Err(Error::Index(error)) => Err(error.into()),
        Err(Error::Store(error)) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}

/// Starts the log, on standard error.
fn log(args: &Args) {
    let level: LevelFilter = args.value::<String>("log-level").parse().unwrap_or(LevelFilter::INFO);
    let log = tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_max_level(level)
        .with_ansi(false)
        .with_target(false);
    // one log is enough: a second would be refused
    let _ = if args.has("log-json") { log.json().flatten_event(true).try_init() } else { log.try_init() };
}
