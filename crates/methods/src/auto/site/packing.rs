//! The rows of all sampled pages of a site as few bytes.
//!
//! Most texts of the frame are on all pages, and most others on one. So each slot, text and target is
//! written once, in order of its hash, with the pages that have it. Everything is in [columns], so that the
//! store can compress it. What the hashes themselves take cannot be compressed: two to three bytes each.
//!
//! [columns]: super::columns

use std::collections::BTreeMap;

use unframe_page::Fingerprint;
use unframe_site::{BadRow, Row};

use super::columns::{ColumnReader, ColumnWriter};
use super::contribution::{Contribution, SlotEntry, TargetEntry, TextEntry};
use super::names::NAMES;
use super::page_row;

/// The table of the rows of pages.
pub(super) const PAGES: u8 = 0;

/// A page of the sample, and what it contributes.
type SampledPage = (u64, Contribution);

/// The pages that have something, each with numbers of its own.
type Postings<const N: usize> = Vec<(u32, [u32; N])>;

/// Packs rows. Rows that are not contributions, and names of slots that no page has, which no memory writes,
/// are left out.
pub(super) fn pack(rows: &[Row]) -> Vec<u8> {
    let mut pages: Vec<(u64, Contribution)> = rows
        .iter()
        .filter(|(table, ..)| *table == PAGES)
        .filter_map(|(_, key, row)| Some((key.0 as u64, page_row::decode(row)?)))
        .collect();
    pages.sort_by_key(|(page, _)| *page);

    // A slot with its parent and its form without ids; a text with what it determines; all by their hashes.
    let mut slots: BTreeMap<([u32; 3], bool), Postings<3>> = BTreeMap::new();
    let mut texts: BTreeMap<[u32; 3], BTreeMap<u32, Postings<1>>> = BTreeMap::new();
    let mut targets: BTreeMap<[u32; 2], Postings<0>> = BTreeMap::new();
    for (number, (_, page)) in (0u32..).zip(&pages) {
        let slot = |entry: u32| page.slots[entry as usize].slot;
        for entry in &page.slots {
            let key = [entry.slot, slot(entry.parent), entry.idless];
            let key = (key, entry.is_block);
            let values = [entry.prose.into(), entry.score.into(), entry.alone.into()];
            slots.entry(key).or_default().push((number, values));
        }
        for entry in &page.texts {
            let key = [entry.text, entry.words.into(), entry.masked];
            let of_slots = texts.entry(key).or_default();
            let times = 2 * u32::from(entry.times) + u32::from(entry.linked);
            let of_slot = of_slots.entry(slot(entry.slot)).or_default();
            of_slot.push((number, [times]));
        }
        for entry in &page.targets {
            let key = [entry.target, slot(entry.above)];
            targets.entry(key).or_default().push((number, []));
        }
    }

    let hashes: Vec<u32> = slots.keys().map(|(key, _)| key[0]).collect();
    let number = |hash: u32| hashes.partition_point(|other| *other < hash) as u32;
    let mut out = ColumnWriter::default();
    let halves =
        |high: bool| move |page: &(u64, Contribution)| (page.0 >> (32 * u32::from(high))) as u32;
    out.put_ascending(pages.iter().map(halves(true)));
    out.put(&pages.iter().map(halves(false)).collect::<Vec<_>>());
    out.put(&pages.iter().map(|(_, page)| page.words).collect::<Vec<_>>());
    let kinds = pages.iter().map(|(_, page)| page_row::kind_code(page.kind));
    out.put(&kinds.collect::<Vec<_>>());

    out.put_ascending(hashes.iter().copied());
    let parents = slots.keys().map(|(key, _)| number(key[1]));
    out.put(&parents.collect::<Vec<_>>());
    let blocks = slots.keys().map(|(_, is_block)| u32::from(*is_block));
    out.put(&blocks.collect::<Vec<_>>());
    let mut idless: Vec<u32> = slots.keys().map(|(key, _)| key[2]).collect();
    idless.sort_unstable();
    idless.dedup();
    out.put_ascending(idless.iter().copied());
    let of_slots = slots.keys().map(|(key, _)| key[2]);
    let of_slots = of_slots.map(|hash| idless.partition_point(|other| *other < hash) as u32);
    out.put(&of_slots.collect::<Vec<_>>());
    put_postings(&mut out, slots.values());

    out.put_ascending(texts.keys().map(|key| key[0]));
    for value in [1, 2] {
        out.put(&texts.keys().map(|key| key[value]).collect::<Vec<_>>());
    }
    out.put(
        &texts
            .values()
            .map(|of| of.len() as u32 - 1)
            .collect::<Vec<_>>(),
    );
    let of_slots = || texts.values().flatten();
    out.put(
        &of_slots()
            .map(|(slot, _)| number(*slot))
            .collect::<Vec<_>>(),
    );
    put_postings(&mut out, of_slots().map(|(_, postings)| postings));

    out.put_ascending(targets.keys().map(|key| key[0]));
    out.put(&targets.keys().map(|key| number(key[1])).collect::<Vec<_>>());
    put_postings(&mut out, targets.values());
    put_names(&mut out, rows, &hashes);
    out.0
}

