//! Two stores become one.

use crate::error::StoreError;
use crate::sites::Sites;
use crate::store::Store;

/// Adds what `from` has learned to `into`; a page that both know counts once, as `into` has it.
/// Returns how many pages were added.
pub fn merge(into: &mut Sites, from: &Store) -> Result<u64, StoreError> {
    let kind = into.kind();
    from.check_version(kind)?;
    let mut added = 0;
    for (name, record) in from.sites(kind.method)? {
        let memory = from.load(kind, &record)?;
        let pages = from.pages(kind.method, record.id)?;
        added += into.absorb(&name, memory, record.designs, pages)?;
        into.commit()?;
    }
    Ok(added)
}
