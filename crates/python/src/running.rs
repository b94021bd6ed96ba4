//! Long work beside Python: the interpreter goes on, Ctrl-C stops it, somebody may watch.

use crate::errors::Failure;
use lookalike::{Cancel, Progress, Unit};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How often Python is asked whether somebody pressed Ctrl-C, and told how far the work is.
const TURN: Duration = Duration::from_millis(100);

/// How far the work is.
#[derive(Default)]
pub(crate) struct Watched {
    /// The phase, its unit and total. It changes a few times in a run.
    phase: Mutex<Option<(&'static str, &'static str, Option<u64>)>>,
    done: AtomicU64,
}

impl Progress for Watched {
    fn begin(&self, phase: &'static str, unit: Unit, total: Option<u64>) {
        let unit = match unit {
            Unit::Bytes => "bytes",
            Unit::Documents => "documents",
            Unit::Pairs => "pairs",
        };
        self.done.store(0, Ordering::Relaxed);
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = Some((phase, unit, total));
    }

    fn advance(&self, by: u64) {
        self.done.fetch_add(by, Ordering::Relaxed);
    }

    fn end(&self) {}
}

/// Runs work on a thread of its own, without the interpreter's lock. What Python signals stops it, and so does a callback that raises.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    callback: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Watched, &Cancel) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let (watched, cancel) = (Watched::default(), Cancel::default());
    thread::scope(|scope| {
        let (send, receive) = sync_channel(1);
        // one thread asks it; the lock tells the compiler so
        let receive = Mutex::new(receive);
        let (watched, cancel) = (&watched, &cancel);
        let worker = scope.spawn(move || {
            let done = work(watched, cancel);
            let _ = send.send(());
            done
        });
        let mut raised = None;
        // until it is done, or panicked
        while let Err(RecvTimeoutError::Timeout) =
            py.detach(|| receive.lock().map_or(Ok(()), |receive| receive.recv_timeout(TURN)))
        {
            if raised.is_none()
                && let Err(error) = py.check_signals().and_then(|()| tell(watched, callback))
            {
                raised = Some(error);
                cancel.cancel();
            }
        }
        let done = py.detach(|| worker.join());
        match (done, raised) {
            (_, Some(error)) => Err(error),
            (Ok(done), None) => {
                tell(watched, callback)?;
                done.map_err(|failure| failure.into_py_err(py))
            }
            (Err(_), None) => Err(pyo3::exceptions::PySystemError::new_err(
                "the engine came upon something impossible; please report it, with the documents if you can",
            )),
        }
    })
}

fn tell(watched: &Watched, callback: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let Some(callback) = callback else { return Ok(()) };
    let phase = *watched.phase.lock().unwrap_or_else(PoisonError::into_inner);
    match phase {
        Some((phase, unit, total)) => {
            callback.call1((phase, watched.done.load(Ordering::Relaxed), total, unit)).map(drop)
        }
        None => Ok(()),
    }
}
