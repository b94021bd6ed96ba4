//! What was fetched, and where it is.

use super::{FLAGS, Fetches, address, output, staging_folder};
use crate::args::Args;
use crate::progress::{Bars, cancel_on_signal, set_temporary};
use crate::verb::Verb;
use anyhow::{Result, bail};
use lookalike::{Cancel, Progress, Unit};
use lookalike_remote::{Client, Error, Location, Staged, Staging, Watch};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What says that a result is complete: it is put last.
const LAST: &str = "summary.json";

/// What this process has fetched.
static FETCHED: Mutex<Option<Fetched>> = Mutex::new(None);

/// Objects as files.
struct Fetched {
    client: Client,
    staging: Staging,
    fetches: Fetches,
}

struct Watcher {
    bars: Bars,
    cancel: Cancel,
}

impl Watcher {
    fn new(args: &Args) -> Self {
        Self { bars: Bars::new(args.has("quiet")), cancel: cancel_on_signal() }
    }
}

impl Watch for Watcher {
    fn begin(&self, phase: &'static str, bytes: u64) {
        self.bars.begin(phase, Unit::Bytes, Some(bytes));
    }

    fn advance(&self, bytes: u64) {
        self.bars.advance(bytes);
    }

    fn end(&self) {
        self.bars.end();
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }
}

/// Everything that the command names by addresses, fetched once.
pub(super) fn fetch(args: &Args) -> Result<Fetches> {
    let mut fetched = lock();
    if let Some(fetched) = fetched.as_ref() {
        return Ok(fetched.fetches.clone());
    }
    Ok(fetched.insert(Fetched::new(args)?).fetches.clone())
}

fn lock() -> MutexGuard<'static, Option<Fetched>> {
    FETCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Fetched {
    /// Fetches everything that the command names by addresses, and looks whether the result can go where it should.
    fn new(args: &Args) -> Result<Self> {
        let (client, watch) = (Client::new()?, Watcher::new(args));
        let out = args.path("output").filter(|_| args.spec.verb == Verb::Dedup);
        let target = target(args)?;
        // a result that is made already is put again, over what a stopped run put
        let is_made = target.is_some() && output(args).is_some_and(|made| made.is_dir()) && args.has("resume");
        if let Some(target) = target.as_ref().filter(|_| !is_made) {
            client.check_target(target, &watch).map_err(said)?;
        }
        let mut paths: Vec<PathBuf> = FLAGS.iter().flat_map(|name| args.all::<PathBuf>(name)).collect();
        paths.retain(|path| address(path).is_some() && !is_made);
        let urls = paths.iter().filter_map(|path| address(path));
        let locations = urls.map(Location::parse).collect::<Result<Vec<Location>, Error>>()?;
        let mut staging = match &out {
            Some(out) => Staging::open(&staging_folder(args, out), args.has("resume"))?,
            None => Staging::temporary(&args.path("tmp").unwrap_or_else(std::env::temp_dir))?,
        };
        if out.is_none() {
            set_temporary(staging.path());
        }
        let mut staged = Staged::default();
        if !locations.is_empty() {
            let fetched = staging.fetch(&client, &locations, args.has("hidden"), &watch);
            watch.end();
            staged = match fetched {
                Ok(staged) => staged,
                Err(error) => {
                    let stays = out.is_some() && staging.has_begun();
                    staging.stay(stays);
                    let is_told = matches!(error, Error::Cancelled | Error::Changed { .. });
                    if stays && !is_told {
                        bail!("{error}; what was fetched is kept: the same command with --resume goes on");
                    }
                    return Err(said(error));
                }
            };
        }
        let mut names = staged.names;
        names.extend(
            target.map(|target| (staging.path().join("result"), target.url().trim_end_matches('/').to_owned())),
        );
        lookalike::name_folders(names);
        let fetches = paths.into_iter().zip(staged.inputs).collect();
        Ok(Self { client, staging, fetches })
    }
}

/// Where the result goes, if that is an address: below it.
fn target(args: &Args) -> Result<Option<Location>> {
    let out = args.path("output").filter(|_| args.spec.verb == Verb::Dedup);
    let url = out.as_deref().and_then(address).map(|url| format!("{}/", url.trim_end_matches('/')));
    Ok(url.as_deref().map(Location::parse).transpose()?)
}

/// Puts the result where it should go, if that is an address.
pub(crate) fn put(args: &Args) -> Result<()> {
    let fetched = lock();
    let (Some(fetched), Some(target)) = (fetched.as_ref(), target(args)?) else { return Ok(()) };
    let (watch, made) = (Watcher::new(args), fetched.staging.path().join("result"));
    let put = fetched.client.put_folder(&made, &target, LAST, &watch);
    watch.end();
    put.map_err(said)
}

/// The run has ended, perhaps by an error: what it fetched goes, unless a run that goes on can use it.
pub(crate) fn settle(args: &Args, error: Option<&anyhow::Error>) {
    let (Some(mut fetched), Some(error)) = (lock().take(), error) else { return };
    let made = output(args).unwrap_or_default();
    let mut partial = made.as_os_str().to_owned();
    partial.push(".partial");
    let is_stopped = matches!(error.downcast_ref(), Some(lookalike::Error::Cancelled));
    let goes_on = is_stopped || PathBuf::from(partial).exists() || made.exists();
    fetched.staging.stay(args.spec.verb == Verb::Dedup && args.path("output").is_some() && goes_on);
}

fn said(error: Error) -> anyhow::Error {
    match error {
        Error::Cancelled => lookalike::Error::Cancelled.into(),
        error => error.into(),
    }
}

/// An error in the words of the command.
pub(crate) fn describe(error: &anyhow::Error) -> Option<String> {
    Some(match error.downcast_ref::<Error>()? {
        error @ (Error::Stopped { .. } | Error::Changed { .. }) => format!("{error} (--resume)"),
        error => error.to_string(),
    })
}
