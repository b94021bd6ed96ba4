//! The limits that a parser sets to itself. Limits that a system does not have are left out.

#[cfg(unix)]
pub(crate) use unix::{CpuLimit, MemoryLimit, confine, end_with_parent, stop};

#[cfg(unix)]
mod unix {
    use lookalike_process::limits::{MAX_CPU_SECONDS, MAX_MEMORY, without_waiting};
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    use rustix::time::{ClockId, clock_gettime};

    /// Limits this process for good: its memory, and that no text of a document is left in a core dump.
    pub(crate) fn confine() {
        lower(Resource::As, MAX_MEMORY);
        lower(Resource::Core, 0);
        // it is read only after this process has ended: nothing must wait for room in the pipe
        without_waiting(rustix::stdio::stderr());
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    }

    /// Sets the limit that counts; the one that it may be raised to stays.
    fn lower(resource: Resource, limit: u64) {
        let Rlimit { current, maximum } = getrlimit(resource);
        let _ = setrlimit(resource, Rlimit { current: Some(current.map_or(limit, |now| now.min(limit))), maximum });
    }

    /// Ends this process when its input is closed, also in the middle of a text.
    pub(crate) fn end_with_parent() {
        std::thread::spawn(|| {
            // without a flag, poll returns only at the end of the pipe
            let input = rustix::stdio::stdin();
            while poll(&mut [PollFd::new(&input, PollFlags::empty())], None).is_err() {}
            std::process::exit(0);
        });
    }

    /// Stops this process until it receives SIGCONT.
    pub(crate) fn stop() {
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::STOP);
    }

    /// The limit of private memory, set anew for each request. Only Linux counts all of it.
    pub(crate) struct MemoryLimit {
        /// Bytes in use before the first request.
        base: Option<u64>,
    }

    impl MemoryLimit {
        pub(crate) fn new() -> Self {
            let status =
                if cfg!(target_os = "linux") { std::fs::read_to_string("/proc/self/status").ok() } else { None };
            let line = status.as_ref().and_then(|text| text.lines().find_map(|line| line.strip_prefix("VmData:")));
            let kibibytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
            Self { base: kibibytes.map(|kibibytes| kibibytes << 10) }
        }

        /// The next request may take this many bytes.
        pub(crate) fn set(&self, bytes: u64) {
            let Some(base) = self.base else { return };
            let maximum = getrlimit(Resource::Data).maximum;
            let limit = base.saturating_add(bytes);
            let current = Some(maximum.map_or(limit, |most| most.min(limit)));
            let _ = setrlimit(Resource::Data, Rlimit { current, maximum });
        }
    }

    /// The limit of processor time, moved on with each text. The system counts in seconds.
    pub(crate) struct CpuLimit {
        seconds: u64,
        set_at: Option<u64>,
    }

    impl CpuLimit {
        pub(crate) fn new(seconds: Option<u64>) -> Self {
            Self { seconds: seconds.unwrap_or(MAX_CPU_SECONDS), set_at: None }
        }

        /// The next text may take its time from now on.
        pub(crate) fn renew(&mut self) {
            let now = clock_gettime(ClockId::ProcessCPUTime).tv_sec as u64;
            if self.set_at == Some(now) {
                return;
            }
            self.set_at = Some(now);
            let maximum = getrlimit(Resource::Cpu).maximum;
            let limit = now + 1 + self.seconds;
            let current = Some(maximum.map_or(limit, |most| most.min(limit)));
            let _ = setrlimit(Resource::Cpu, Rlimit { current, maximum });
        }
    }
}

#[cfg(not(unix))]
pub(crate) use elsewhere::{CpuLimit, MemoryLimit, confine, end_with_parent, stop};

/// Systems without such limits: a parser ends when its input does.
#[cfg(not(unix))]
mod elsewhere {
    pub(crate) fn confine() {}

    pub(crate) fn end_with_parent() {}

    pub(crate) fn stop() {}

    pub(crate) struct MemoryLimit;

    impl MemoryLimit {
        pub(crate) fn new() -> Self {
            Self
        }

        pub(crate) fn set(&self, _bytes: u64) {}
    }

    pub(crate) struct CpuLimit;

    impl CpuLimit {
        pub(crate) fn new(_seconds: Option<u64>) -> Self {
            Self
        }

        pub(crate) fn renew(&mut self) {}
    }
}
