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

use xxhash_rust::xxh3::{Xxh3Builder, xxh3_64};

use crate::coding::put_number;

/// The format that this version writes.
pub const FORMAT: u32 = 2;

pub(crate) const MAGIC: &[u8; 8] = b"unframe\n";
pub(crate) const HEADER_BYTES: u64 = 16;
pub(crate) const SLOT_BYTES: u64 = 32;
/// Where the frames begin.
pub(crate) const FRAMES_AT: u64 = HEADER_BYTES + 2 * SLOT_BYTES;

pub(crate) const MOST_PAYLOAD: u64 = (1 << 40) - 1;

/// What a frame holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameKind {
    /// A piece of a site.
    Piece = 1,
    /// Everything since the commit before is complete.
    Commit = 2,
    /// Where the pieces of all sites are.
    #[cfg(feature = "store")]
    Index = 3,
}

/// What the last commit was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Superblock {
    pub(crate) sequence: u64,
    /// The file up to here has been committed.
    pub(crate) length: u64,
    /// Where the newest index is; 0 if there is none.
    pub(crate) index: u64,
}

impl Superblock {
    /// Of a file without frames.
    pub(crate) fn new() -> Superblock {
        Superblock {
            sequence: 0,
            length: FRAMES_AT,
            index: 0,
        }
    }

    pub(crate) fn encode(self) -> Vec<u8> {
        let mut out = Vec::with_capacity(SLOT_BYTES as usize);
        for number in [self.sequence, self.length, self.index] {
            out.extend(number.to_le_bytes());
        }
        out.extend(xxh3_64(&out).to_le_bytes());
        out
    }
}

/// The first bytes of an empty state.
pub(crate) fn empty_file() -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend(FORMAT.to_le_bytes());
    out.extend([0; 4]);
    let superblock = Superblock::new().encode();
    out.extend(&superblock);
    out.extend(&superblock);
    out
}

/// Appends a frame to a buffer that will be written at `offset`. `None` if the payload is too large.
pub(crate) fn put_frame(
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

pub(crate) fn checksum(offset: u64, bytes: &[u8]) -> u64 {
    let mut hasher = Xxh3Builder::new().with_seed(offset).build();
    hasher.update(bytes);
    hasher.digest()
}

/// A whole state that holds these pieces, as if they had been committed to an empty file at once. `None` if
/// a piece is too large.
pub(crate) fn file_of(pieces: impl IntoIterator<Item = Vec<u8>>) -> Option<Vec<u8>> {
    let mut out = empty_file();
    let mut put = |kind: FrameKind, payload: &[u8]| {
        let offset = out.len() as u64;
        put_frame(&mut out, offset, kind, payload)
    };
    for piece in pieces {
        put(FrameKind::Piece, &piece)?;
    }
    let sequence = 1;
    let mut payload = Vec::new();
    put_number(&mut payload, sequence);
    put(FrameKind::Commit, &payload)?;
    let superblock = Superblock {
        sequence,
        length: out.len() as u64,
        index: 0,
    };
    let slots = &mut out[HEADER_BYTES as usize..FRAMES_AT as usize];
    for slot in slots.chunks_exact_mut(SLOT_BYTES as usize) {
        slot.copy_from_slice(&superblock.encode());
    }
    Some(out)
}
