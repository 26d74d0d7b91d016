//! The store of builds without a file system: there is none, and no value of its type.

use std::convert::Infallible;

use unframe_page::Fingerprint;

use crate::error::StoreError;
use crate::memory::{Memory, MemoryKind};
use crate::record::{PageRecord, SiteRecord};

/// A state on disk; this build has none.
pub struct Store(Infallible);

/// One site's part of a commit.
#[allow(dead_code)]
pub(crate) struct SiteChange<'a> {
    pub(crate) name: &'a str,
    pub(crate) record: &'a mut SiteRecord,
    pub(crate) pages: Vec<(Fingerprint, PageRecord)>,
    pub(crate) forgotten: Vec<Fingerprint>,
    pub(crate) pieces: Vec<Vec<u8>>,
    pub(crate) whole: bool,
}

#[allow(missing_docs)]
impl Store {
    pub fn temporary() -> Result<Store, StoreError> {
        Err(StoreError::Snapshot(
            "this build keeps sites in main memory only, and it is full".into(),
        ))
    }

    pub fn check_version(&self, _: MemoryKind) -> Result<(), StoreError> {
        match self.0 {}
    }

    pub fn sites(&self, _: &str) -> Result<Vec<(String, SiteRecord)>, StoreError> {
        match self.0 {}
    }

    pub fn site(&self, _: &str, _: &str) -> Result<Option<SiteRecord>, StoreError> {
        match self.0 {}
    }

    pub fn load(&self, _: MemoryKind, _: &SiteRecord) -> Result<Box<dyn Memory>, StoreError> {
        match self.0 {}
    }

    pub(crate) fn page(
        &mut self,
        _: &'static str,
        _: u32,
        _: Fingerprint,
    ) -> Result<Option<PageRecord>, StoreError> {
        match self.0 {}
    }

    pub fn pages(&self, _: &str, _: u32) -> Result<Vec<(Fingerprint, PageRecord)>, StoreError> {
        match self.0 {}
    }

    pub(crate) fn commit(
        &mut self,
        _: MemoryKind,
        _: Vec<SiteChange<'_>>,
    ) -> Result<(), StoreError> {
        match self.0 {}
    }
}
