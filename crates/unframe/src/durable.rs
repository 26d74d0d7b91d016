//! Sites in files.

use std::path::Path;
use std::sync::Arc;

use unframe_methods::{Engine, MethodSpec};
use unframe_read::Inputs;
use unframe_site::{Sites, Store, StoreError};

use crate::batch::{CleanError, CleanOptions, Sink, Summary, clean, learn};
use crate::crawl::Crawl;

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
        Site::open_only(path, &MethodSpec::default())
    }

    /// Opens the only site of a file, or creates it; with any method.
    pub fn open_only(path: impl AsRef<Path>, spec: &MethodSpec) -> Result<Site, StoreError> {
        let store = Store::open_for(path.as_ref(), spec.engine().memory())?;
        let mut names = store.sites(spec.name()).into_iter().map(|(name, _)| name);
        let name = match (names.next(), names.next()) {
            (Some(_), Some(_)) => {
                return Err(StoreError::SeveralSites(path.as_ref().into()));
            }
            (name, _) => name.unwrap_or_default(),
        };
        Site::of_store(store, spec, name)
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
        Crawl::check_state(&*engine, &store)?;
        let mut sites = Sites::new(engine.memory(), Some(store), ROOM_BYTES)?;
        if !name.is_empty() {
            sites.load(&name)?;
        }
        Ok(Site::of(Crawl::of(engine, sites), name))
    }
}

/// What is learned is durable after [`commit`](Crawl::commit). A crawl that is dropped is committed if
/// possible.
impl Crawl {
    /// Opens the sites of a file, or creates it; with any method. The command line reads and writes the
    /// same files (`--state`). The sites in use may take `room` bytes of main memory; above it, the least
    /// recently used ones are written to the file and dropped at the next commit.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or was learned with other parameters of the method.
    pub fn open(
        path: impl AsRef<Path>,
        spec: &MethodSpec,
        room: usize,
    ) -> Result<Crawl, StoreError> {
        let engine = Arc::clone(spec.engine());
        let store = Store::open_for(path.as_ref(), engine.memory())?;
        Crawl::check_state(&*engine, &store)?;
        let sites = Sites::new(engine.memory(), Some(store), room)?;
        Ok(Crawl::of(engine, sites))
    }

    /// Opens the sites of an existing file to clean pages by what it knows. Nothing that is learned is kept,
    /// and other processes may read the file, too.
    pub fn open_read_only(
        path: impl AsRef<Path>,
        spec: &MethodSpec,
        room: usize,
    ) -> Result<Crawl, StoreError> {
        let engine = Arc::clone(spec.engine());
        let store = Store::open_read_only(path.as_ref())?;
        Crawl::check_state(&*engine, &store)?;
        let sites = Sites::new(engine.memory(), Some(store), room)?;
        Ok(Crawl::of(engine, sites))
    }

    /// Sites in main memory and, above `room` bytes, in a temporary file.
    pub fn temporary(spec: &MethodSpec, room: usize) -> Result<Crawl, StoreError> {
        let engine = Arc::clone(spec.engine());
        let sites = Sites::new(engine.memory(), None, room)?;
        Ok(Crawl::of(engine, sites))
    }

    /// Cleans all pages of the inputs, as [`batch::clean`](crate::batch::clean) does: on all threads, and
    /// usually in two passes. `options.overrides` are those of the run.
    pub fn clean_all<S: Sink>(
        &mut self,
        inputs: &mut Inputs,
        options: &CleanOptions,
        sink: &mut S,
    ) -> Result<Summary, CleanError> {
        let engine = Arc::clone(self.engine());
        clean(inputs, &engine, &mut self.sites, options, sink)
    }

    /// Learns all pages of the inputs, as [`batch::learn`](crate::batch::learn) does.
    pub fn learn_all(
        &mut self,
        inputs: &mut Inputs,
        options: &CleanOptions,
    ) -> Result<Summary, CleanError> {
        let engine = Arc::clone(self.engine());
        learn(inputs, &engine, &mut self.sites, options)
    }

    /// Refuses a state that was learned with other parameters, which must not be continued.
    pub fn check_state(engine: &dyn Engine, store: &Store) -> Result<(), StoreError> {
        let kind = engine.memory();
        store.check_version(kind)?;
        for (_, record) in store.sites(kind.method) {
            let mut memory = kind.create();
            let readable = memory.load_head(&record.head).is_ok();
            if let (true, Err(reason)) = (readable, engine.accepts(&*memory)) {
                let path = store.path().into();
                return Err(StoreError::OtherParameters { path, reason });
            }
        }
        Ok(())
    }
}
