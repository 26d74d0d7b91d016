//! Merges two stores.

use crate::error::StoreError;
use crate::memory::Memory;
use crate::sites::Sites;
use crate::store::Store;

/// Adds what `from` has learned to `into`. A page that both have counts once, as in `into`. Returns
/// how many pages were added.
pub fn merge<M: Memory>(into: &mut Sites<M>, from: &Store) -> Result<u64, StoreError> {
    let mut added = 0;
    for (name, record) in from.sites(M::METHOD)? {
        let memory: M = from.load(&record)?;
        let pages = from.pages(M::METHOD, record.id)?;
        added += into.absorb(&name, memory, record.designs, pages)?;
        into.commit()?;
    }
    Ok(added)
}
