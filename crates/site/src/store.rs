//! The state on disk: one redb file, written in atomic commits.
//!
//! ```text
//! unframe            "format", "METHOD/version", "METHOD/next site" → u32
//! METHOD/sites       site name → SiteRecord
//! METHOD/pages       (site, page) → PageRecord       one row per page: the ledger
//! METHOD/pieces      (site, number) → rows           what the method has learned, see piece.rs
//! METHOD/templates   site name → DesignHistory       missing in older files
//! ```
//!
//! A commit writes a page's ledger row and the changes of the page together or not at all. So after
//! any crash the state holds exactly the pages in its ledger, each of them once.

use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use redb::{
    Database, DatabaseError, ReadOnlyDatabase, ReadOnlyTable, ReadableDatabase, ReadableTable,
    TableDefinition, TableError, TableHandle,
};
use unframe_page::Fingerprint;

use crate::drift::DesignHistory;
use crate::error::StoreError;
use crate::memory::{BadRow, Memory, MemoryKind};
use crate::piece;
use crate::record::{PageRecord, SiteRecord};

/// The format that this version writes.
pub const FORMAT: u32 = 1;

const ABOUT: TableDefinition<&str, u32> = TableDefinition::new("unframe");
type SitesTable<'a> = TableDefinition<'a, &'static str, &'static [u8]>;
type TemplatesTable<'a> = TableDefinition<'a, &'static str, &'static [u8]>;
type PagesTable<'a> = TableDefinition<'a, (u32, u128), &'static [u8]>;
type PiecesTable<'a> = TableDefinition<'a, (u32, u32), &'static [u8]>;

/// The version of methods in files from before versions were stored.
const UNSTATED_VERSION: u32 = 1;

/// Memory that redb may use to keep parts of the file.
const CACHE_BYTES: usize = 64 << 20;

/// A state on disk.
pub struct Store {
    path: PathBuf,
    database: Opened,
    ledger: Option<Ledger>,
    /// Keeps a temporary file alive, where it needs a name for that.
    _temporary: Option<tempfile::TempDir>,
}

/// How the file was opened.
enum Opened {
    ForWriting(Database),
    ReadOnly(ReadOnlyDatabase),
}

/// The ledger of one method as of the last commit, kept open because it is queried for every page.
struct Ledger {
    method: &'static str,
    table: Option<ReadOnlyTable<(u32, u128), &'static [u8]>>,
}

/// The part of a commit that belongs to one site.
pub(crate) struct SiteChange<'a> {
    pub(crate) name: &'a str,
    pub(crate) record: &'a mut SiteRecord,
    pub(crate) pages: Vec<(Fingerprint, PageRecord)>,
    pub(crate) forgotten: Vec<Fingerprint>,
    pub(crate) pieces: Vec<Vec<u8>>,
    /// The pieces are complete and replace those on disk.
    pub(crate) whole: bool,
}

