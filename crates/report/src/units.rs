//! Numbers as people read them.

/// Bytes with a decimal unit: `258.1 KB`.
pub fn bytes(n: u64) -> String {
    let units = ["bytes", "KB", "MB", "GB", "TB", "PB"];
    let mut value = n as f64;
    let mut unit = 0;
    while value >= 999.95 && unit + 1 < units.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 {
        format!("{n} {}", if n == 1 { "byte" } else { "bytes" })
    } else {
        format!("{value:.1} {}", units[unit])
    }
}

/// A count with commas and its noun: `1 document`, `12,345 documents`.
pub(crate) fn count(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", commas(n), if n == 1 { "" } else { "s" })
}

/// A number with commas between thousands.
pub fn commas(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A share as a percentage that never rounds up to 100: `99.9%` is not identical.
pub(crate) fn percent(share: f64) -> String {
    let tenths = (share * 1000.0).round();
    let tenths = if share < 1.0 { tenths.min(999.0) } else { tenths };
    format!("{:.1}%", tenths / 10.0)
}

/// A share that somebody chose, without a decimal that says nothing: `50%`, `87.5%`.
pub(crate) fn short_percent(share: f64) -> String {
    let long = percent(share);
    long.strip_suffix(".0%").map_or(long.clone(), |whole| format!("{whole}%"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(
            [bytes(1), bytes(999), bytes(1000), bytes(258_123), bytes(999_960)],
            ["1 byte", "999 bytes", "1.0 KB", "258.1 KB", "1.0 MB"]
        );
        assert_eq!([count(1, "document"), count(1_234_567, "document")], ["1 document", "1,234,567 documents"]);
        assert_eq!([percent(1.0), percent(0.99999), percent(0.5)], ["100.0%", "99.9%", "50.0%"]);
        assert_eq!([short_percent(1.0), short_percent(0.5), short_percent(0.875)], ["100%", "50%", "87.5%"]);
    }
}
