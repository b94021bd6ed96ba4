//! The report page: written to its file, with the command that would make it again, and when it was made.

use crate::args::Args;
use crate::flags::{Flag, Kind, table};
use crate::output;
use crate::progress::Bars;
use lookalike::{Error, StoreError};
use lookalike_report::{HtmlError, HtmlOptions, PageSubject, write_html};
use std::path::Path;
use std::time::SystemTime;

/// Writes a page to a file.
pub(crate) fn write(args: &Args, path: &Path, subject: PageSubject<'_>, options: HtmlOptions<'_>) -> Result<(), Error> {
    let bars = Bars::new(args.has("quiet"));
    let options = &HtmlOptions { progress: Some(&bars), ..options };
    output::to_file(path, |out| {
        write_html(subject, options, out).map_err(|error| match error {
            HtmlError::Documents(error) => error,
            HtmlError::Write(source) => StoreError::Write { what: path.display().to_string(), source }.into(),
        })
    })?;
    output::wrote(args, path, "; open it in a browser");
    Ok(())
}

/// The arguments that would make this page again: secrets and what changes no answer are left out.
pub(crate) fn command(arguments: impl Iterator<Item = String>) -> Vec<String> {
    command_without(arguments, |flag| flag.transient)
}

/// Arguments without some flags and their values.
pub(crate) fn command_without(
    arguments: impl Iterator<Item = String>,
    is_dropped: impl Fn(&Flag) -> bool,
) -> Vec<String> {
    let (mut repeated, mut skip, mut flags) = (Vec::new(), false, true);
    for argument in arguments {
        let (dropped, value_follows) = if flags { dropped(&argument, &is_dropped) } else { (false, false) };
        if std::mem::replace(&mut skip, value_follows) || dropped {
            continue;
        }
        flags &= argument != "--";
        repeated.push(argument);
    }
    repeated
}

/// Whether an argument is not repeated, and whether its value is the next one.
fn dropped(argument: &str, is_dropped: impl Fn(&Flag) -> bool) -> (bool, bool) {
    for flag in table().filter(|flag| is_dropped(flag)) {
        let has_value = !matches!(flag.kind, Kind::Switch | Kind::ShortSwitch);
        let short = flag.short.map(|short| format!("-{short}"));
        if argument == flag.typed() || short.as_deref() == Some(argument) {
            return (true, has_value);
        }
        let joined = argument.strip_prefix(&flag.typed()).is_some_and(|rest| rest.starts_with('='));
        if has_value && (joined || short.is_some_and(|short| argument.starts_with(&short))) {
            return (true, false);
        }
    }
    (false, false)
}

/// The arguments of this run.
pub(crate) fn arguments() -> impl Iterator<Item = String> {
    std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned())
}

/// Seconds since 1970; builds that must be equal byte for byte set `SOURCE_DATE_EPOCH`.
pub(crate) fn now() -> u64 {
    let told = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    let clock = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    told.unwrap_or_else(clock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_repeats_what_decides_the_answer() {
        let given = "scan docs -w 5 --key secret --key=secret -j2 -j 3 --memory=1G --json -q --xlsx r.xlsx --decisions d.json --html r.html -oout -- -j";
        let kept = command(given.split(' ').map(str::to_owned)).join(" ");
        assert_eq!(kept, "scan docs -w 5 --html r.html -- -j");
    }
}
