//! All that was learned of one site as bytes, for hosts that keep their own storage.
//!
//! ```text
//! "unframe site" · format u32 · method text · version u32
//! · head bytes · design history bytes
//! · pages u32 · (identity u128 · ledger record bytes)*
//! · rows, as in piece.rs, in order of table and key
//! · checksum: the fingerprint of everything before it
//! ```
//!
//! Numbers are little-endian, fingerprints big-endian; texts and bytes have their length before them
//! as a u32. Equal memories give equal bytes.

use unframe_page::{Fingerprint, Kind};

use crate::drift::DesignHistory;
use crate::error::StoreError;
use crate::memory::{BadRow, Memory, MemoryKind};
use crate::piece::{self, Pieces};
use crate::record::{Fields, PageRecord, SiteRecord};

const MAGIC: &[u8; 12] = b"unframe site";
const FORMAT: u32 = 1;
const CHECKSUM_BYTES: usize = 16;

/// What a snapshot holds.
pub(crate) struct Snapshot {
    pub(crate) memory: Box<dyn Memory>,
    pub(crate) designs: DesignHistory,
    pub(crate) pages: Vec<(Fingerprint, PageRecord)>,
}

/// Writes one site.
pub(crate) fn write(
    kind: MemoryKind,
    record: &SiteRecord,
    memory: &dyn Memory,
    pages: &[(Fingerprint, PageRecord)],
) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend(FORMAT.to_le_bytes());
    put(&mut out, kind.method.as_bytes());
    out.extend(kind.version.to_le_bytes());
    put(&mut out, &memory.head());
    put(&mut out, &record.designs.encode());
    out.extend((pages.len() as u32).to_le_bytes());
    for (page, record) in pages {
        out.extend(page.0.to_be_bytes());
        put(&mut out, &record.encode());
    }
    let mut rows = Vec::with_capacity(memory.len());
    memory.rows(&mut |table, key, row| {
        rows.extend(row.map(|row| (table, key, row.to_vec())));
    });
    rows.sort_unstable_by_key(|(table, key, _)| (*table, *key));
    let mut pieces = Pieces::default();
    for (table, key, row) in &rows {
        pieces.push(*table, *key, Some(row));
    }
    for piece in pieces.finish() {
        out.extend(piece);
    }
    out.extend(checksum(&out));
    out
}

/// Reads one site that the same method, in the same version, has learned.
pub(crate) fn read(kind: MemoryKind, bytes: &[u8]) -> Result<Snapshot, StoreError> {
    let refuse = |why: String| Err(StoreError::Snapshot(why));
    if !bytes.starts_with(MAGIC) {
        return refuse("these bytes are not an exported site".into());
    }
    let Some((content, sum)) = bytes.split_last_chunk::<CHECKSUM_BYTES>() else {
        return refuse("it ends too early".into());
    };
    if *sum != checksum(content) {
        return refuse("it is damaged: its checksum does not match".into());
    }
    let damaged = || StoreError::Snapshot("it is damaged: a field is missing".into());
    let mut fields = Fields(&content[MAGIC.len()..]);
    let format = fields.u32().ok_or_else(damaged)?;
    if format != FORMAT {
        return refuse(format!(
            "it has format {format}, and this version reads format {FORMAT}"
        ));
    }
    let method = take(&mut fields).ok_or_else(damaged)?;
    if method != kind.method.as_bytes() {
        return refuse(format!(
            "the method {} has learned it, not {}",
            String::from_utf8_lossy(method),
            kind.method
        ));
    }
    let version = fields.u32().ok_or_else(damaged)?;
    if version != kind.version {
        return refuse(format!(
            "version {version} of the method {} has learned it, and this program has version {}; \
             learn the pages again",
            kind.method, kind.version
        ));
    }
    read_rows(kind, &mut fields).map_err(|error| StoreError::Snapshot(error.to_string()))
}

fn read_rows(kind: MemoryKind, fields: &mut Fields<'_>) -> Result<Snapshot, BadRow> {
    let mut memory = kind.create();
    memory.load_head(take(fields).ok_or(BadRow)?)?;
    let designs = DesignHistory::decode(take(fields).ok_or(BadRow)?).ok_or(BadRow)?;
    let count = fields.u32().ok_or(BadRow)?;
    let mut pages = Vec::new();
    for _ in 0..count {
        let page = Fingerprint(u128::from_be_bytes(*fields.take().ok_or(BadRow)?));
        let record = PageRecord::decode(take(fields).ok_or(BadRow)?).ok_or(BadRow)?;
        pages.push((page, record));
    }
    piece::read(fields.0, |table, key, row| {
        memory.load(table, key, row.ok_or(BadRow)?)
    })?;
    Ok(Snapshot {
        memory,
        designs,
        pages,
    })
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    Fingerprint::of(Kind::Content, bytes).0.to_be_bytes()
}

fn put(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend((bytes.len() as u32).to_le_bytes());
    out.extend(bytes);
}

fn take<'a>(fields: &mut Fields<'a>) -> Option<&'a [u8]> {
    let length = fields.u32()? as usize;
    let (bytes, rest) = fields.0.split_at_checked(length)?;
    fields.0 = rest;
    Some(bytes)
}
