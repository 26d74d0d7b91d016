//! Two stores become one.

use crate::error::StoreError;
use crate::sites::Sites;
use crate::store::Store;

/// Adds what `from` has learned to `into`; a page that both know counts once, as `into` has it.
/// Returns how many pages were added.
pub fn merge(into: &mut Sites, from: &Store) -> Result<u64, StoreError> {
    let kind = into.kind();
    from.check_version(kind)?;
    let mut names: Vec<&str> = from.names(kind.method).collect();
    names.sort_unstable();
    let mut added = 0;
    for name in names {
        let contributions = from.contributions(kind, name)?;
        if let Some(content) = from.content(kind, name)? {
            added += into.absorb(name, content, contributions)?;
            into.commit()?;
        }
    }
    Ok(added)
}
