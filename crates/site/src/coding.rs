//! The small codings that states and exported sites are made of.
//!
//! ```text
//! number:    LEB128, at most ten bytes
//! sized:     length · bytes
//! planes:    the first bytes of all numbers, then all second bytes, …, most significant first
//! section:   length · packed length, or 0 if it is not packed · bytes
//! ```
//!
//! Every reader is total: it checks each length against the bytes that are left before it makes room
//! for them, so that damaged bytes are an error and never a crash.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::memory::BadRow;
use crate::record::Fields;

/// Deflate expands no byte to more than this.
const MOST_EXPANSION: u64 = 1032;

/// Writes a number.
pub(crate) fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Writes bytes after their length.
pub(crate) fn put_sized(out: &mut Vec<u8>, bytes: &[u8]) {
    put_number(out, bytes.len() as u64);
    out.extend(bytes);
}

/// Writes the differences of consecutive numbers of `width` bytes as planes. Numbers that rise have
/// small differences, whose first bytes are alike and compress well; others lose nothing.
pub(crate) fn put_differences(out: &mut Vec<u8>, width: usize, numbers: &[u128]) {
    let mut former = 0u128;
    let differences: Vec<u128> = numbers
        .iter()
        .map(|number| number.wrapping_sub(std::mem::replace(&mut former, *number)))
        .collect();
    put_planes(out, width, &differences);
}

/// Writes the lowest `width` bytes of numbers as planes.
pub(crate) fn put_planes(out: &mut Vec<u8>, width: usize, numbers: &[u128]) {
    for plane in (0..width).rev() {
        out.extend(numbers.iter().map(|number| (number >> (8 * plane)) as u8));
    }
}

/// Writes bytes as a section, packed if that makes it smaller. Returns the bytes that it takes.
pub(crate) fn put_section(out: &mut Vec<u8>, bytes: &[u8]) -> u64 {
    let before = out.len();
    put_number(out, bytes.len() as u64);
    if !bytes.is_empty() {
        let packed = deflate(bytes);
        match packed.len() < bytes.len() {
            true => put_sized(out, &packed),
            false => {
                out.push(0);
                out.extend(bytes);
            }
        }
    }
    (out.len() - before) as u64
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::new(6));
    let packed = packer.write_all(bytes).and_then(|()| packer.finish());
    packed.expect("writing to memory does not fail")
}

impl<'a> Fields<'a> {
    /// The next number, as [`put_number`] writes it.
    pub(crate) fn number(&mut self) -> Result<u64, BadRow> {
        let mut number = 0;
        for at in 0..10 {
            let (byte, rest) = self.0.split_first().ok_or(BadRow)?;
            self.0 = rest;
            let bits = u64::from(byte & 0x7f);
            if at == 9 && bits > 1 {
                return Err(BadRow);
            }
            number |= bits << (7 * at);
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(BadRow)
    }

    /// A number of things of which each takes at least `least` of the bytes that are left.
    pub(crate) fn count(&mut self, least: usize) -> Result<usize, BadRow> {
        let count = usize::try_from(self.number()?).map_err(|_| BadRow)?;
        match count.checked_mul(least) {
            Some(bytes) if bytes <= self.0.len() => Ok(count),
            _ => Err(BadRow),
        }
    }

    /// The next `length` bytes.
    pub(crate) fn bytes(&mut self, length: usize) -> Result<&'a [u8], BadRow> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(BadRow)?;
        self.0 = rest;
        Ok(bytes)
    }

