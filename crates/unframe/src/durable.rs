//! Sites in files.

use std::path::Path;
use std::sync::Arc;

use unframe_methods::MethodSpec;
use unframe_site::{Sites, Store, StoreError};

use crate::site::Site;

/// A durable site is never dropped from main memory while it is in use.
const ROOM_BYTES: usize = usize::MAX;

impl Site {
    /// Opens a site in a file, or creates it; with the method `auto`. The command line reads and
    /// writes the same files (`--state`). If the file has several sites, use
    /// [`open_with`](Site::open_with).
    ///
    /// What is learned is durable after [`commit`](Site::commit). A site that is dropped is committed
    /// if possible.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("unframe-doc-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// # let path = folder.join("news.unframe");
    /// let mut site = unframe::Site::open(&path)?;
    /// site.learn("https://a.example/1", "<nav>Home</nav><p>One story")?;
    /// site.commit()?;
    /// # drop(site);
    /// assert_eq!(unframe::Site::open(&path)?.pages(), 1);
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Site, StoreError> {
        let spec = MethodSpec::default();
        let store = Store::open_for(path.as_ref(), spec.engine().memory())?;
        let mut names = store.sites(spec.name()).into_iter().map(|(name, _)| name);
        let name = match (names.next(), names.next()) {
            (Some(_), Some(_)) => {
                return Err(StoreError::SeveralSites(path.as_ref().into()));
            }
            (name, _) => name.unwrap_or_default(),
        };
        Site::of_store(store, &spec, name)
    }

    /// Opens one site of a file that may have several, with any method.
    pub fn open_with(
        path: impl AsRef<Path>,
        spec: &MethodSpec,
        name: &str,
    ) -> Result<Site, StoreError> {
        let store = Store::open_for(path.as_ref(), spec.engine().memory())?;
        Site::of_store(store, spec, name.into())
    }

    fn of_store(store: Store, spec: &MethodSpec, name: String) -> Result<Site, StoreError> {
        let engine = Arc::clone(spec.engine());
        let mut sites = Sites::new(engine.memory(), Some(store), ROOM_BYTES)?;
        if !name.is_empty() {
            sites.load(&name)?;
        }
        Ok(Site::of(engine, sites, name))
    }
}