impl Store {
    /// Opens a state, or creates an empty one if the file does not exist.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        Store::open_as(path, true)
    }

    /// Opens a state for one method, or creates an empty one. What another version of the method has
    /// learned is refused without changing a byte of the file.
    pub fn open_for(path: &Path, kind: MemoryKind) -> Result<Store, StoreError> {
        // Whatever else is wrong, opening it for use will tell.
        if let Ok(store) = Store::open_read_only(path) {
            store.check_version(kind)?;
        }
        Store::open(path)
    }

    /// Opens an existing state.
    pub fn open_existing(path: &Path) -> Result<Store, StoreError> {
        Store::open_as(path, false)
    }

    /// Opens an existing state for reading only. Write operations are refused, and no byte of the
    /// file changes.
    pub fn open_read_only(path: &Path) -> Result<Store, StoreError> {
        match file_length(path)? {
            None => return Err(StoreError::Missing(path.into())),
            Some(0) => return Err(StoreError::Empty(path.into())),
            Some(_) => {}
        }
        Store::look(path)?;
        let database = match guarded(|| ReadOnlyDatabase::open(path)) {
            Some(Ok(database)) => database,
            Some(Err(DatabaseError::RepairAborted)) => {
                return Err(StoreError::NeedsRepair(path.into()));
            }
            Some(Err(error)) => return Err(StoreError::new(path, error)),
            None => return Err(StoreError::new(path, corrupted())),
        };
        Ok(Store {
            path: path.into(),
            database: Opened::ReadOnly(database),
            ledger: None,
            _temporary: None,
        })
    }

    /// Opens an existing state for inspection. No byte of it changes, unless its last user crashed:
    /// then it has to be repaired before it can be read.
    pub fn open_to_look(path: &Path) -> Result<Store, StoreError> {
        match Store::open_read_only(path) {
            Err(StoreError::NeedsRepair(_)) => Store::open_existing(path),
            opened => opened,
        }
    }

    /// A state that is deleted when the process ends.
    pub fn temporary() -> Result<Store, StoreError> {
        let folder = Store::temporary_folder()?;
        let mut store = Store::open(&folder.path().join("state.unframe"))?;
        store._temporary = until_closed(folder);
        Ok(store)
    }

    /// A copy of a state, or an empty one if the file does not exist, that is deleted when the
    /// process ends: learning changes only the copy.
    pub fn scratch(path: &Path) -> Result<Store, StoreError> {
        // An empty file is a new state, as for a run that writes.
        if matches!(file_length(path)?, None | Some(0)) {
            return Store::temporary();
        }
        // Held while the file is copied, so that nobody writes to it meanwhile. If it needs repair,
        // the copy is repaired.
        let _held = match Store::open_read_only(path) {
            Ok(store) => Some(store),
            Err(StoreError::NeedsRepair(_)) => None,
            Err(error) => return Err(error),
        };
        let folder = Store::temporary_folder()?;
        let copy = folder.path().join("state.unframe");
        // Copies only the bytes: the copy of a write-protected file must be writable.
        let copied = File::open(path)
            .and_then(|mut state| std::io::copy(&mut state, &mut File::create(&copy)?));
        copied.map_err(|error| StoreError::io(path.into(), error))?;
        let mut store = Store::open_existing(&copy)?;
        store.path = path.into();
        store._temporary = until_closed(folder);
        Ok(store)
    }

    fn temporary_folder() -> Result<tempfile::TempDir, StoreError> {
        let made = tempfile::Builder::new().prefix("unframe-").tempdir();
        made.map_err(|source| StoreError::io(std::env::temp_dir(), source))
    }

    fn open_as(path: &Path, create: bool) -> Result<Store, StoreError> {
        let length = match file_length(path)? {
            Some(0) if !create => return Err(StoreError::Empty(path.into())),
            Some(length) => length,
            None if !create => return Err(StoreError::Missing(path.into())),
            None => {
                Store::make(path)?;
                0
            }
        };
        // An existing file is only read until its format is known.
        if length > 0 {
            Store::look(path)?;
        }
        let opened = guarded(|| {
            let mut builder = Database::builder();
            builder.set_cache_size(CACHE_BYTES);
            match create {
                true => builder.create(path),
                false => builder.open(path),
            }
        });
        let database = match opened {
            Some(Ok(database)) => database,
            Some(Err(error)) => return Err(StoreError::new(path, error)),
            None => {
                return Err(StoreError::Damaged {
                    path: path.into(),
                    detail: "its inner structure does not hold".into(),
                });
            }
        };
        let store = Store {
            path: path.into(),
            database: Opened::ForWriting(database),
            ledger: None,
            _temporary: None,
        };
        match store.format()? {
            Some(found) if found > FORMAT => Err(StoreError::Newer {
                path: path.into(),
                found,
                known: FORMAT,
            }),
            Some(_) => Ok(store),
            None if length > 0 && !store.is_blank()? => Err(StoreError::Foreign(path.into())),
            None => {
                store.write(|transaction| {
                    transaction.open_table(ABOUT)?.insert("format", FORMAT)?;
                    Ok(())
                })?;
                Ok(store)
            }
        }
    }

    /// Creates an empty state under another name and moves it into place when it is complete, so
    /// that a crash or a full disk leaves no partial file that nobody can read.
    fn make(path: &Path) -> Result<(), StoreError> {
        let io = |error| StoreError::io(path.into(), error);
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        if !folder.is_dir() {
            return Err(StoreError::NoFolder {
                path: path.into(),
                folder: folder.into(),
            });
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let prefix = format!(".{name}.unframe-partial-");
        remove_abandoned(folder, &prefix);
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // The text of the error names the temporary file.
        let made = builder.prefix(&prefix).tempfile_in(folder);
        let file = made.map_err(|error| io(error.kind().into()))?;
        let fill = || -> Result<(), redb::Error> {
            let database = Database::create(file.path())?;
            let transaction = database.begin_write()?;
            transaction.open_table(ABOUT)?.insert("format", FORMAT)?;
            transaction.commit()?;
            Ok(())
        };
        fill().map_err(|error| StoreError::new(path, error))?;
        match file.persist_noclobber(path) {
            Ok(_) => Ok(()),
            // Another process was faster; use its file.
            Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(io(error.error)),
        }
    }

    /// Refuses a file of a later version or of another program without changing a byte of it, which
    /// opening it for writing would do.
    fn look(path: &Path) -> Result<(), StoreError> {
        let look = || -> Result<(Option<u32>, bool), redb::Error> {
            let database = match ReadOnlyDatabase::open(path) {
                // Its last user crashed; it has to be repaired before it can be read.
                Err(DatabaseError::RepairAborted) => return Ok((None, true)),
                opened => opened?,
            };
            let transaction = database.begin_read()?;
            match transaction.open_table(ABOUT) {
                Ok(table) => Ok((table.get("format")?.map(|format| format.value()), true)),
                Err(TableError::TableDoesNotExist(_)) => {
                    Ok((None, transaction.list_tables()?.next().is_none()))
                }
                // A table of that name has another type.
                Err(_) => Ok((None, false)),
            }
        };
        match guarded(look) {
            Some(Ok((Some(found), _))) if found > FORMAT => Err(StoreError::Newer {
                path: path.into(),
                found,
                known: FORMAT,
            }),
            Some(Ok((None, false))) => Err(StoreError::Foreign(path.into())),
            Some(Err(error)) => Err(StoreError::new(path, error)),
            // Opening the file for use will report any other problem.
            Some(Ok(_)) | None => Ok(()),
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn format(&self) -> Result<Option<u32>, StoreError> {
        self.read(|transaction| match transaction.open_table(ABOUT) {
            Ok(table) => Ok(table.get("format")?.map(|format| format.value())),
            Err(TableError::TableDoesNotExist(_)) => Ok(None),
            Err(error) => Err(error.into()),
        })
    }

    fn is_blank(&self) -> Result<bool, StoreError> {
        self.read(|transaction| Ok(transaction.list_tables()?.next().is_none()))
    }

    /// The methods with data in this state.
    pub fn methods(&self) -> Result<Vec<String>, StoreError> {
        self.read(|transaction| {
            Ok(transaction
                .list_tables()?
                .filter_map(|table| Some(table.name().strip_suffix("/sites")?.to_string()))
                .collect())
        })
    }

    /// Refuses what another version of a method has learned: its keys would not be found again, or
    /// would mean something else.
    pub fn check_version(&self, kind: MemoryKind) -> Result<(), StoreError> {
        let known = self.methods()?;
        if !known.iter().any(|method| method == kind.method) {
            return Ok(());
        }
        let found = self.read(|transaction| {
            let about = transaction.open_table(ABOUT)?;
            let found = about.get(version_key(kind.method).as_str())?;
            Ok(found.map_or(UNSTATED_VERSION, |found| found.value()))
        })?;
        match found == kind.version {
            true => Ok(()),
            false => Err(StoreError::OtherVersion {
                path: self.path.clone(),
                method: kind.method,
                found,
                known: kind.version,
            }),
        }
    }

    /// The sites that a method knows, by name.
    pub fn sites(&self, method: &str) -> Result<Vec<(String, SiteRecord)>, StoreError> {
        let name = format!("{method}/sites");
        self.read(|transaction| {
            let mut found = Vec::new();
            match transaction.open_table(SitesTable::new(&name)) {
                Ok(table) => {
                    for row in table.iter()? {
                        let (name, record) = row?;
                        let name = name.value().to_string();
                        let mut record =
                            SiteRecord::decode(record.value()).ok_or_else(corrupted)?;
                        record.designs = designs(transaction, method, &name)?;
                        found.push((name, record));
                    }
                }
                Err(TableError::TableDoesNotExist(_)) => {}
                Err(error) => return Err(error.into()),
            }
            Ok(found)
        })
    }

    /// The record of one site.
    pub fn site(&self, method: &str, site: &str) -> Result<Option<SiteRecord>, StoreError> {
        let name = format!("{method}/sites");
        self.read(
            |transaction| match transaction.open_table(SitesTable::new(&name)) {
                Ok(table) => match table.get(site)? {
                    Some(row) => {
                        let mut record = SiteRecord::decode(row.value()).ok_or_else(corrupted)?;
                        record.designs = designs(transaction, method, site)?;
                        Ok(Some(record))
                    }
                    None => Ok(None),
                },
                Err(TableError::TableDoesNotExist(_)) => Ok(None),
                Err(error) => Err(error.into()),
            },
        )
    }

    /// Puts a site's memory together again.
    pub fn load(
        &self,
        kind: MemoryKind,
        record: &SiteRecord,
    ) -> Result<Box<dyn Memory>, StoreError> {
        let name = format!("{}/pieces", kind.method);
        let mut rows: foldhash::HashMap<(u8, Fingerprint), Vec<u8>> = Default::default();
        let mut bad = None;
        self.read(|transaction| {
            let table = match transaction.open_table(PiecesTable::new(&name)) {
                Ok(table) => table,
                Err(TableError::TableDoesNotExist(_)) => return Ok(()),
                Err(error) => return Err(error.into()),
            };
            for piece in table.range((record.id, 0)..=(record.id, u32::MAX))? {
                let (_, bytes) = piece?;
                let read = piece::read(bytes.value(), |table, key, row| {
                    match row {
                        Some(row) => rows.insert((table, key), row.to_vec()),
                        None => rows.remove(&(table, key)),
                    };
                    Ok(())
                });
                bad = bad.or(read.err());
            }
            Ok(())
        })?;
        let mut memory = kind.create();
        let mut loaded = memory.load_head(&record.head);
        for ((table, key), row) in &rows {
            loaded = loaded.and_then(|()| memory.load(*table, *key, row));
        }
        match bad.or(loaded.err()) {
            None => Ok(memory),
            Some(error) => Err(StoreError::bad_row(&self.path, error)),
        }
    }

    /// What the ledger of a method has on a page.
    pub(crate) fn page(
        &mut self,
        method: &'static str,
        site: u32,
        page: Fingerprint,
    ) -> Result<Option<PageRecord>, StoreError> {
        if self
            .ledger
            .as_ref()
            .is_none_or(|ledger| ledger.method != method)
        {
            let name = format!("{method}/pages");
            let table =
                self.read(
                    |transaction| match transaction.open_table(PagesTable::new(&name)) {
                        Ok(table) => Ok(Some(table)),
                        Err(TableError::TableDoesNotExist(_)) => Ok(None),
                        Err(error) => Err(error.into()),
                    },
                )?;
            self.ledger = Some(Ledger { method, table });
        }
        let Some(table) = self
            .ledger
            .as_ref()
            .and_then(|ledger| ledger.table.as_ref())
        else {
            return Ok(None);
        };
        let row = table
            .get((site, page.0))
            .map_err(|error| StoreError::new(&self.path, error))?;
        match row {
            None => Ok(None),
            Some(row) => PageRecord::decode(row.value())
                .map(Some)
                .ok_or_else(|| StoreError::new(&self.path, corrupted())),
        }
    }

    /// All pages in a method's ledger for a site.
    pub fn pages(
        &self,
        method: &str,
        site: u32,
    ) -> Result<Vec<(Fingerprint, PageRecord)>, StoreError> {
        let name = format!("{method}/pages");
        self.read(|transaction| {
            let mut found = Vec::new();
            match transaction.open_table(PagesTable::new(&name)) {
                Ok(table) => {
                    for row in table.range((site, 0)..=(site, u128::MAX))? {
                        let (key, record) = row?;
                        let record = PageRecord::decode(record.value()).ok_or_else(corrupted)?;
                        found.push((Fingerprint(key.value().1), record));
                    }
                }
                Err(TableError::TableDoesNotExist(_)) => {}
                Err(error) => return Err(error.into()),
            }
            Ok(found)
        })
    }

    /// Writes the changes of some sites atomically; new sites get their numbers here.
    pub(crate) fn commit(
        &mut self,
        kind: MemoryKind,
        changes: Vec<SiteChange<'_>>,
    ) -> Result<(), StoreError> {
        self.ledger = None;
        let method = kind.method;
        let [sites, pages, pieces, templates] =
            ["sites", "pages", "pieces", "templates"].map(|t| format!("{method}/{t}"));
        self.write(|transaction| {
            let mut sites = transaction.open_table(SitesTable::new(&sites))?;
            let mut pages = transaction.open_table(PagesTable::new(&pages))?;
            let mut pieces = transaction.open_table(PiecesTable::new(&pieces))?;
            let mut about = transaction.open_table(ABOUT)?;
            let counter = format!("{method}/next site");
            let mut next_site = about.get(counter.as_str())?.map_or(1, |next| next.value());
            for change in changes {
                let record = change.record;
                if record.id == 0 {
                    record.id = next_site;
                    next_site += 1;
                }
                if change.whole {
                    for number in 0..record.pieces {
                        pieces.remove((record.id, number))?;
                    }
                    (record.pieces, record.piece_bytes, record.whole_bytes) = (0, 0, 0);
                }
                for piece in change.pieces {
                    record.piece_bytes += piece.len() as u64;
                    pieces.insert((record.id, record.pieces), piece.as_slice())?;
                    record.pieces += 1;
                }
                if change.whole {
                    record.whole_bytes = record.piece_bytes;
                }
                for page in change.forgotten {
                    pages.remove((record.id, page.0))?;
                }
                for (page, row) in change.pages {
                    pages.insert((record.id, page.0), row.encode().as_slice())?;
                }
                sites.insert(change.name, record.encode().as_slice())?;
                if !record.designs.is_empty() {
                    let mut templates = transaction.open_table(TemplatesTable::new(&templates))?;
                    templates.insert(change.name, record.designs.encode().as_slice())?;
                }
            }
            about.insert(counter.as_str(), next_site)?;
            about.insert(version_key(method).as_str(), kind.version)?;
            Ok(())
        })
    }

    /// Lets redb verify its whole file; returns false if something had to be repaired.
    pub fn verify(&mut self) -> Result<bool, StoreError> {
        self.ledger = None;
        let Opened::ForWriting(database) = &mut self.database else {
            return Err(StoreError::ReadOnly(self.path.clone()));
        };
        match guarded(|| database.check_integrity()) {
            Some(Ok(clean)) => Ok(clean),
            Some(Err(error)) => Err(StoreError::new(&self.path, error)),
            None => Err(StoreError::new(&self.path, corrupted())),
        }
    }

    fn read<T>(
        &self,
        work: impl FnOnce(&redb::ReadTransaction) -> Result<T, redb::Error>,
    ) -> Result<T, StoreError> {
        let transaction = match &self.database {
            Opened::ForWriting(database) => database.begin_read(),
            Opened::ReadOnly(database) => database.begin_read(),
        };
        transaction
            .map_err(redb::Error::from)
            .and_then(|transaction| work(&transaction))
            .map_err(|error| StoreError::new(&self.path, error))
    }

    fn write(
        &self,
        work: impl FnOnce(&redb::WriteTransaction) -> Result<(), redb::Error>,
    ) -> Result<(), StoreError> {
        let Opened::ForWriting(database) = &self.database else {
            return Err(StoreError::ReadOnly(self.path.clone()));
        };
        let run = || -> Result<(), redb::Error> {
            let transaction = database.begin_write()?;
            work(&transaction)?;
            transaction.commit()?;
            Ok(())
        };
        run().map_err(|error| StoreError::new(&self.path, error))
    }
}

/// What the version of a method's rows is stored under.
fn version_key(method: &str) -> String {
    format!("{method}/version")
}

/// The designs of a site.
fn designs(
    transaction: &redb::ReadTransaction,
    method: &str,
    site: &str,
) -> Result<DesignHistory, redb::Error> {
    let name = format!("{method}/templates");
    match transaction.open_table(TemplatesTable::new(&name)) {
        Ok(table) => match table.get(site)? {
            Some(row) => DesignHistory::decode(row.value()).ok_or_else(corrupted),
            None => Ok(DesignHistory::default()),
        },
        Err(TableError::TableDoesNotExist(_)) => Ok(DesignHistory::default()),
        Err(error) => Err(error.into()),
    }
}

/// Runs code that may panic, and suppresses the panic message: redb trusts its file more than a
/// damaged file deserves. Returns `None` if it panicked.
fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    // The panic hook is global; two threads that replace it at the same time would leave the wrong
    // one.
    static EXCHANGE: Mutex<()> = Mutex::new(());
    let _one = EXCHANGE.lock().unwrap_or_else(PoisonError::into_inner);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let done = catch_unwind(AssertUnwindSafe(work));
    std::panic::set_hook(hook);
    done.ok()
}

fn corrupted() -> redb::Error {
    redb::Error::Corrupted("a record has an unknown shape".into())
}

impl StoreError {
    fn new(path: &Path, error: impl Into<redb::Error>) -> Self {
        let path = path.to_path_buf();
        match error.into() {
            redb::Error::DatabaseAlreadyOpen => StoreError::InUse(path),
            redb::Error::Io(source) => StoreError::io(path, source),
            redb::Error::PreviousIo => StoreError::DiskFull(path),
            error => StoreError::Damaged {
                path,
                detail: error.to_string(),
            },
        }
    }

    fn io(path: PathBuf, reason: io::Error) -> Self {
        match reason.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::DiskFull(path),
            io::ErrorKind::InvalidData => StoreError::Foreign(path),
            io::ErrorKind::UnexpectedEof => StoreError::Damaged {
                path,
                detail: "it ends too early".into(),
            },
            _ => StoreError::Io { path, reason },
        }
    }

    fn bad_row(path: &Path, error: BadRow) -> Self {
        StoreError::Damaged {
            path: path.to_path_buf(),
            detail: error.to_string(),
        }
    }
}

