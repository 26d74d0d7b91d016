//! The bytes of the file: a header, two superblocks, and frames that are only ever appended.
//!
//! ```text
//! file:        "unframe\n" · format u32 · 0 u32 · superblock · superblock · frame*
//! superblock:  sequence u64 · committed length u64 · offset of the index or 0 u64 · checksum u64
//! frame:       kind u8 · length u40 · payload · checksum u64
//! ```
//!
//! Numbers are little-endian. A checksum is the XXH3-64 of what is before it; that of a frame is seeded
//! with the frame's offset, so that a frame found where it does not belong is not taken for another.
//!
//! The superblocks are written in turn, so that a torn write leaves the other. Up to the committed length
//! everything must be right. What follows is what a crash has left: complete commits in it count, and the
//! rest is not there.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use xxhash_rust::xxh3::{Xxh3Builder, xxh3_64};

use crate::record::Fields;

/// The format that this version writes.
pub const FORMAT: u32 = 2;

pub(super) const MAGIC: &[u8; 8] = b"unframe\n";
const HEADER_BYTES: u64 = 16;
const SLOT_BYTES: u64 = 32;
/// Where the frames begin.
pub(super) const FRAMES_AT: u64 = HEADER_BYTES + 2 * SLOT_BYTES;

const FRAME_HEAD: usize = 6;
const CHECKSUM: usize = 8;
/// What a frame takes besides its payload.
pub(super) const FRAME_BYTES: u64 = (FRAME_HEAD + CHECKSUM) as u64;
const MOST_PAYLOAD: u64 = (1 << 40) - 1;

/// What a frame holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// A piece of a site.
    Piece = 1,
    /// Everything since the commit before is complete.
    Commit = 2,
    /// Where the pieces of all sites are.
    Index = 3,
}

/// What the last commit was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Superblock {
    pub(super) sequence: u64,
    /// The file up to here has been committed.
    pub(super) length: u64,
    /// Where the newest index is; 0 if there is none.
    pub(super) index: u64,
}

impl Superblock {
    /// Of a file without frames.
    pub(super) fn new() -> Superblock {
        Superblock {
            sequence: 0,
            length: FRAMES_AT,
            index: 0,
        }
    }

    fn encode(self) -> Vec<u8> {
        let mut out = Vec::with_capacity(SLOT_BYTES as usize);
        for number in [self.sequence, self.length, self.index] {
            out.extend(number.to_le_bytes());
        }
        out.extend(xxh3_64(&out).to_le_bytes());
        out
    }

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

/// The first bytes of an empty state.
pub(super) fn empty_file() -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend(FORMAT.to_le_bytes());
    out.extend([0; 4]);
    let superblock = Superblock::new().encode();
    out.extend(&superblock);
    out.extend(&superblock);
    out
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

/// Appends a frame to a buffer that will be written at `offset`. `None` if the payload is too large.
pub(super) fn put_frame(
    out: &mut Vec<u8>,
    offset: u64,
    kind: FrameKind,
    payload: &[u8],
) -> Option<()> {
    let length = payload.len() as u64;
    if length > MOST_PAYLOAD {
        return None;
    }
    let from = out.len();
    out.push(kind as u8);
    out.extend(&length.to_le_bytes()[..5]);
    out.extend(payload);
    let sum = checksum(offset, &out[from..]);
    out.extend(sum.to_le_bytes());
    Some(())
}

fn checksum(offset: u64, bytes: &[u8]) -> u64 {
    let mut hasher = Xxh3Builder::new().with_seed(offset).build();
    hasher.update(bytes);
    hasher.digest()
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
