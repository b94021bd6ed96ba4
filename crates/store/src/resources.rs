//! What a run may use of the machine: memory, threads, a folder for spill files.

use crate::{Error, TempSpace};
use std::fs;
use std::path::PathBuf;

/// Bytes of memory below which nothing is started: buffers alone take as much.
pub const MIN_MEMORY: u64 = 16 << 20;

/// Threads above which none are started: no machine has so many cores, and each takes memory.
pub const MAX_THREADS: usize = 1024;

/// What a run may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Bytes of memory to stay within.
    pub memory: u64,
    /// Threads; 0 for one per core.
    pub threads: usize,
    /// Folder for spill files; by default the system's.
    pub tmp: Option<PathBuf>,
}

impl Default for Resources {
    fn default() -> Self {
        Self { memory: default_memory(), threads: 0, tmp: None }
    }
}

impl Resources {
    /// Fails where there is less memory than anything takes.
    pub fn check(&self) -> Result<(), Error> {
        if self.memory < MIN_MEMORY {
            return Err(Error::Memory { found: self.memory, min: MIN_MEMORY });
        }
        Ok(())
    }

    /// The threads.
    pub fn pool(&self) -> Result<rayon::ThreadPool, Error> {
        pool(self.threads)
    }

    /// The folder for spill files.
    pub fn temp_space(&self) -> Result<TempSpace, Error> {
        TempSpace::new(self.tmp.as_deref())
    }
}

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

/// The most memory that this process has used so far, where the system says.
pub fn peak_memory() -> Option<u64> {
    field("/proc/self/status", "VmHWM:").map(|kib| kib * 1024)
}

/// So many threads; 0 for one per core.
pub fn pool(threads: usize) -> Result<rayon::ThreadPool, Error> {
    if threads > MAX_THREADS {
        return Err(Error::Threads { threads, reason: format!("expected 0, for one a core, to {MAX_THREADS}") });
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|e| Error::Threads { threads, reason: e.to_string() })
}

fn field(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_little_memory_is_refused() {
        let resources = Resources { memory: MIN_MEMORY - 1, ..Resources::default() };
        assert!(matches!(resources.check(), Err(Error::Memory { min: MIN_MEMORY, .. })));
        assert!(Resources { memory: MIN_MEMORY, ..resources }.check().is_ok());
    }
}
