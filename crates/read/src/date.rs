//! Dates in the format of archives: `2024-05-01T10:00:00Z`.

use std::fs::File;
use std::time::UNIX_EPOCH;

/// When a file was last modified.
pub(crate) fn of_file(file: &File) -> Option<String> {
    let changed = file.metadata().ok()?.modified().ok()?;
    let seconds = changed.duration_since(UNIX_EPOCH).ok()?.as_secs();
    Some(from_seconds(seconds))
}

/// Parses the fourteen digits, or fewer, in which ARC files and some tools write dates.
pub(crate) fn from_digits(digits: &str) -> Option<String> {
    if digits.len() < 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part = |from: usize| digits.get(from..from + 2).unwrap_or("00");
    let (year, month, day) = (&digits[..4], part(4), part(6));
    let (hour, minute, second) = (part(8), part(10), part(12));
    Some(format!("{year}-{month}-{day}T{hour}:{minute}:{second}Z"))
}

/// Formats seconds since 1970 in the Gregorian calendar.
fn from_seconds(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March, so that the leap day is the last day; eras of 400 years.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_dates() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_704_067_199, "2023-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(from_seconds(seconds), expected);
        }
    }

    #[test]
    fn digits_become_dates() {
        for (digits, expected) in [
            ("20140216050221", Some("2014-02-16T05:02:21Z")),
            ("20140216", Some("2014-02-16T00:00:00Z")),
            ("2014", None),
            ("null", None),
        ] {
            assert_eq!(from_digits(digits).as_deref(), expected);
        }
    }
}
