//! The signals that ask the program to stop: Ctrl-C (SIGINT), SIGTERM, and SIGHUP, which a terminal sends when it is closed.

/// Calls `stop` on a thread of its own for each of these signals. Signals that were ignored when the program started stay ignored:
/// `nohup` ignores SIGHUP, and shells ignore SIGINT for commands that a script starts in the background.
#[cfg(unix)]
pub(crate) fn on_stop(mut stop: impl FnMut() + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let ignored = ignored();
    let watched = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    // without a handler the signals end the process, and no result is lost
    let Ok(mut signals) = signal_hook::iterator::Signals::new(watched) else { return };
    std::thread::spawn(move || signals.forever().for_each(|_| stop()));
}

/// Ctrl-C and its kin, as the system has them.
#[cfg(not(unix))]
pub(crate) fn on_stop(stop: impl FnMut() + Send + 'static) {
    // without a handler the process ends, and no result is lost
    let _ = ctrlc::set_handler(stop);
}

/// A bit for each ignored signal, the lowest for signal 1. Only Linux says it without unsafe code; elsewhere none is known to be ignored.
#[cfg(unix)]
fn ignored() -> u64 {
    let status =
        if cfg!(target_os = "linux") { std::fs::read_to_string("/proc/self/status") } else { Ok(String::new()) };
    ignored_in(&status.unwrap_or_default())
}

#[cfg(unix)]
fn ignored_in(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_mask_of_ignored_signals_is_read() {
        assert_eq!(ignored_in("Name:\tlookalike\nSigBlk:\tffffffffffffffff\nSigIgn:\t0000000000001001\n"), 0x1001);
        assert_eq!(ignored_in("Name:\tSigIgn: 1\n"), 0);
        assert_eq!(ignored_in("SigIgn:\tnothing\n"), 0);
    }
}
