//! Reads the frames of a file and writes its superblocks: see [`crate::frames`] for the bytes.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use xxhash_rust::xxh3::xxh3_64;

use crate::frames::{
    FORMAT, FRAMES_AT, FrameKind, HEADER_BYTES, MAGIC, SLOT_BYTES, Superblock, checksum,
};
use crate::record::Fields;

const FRAME_HEAD: usize = 6;
const CHECKSUM: usize = 8;
/// What a frame takes besides its payload.
pub(super) const FRAME_BYTES: u64 = (FRAME_HEAD + CHECKSUM) as u64;

impl Superblock {
    fn decode(slot: &[u8]) -> Option<Superblock> {
        let (numbers, sum) = slot.split_last_chunk()?;
        if u64::from_le_bytes(*sum) != xxh3_64(numbers) {
            return None;
        }
        let mut fields = Fields(numbers);
        let found = Superblock {
            sequence: fields.u64()?,
            length: fields.u64()?,
            index: fields.u64()?,
        };
        // There must be room for another commit.
        let is_sound = found.length >= FRAMES_AT && found.sequence < u64::MAX;
        is_sound.then_some(found)
    }

    /// Writes it into its slot.
    pub(super) fn write(self, file: &mut File) -> io::Result<()> {
        self.write_slot(file, self.sequence % 2)
    }

    fn write_slot(self, file: &mut File, slot: u64) -> io::Result<()> {
        file.seek(SeekFrom::Start(HEADER_BYTES + SLOT_BYTES * slot))?;
        file.write_all(&self.encode())
    }

    /// Writes it into both, so that no damage to one can make the file look older than it is. Not for
    /// commits: a torn write must leave one.
    pub(super) fn write_twice(self, file: &mut File) -> io::Result<()> {
        self.write_slot(file, self.sequence % 2)?;
        file.sync_data()?;
        self.write_slot(file, 1 - self.sequence % 2)
    }
}

/// What the beginning of a file says.
pub(super) enum Beginning {
    Ours(Superblock),
    /// Written by a version that used another store.
    Earlier,
    /// In this format, which is not known here.
    Newer(u32),
    Foreign,
    Damaged(&'static str),
}

/// Reads the header and the superblocks.
pub(super) fn read_beginning(file: &mut File) -> io::Result<Beginning> {
    let mut head = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(FRAMES_AT).read_to_end(&mut head)?;
    if head.starts_with(b"redb") {
        return Ok(Beginning::Earlier);
    }
    let mut fields = Fields(&head);
    if fields.take() != Some(MAGIC) {
        return Ok(match MAGIC.starts_with(&head) {
            true => Beginning::Damaged("it ends too early"),
            false => Beginning::Foreign,
        });
    }
    let (Some(format), Some(rest)) = (fields.u32(), fields.u32()) else {
        return Ok(Beginning::Damaged("it ends too early"));
    };
    if format > FORMAT {
        return Ok(Beginning::Newer(format));
    }
    if format != FORMAT || rest != 0 {
        return Ok(Beginning::Damaged("its header"));
    }
    let slots = fields.0.chunks(SLOT_BYTES as usize);
    let newest = slots.filter_map(Superblock::decode);
    Ok(match newest.max_by_key(|found| found.sequence) {
        Some(newest) => Beginning::Ours(newest),
        None => Beginning::Damaged("its superblocks"),
    })
}

/// A frame that was read and whose checksum is right.
pub(super) struct Frame {
    pub(super) kind: FrameKind,
    pub(super) payload: Vec<u8>,
    /// Where the next one begins.
    pub(super) end: u64,
}

/// Reads the frame at `offset`, which must end before `limit`; `None` if there is no whole one.
pub(super) fn read_frame(file: &mut File, offset: u64, limit: u64) -> io::Result<Option<Frame>> {
    if limit.saturating_sub(offset) < FRAME_BYTES {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(offset))?;
    let mut head = [0; FRAME_HEAD];
    file.read_exact(&mut head)?;
    let kind = match head[0] {
        1 => FrameKind::Piece,
        2 => FrameKind::Commit,
        3 => FrameKind::Index,
        _ => return Ok(None),
    };
    let mut length = [0; 8];
    length[..5].copy_from_slice(&head[1..]);
    let length = u64::from_le_bytes(length);
    // Checked before room is made for it.
    if length > limit - offset - FRAME_BYTES {
        return Ok(None);
    }
    let mut bytes = head.to_vec();
    bytes.resize(FRAME_HEAD + length as usize + CHECKSUM, 0);
    file.read_exact(&mut bytes[FRAME_HEAD..])?;
    let content = bytes.len() - CHECKSUM;
    if checksum(offset, &bytes[..content]).to_le_bytes() != bytes[content..] {
        return Ok(None);
    }
    bytes.truncate(content);
    bytes.drain(..FRAME_HEAD);
    Ok(Some(Frame {
        kind,
        payload: bytes,
        end: offset + FRAME_BYTES + length,
    }))
}
