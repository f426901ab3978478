//! The proleptic Gregorian calendar as day numbers since 2000.01.01, and units of time.
//!
//! Days are plain integers here; nulls are the caller's business.

pub const DAY_NS: i64 = 86_400_000_000_000;
pub const HOUR_NS: i64 = 3_600_000_000_000;
pub const MINUTE_NS: i64 = 60_000_000_000;
pub const SECOND_NS: i64 = 1_000_000_000;
pub const MILLISECOND_NS: i64 = 1_000_000;

/// Year, month (1 to 12) and day (1 to 31) of a day number.
pub fn civil(day: i64) -> (i64, i64, i64) {
    // Eras of 400 years from 0000.03.01, so that the leap day ends a year.
    let z = day + 730_425;
    let era = z.div_euclid(146_097);
    let of_era = z.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

/// The day number of a year, month (1 to 12) and day.
pub fn day_number(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let shifted = (month + 9) % 12;
    let of_year = (153 * shifted + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 730_425
}

/// Months since 2000.01 of a day number.
pub fn month_of_day(day: i64) -> i64 {
    let (year, month, _) = civil(day);
    (year - 2000) * 12 + month - 1
}

/// The first day of a month given in months since 2000.01.
pub fn day_of_month(month: i64) -> i64 {
    day_number(2000 + month.div_euclid(12), month.rem_euclid(12) + 1, 1)
}

/// The Monday on or before a day number.
pub fn monday(day: i64) -> i64 {
    day - (day + 5).rem_euclid(7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn civil_and_back() {
        assert_eq!(civil(0), (2000, 1, 1));
        assert_eq!(civil(-1), (1999, 12, 31));
        assert_eq!(civil(59), (2000, 2, 29));
        assert_eq!(day_number(2024, 3, 1) - day_number(2024, 2, 28), 2);
        for day in (-800_000..800_000).step_by(37) {
            let (y, m, d) = civil(day);
            assert_eq!(day_number(y, m, d), day);
            assert!(day_of_month(month_of_day(day)) <= day);
        }
        assert_eq!(monday(0), -5);
        assert_eq!(month_of_day(day_number(1999, 12, 31)), -1);
    }
}
