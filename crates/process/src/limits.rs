//! What a parser may take of the machine. Real code needs a hundredth of it; what needs more is no answer worth waiting
//! for. Limits that a system does not have are done without.

/// Bytes of memory that a parser may map. A tree takes ten to twenty times its text, which is 2 MiB at most; a PDF a few
/// times its size.
#[cfg(unix)]
const MAX_MEMORY: u64 = 4 << 30;

/// Seconds of processor time for one text. The work of a parser is counted and bounded, and takes a few seconds at most;
/// this is for loops that do not count. Time of the processor, so that a busy machine changes nothing.
#[cfg(unix)]
const MAX_CPU_SECONDS: u64 = 30;

#[cfg(unix)]
pub(crate) use unix::{CpuLimit, confine, end_with_parent};

#[cfg(unix)]
mod unix {
    use super::{MAX_CPU_SECONDS, MAX_MEMORY};
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    use rustix::time::{ClockId, clock_gettime};

    /// Limits this process for good: its memory, and that no text of a document is left in a core dump.
    pub(crate) fn confine() {
        lower(Resource::As, MAX_MEMORY);
        lower(Resource::Core, 0);
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    }

    /// Sets the limit that counts; the one that it may be raised to stays.
    fn lower(resource: Resource, limit: u64) {
        let Rlimit { current, maximum } = getrlimit(resource);
        let _ = setrlimit(resource, Rlimit { current: Some(current.map_or(limit, |now| now.min(limit))), maximum });
    }

    /// Ends this process as soon as nobody can ask it anything, be it in the middle of a text.
    pub(crate) fn end_with_parent() {
        std::thread::spawn(|| {
            // that there is something to read is not asked for: only the end of the pipe is told
            let input = rustix::stdio::stdin();
            while poll(&mut [PollFd::new(&input, PollFlags::empty())], None).is_err() {}
            std::process::exit(0);
        });
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
pub(crate) use elsewhere::{CpuLimit, confine, end_with_parent};

/// The same door where there are no such limits: a parser ends when its input does.
#[cfg(not(unix))]
mod elsewhere {
    pub(crate) fn confine() {}

    pub(crate) fn end_with_parent() {}

    pub(crate) struct CpuLimit;

    impl CpuLimit {
        pub(crate) fn new(_seconds: Option<u64>) -> Self {
            Self
        }

        pub(crate) fn renew(&mut self) {}
    }
}