    /// Bytes after their length.
    pub(crate) fn sized(&mut self) -> Result<&'a [u8], BadRow> {
        let length = self.count(1)?;
        self.bytes(length)
    }

    /// The same as text.
    pub(crate) fn text(&mut self) -> Result<&'a str, BadRow> {
        std::str::from_utf8(self.sized()?).map_err(|_| BadRow)
    }

    /// The numbers that [`put_differences`] wrote.
    pub(crate) fn differences(&mut self, width: usize, count: usize) -> Result<Vec<u128>, BadRow> {
        let mut numbers = self.planes(width, count)?;
        let most = u128::MAX.checked_shr(128 - 8 * width as u32).unwrap_or(0);
        let mut former = 0u128;
        for number in &mut numbers {
            former = former.wrapping_add(*number) & most;
            *number = former;
        }
        Ok(numbers)
    }

    /// The numbers that [`put_planes`] wrote.
    pub(crate) fn planes(&mut self, width: usize, count: usize) -> Result<Vec<u128>, BadRow> {
        if width == 0 || width > 16 {
            return Err(BadRow);
        }
        let planes = self.bytes(width.checked_mul(count).ok_or(BadRow)?)?;
        let mut numbers = vec![0u128; count];
        for plane in planes.chunks_exact(count.max(1)) {
            for (number, byte) in numbers.iter_mut().zip(plane) {
                *number = *number << 8 | u128::from(*byte);
            }
        }
        Ok(numbers)
    }

    /// A section, still packed.
    pub(crate) fn section(&mut self) -> Result<Section<'a>, BadRow> {
        let before = self.0.len();
        let length = self.number()?;
        if length == 0 {
            return Ok(Section {
                length,
                packed: None,
                bytes: &[],
                taken: 1,
            });
        }
        let packed = self.number()?;
        let stored = match packed {
            0 => length,
            packed if length / MOST_EXPANSION <= packed => packed,
            _ => return Err(BadRow),
        };
        let bytes = self.bytes(usize::try_from(stored).map_err(|_| BadRow)?)?;
        Ok(Section {
            length,
            packed: (packed > 0).then_some(()),
            bytes,
            taken: (before - self.0.len()) as u64,
        })
    }
}

/// A section as it is stored.
#[derive(Clone, Copy)]
pub(crate) struct Section<'a> {
    length: u64,
    packed: Option<()>,
    bytes: &'a [u8],
    /// The bytes that it takes, with its lengths.
    #[cfg_attr(not(feature = "store"), allow(dead_code))]
    pub(crate) taken: u64,
}

impl Section<'_> {
    /// The bytes that were written.
    pub(crate) fn unpack(&self) -> Result<Vec<u8>, BadRow> {
        if self.packed.is_none() {
            return Ok(self.bytes.to_vec());
        }
        let length = usize::try_from(self.length).map_err(|_| BadRow)?;
        let mut bytes = Vec::with_capacity(length);
        // One byte more would show that there is more than there should be.
        let mut reader = DeflateDecoder::new(self.bytes).take(self.length + 1);
        reader.read_to_end(&mut bytes).map_err(|_| BadRow)?;
        match bytes.len() == length {
            true => Ok(bytes),
            false => Err(BadRow),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 127, 128, 300, 1 << 32, u64::MAX];
        let mut out = Vec::new();
        numbers
            .iter()
            .for_each(|number| put_number(&mut out, *number));
        let mut fields = Fields(&out);
        for number in numbers {
            assert_eq!(fields.number(), Ok(number));
        }
        assert_eq!(fields.number(), Err(BadRow));
        assert_eq!(Fields(&[0xff; 11]).number(), Err(BadRow));
    }

    #[test]
    fn planes_come_back_in_any_order() {
        let numbers: Vec<u128> = vec![7, 9, 500, 3, 0xffff_ffff_ffff, 0];
        let mut out = Vec::new();
        put_differences(&mut out, 6, &numbers);
        assert_eq!(out.len(), 36);
        assert_eq!(Fields(&out).differences(6, 6), Ok(numbers));
        assert_eq!(Fields(&out).differences(6, 7), Err(BadRow));
        assert_eq!(Fields(&out).differences(0, 7), Err(BadRow));
    }

    #[test]
    fn sections_come_back_and_lies_about_their_length_do_not() {
        for bytes in [vec![], b"short".to_vec(), vec![5; 100_000]] {
            let mut out = Vec::new();
            assert_eq!(put_section(&mut out, &bytes), out.len() as u64);
            assert_eq!(Fields(&out).section().unwrap().unpack(), Ok(bytes));
        }
        let mut lie = Vec::new();
        put_number(&mut lie, u64::MAX);
        put_sized(&mut lie, b"small");
        assert!(Fields(&lie).section().is_err());
    }
}
