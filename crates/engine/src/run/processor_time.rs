//! Processor time of this process and of its parsers.

use std::time::Duration;

/// A moment from which processor time is counted.
#[derive(Clone, Copy)]
pub struct ProcessorTime {
    own: Duration,
    parsers: Duration,
}

impl ProcessorTime {
    pub fn now() -> Self {
        Self { own: own(), parsers: lookalike_process::processor_time() }
    }

    /// The time that all threads, and the processes that parse for them, have taken since.
    pub fn elapsed(&self) -> Duration {
        let now = Self::now();
        now.own.saturating_sub(self.own) + now.parsers.saturating_sub(self.parsers)
    }
}

/// The processor time of all threads of this process.
#[cfg(unix)]
fn own() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

#[cfg(not(unix))]
fn own() -> Duration {
    cpu_time::ProcessTime::now().as_duration()
}
