//! Dates as numbers of days, for the time between two of them.

/// Days since 1970-01-01 of `YYYY-MM-DD`, with the part of the day where a time follows: `hh:mm` or `hh:mm:ss` after a T or a space, and
/// perhaps a Z. None for anything else.
pub(crate) fn days(date: &str) -> Option<f64> {
    let (day, time) = date.split_at_checked(10)?;
    let [year, month, day] = numbers(day, '-', [4, 2, 2])?;
    let length = match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    ((1..=length).contains(&day)).then_some(())?;
    Some(civil(year, month, day) as f64 + part_of_day(time)?)
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

fn part_of_day(time: &str) -> Option<f64> {
    if time.is_empty() {
        return Some(0.0);
    }
    let time = time.strip_prefix(['T', ' '])?;
    let time = time.strip_suffix('Z').unwrap_or(time);
    let [hours, minutes, seconds] = match time.len() {
        5 => numbers(time, ':', [2, 2]).map(|[hours, minutes]| [hours, minutes, 0])?,
        _ => numbers(time, ':', [2, 2, 2])?,
    };
    let fits = hours < 24 && minutes < 60 && seconds <= 60;
    fits.then(|| (hours * 3600 + minutes * 60 + seconds) as f64 / 86_400.0)
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
    fn what_is_no_date() {
        for text in ["", "2024", "2024-13-01", "2024-00-10", "yesterday, 8", "2024-1-001", "20é4-01-01", "+024-01-01"]
        {
            assert_eq!(days(text), None, "{text}");
        }
    }
}
