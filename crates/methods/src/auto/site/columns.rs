//! Columns of numbers as bytes: the lowest byte of every number, then the next byte of every number, and
//! so on. The high bytes of small numbers are nearly all equal, which a compressor then sees.

/// Writes columns.
#[derive(Default)]
pub(super) struct ColumnWriter(pub Vec<u8>);

/// Reads columns in the order in which they were written.
pub(super) struct ColumnReader<'a>(pub &'a [u8]);

impl ColumnWriter {
    pub fn put(&mut self, column: &[u32]) {
        let most = column.iter().copied().max().unwrap_or(0);
        let planes = (32 - most.leading_zeros()).div_ceil(8).max(1);
        self.0.extend((column.len() as u32).to_le_bytes());
        self.0.push(planes as u8);
        for plane in 0..planes {
            self.0
                .extend(column.iter().map(|value| (value >> (8 * plane)) as u8));
        }
    }

    /// Writes ascending numbers by their differences.
    pub fn put_ascending(&mut self, column: impl Iterator<Item = u32>) {
        let mut last = 0;
        let differences: Vec<u32> = column
            .map(|value| value - std::mem::replace(&mut last, value))
            .collect();
        self.put(&differences);
    }
}

impl ColumnReader<'_> {
    pub fn take(&mut self) -> Option<Vec<u32>> {
        let (length, rest) = self.0.split_first_chunk()?;
        let (planes, rest) = rest.split_first()?;
        let (length, planes) = (u32::from_le_bytes(*length) as usize, usize::from(*planes));
        if !(1..=4).contains(&planes) {
            return None;
        }
        let (bytes, rest) = rest.split_at_checked(length.checked_mul(planes)?)?;
        self.0 = rest;
        let mut column = vec![0; length];
        for (plane, bytes) in bytes.chunks_exact(length.max(1)).enumerate() {
            for (value, byte) in column.iter_mut().zip(bytes) {
                *value |= u32::from(*byte) << (8 * plane);
            }
        }
        Some(column)
    }

    pub fn take_ascending(&mut self) -> Option<Vec<u32>> {
        let mut column = self.take()?;
        let mut last = 0u32;
        for value in &mut column {
            last = last.checked_add(*value)?;
            *value = last;
        }
        Some(column)
    }
}
