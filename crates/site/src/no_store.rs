//! The store of builds without a file system: there is none, and no value of its type.

use std::convert::Infallible;

use crate::error::StoreError;
use crate::memory::MemoryKind;
use crate::piece::{Content, Contributions};
use crate::record::SiteRecord;
use crate::size::StateSize;

/// A state on disk; this build has none.
pub struct Store(Infallible);

/// A commit to one.
pub(crate) struct Commit<'a>(&'a Store);

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

    pub fn tidy(&mut self, _: &[MemoryKind]) -> Result<(), StoreError> {
        match self.0 {}
    }

    pub(crate) fn kept_size(&self) -> Option<StateSize> {
        match self.0 {}
    }

    pub(crate) fn held(&self) -> usize {
        match self.0 {}
    }

    pub fn sites(&self, _: &str) -> Vec<(String, SiteRecord)> {
        match self.0 {}
    }

    pub(crate) fn names(&self, _: &str) -> impl Iterator<Item = &str> {
        match self.0 {}
        #[allow(unreachable_code)]
        std::iter::empty()
    }

    pub(crate) fn content(&self, _: MemoryKind, _: &str) -> Result<Option<Content>, StoreError> {
        match self.0 {}
    }

    pub(crate) fn contributions(
        &self,
        _: MemoryKind,
        _: &str,
    ) -> Result<Contributions, StoreError> {
        match self.0 {}
    }

    pub(crate) fn piece_bytes(&self, _: &str, _: &str) -> Option<(u64, u64)> {
        match self.0 {}
    }

    pub(crate) fn begin(&mut self) -> Result<Commit<'_>, StoreError> {
        match self.0 {}
    }
}

impl Commit<'_> {
    pub(crate) fn store(&self) -> &Store {
        self.0
    }

    pub(crate) fn add(&mut self, _: &[u8]) -> Result<u64, StoreError> {
        match self.0.0 {}
    }

    pub(crate) fn finish(self) -> Result<(), StoreError> {
        match self.0.0 {}
    }
}
