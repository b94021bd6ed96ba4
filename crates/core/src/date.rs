//! Moments as people write them.

/// Seconds since 1970 as `2026-05-08T12:34:56`, in universal time.
pub fn utc(seconds: i64) -> String {
    let (days, of_day) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // the calendar from March on, in which leap days are last: Howard Hinnant's civil_from_days
    let z = days + 719_468;
    let (era, day_of_era) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn moments() {
        assert_eq!(utc(0), "1970-01-01T00:00:00");
        assert_eq!(utc(-1), "1969-12-31T23:59:59");
        assert_eq!(utc(951_825_600), "2000-02-29T12:00:00");
        assert_eq!(utc(4_102_444_799), "2099-12-31T23:59:59");
    }
}
