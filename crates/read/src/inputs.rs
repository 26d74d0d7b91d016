//! The inputs of one run: a list that is fixed when it is opened and can be read repeatedly.

use std::ffi::OsString;
use std::fmt;
use std::sync::Arc;

use crate::given::GivenPages;
use crate::listing::{self, Listing};
use crate::source::Source;
use crate::{GivenPage, InputError, InputFiles, Pages, ReadOptions, SiteEnds};

/// The inputs of one run.
pub struct Inputs {
    sources: Arc<Vec<Source>>,
    options: Arc<ReadOptions>,
}

impl Inputs {
    /// Checks the arguments and lists the files in directories, without reading any page.
    ///
    /// # Errors
    ///
    /// When an argument cannot be an input at all: it does not exist, a glob matches nothing, or
    /// `-` is given twice. Files that turn out to be unreadable are not an error here; they appear
    /// as [`Skipped`](crate::Skipped) items.
    pub fn open(args: &[OsString], options: ReadOptions) -> Result<Inputs, InputError> {
        if args.is_empty() {
            return Err(InputError::None);
        }
        let mut listing = Listing::new(&options);
        listing.add_all(args)?;
        Ok(Inputs {
            sources: Arc::new(listing.finish()),
            options: Arc::new(options),
        })
    }

    /// Pages that the caller hands over one by one, from any thread. Between two passes, the first ones
    /// are kept in main memory and the rest in a temporary file.
    ///
    /// ```
    /// use unframe_read::{GivenPage, Inputs, Item, ReadOptions};
    ///
    /// let page = GivenPage {
    ///     url: Some("https://a.example/".into()),
    ///     body: "<p>hello".into(),
    ///     ..GivenPage::default()
    /// };
    /// let mut inputs = Inputs::of_pages(std::iter::once(page), ReadOptions::default());
    /// for pass in [inputs.read(true)?, inputs.read(false)?] {
    ///     assert_eq!(pass.count(), 1);
    /// }
    /// # Ok::<(), unframe_read::InputError>(())
    /// ```
    pub fn of_pages(
        pages: impl Iterator<Item = GivenPage> + Send + 'static,
        options: ReadOptions,
    ) -> Inputs {
        let given = GivenPages::new(Box::new(pages));
        Inputs {
            sources: Arc::new(vec![Source::Given(Arc::new(given))]),
            options: Arc::new(options),
        }
    }

    /// From the next pass on, all pages belong to this site, whatever their URL.
    pub fn make_one_site(&mut self, name: &str) {
        let options = Arc::make_mut(&mut self.options);
        options.site = Some(name.to_string());
        options.one_site = true;
    }

    /// At which position of a pass each site ends.
    pub fn site_ends(&self) -> SiteEnds {
        SiteEnds::of(&self.sources, &self.options)
    }

    /// The files that a pass reads.
    pub fn files(&self) -> InputFiles {
        InputFiles::new(&self.sources)
    }

    /// How many bytes a pass will read, or `None` if the inputs include a stream of unknown length.
    pub fn total_bytes(&self) -> Option<u64> {
        self.sources.iter().map(listing::size).sum()
    }

    /// Starts a pass over all inputs. Every pass yields the same items in the same order. The
    /// iterator may be moved to another thread.
    ///
    /// `twice` announces that this pass will not be the last, so that streams (standard input,
    /// pipes) are copied to a temporary file as they are read.
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
