//! Dates and times as ISO 8601, numbers with a fixed point.

use std::fmt::Write;

/// A day of the proleptic Gregorian calendar, counted from 1970.
pub(crate) fn date(days: i64) -> String {
    // Eras of 400 years that begin in March: the day that some years have more is the last of its year.
    let days = i128::from(days) + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = era * 400 + year + i128::from(month <= 2);
    if (0..=9999).contains(&year) {
        format!("{year:04}-{month:02}-{day:02}")
    } else {
        format!("{year:+05}-{month:02}-{day:02}")
    }
}

/// A time of day, in units of which so many digits are behind the second.
pub(crate) fn time(units: i64, digits: u32) -> String {
    let scale = 10i64.pow(digits);
    let (seconds, fraction) = (units.div_euclid(scale), units.rem_euclid(scale));
    let mut text = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds.rem_euclid(60));
    if digits > 0 {
        let _ = write!(text, ".{fraction:0width$}", width = digits as usize);
    }
    text
}

/// A moment, counted from 1970 in units of which so many digits are behind the second. All of a column have as many digits, so that they
/// sort as text.
pub(crate) fn timestamp(units: i128, digits: u32, is_utc: bool) -> String {
    let day = 86_400 * 10i128.pow(digits);
    let (days, rest) = (units.div_euclid(day), units.rem_euclid(day));
    format!("{}T{}{}", date(days as i64), time(rest as i64, digits), if is_utc { "Z" } else { "" })
}

/// A number with so many digits behind its point.
pub(crate) fn decimal(unscaled: i128, scale: i32) -> String {
    let sign = if unscaled < 0 { "-" } else { "" };
    let digits = unscaled.unsigned_abs().to_string();
    let Ok(scale) = usize::try_from(scale) else {
        let zeros = if unscaled == 0 { 0 } else { scale.unsigned_abs() as usize };
        return format!("{sign}{digits}{}", "0".repeat(zeros.min(MAX_ZEROS)));
    };
    if scale == 0 || scale > MAX_ZEROS {
        return format!("{sign}{digits}");
    }
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    format!("{sign}{whole}.{fraction}")
}

/// No scale of a file that is whole is larger.
const MAX_ZEROS: usize = 100;

/// The same of a number in two's complement, the highest byte first; one that is wider than any known type in hexadecimal digits.
pub(crate) fn decimal_bytes(bytes: &[u8], scale: i32) -> String {
    let fill = if bytes.first().is_some_and(|byte| *byte >= 0x80) { 0xff } else { 0 };
    let (high, low) = bytes.split_at(bytes.len().saturating_sub(16));
    let mut wide = [fill; 16];
    wide[16 - low.len()..].copy_from_slice(low);
    let number = i128::from_be_bytes(wide);
    if high.iter().any(|byte| *byte != fill) || (number < 0) != (fill == 0xff) {
        return hex(bytes);
    }
    decimal(number, scale)
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A UUID with its dashes; other bytes without.
pub(crate) fn uuid(bytes: &[u8]) -> String {
    let mut text = hex(bytes);
    if bytes.len() == 16 {
        for at in [20, 16, 12, 8] {
            text.insert(at, '-');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (days, text) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (19_782, "2024-02-29"),
            (11_016, "2000-02-29"),
            (-719_528, "0000-01-01"),
            (-719_529, "-0001-12-31"),
            (2_932_897, "+10000-01-01"),
        ] {
            assert_eq!(date(days), text, "{days}");
        }
        date(i64::MIN);
        date(i64::MAX);
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let (mut year, mut month, mut day) = (1600, 1, 1);
        for days in -135_140..200_000 {
            assert_eq!(date(days), format!("{year:04}-{month:02}-{day:02}"));
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let last = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
            day += 1;
            if day > last {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
    }

    #[test]
    fn moments() {
        assert_eq!(timestamp(1_700_000_000_123, 3, true), "2023-11-14T22:13:20.123Z");
        assert_eq!(timestamp(-1, 9, false), "1969-12-31T23:59:59.999999999");
        assert_eq!(timestamp(0, 0, false), "1970-01-01T00:00:00");
        assert_eq!(time(86_399_000_001, 6), "23:59:59.000001");
    }

    #[test]
    fn decimals() {
        for (unscaled, scale, text) in
            [(12345, 2, "123.45"), (-5, 3, "-0.005"), (0, 2, "0.00"), (7, 0, "7"), (7, -2, "700"), (100, 2, "1.00")]
        {
            assert_eq!(decimal(unscaled, scale), text);
            assert_eq!(decimal_bytes(&unscaled.to_be_bytes(), scale), text);
            assert_eq!(decimal_bytes(&i64::try_from(unscaled).unwrap().to_be_bytes(), scale), text);
            let fill = if unscaled < 0 { 0xff } else { 0 };
            assert_eq!(decimal_bytes(&[&[fill; 16][..], &unscaled.to_be_bytes()].concat(), scale), text);
        }
        assert_eq!(decimal_bytes(&[0; 0], 1), "0.0");
        assert_eq!(decimal_bytes(&[1; 17], 1), "01".repeat(17));
        assert_eq!(uuid(&[0xab; 16]), "abababab-abab-abab-abab-abababababab");
    }
}
