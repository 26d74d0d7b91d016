//! A piece: what is written of a site at once, in a state or as an exported site.
//!
//! ```text
//! piece:          whole u8 · method · version · site · pages · bytes · head
//!                 · rows · ledger · contributions · designs           the last four are sections
//! rows:           rows as packed by the method · number of rows that are gone · (table u8 · key u128)*
//! ledger:         see ledger.rs
//! contributions:  0, if all are empty; or 1 · lengths · bytes; or 2 · lists of keys, see lists.rs
//! ```
//!
//! A *whole* piece has everything that was learned of a site. Other pieces have what has changed since the
//! one before. A site is read by reading its pieces in order.

use foldhash::HashMap;
use unframe_page::Fingerprint;

use crate::coding::{Section, put_number, put_section, put_sized};
use crate::drift::DesignHistory;
use crate::ledger::{Ledger, PageId};
use crate::lists;
use crate::memory::{BadRow, Memory, MemoryKind, Row};
use crate::record::{Fields, SiteRecord};
use crate::rows;

/// A row without its bytes: its table and its key.
type RowKey = (u8, Fingerprint);

/// What methods need to unlearn pages.
pub(crate) type Contributions = HashMap<PageId, Vec<u8>>;

const NO_CONTRIBUTIONS: u8 = 0;
const AS_BYTES: u8 = 1;
const AS_LISTS: u8 = 2;

/// What has changed since the piece before.
pub(crate) struct Changes {
    pub(crate) rows: Vec<Row>,
    pub(crate) gone: Vec<RowKey>,
    pub(crate) pages: Vec<PageId>,
    pub(crate) forgotten: Vec<PageId>,
}

impl Changes {
    /// Takes the changed rows out of a memory.
    pub(crate) fn take(
        memory: &mut dyn Memory,
        pages: Vec<PageId>,
        forgotten: Vec<PageId>,
    ) -> Changes {
        let (mut rows, mut gone) = (Vec::new(), Vec::new());
        memory.take_changes(&mut |table, key, row| match row {
            Some(row) => rows.push((table, key, row.to_vec())),
            None => gone.push((table, key)),
        });
        // A method may name a row twice.
        rows.sort_unstable_by_key(|(table, key, _)| (*table, *key));
        rows.dedup_by_key(|(table, key, _)| (*table, *key));
        gone.sort_unstable();
        gone.dedup();
        Changes {
            rows,
            gone,
            pages,
            forgotten,
        }
    }
}

/// Writes everything that was learned of a site.
pub(crate) fn write_whole(
    kind: MemoryKind,
    site: &str,
    record: &SiteRecord,
    memory: &dyn Memory,
    ledger: &Ledger,
    contributions: &Contributions,
) -> Vec<u8> {
    let mut all = Vec::with_capacity(memory.len());
    memory.rows(&mut |table, key, row| {
        all.extend(row.map(|row| (table, key, row.to_vec())));
    });
    all.sort_unstable_by_key(|(table, key, _)| (*table, *key));
    let pages = ledger.sorted();
    let of_pages = in_order(&pages, contributions);
    let (packed, contributions) = match kind.lists_keys() && of_pages.iter().any(|c| !c.is_empty())
    {
        true => {
            let (ordered, lists) = lists::write(&all, &of_pages);
            let mut out = vec![AS_LISTS];
            out.extend(lists);
            (rows::pack_in_order(&ordered), out)
        }
        false => (kind.pack(&all), as_bytes(&of_pages)),
    };
    drop(all);
    let mut out = about(true, kind, site, record);
    put_section(&mut out, &rows_section(&packed, &[]));
    put_section(&mut out, &ledger.write(&pages, &[]));
    put_section(&mut out, &contributions);
    put_section(&mut out, &record.designs.encode());
    out
}

