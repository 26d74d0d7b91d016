//! The inputs of one run: a list that is fixed when it is opened and can be read again and again.

use std::ffi::OsString;
use std::sync::Arc;
use std::{fmt, path::Path};

use crate::listing::{self, Listing};
use crate::source::Source;
use crate::{InputError, InputFiles, Pages, ReadOptions, SiteEnds};

/// The inputs of one run.
pub struct Inputs {
    sources: Arc<Vec<Source>>,
    options: Arc<ReadOptions>,
}

impl Inputs {
    /// Looks at the arguments, and lists the files in directories, without reading any page.
    ///
    /// # Errors
    ///
    /// When an argument cannot be an input at all: nothing has that name, a glob matches nothing,
    /// `-` is given twice. Files that turn out to be unreadable are no error here; they come as
    /// [`Skipped`](crate::Skipped) in their turn.
    pub fn open(args: &[OsString], options: ReadOptions) -> Result<Inputs, InputError> {
        if args.is_empty() {
            return Err(InputError::None);
        }
        let mut listing = Listing::new(options.site_from);
        for arg in args {
            listing.add(Path::new(arg))?;
        }
        Ok(Inputs {
            sources: Arc::new(listing.finish()),
            options: Arc::new(options),
        })
    }

    /// From the next pass on all pages belong to this site, whatever their URL.
    pub fn make_one_site(&mut self, name: &str) {
        let options = Arc::make_mut(&mut self.options);
        options.site = Some(name.to_string());
        options.one_site = true;
    }

    /// Which sites are over at which place of a pass.
    pub fn site_ends(&self) -> SiteEnds {
        SiteEnds::of(&self.sources, &self.options)
    }

    /// The files that a pass reads.
    pub fn files(&self) -> InputFiles {
        InputFiles::new(&self.sources)
    }

    /// How many bytes a pass will read, or `None` when a stream among the inputs hides it.
    pub fn total_bytes(&self) -> Option<u64> {
        self.sources.iter().map(listing::size).sum()
    }

    /// Starts a pass over all inputs, from their beginning. Every pass gives the same items in the
    /// same order. The iterator may be moved to another thread.
    ///
    /// `twice` announces that this pass will not be the last, so that streams (standard input,
    /// pipes) are kept in a temporary file as they are read.
    ///
    /// # Errors
    ///
    /// When a stream was read before in a pass that was not announced as `twice`.
    pub fn read(&mut self, twice: bool) -> Result<Pages, InputError> {
        Pages::new(Arc::clone(&self.sources), Arc::clone(&self.options), twice)
    }
}

impl fmt::Debug for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inputs")
            .field("sources", &self.sources.len())
            .field("options", &self.options)
            .finish()
    }
}
