//! Processor time of this process and of its parsers.

use cpu_time::ProcessTime;
use std::time::Duration;

/// A moment from which processor time is counted.
#[derive(Clone, Copy)]
pub struct ProcessorTime {
    own: ProcessTime,
    parsers: Duration,
}

impl ProcessorTime {
    pub fn now() -> Self {
        Self { own: ProcessTime::now(), parsers: lookalike_process::processor_time() }
    }

    /// What all threads, and the processes that parse for them, took since.
    pub fn elapsed(&self) -> Duration {
        self.own.elapsed() + lookalike_process::processor_time().saturating_sub(self.parsers)
    }
}