/// Writes the names of slots, if there are any: each name once, and the numbers of the slots that have one.
fn put_names(out: &mut ColumnWriter, rows: &[Row], hashes: &[u32]) {
    let mut of_slots: BTreeMap<u32, &[u8]> = BTreeMap::new();
    for (_, key, name) in rows.iter().filter(|(table, ..)| *table == NAMES) {
        let slot = u32::try_from(key.0).ok();
        let found = slot.and_then(|slot| hashes.binary_search(&slot).ok());
        of_slots.extend(found.map(|number| (number as u32, &**name)));
    }
    if of_slots.is_empty() {
        return;
    }
    let mut names: Vec<&[u8]> = of_slots.values().copied().collect();
    names.sort_unstable();
    names.dedup();
    out.put_ascending(of_slots.keys().copied());
    let number = |name: &&[u8]| names.partition_point(|other| other < name) as u32;
    out.put(&of_slots.values().map(number).collect::<Vec<_>>());
    out.put(
        &names
            .iter()
            .map(|name| name.len() as u32)
            .collect::<Vec<_>>(),
    );
    out.0.extend(names.concat());
}

/// The names of slots, which are the last columns.
fn take_names(columns: &mut ColumnReader<'_>, hashes: &[u32]) -> Option<Vec<Row>> {
    if columns.0.is_empty() {
        return Some(Vec::new());
    }
    let (slots, of_slots) = (columns.take_ascending()?, columns.take()?);
    let mut names = Vec::new();
    for length in columns.take()? {
        let (name, rest) = columns.0.split_at_checked(length as usize)?;
        columns.0 = rest;
        names.push(name);
    }
    let row = |(slot, name): (&u32, &u32)| {
        let slot = hashes.get(*slot as usize)?;
        let name = names.get(*name as usize)?.to_vec();
        Some((NAMES, Fingerprint((*slot).into()), name))
    };
    slots.iter().zip(&of_slots).map(row).collect()
}

fn put_postings<'a, const N: usize>(
    out: &mut ColumnWriter,
    all: impl Iterator<Item = &'a Postings<N>> + Clone,
) {
    let others = all.clone().map(|postings| postings.len() as u32 - 1);
    out.put(&others.collect::<Vec<_>>());
    let mut steps = Vec::new();
    for postings in all.clone() {
        let mut next = 0;
        for (page, _) in postings {
            // A page is there once; see `Contribution::is_sound`.
            steps.push(page.saturating_sub(next));
            next = page + 1;
        }
    }
    out.put(&steps);
    for value in 0..N {
        let values = all.clone().flatten().map(|(_, values)| values[value]);
        out.put(&values.collect::<Vec<_>>());
    }
}

/// The rows that [`pack`] packed.
pub(super) fn unpack(packed: &[u8]) -> Result<Vec<Row>, BadRow> {
    let (pages, names) = read(&mut ColumnReader(packed)).ok_or(BadRow)?;
    let row = |(page, contribution): &(u64, Contribution)| {
        let key = Fingerprint((*page).into());
        (PAGES, key, page_row::encode(contribution))
    };
    Ok(pages.iter().map(row).chain(names).collect())
}

