//! The contribution of one page as bytes: a row of the memory.
//!
//! ```text
//! words · kind · slots, texts, targets: their numbers · slot* · text* · target*
//! slot:   difference to the last hash · hash without ids · parent and is_block · prose · score · alone
//! text:   difference to the last hash · words · masked · slot · times and linked
//! target: difference to the last hash · above
//! ```
//!
//! All are numbers in base 128 (LEB128). What may be true or false is the lowest bit of the number before it.

use unframe_labels::PageKind;

use super::contribution::{Contribution, SlotEntry, TargetEntry, TextEntry};

pub(super) fn encode(contribution: &Contribution) -> Vec<u8> {
    let mut out = Vec::with_capacity(12 * contribution.slots.len() + 10 * contribution.texts.len());
    let mut put = |number: u32| put_number(&mut out, number);
    put(contribution.words);
    put(kind_code(contribution.kind));
    put(contribution.slots.len() as u32);
    put(contribution.texts.len() as u32);
    put(contribution.targets.len() as u32);
    let mut last = 0;
    for entry in &contribution.slots {
        put(entry.slot - last);
        put(entry.idless);
        put(2 * entry.parent + u32::from(entry.is_block));
        put(entry.prose.into());
        put(entry.score.into());
        put(entry.alone.into());
        last = entry.slot;
    }
    last = 0;
    for entry in &contribution.texts {
        put(entry.text - last);
        put(entry.words.into());
        put(entry.masked);
        put(entry.slot);
        put(2 * u32::from(entry.times) + u32::from(entry.linked));
        last = entry.text;
    }
    last = 0;
    for entry in &contribution.targets {
        put(entry.target - last);
        put(entry.above);
        last = entry.target;
    }
    out
}

/// `None` if the bytes are not a contribution.
pub(super) fn decode(bytes: &[u8]) -> Option<Contribution> {
    let mut bytes = bytes;
    let mut next = || take_number(&mut bytes);
    let words = next()?;
    let kind = kind_of(next()?)?;
    let (slots, texts, targets) = (next()?, next()?, next()?);
    let mut contribution = Contribution {
        words,
        kind,
        ..Contribution::default()
    };
    let within = |entry: u32| (entry < slots).then_some(entry);
    let mut last = 0u32;
    for _ in 0..slots {
        last = last.checked_add(next()?)?;
        let (idless, parent) = (next()?, next()?);
        contribution.slots.push(SlotEntry {
            slot: last,
            idless,
            parent: within(parent / 2)?,
            is_block: parent % 2 == 1,
            prose: next()?.try_into().ok()?,
            score: next()?.try_into().ok()?,
            alone: next()?.try_into().ok()?,
        });
    }
    last = 0;
    for _ in 0..texts {
        last = last.checked_add(next()?)?;
        let (words, masked, slot, times) = (next()?, next()?, within(next()?)?, next()?);
        contribution.texts.push(TextEntry {
            text: last,
            masked,
            words: words.try_into().ok()?,
            slot,
            times: (times / 2).try_into().ok()?,
            linked: times % 2 == 1,
        });
    }
    last = 0;
    for _ in 0..targets {
        last = last.checked_add(next()?)?;
        contribution.targets.push(TargetEntry {
            target: last,
            above: within(next()?)?,
        });
    }
    (bytes.is_empty() && contribution.is_sound()).then_some(contribution)
}

/// A kind of page as a number; 0 for none.
pub(super) fn kind_code(kind: Option<PageKind>) -> u32 {
    let number = |kind| PageKind::ALL.iter().position(|other| *other == kind);
    kind.and_then(number).map_or(0, |number| number as u32 + 1)
}

/// The kind of page that a number means.
pub(super) fn kind_of(code: u32) -> Option<Option<PageKind>> {
    match code.checked_sub(1) {
        None => Some(None),
        Some(number) => PageKind::ALL.get(number as usize).copied().map(Some),
    }
}

fn put_number(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn take_number(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0u64;
    for shift in (0..35).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return number.try_into().ok();
        }
    }
    None
}
