//! Pages that the caller hands over one by one, readable twice.
//!
//! The first pass takes them from the caller's iterator. If a second pass is announced, they are kept for
//! it: the first ones in main memory, where they share their bytes with whoever works on them, the rest in
//! an unnamed temporary file.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::block_file::{BLOCK, BlockFile};
use crate::source::Context;
use crate::text::Text;
use crate::{InputFields, Item, RawPage, SkipReason, Skipped};

/// Bytes of pages that are kept in main memory.
const HELD_BYTES: usize = 32 << 20;

/// A page that the caller hands over.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenPage {
    /// Its name in messages. Default: its number, as in `page 17`.
    pub name: Option<String>,
    /// Its URL.
    pub url: Option<String>,
    /// Its site. Default: by its URL, as the options say.
    pub site: Option<String>,
    /// The charset that the transport stated.
    pub charset: Option<String>,
    /// When it was fetched, in the format of archives (`2024-05-01T10:00:00Z`).
    pub date: Option<String>,
    /// Its id, for the caller: see [`RawPage::record_id`].
    pub record_id: Option<String>,
    /// Whether it is incomplete.
    pub truncated: bool,
    /// Whether parts of it were binary data, which are not in it.
    pub undecodable: bool,
    /// Whether it does not match the digest of its archive record.
    pub wrong_digest: bool,
    /// What else the caller knows about it; outputs pass it through.
    pub input: InputFields,
    /// The page.
    #[serde(skip)]
    pub body: Bytes,
}

/// The pages of one caller, and those that are kept for another pass.
pub(crate) struct GivenPages(Mutex<State>);

struct State {
    live: Option<Box<dyn Iterator<Item = GivenPage> + Send>>,
    started: bool,
    /// Whether pages are kept for another pass.
    keep: bool,
    held: Vec<GivenPage>,
    held_bytes: usize,
    stored: BlockFile,
    /// Pages that will be stored together.
    pending: Vec<GivenPage>,
    pending_bytes: usize,
    /// Why pages could not be kept.
    failure: Option<String>,
}

impl GivenPages {
    pub(crate) fn new(pages: Box<dyn Iterator<Item = GivenPage> + Send>) -> Self {
        GivenPages(Mutex::new(State {
            live: Some(pages),
            started: false,
            keep: false,
            held: Vec::new(),
            held_bytes: 0,
            stored: BlockFile::default(),
            pending: Vec::new(),
            pending_bytes: 0,
            failure: None,
        }))
    }

    /// A reader of all pages. The error says why they cannot be read again.
    pub(crate) fn reader(self: &Arc<Self>, keep: bool) -> Result<GivenReader, String> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !state.started {
            (state.started, state.keep) = (true, keep);
        } else if let Some(failure) = &state.failure {
            return Err(failure.clone());
        } else if !state.keep {
            return Err("already read, and they were not kept for another pass".into());
        }
        Ok(GivenReader {
            pages: Arc::clone(self),
            held: 0,
            block: 0,
            loaded: VecDeque::new(),
            pending: 0,
        })
    }
}

/// One pass over the pages.
pub(crate) struct GivenReader {
    pages: Arc<GivenPages>,
    /// The position in each of the places where pages are kept, in their order.
    held: usize,
    block: usize,
    loaded: VecDeque<GivenPage>,
    pending: usize,
}

impl Iterator for GivenReader {
    type Item = Result<GivenPage, io::Error>;

    fn next(&mut self) -> Option<Result<GivenPage, io::Error>> {
        if let Some(page) = self.loaded.pop_front() {
            return Some(Ok(page));
        }
        let pages = Arc::clone(&self.pages);
        let mut state = pages.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(page) = state.held.get(self.held) {
            self.held += 1;
            return Some(Ok(page.clone()));
        }
        if let Some(block) = state.stored.load(self.block) {
            // Whoever reads a stored block may have read part of it while it was pending.
            let skipped = std::mem::take(&mut self.pending);
            self.block += 1;
            return match block.and_then(|block| unpack(block.into())) {
                Ok(pages) => {
                    self.loaded = pages.into_iter().skip(skipped).collect();
                    drop(state);
                    self.next()
                }
                Err(error) => Some(Err(error)),
            };
        }
        if let Some(page) = state.pending.get(self.pending) {
            self.pending += 1;
            return Some(Ok(page.clone()));
        }
        let page = state.live.as_mut()?.next();
        let Some(page) = page else {
            // What it refers to is not needed any more.
            state.live = None;
            return None;
        };
        if state.keep && state.failure.is_none() {
            state.keep(page.clone(), self);
        }
        Some(Ok(page))
    }
}

impl State {
    /// Keeps a page that `reader` takes now.
    fn keep(&mut self, page: GivenPage, reader: &mut GivenReader) {
        let texts = [&page.url, &page.name, &page.site];
        let texts: usize = texts.into_iter().flatten().map(String::len).sum();
        let bytes = size_of::<GivenPage>() + texts + page.body.len() + page.input.bytes();
        if self.held_bytes + bytes <= HELD_BYTES {
            self.held_bytes += bytes;
            self.held.push(page);
            reader.held += 1;
            return;
        }
        // From now on all pages are stored, so that their order is kept.
        self.held_bytes = HELD_BYTES;
        self.pending_bytes += bytes;
        self.pending.push(page);
        reader.pending += 1;
        if self.pending_bytes >= BLOCK {
            let pages = std::mem::take(&mut self.pending);
            self.pending_bytes = 0;
            match self.stored.store(&pack(&pages)) {
                Ok(()) => (reader.block, reader.pending) = (reader.block + 1, 0),
                Err(error) => self.failure = Some(error.to_string()),
            }
        }
    }
}