/// Keeps a temporary folder where an open file needs a name. Elsewhere it is removed at once, so that not
/// even a killed process leaves it behind.
fn until_closed(folder: tempfile::TempDir) -> Option<tempfile::TempDir> {
    (!cfg!(unix)).then_some(folder)
}

/// Removes the files of processes that were killed while they made a state. One takes milliseconds, so
/// what is older than a minute is abandoned.
fn remove_abandoned(folder: &Path, prefix: &str) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let age = entry.metadata().and_then(|about| about.modified());
        let age = age.ok().and_then(|written| written.elapsed().ok());
        if entry.file_name().to_string_lossy().starts_with(prefix)
            && age.is_some_and(|age| age.as_secs() > 60)
        {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// The length of a regular file; `None` if there is nothing at the path. Anything else is refused:
/// opening a pipe would wait for its other end.
fn file_length(path: &Path) -> Result<Option<u64>, StoreError> {
    match std::fs::metadata(path) {
        Ok(found) if found.is_file() => {
            // Whether it may be read.
            File::open(path).map_err(|error| StoreError::io(path.into(), error))?;
            Ok(Some(found.len()))
        }
        Ok(found) => Err(StoreError::NotAFile {
            path: path.into(),
            what: match found.is_dir() {
                true => "a folder",
                false => "a pipe, socket or device",
            },
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::io(path.into(), error)),
    }
}
