//! Numbers on the command line.

/// A number that is not zero.
pub(crate) fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| format!("expected a number of at least 1, found {text:?}"))
}