/// Each page as the length of its other fields, these as JSON, the length of its body, and the body.
fn pack(pages: &[GivenPage]) -> Vec<u8> {
    let mut block = Vec::new();
    for page in pages {
        let about = serde_json::to_vec(page).expect("plain data");
        for part in [&about[..], &page.body] {
            block.extend((part.len() as u64).to_le_bytes());
            block.extend(part);
        }
    }
    block
}

fn unpack(mut block: Bytes) -> io::Result<Vec<GivenPage>> {
    let mut part = || {
        let length = block.split_off_checked(8)?;
        let length = u64::from_le_bytes(length[..].try_into().ok()?);
        block.split_off_checked(usize::try_from(length).ok()?)
    };
    let mut pages = Vec::new();
    while let Some(about) = part() {
        let page: Option<GivenPage> = serde_json::from_slice(&about).ok();
        let (Some(page), Some(body)) = (page, part()) else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        pages.push(GivenPage { body, ..page });
    }
    Ok(pages)
}

trait SplitOff {
    /// Splits the first `length` bytes off; `None` if there are fewer.
    fn split_off_checked(&mut self, length: usize) -> Option<Bytes>;
}

impl SplitOff for Bytes {
    fn split_off_checked(&mut self, length: usize) -> Option<Bytes> {
        (length <= self.len()).then(|| self.split_to(length))
    }
}

impl GivenPage {
    /// The page as any other source would yield it; `number` is its position, counted from 1.
    pub(crate) fn into_item(self, number: u64, context: &Context) -> Item {
        let name = self.name.unwrap_or_else(|| format!("page {number}"));
        let mut body = self.body;
        let limit = context.options.max_page_bytes;
        let truncated = body.len() > limit;
        body.truncate(limit);
        let text = Text::of(body);
        let undecodable = self.undecodable || matches!(text, Text::Part(_));
        let (Text::Whole(body) | Text::Part(body)) = text else {
            let reason = SkipReason::Binary;
            return Item::Skipped(Skipped { name, reason });
        };
        let url = self.url.filter(|url| !url.trim().is_empty());
        Item::Page(RawPage {
            name,
            site: match self.site {
                Some(site) => site,
                None => context.site_of(url.as_deref()),
            },
            url,
            path: None,
            charset: self.charset,
            body,
            date: self.date,
            record_id: self.record_id,
            truncated: truncated || self.truncated,
            input: self.input,
            undecodable,
            wrong_digest: self.wrong_digest.then_some("digest"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(number: usize, bytes: usize) -> GivenPage {
        GivenPage {
            url: Some(format!("https://a.example/{number}")),
            body: vec![b'a' + (number % 26) as u8; bytes].into(),
            ..GivenPage::default()
        }
    }

    fn pages(count: usize, bytes: usize) -> Arc<GivenPages> {
        let pages = (0..count).map(move |number| page(number, bytes));
        Arc::new(GivenPages::new(Box::new(pages)))
    }

    fn all(given: &Arc<GivenPages>) -> Vec<GivenPage> {
        given.reader(true).unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn pages_are_read_again_from_memory_and_from_the_file() {
        let (count, bytes) = (80, HELD_BYTES / 30);
        let given = pages(count, bytes);
        let wanted: Vec<GivenPage> = (0..count).map(|number| page(number, bytes)).collect();
        assert!(all(&given) == wanted);
        assert!(all(&given) == wanted);
        assert_eq!(given.0.lock().unwrap().held.len(), 29);
        // Small pages are stored together.
        let given = pages(3 * HELD_BYTES / 10_000, 10_000);
        assert!(all(&given) == all(&given));
    }

    #[test]
    fn a_first_pass_that_stops_early_costs_nothing() {
        let (count, bytes) = (50, HELD_BYTES / 30);
        for taken in [0, 1, 29, 30, 31, 49] {
            let given = pages(count, bytes);
            given.reader(true).unwrap().take(taken).for_each(drop);
            let found = all(&given).len();
            assert_eq!(found, count, "after {taken}");
        }
    }

    #[test]
    fn pages_that_were_not_kept_are_gone() {
        let given = pages(3, 10);
        assert_eq!(given.reader(false).unwrap().count(), 3);
        assert!(given.reader(true).is_err());
    }

    #[test]
    fn bodies_are_not_copied_in_memory() {
        let body = Bytes::from(vec![b'x'; 100]);
        let one = GivenPage {
            body: body.clone(),
            ..GivenPage::default()
        };
        let given = Arc::new(GivenPages::new(Box::new(std::iter::once(one))));
        for page in [all(&given), all(&given)].concat() {
            assert_eq!(page.body.as_ptr(), body.as_ptr());
        }
    }
}
