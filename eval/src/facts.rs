//! What a result must say beside its numbers: the machine, the versions, the day.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// Names and values that say where and with what a result was made. What the system does not tell is left out.
pub(crate) fn facts() -> Vec<(String, String)> {
    let found = [
        ("date", Some(today())),
        ("cpu", field("/proc/cpuinfo", "model name")),
        ("cores", std::thread::available_parallelism().ok().map(|cores| cores.to_string())),
        ("memory", memory()),
        ("system", field("/etc/os-release", "PRETTY_NAME").map(|name| name.trim_matches('"').to_owned())),
        ("kernel", output("uname", &["-sr"])),
        ("rustc", output("rustc", &["--version"])),
        ("lookalike", Some(lookalike())),
        ("profile", std::env::current_exe().ok().and_then(|program| profile(&program))),
    ];
    found.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

/// The profile that a program was built with: cargo names the folder after it, but for `dev`. Results are for `dist`, which
/// is what is published.
pub(crate) fn profile(program: &Path) -> Option<String> {
    let folder = program.parent()?.file_name()?.to_str()?;
    Some(if folder == "debug" { "dev".to_owned() } else { folder.to_owned() })
}

/// The day, in UTC, as YYYY-MM-DD.
pub(crate) fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The first line that the command writes; nothing if it is missing or fails.
pub(crate) fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let line = all_output(program, arguments)?.lines().next()?.trim().to_owned();
    (!line.is_empty()).then_some(line)
}

/// All that the command writes; nothing if it is missing or fails.
pub(crate) fn all_output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    // some tell their version as if it were an error
    let text = [output.stdout, output.stderr].concat();
    output.status.success().then(|| String::from_utf8_lossy(&text).into_owned())
}

/// The version, and the commit where the sources are a checkout. Changes that are not committed are told.
fn lookalike() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let here = env!("CARGO_MANIFEST_DIR");
    match output("git", &["-C", here, "describe", "--always", "--dirty", "--exclude=*"]) {
        Some(commit) => format!("{version}, commit {commit}"),
        None => version.to_owned(),
    }
}

/// The version of a crate that this program was built with.
pub(crate) fn locked(name: &str) -> Option<&'static str> {
    let lock = include_str!("../../Cargo.lock");
    let package = lock.split("[[package]]").find(|package| package.contains(&format!("\nname = \"{name}\"\n")))?;
    package.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
}

fn memory() -> Option<String> {
    let total = field("/proc/meminfo", "MemTotal")?;
    let kib: f64 = total.split_whitespace().next()?.parse().ok()?;
    Some(format!("{:.1} GiB", kib / 1024.0 / 1024.0))
}

/// The value behind `name` in a file of lines such as `name: value` or `name=value`.
fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(rest.trim_start().trim_start_matches([':', '=']).trim().to_owned())
}

/// Days since 1970-01-01 as year, month, day. Years are counted from March, so that the leap day is the last of its year.
fn civil(days: u64) -> (u64, u64, u64) {
    const DAYS_TO_1970: u64 = 719_468; // from 0000-03-01
    const FOUR_CENTURIES: u64 = 146_097;
    let days = days + DAYS_TO_1970;
    let (era, day_of_era) = (days / FOUR_CENTURIES, days % FOUR_CENTURIES);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(11_017), (2000, 3, 1));
        assert_eq!(civil(20_772), (2026, 11, 15));
    }

    #[test]
    fn versions_of_crates_are_those_of_the_lock_file() {
        assert_eq!(locked("lookalike-eval"), Some(env!("CARGO_PKG_VERSION")));
        assert_eq!(locked("no-such-crate"), None);
    }

    #[test]
    fn the_version_is_always_told() {
        let facts = facts();
        assert!(facts.iter().any(|(name, value)| name == "lookalike" && value.starts_with(env!("CARGO_PKG_VERSION"))));
        assert!(facts.iter().any(|(name, value)| name == "date" && value.len() == 10));
    }
}
