//! Numbers on the command line.

/// A number that is not zero.
pub(crate) fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| format!("expected a number of at least 1, found {text:?}"))
}

/// A share in percent, `50` or `50%`, as a number from 0 to 1.
pub(crate) fn percent(text: &str) -> Result<f64, String> {
    let wrong = || format!("expected a percentage of more than 0 and at most 100, such as 50, found {text:?}");
    let bare = text.strip_suffix('%');
    let percent: f64 = bare.unwrap_or(text).trim().parse().map_err(|_| wrong())?;
    if !(percent > 0.0 && percent <= 100.0) {
        return Err(wrong());
    }
    // other flags take shares: whoever writes 0.5 means a half
    if percent < 1.0 && bare.is_none() {
        return Err(format!("expected a percentage such as 50, found {text:?}; if you mean it, write {text}%"));
    }
    Ok(percent / 100.0)
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn percentages() {
        assert_eq!(
            ["50", "50%", "100", "12.5 %", "0.5%", "1"].map(percent),
            [Ok(0.5), Ok(0.5), Ok(1.0), Ok(0.125), Ok(0.005), Ok(0.01)]
        );
        for wrong in ["0", "0%", "-5", "101", "100.1%", "nan", "inf", "", "%", "half", "0.5", "50 percent"] {
            assert!(percent(wrong).is_err(), "{wrong}");
        }
    }
}
