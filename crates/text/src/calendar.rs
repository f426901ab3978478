//! Dates as day numbers: the proleptic Gregorian calendar counted from 2000.01.01.

/// Days since 2000.01.01 of a date; the caller has checked that it exists.
pub(crate) fn day_number(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let of_era = y.rem_euclid(400);
    let month_place = (month + 9) % 12;
    let day_of_year = (153 * month_place + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + day_of_year - 730_425
}

/// Year, month and day of a day number.
pub(crate) fn date_of(days: i64) -> (i64, i64, i64) {
    let z = days + 730_425;
    let era = z.div_euclid(146_097);
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_place = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_place + 2) / 5 + 1;
    let month = if month_place < 10 { month_place + 3 } else { month_place - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

/// True when the date exists and has four digits of year.
pub(crate) fn is_date(year: i64, month: i64, day: i64) -> bool {
    (0..=9999).contains(&year)
        && (1..=12).contains(&month)
        && day >= 1
        && day <= days_in(year, month)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_agree() {
        assert_eq!(day_number(2000, 1, 1), 0);
        assert_eq!(day_number(1970, 1, 1), -10_957);
        for days in (-800_000..800_000).step_by(97) {
            let (y, m, d) = date_of(days);
            assert_eq!(day_number(y, m, d), days);
        }
    }
}
