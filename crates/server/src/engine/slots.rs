//! How much may be held at a time: pages and bytes. What does not fit is refused, not kept waiting in main
//! memory.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::problem::Problem;

/// The unit in which bytes are counted: a semaphore counts with 32 bits.
const BLOCK: usize = 1024;

/// What is left of the room.
#[derive(Clone)]
pub struct Slots {
    pages: Arc<Semaphore>,
    bytes: Arc<Semaphore>,
    all_pages: usize,
}

/// A place in the queue. It is given up when it is dropped.
#[derive(Debug, Default)]
pub struct Slot {
    page: Option<OwnedSemaphorePermit>,
    bytes: Option<OwnedSemaphorePermit>,
    held: usize,
}

impl Slots {
    /// Room for this many pages, and for this many bytes of requests.
    pub fn new(pages: usize, bytes: usize) -> Slots {
        let blocks = (bytes / BLOCK).clamp(1, Semaphore::MAX_PERMITS);
        Slots {
            pages: Arc::new(Semaphore::new(pages)),
            bytes: Arc::new(Semaphore::new(blocks)),
            all_pages: pages,
        }
    }

    /// A place for a page, if there is one.
    pub fn page(&self, slot: &mut Slot) -> Result<(), Problem> {
        let permit = Arc::clone(&self.pages).try_acquire_owned();
        slot.page = Some(permit.map_err(|_| {
            let waiting = self.all_pages;
            Problem::new("busy", format!("{waiting} pages are waiting or in work"))
        })?);
        Ok(())
    }

    /// A place for a page, as soon as there is one.
    pub async fn page_in_turn(&self, slot: &mut Slot) {
        slot.page = Arc::clone(&self.pages).acquire_owned().await.ok();
    }

    /// Room for more bytes, if there is some.
    pub fn more(&self, slot: &mut Slot, bytes: usize) -> Result<(), Problem> {
        let blocks = self.blocks(slot, bytes);
        if blocks == 0 {
            return Ok(());
        }
        let permit = Arc::clone(&self.bytes).try_acquire_many_owned(blocks);
        let permit = permit.map_err(|_| {
            Problem::new(
                "busy",
                "as many bytes of requests are held as the service may hold",
            )
        })?;
        slot.keep(permit);
        Ok(())
    }

    /// How many blocks are needed for more bytes, beyond what the slot has.
    fn blocks(&self, slot: &mut Slot, bytes: usize) -> u32 {
        let before = slot.held.div_ceil(BLOCK);
        slot.held += bytes;
        u32::try_from(slot.held.div_ceil(BLOCK) - before).unwrap_or(u32::MAX)
    }

    /// Pages that wait or are in work.
    pub fn in_use(&self) -> usize {
        self.all_pages - self.pages.available_permits()
    }
}

impl Slot {
    fn keep(&mut self, permit: OwnedSemaphorePermit) {
        match &mut self.bytes {
            Some(own) => own.merge(permit),
            none => *none = Some(permit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused_and_room_comes_back() {
        let slots = Slots::new(2, 4096);
        let (mut one, mut two, mut three) = Default::default();
        slots.page(&mut one).unwrap();
        slots.page(&mut two).unwrap();
        assert_eq!(slots.page(&mut three).unwrap_err().name(), "busy");
        slots.more(&mut one, 1000).unwrap();
        slots.more(&mut one, 24).unwrap();
        slots.more(&mut two, 3072).unwrap();
        assert_eq!(slots.more(&mut one, 1).unwrap_err().name(), "busy");
        assert_eq!(slots.in_use(), 2);
        drop(two);
        slots.page(&mut three).unwrap();
        slots.more(&mut three, 3072).unwrap();
        drop((one, three));
        assert_eq!(slots.in_use(), 0);
    }
}
