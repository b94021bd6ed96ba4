//! The processor time of another process.

use std::time::Duration;

/// Processor time of a process that was not waited for yet; zero where the system does not say.
#[cfg(target_os = "linux")]
pub(crate) fn processor_time(process: u32) -> Duration {
    /// Clock ticks of `/proc` in a second: `USER_HZ`, 100 on every architecture that Rust supports.
    const TICKS: u64 = 100;
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{process}/stat")) else { return Duration::ZERO };
    // the name of the program is in parentheses and may contain any character; user and system time are fields 14 and 15
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 1000 / TICKS)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn processor_time(_process: u32) -> Duration {
    Duration::ZERO
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn work_takes_processor_time() {
        let before = processor_time(std::process::id());
        let begun = std::time::Instant::now();
        while processor_time(std::process::id()) < before + Duration::from_millis(30) {
            assert!(begun.elapsed() < Duration::from_mins(1), "no processor time was counted");
        }
        assert_eq!(processor_time(u32::MAX), Duration::ZERO);
    }
}