/// The pages, and the rows of names.
fn read(columns: &mut ColumnReader<'_>) -> Option<(Vec<SampledPage>, Vec<Row>)> {
    let (high, low) = (columns.take_ascending()?, columns.take()?);
    let (words, kinds) = (columns.take()?, columns.take()?);
    let mut pages = Vec::new();
    for (at, high) in high.iter().enumerate() {
        let contribution = Contribution {
            words: *words.get(at)?,
            kind: page_row::kind_of(*kinds.get(at)?)?,
            ..Contribution::default()
        };
        let page = u64::from(*high) << 32 | u64::from(*low.get(at)?);
        pages.push((page, contribution));
    }

    let hashes = columns.take_ascending()?;
    let (parents, blocks) = (columns.take()?, columns.take()?);
    let (idless, idless_of) = (columns.take_ascending()?, columns.take()?);
    let postings: Vec<Postings<3>> = take_postings(columns, hashes.len(), pages.len())?;
    for (at, postings) in postings.iter().enumerate() {
        let slot = hashes[at];
        // A hash for now.
        let parent = *hashes.get(*parents.get(at)? as usize)?;
        let is_block = *blocks.get(at)? > 0;
        let idless = *idless.get(*idless_of.get(at)? as usize)?;
        for (page, [prose, score, alone]) in postings {
            pages[*page as usize].1.slots.push(SlotEntry {
                slot,
                idless,
                parent,
                is_block,
                prose: (*prose).try_into().ok()?,
                score: (*score).try_into().ok()?,
                alone: (*alone).try_into().ok()?,
            });
        }
    }
    // In each page, hashes become the entries that have them.
    for (_, page) in &mut pages {
        let of_page: Vec<u32> = page.slots.iter().map(|entry| entry.slot).collect();
        for entry in &mut page.slots {
            entry.parent = of_page.binary_search(&entry.parent).ok()? as u32;
        }
    }
    let entry_of = |page: &Contribution, number: u32| {
        let hash = hashes.get(number as usize)?;
        let found = page.slots.binary_search_by_key(hash, |entry| entry.slot);
        found.ok().map(|entry| entry as u32)
    };

    let texts = columns.take_ascending()?;
    let (words, masked) = (columns.take()?, columns.take()?);
    let (others, slots) = (columns.take()?, columns.take()?);
    let mut postings = take_postings::<1>(columns, slots.len(), pages.len())?.into_iter();
    let mut slots = slots.into_iter();
    for (at, text) in texts.iter().enumerate() {
        for _ in 0..=*others.get(at)? {
            let slot = slots.next()?;
            for (page, [times]) in postings.next()? {
                let page = &mut pages[page as usize].1;
                let slot = entry_of(page, slot)?;
                page.texts.push(TextEntry {
                    text: *text,
                    words: (*words.get(at)?).try_into().ok()?,
                    masked: *masked.get(at)?,
                    slot,
                    times: (times / 2).try_into().ok()?,
                    linked: times % 2 == 1,
                });
            }
        }
    }

    let (targets, above) = (columns.take_ascending()?, columns.take()?);
    let postings: Vec<Postings<0>> = take_postings(columns, targets.len(), pages.len())?;
    for (at, postings) in postings.iter().enumerate() {
        for (page, []) in postings {
            let page = &mut pages[*page as usize].1;
            let above = entry_of(page, *above.get(at)?)?;
            let target = targets[at];
            page.targets.push(TargetEntry { target, above });
        }
    }
    let names = take_names(columns, &hashes)?;
    columns.0.is_empty().then_some((pages, names))
}

fn take_postings<const N: usize>(
    columns: &mut ColumnReader<'_>,
    things: usize,
    pages: usize,
) -> Option<Vec<Postings<N>>> {
    let (others, steps) = (columns.take()?, columns.take()?);
    let mut values = Vec::with_capacity(N);
    for _ in 0..N {
        values.push(columns.take()?);
    }
    let mut at = 0;
    let mut all = Vec::with_capacity(others.len());
    for others in &others {
        let (mut postings, mut next) = (Vec::new(), 0u32);
        for _ in 0..=*others {
            let page = next.checked_add(*steps.get(at)?)?;
            let mut own = [0; N];
            for (own, column) in own.iter_mut().zip(&values) {
                *own = *column.get(at)?;
            }
            if page as usize >= pages {
                return None;
            }
            postings.push((page, own));
            next = page + 1;
            at += 1;
        }
        all.push(postings);
    }
    (all.len() == things && at == steps.len()).then_some(all)
}
