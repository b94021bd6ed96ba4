//! Progress bars on a terminal, and the switch that a signal throws.

use crate::output;
use crate::signals;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use lookalike::{Cancel, Progress, Unit};
use std::io::IsTerminal;
#[cfg(feature = "object-store")]
use std::path::Path;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// One bar for each phase, on standard error, if that is a terminal.
pub(crate) struct Bars {
    shown: bool,
    is_quiet: bool,
    bar: Mutex<ProgressBar>,
}

impl Bars {
    pub(crate) fn new(quiet: bool) -> Self {
        Self {
            shown: !quiet && std::io::stderr().is_terminal(),
            is_quiet: quiet,
            bar: Mutex::new(ProgressBar::hidden()),
        }
    }

    fn bar(&self) -> std::sync::MutexGuard<'_, ProgressBar> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for Bars {
    fn begin(&self, phase: &'static str, unit: Unit, total: Option<u64>) {
        if !self.shown {
            return;
        }
        let done = match (unit, total) {
            (Unit::Bytes, Some(_)) => "{bytes}/{total_bytes}  {bytes_per_sec}  {eta} left",
            (Unit::Bytes, None) => "{bytes}  {bytes_per_sec}  {elapsed}",
            (_, Some(_)) => "{human_pos}/{human_len}  {rate}  {eta} left",
            (_, None) => "{human_pos}  {rate}  {elapsed}",
        };
        let bar = if total.is_some() { "[{bar:30}]" } else { "{spinner}" };
        let style = ProgressStyle::with_template(&format!("{{msg:<11}} {bar} {done}")).expect("a template of ours");
        let next = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr())
            .with_style(style.progress_chars("=> ").with_key("rate", write_rate))
            .with_message(phase);
        next.enable_steady_tick(Duration::from_millis(200));
        *self.bar() = next;
    }

    fn advance(&self, by: u64) {
        if self.shown {
            self.bar().inc(by);
        }
    }

    fn end(&self) {
        if self.shown {
            self.bar().finish_and_clear();
        }
    }

    fn note(&self, message: &str) {
        if !self.is_quiet {
            self.bar().suspend(|| output::message(&format!("warning: {message}")));
        }
    }
}

/// So many a second, in whole numbers.
fn write_rate(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    // a bar that is not drawn is no harm
    let _ = write!(out, "{}/s", HumanCount(state.per_sec() as u64));
}

/// Results are being written: a stop waits for them, or temporary files would stay behind.
static WRITING: AtomicBool = AtomicBool::new(false);

/// From now on a first signal waits until the results are written.
pub(crate) fn writing() {
    WRITING.store(true, Ordering::Relaxed);
}

/// A folder that nobody needs when the command ends.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// This folder goes when the command is stopped, whatever it is doing.
#[cfg(feature = "object-store")]
pub(crate) fn set_temporary(folder: &Path) {
    *TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner) = Some(folder.to_owned());
}

fn remove_temporary() {
    if let Some(folder) = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner).take() {
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// A switch that Ctrl-C, SIGTERM and SIGHUP throw, unless they were ignored when the program started. Spill files have no names, so
/// when a blocked read keeps the scan from stopping by itself, the process exits and leaves nothing behind.
pub(crate) fn cancel_on_signal() -> Cancel {
    static SWITCH: OnceLock<Cancel> = OnceLock::new();
    SWITCH.get_or_init(watch_signals).clone()
}

fn watch_signals() -> Cancel {
    let cancel = Cancel::default();
    let switch = cancel.clone();
    signals::on_stop(move || {
        if switch.is_cancelled() {
            std::process::exit(i32::from(crate::INTERRUPTED));
        }
        switch.cancel();
        std::thread::spawn(|| {
            std::thread::sleep(Duration::from_secs(2));
            while WRITING.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(200));
            }
            remove_temporary();
            std::process::exit(i32::from(crate::INTERRUPTED));
        });
    });
    cancel
}