/// Writes what has changed.
pub(crate) fn write_changes(
    kind: MemoryKind,
    site: &str,
    record: &SiteRecord,
    changes: &Changes,
    ledger: &Ledger,
    contributions: &Contributions,
) -> Vec<u8> {
    let packed = match kind.lists_keys() {
        true => rows::pack(&changes.rows),
        false => kind.pack(&changes.rows),
    };
    let of_pages = in_order(&changes.pages, contributions);
    let mut out = about(false, kind, site, record);
    put_section(&mut out, &rows_section(&packed, &changes.gone));
    put_section(&mut out, &ledger.write(&changes.pages, &changes.forgotten));
    put_section(&mut out, &as_bytes(&of_pages));
    put_section(&mut out, &record.designs.encode());
    out
}

fn about(whole: bool, kind: MemoryKind, site: &str, record: &SiteRecord) -> Vec<u8> {
    let mut out = vec![u8::from(whole)];
    put_sized(&mut out, kind.method.as_bytes());
    put_number(&mut out, kind.version.into());
    put_sized(&mut out, site.as_bytes());
    put_number(&mut out, record.pages);
    put_number(&mut out, record.bytes);
    put_sized(&mut out, &record.head);
    out
}

fn rows_section(packed: &[u8], gone: &[RowKey]) -> Vec<u8> {
    let mut out = Vec::with_capacity(packed.len() + 17 * gone.len() + 10);
    put_sized(&mut out, packed);
    put_number(&mut out, gone.len() as u64);
    for (table, key) in gone {
        out.push(*table);
        out.extend(key.0.to_be_bytes());
    }
    out
}

fn in_order<'a>(pages: &[PageId], contributions: &'a Contributions) -> Vec<&'a [u8]> {
    let of = |page| contributions.get(page).map_or(&[][..], |bytes| &**bytes);
    pages.iter().map(of).collect()
}

fn as_bytes(contributions: &[&[u8]]) -> Vec<u8> {
    if contributions.iter().all(|one| one.is_empty()) {
        return vec![NO_CONTRIBUTIONS];
    }
    let mut out = vec![AS_BYTES];
    for one in contributions {
        put_number(&mut out, one.len() as u64);
    }
    contributions.iter().for_each(|one| out.extend(*one));
    out
}

/// What a piece says before its sections.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "store"), allow(dead_code))]
pub(crate) struct About<'a> {
    pub(crate) is_whole: bool,
    pub(crate) method: &'a str,
    pub(crate) version: u32,
    pub(crate) site: &'a str,
    pub(crate) pages: u64,
    pub(crate) bytes: u64,
    pub(crate) head: &'a [u8],
}

impl<'a> About<'a> {
    /// Reads the beginning of a piece.
    pub(crate) fn read(fields: &mut Fields<'a>) -> Result<About<'a>, BadRow> {
        let is_whole = match fields.take().ok_or(BadRow)? {
            [0] => false,
            [1] => true,
            _ => return Err(BadRow),
        };
        Ok(About {
            is_whole,
            method: fields.text()?,
            version: u32::try_from(fields.number()?).map_err(|_| BadRow)?,
            site: fields.text()?,
            pages: fields.number()?,
            bytes: fields.number()?,
            head: fields.sized()?,
        })
    }
}

/// A piece as it is stored.
pub(crate) struct Piece<'a> {
    pub(crate) about: About<'a>,
    rows: Section<'a>,
    ledger: Section<'a>,
    contributions: Section<'a>,
    designs: Section<'a>,
}

