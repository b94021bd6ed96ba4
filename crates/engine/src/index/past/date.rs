//! Dates as numbers of days, for the time between two of them.

/// Days since 1970-01-01 of `YYYY-MM-DD`, with the part of the day where a time `hh:mm` or `hh:mm:ss` follows.
pub(crate) fn days(date: &str) -> Option<f64> {
    let (day, time) = date.split_at_checked(10)?;
    let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse::<i64>().ok())?;
    let (year, rest) = day.split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    if [year.len(), month.len(), day.len()] != [4, 2, 2] {
        return None;
    }
    let (year, month, day) = (number(year)?, number(month)?, number(day)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    Some(civil(year, month, day) as f64 + part_of_day(time, number))
}

/// Years begin in March here, so that the leap day is the last of its year.
fn civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month > 2 { year } else { year - 1 };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + day_of_year - 719_468
}

/// What cannot be read counts as midnight: sweeps are days apart.
fn part_of_day(time: &str, number: impl Fn(&str) -> Option<i64>) -> f64 {
    let time = time.trim_start_matches(['T', 't', ' ']);
    let clock = time.split_once(|c: char| !c.is_ascii_digit() && c != ':').map_or(time, |(clock, _)| clock);
    let mut units = [3600, 60, 1].into_iter();
    let seconds: i64 = clock.split(':').filter_map(number).zip(units.by_ref()).map(|(n, unit)| n * unit).sum();
    seconds.clamp(0, 86_400) as f64 / 86_400.0
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
