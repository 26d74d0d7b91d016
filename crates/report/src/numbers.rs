//! Formats numbers for display.

pub use unframe::store::{bytes, count};

/// A number of bits, as in `1.2 Mbit`, with a non-breaking space.
pub fn bits(count: f64) -> String {
    match count {
        c if c.abs() >= 1e9 => format!("{:.1} Gbit", c / 1e9),
        c if c.abs() >= 1e6 => format!("{:.1} Mbit", c / 1e6),
        c if c.abs() >= 1e3 => format!("{:.1} kbit", c / 1e3),
        c => format!("{c:.0} bit"),
    }
    .replace(' ', "\u{a0}")
}

/// `12 345`, with non-breaking spaces.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        for (number, expected) in [(0, "0"), (999, "999"), (1234567, "1\u{202f}234\u{202f}567")] {
            assert_eq!(grouped(number), expected);
        }
    }
}
