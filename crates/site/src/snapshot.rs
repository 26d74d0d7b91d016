//! All that was learned of one site as bytes, for hosts that keep their own storage.
//!
//! ```text
//! "unframe site" · format u32 · a whole piece without a name, see piece.rs
//! · checksum: the fingerprint of everything before it
//! ```
//!
//! Equal memories give equal bytes.

use unframe_page::{Fingerprint, Kind};

use crate::error::StoreError;
use crate::ledger::Ledger;
use crate::memory::{BadRow, Memory, MemoryKind};
use crate::piece::{Content, Contributions, Piece, read_contributions, read_site, write_whole};
use crate::record::{Fields, SiteRecord};

const MAGIC: &[u8; 12] = b"unframe site";
const FORMAT: u32 = 2;
const CHECKSUM_BYTES: usize = 16;

/// Writes one site.
pub(crate) fn write(
    kind: MemoryKind,
    record: &SiteRecord,
    memory: &dyn Memory,
    ledger: &Ledger,
    contributions: &Contributions,
) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend(FORMAT.to_le_bytes());
    out.extend(write_whole(kind, "", record, memory, ledger, contributions));
    out.extend(checksum(&out));
    out
}

/// Reads one site that the same method, in the same version, has learned.
pub(crate) fn read(kind: MemoryKind, bytes: &[u8]) -> Result<(Content, Contributions), StoreError> {
    let refuse = |why: String| Err(StoreError::Snapshot(why));
    let other = |why: String| Err(StoreError::OtherSnapshot(why));
    if !bytes.starts_with(MAGIC) {
        return refuse("these bytes are not an exported site".into());
    }
    let Some((content, sum)) = bytes.split_last_chunk::<CHECKSUM_BYTES>() else {
        return refuse("it ends too early".into());
    };
    if *sum != checksum(content) {
        return refuse("it is damaged: its checksum does not match".into());
    }
    let damaged = |error: BadRow| StoreError::Snapshot(format!("it is damaged: {error}"));
    let mut fields = Fields(&content[MAGIC.len()..]);
    let format = fields.u32().ok_or(BadRow).map_err(damaged)?;
    if format != FORMAT {
        return other(format!(
            "it has format {format}, and this version reads format {FORMAT}; learn the pages again"
        ));
    }
    let piece = Piece::read(fields.0).map_err(damaged)?;
    let about = piece.about;
    if about.method != kind.method {
        return other(format!(
            "the method {} has learned it, not {}",
            about.method, kind.method
        ));
    }
    if about.version != kind.version {
        return other(format!(
            "version {} of the method {} has learned it, and this program has version {}; learn the \
             pages again",
            about.version, kind.method, kind.version
        ));
    }
    let pieces = [piece];
    let content = read_site(kind, &pieces).map_err(damaged)?;
    let contributions = read_contributions(kind, &pieces).map_err(damaged)?;
    Ok((content, contributions))
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    Fingerprint::of(Kind::Content, bytes).0.to_be_bytes()
}