impl<'a> Piece<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Piece<'a>, BadRow> {
        let mut fields = Fields(bytes);
        let piece = Piece {
            about: About::read(&mut fields)?,
            rows: fields.section()?,
            ledger: fields.section()?,
            contributions: fields.section()?,
            designs: fields.section()?,
        };
        match fields.0.is_empty() {
            true => Ok(piece),
            false => Err(BadRow),
        }
    }

    /// Bytes of rows, ledger and designs.
    #[cfg(feature = "store")]
    pub(crate) fn spent(&self) -> [u64; 3] {
        let ledger = self.ledger.taken + self.contributions.taken;
        [self.rows.taken, ledger, self.designs.taken]
    }

    fn rows(&self, kind: MemoryKind) -> Result<(Vec<Row>, Vec<RowKey>), BadRow> {
        let bytes = self.rows.unpack()?;
        let mut fields = Fields(&bytes);
        let packed = fields.sized()?;
        let rows = match kind.lists_keys() {
            true => rows::unpack(packed)?,
            false => kind.unpack(packed)?,
        };
        let count = fields.count(17)?;
        let mut gone = Vec::with_capacity(count);
        for _ in 0..count {
            let [table] = *fields.take().ok_or(BadRow)?;
            let key = u128::from_be_bytes(*fields.take().ok_or(BadRow)?);
            gone.push((table, Fingerprint(key)));
        }
        match fields.0.is_empty() {
            true => Ok((rows, gone)),
            false => Err(BadRow),
        }
    }

    /// Adds its contributions to those of the pieces before.
    fn contributions(
        &self,
        kind: MemoryKind,
        ledger: &mut Ledger,
        into: &mut Contributions,
    ) -> Result<(), BadRow> {
        let (pages, gone) = ledger.read(&self.ledger.unpack()?)?;
        gone.iter().for_each(|page| drop(into.remove(page)));
        let bytes = self.contributions.unpack()?;
        let mut fields = Fields(&bytes);
        match fields.take().ok_or(BadRow)? {
            [NO_CONTRIBUTIONS] => pages.iter().for_each(|page| drop(into.remove(page))),
            [AS_BYTES] => {
                let mut lengths = Vec::with_capacity(pages.len());
                for _ in &pages {
                    lengths.push(fields.count(1)?);
                }
                for (page, length) in pages.iter().zip(lengths) {
                    into.insert(*page, fields.bytes(length)?.to_vec());
                }
            }
            [AS_LISTS] => {
                let (rows, _) = self.rows(kind)?;
                let lists = lists::read(&rows, pages.len(), fields.0)?;
                fields.0 = &[];
                into.extend(pages.into_iter().zip(lists));
            }
            _ => return Err(BadRow),
        }
        match fields.0.is_empty() {
            true => Ok(()),
            false => Err(BadRow),
        }
    }
}

/// What the pieces of a site say together.
pub(crate) struct Content {
    pub(crate) memory: Box<dyn Memory>,
    pub(crate) record: SiteRecord,
    pub(crate) ledger: Ledger,
}

/// Reads the pieces of a site, in order.
pub(crate) fn read_site(kind: MemoryKind, pieces: &[Piece<'_>]) -> Result<Content, BadRow> {
    let (first, changes) = pieces.split_first().ok_or(BadRow)?;
    let last = pieces.last().ok_or(BadRow)?;
    let mut memory = kind.create();
    memory.load_head(last.about.head)?;
    let mut ledger = Ledger::default();
    ledger.read(&first.ledger.unpack()?)?;
    // What the changes say, so that the rows of the first piece need not wait in a table.
    let mut later: HashMap<RowKey, Option<Vec<u8>>> = HashMap::default();
    for piece in changes {
        let (rows, gone) = piece.rows(kind)?;
        later.extend(
            rows.into_iter()
                .map(|(table, key, row)| ((table, key), Some(row))),
        );
        later.extend(gone.into_iter().map(|row| (row, None)));
        ledger.read(&piece.ledger.unpack()?)?;
    }
    let (rows, gone) = first.rows(kind)?;
    if !first.about.is_whole || !gone.is_empty() {
        return Err(BadRow);
    }
    for (table, key, row) in rows {
        if !later.contains_key(&(table, key)) {
            memory.load(table, key, &row)?;
        }
    }
    for ((table, key), row) in later {
        if let Some(row) = row {
            memory.load(table, key, &row)?;
        }
    }
    let designs = DesignHistory::decode(&last.designs.unpack()?).ok_or(BadRow)?;
    Ok(Content {
        memory,
        record: SiteRecord {
            pages: last.about.pages,
            bytes: last.about.bytes,
            stored: 0,
            head: last.about.head.to_vec(),
            designs,
        },
        ledger,
    })
}

/// The contributions in the pieces of a site.
pub(crate) fn read_contributions(
    kind: MemoryKind,
    pieces: &[Piece<'_>],
) -> Result<Contributions, BadRow> {
    let (mut ledger, mut found) = (Ledger::default(), Contributions::default());
    for piece in pieces {
        piece.contributions(kind, &mut ledger, &mut found)?;
    }
    Ok(found)
}
