//! What the machine tells about itself and about this process.

use crate::Error;
use std::fs;

/// Half of the memory that this process may use, or 2 GiB where the system does not say.
pub fn default_memory() -> u64 {
    let total = field("/proc/meminfo", "MemTotal:").map(|kib| kib * 1024);
    // a container may allow less than the machine has
    let allowed = fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|s| s.trim().parse().ok());
    match (total, allowed) {
        (Some(total), Some(allowed)) => total.min(allowed) / 2,
        (Some(total), None) => total / 2,
        _ => 2 << 30,
    }
}

/// The most memory this process has had, where the system says.
pub(crate) fn peak_memory() -> Option<u64> {
    field("/proc/self/status", "VmHWM:").map(|kib| kib * 1024)
}

/// So many threads; 0 for one per core.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|e| Error::Options(format!("cannot start {threads} threads: {e}")))
}

fn field(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}
