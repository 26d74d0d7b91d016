//! Numbers as texts so short that the tree builder can hold them without asking for memory.

/// Digits of such a text; with a character in front it has eight bytes.
pub(crate) const LENGTH: usize = 7;

const DIGITS: &[u8; 64] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-";

/// The number in digits, the lowest first.
pub(crate) fn write(number: usize) -> [u8; LENGTH] {
    std::array::from_fn(|at| DIGITS[number >> (6 * at) & 63])
}

/// The number that was written.
pub(crate) fn read(digits: &str) -> usize {
    let value = |byte: u8| match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'z' => byte - b'a' + 10,
        b'A'..=b'Z' => byte - b'A' + 36,
        b'+' => 62,
        _ => 63,
    };
    digits
        .bytes()
        .rev()
        .fold(0, |number, byte| number << 6 | usize::from(value(byte)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_are_read_as_they_are_written() {
        for number in (0..64).chain([64, 4095, 4096, u32::MAX as usize]) {
            let digits = super::write(number);
            assert_eq!(super::read(std::str::from_utf8(&digits).unwrap()), number);
        }
    }
}
