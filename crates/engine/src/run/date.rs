//! Dates as numbers of days or seconds, for the time between two of them.

/// Days since 1970-01-01 of `YYYY-MM-DD`, with the part of the day where a time follows: `hh:mm` or `hh:mm:ss` after a T or a space, and
/// perhaps a Z. None for anything else.
pub fn days(date: &str) -> Option<f64> {
    let (day, time) = date.split_at_checked(10)?;
    let day = day_number(day)? as f64;
    if time.is_empty() {
        return Some(day);
    }
    let time = time.strip_prefix(['T', ' '])?;
    Some(day + second_of_day(time.strip_suffix('Z').unwrap_or(time))? as f64 / 86_400.0)
}

/// Seconds since 1970 of the same, and of a time with parts of seconds, which do not count, and with an offset from UTC: `+02:00`, `+0200`,
/// `+02`, `Z` or `UTC`, after a space or not. Without one it is UTC.
pub fn seconds(date: &str) -> Option<i64> {
    let (day, time) = date.trim().split_at_checked(10)?;
    let midnight = day_number(day)? * 86_400;
    if time.is_empty() {
        return Some(midnight);
    }
    let time = time.strip_prefix(['T', 't', ' '])?;
    let offset = time.find(|c: char| !c.is_ascii_digit() && !matches!(c, ':' | '.' | ',')).unwrap_or(time.len());
    let (clock, offset) = time.split_at(offset);
    let clock = match clock.split_once(['.', ',']) {
        Some((_, fraction)) if fraction.is_empty() || !fraction.bytes().all(|b| b.is_ascii_digit()) => return None,
        Some((clock, _)) => clock,
        None => clock,
    };
    Some(midnight + second_of_day(clock)? - offset_seconds(offset.trim_start())?)
}

/// How far the clocks are ahead of UTC.
fn offset_seconds(offset: &str) -> Option<i64> {
    let sign = match offset.chars().next() {
        None => return Some(0),
        Some('+') => 1,
        Some('-') => -1,
        Some(_) => return matches!(offset, "Z" | "z" | "UTC" | "GMT").then_some(0),
    };
    let digits = &offset[1..];
    let [hours, minutes] = match digits.len() {
        2 => numbers(digits, ':', [2]).map(|[hours]| [hours, 0])?,
        4 => numbers(digits, ':', [4]).map(|[both]| [both / 100, both % 100])?,
        _ => numbers(digits, ':', [2, 2])?,
    };
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

/// Days since 1970-01-01.
fn day_number(day: &str) -> Option<i64> {
    let [year, month, day] = numbers(day, '-', [4, 2, 2])?;
    let length = match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    ((1..=length).contains(&day)).then_some(())?;
    Some(civil(year, month, day))
}

/// So many numbers of so many digits, and nothing else.
fn numbers<const N: usize>(text: &str, between: char, digits: [usize; N]) -> Option<[i64; N]> {
    let mut parts = text.split(between);
    let mut numbers = [0; N];
    for (number, digits) in numbers.iter_mut().zip(digits) {
        let part = parts.next().filter(|part| part.len() == digits && part.bytes().all(|b| b.is_ascii_digit()))?;
        *number = part.parse().ok()?;
    }
    parts.next().is_none().then_some(numbers)
}

/// Years begin in March here, so that the leap day is the last of its year.
fn civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month > 2 { year } else { year - 1 };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + day_of_year - 719_468
}

/// `hh:mm` or `hh:mm:ss`.
fn second_of_day(clock: &str) -> Option<i64> {
    let [hours, minutes, seconds] = match clock.len() {
        5 => numbers(clock, ':', [2, 2]).map(|[hours, minutes]| [hours, minutes, 0])?,
        _ => numbers(clock, ':', [2, 2, 2])?,
    };
    let fits = hours < 24 && minutes < 60 && seconds <= 60;
    fits.then_some(hours * 3600 + minutes * 60 + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_since_1970() {
        let whole = |date| days(date).map(|d| d as i64);
        assert_eq!(whole("1970-01-01"), Some(0));
        assert_eq!(whole("1969-12-31"), Some(-1));
        assert_eq!(whole("2000-02-29"), Some(11_016));
        assert_eq!(whole("2000-03-01"), Some(11_017));
        assert_eq!(whole("2024-12-31"), Some(20_088));
        assert_eq!(days("2024-12-31T12:00:00Z"), Some(20_088.5));
        assert_eq!(days("2024-12-31 06:00"), Some(20_088.25));
    }

    #[test]
    fn seconds_since_1970() {
        for (text, expected) in [
            ("2019-07-23", 1_563_840_000),
            ("2019-07-23 17:12:33 +0200", 1_563_894_753),
            ("2019-07-23T15:12:33Z", 1_563_894_753),
            ("2019-07-23T17:12:33+02:00", 1_563_894_753),
            (" 2019-07-23 10:12:33-05 ", 1_563_894_753),
            ("2019-07-23t15:12:33.987z", 1_563_894_753),
            ("2019-07-23 15:12:33,5 UTC", 1_563_894_753),
            ("2019-07-23 15:12", 1_563_894_720),
            ("1969-12-31 23:59:59", -1),
        ] {
            assert_eq!(seconds(text), Some(expected), "{text}");
        }
        for text in [
            "",
            "2019-07-23 25:00",
            "2019-07-23 15:12:33 CEST",
            "2019-07-23 15:12:33 +2",
            "2019-07-23 15:12:33 +0275",
            "2019-07-23 15:12:33.",
            "2019-07-23X15:12",
            "23/07/2019",
            "2019-07-23 15:12:33 +é1",
            "2019-07-23 15:12:33 é",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_date() {
        for text in [
            "",
            "2024",
            "2024-13-01",
            "2024-00-10",
            "yesterday, 8",
            "2024-1-001",
            "20é4-01-01",
            "+024-01-01",
            "2024-01-01Z",
        ] {
            assert_eq!(days(text), None, "{text}");
        }
    }
}
