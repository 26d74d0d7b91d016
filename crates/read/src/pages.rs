//! One pass over the inputs.
//!
//! Input: the fixed list of sources. Output: their items, one after the other. Each source is
//! opened when its turn comes; its kind is detected, and the matching reader takes over.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::archive::{ArchiveReader, Dialect, WaczReader};
use crate::counted::{Counted, Counter};
use crate::given::GivenReader;
use crate::json_lines::JsonLines;
use crate::sniff::{self, Kind, Origin};
use crate::source::{Context, FileSource, Source};
use crate::spool::SpoolReader;
use crate::unpack::{Packing, Unpacked};
use crate::{InputError, Item, ReadOptions, SkipReason, Skipped, date, html_file};

/// The items of one source.
type Items = Box<dyn Iterator<Item = Item> + Send>;

/// One pass over all inputs; see [`Inputs::read`](crate::Inputs::read).
pub struct Pages {
    sources: Arc<Vec<Source>>,
    options: Arc<ReadOptions>,
    /// A reader for each stream, in order. They are created at the start, so that a stream that
    /// cannot be read again is an error then and not in the middle of a run.
    streams: std::vec::IntoIter<SpoolReader>,
    /// The same for pages that the caller hands over.
    given: std::vec::IntoIter<GivenReader>,
    next: usize,
    current: Option<Items>,
    counter: Counter,
    /// The value of the counter once the sources before `next` are finished.
    counted: u64,
}

impl Pages {
    pub(crate) fn new(
        sources: Arc<Vec<Source>>,
        options: Arc<ReadOptions>,
        twice: bool,
    ) -> Result<Pages, InputError> {
        let (mut streams, mut given) = (Vec::new(), Vec::new());
        for source in sources.iter() {
            match source {
                Source::Stream { name, spool } => {
                    let already_read = || InputError::AlreadyRead { name: name.clone() };
                    streams.push(spool.reader(twice).ok_or_else(already_read)?);
                }
                Source::Given(pages) => {
                    given.push(pages.reader(twice).map_err(InputError::NotKept)?);
                }
                Source::File(_) | Source::Skipped(_) => {}
            }
        }
        Ok(Pages {
            sources,
            options,
            streams: streams.into_iter(),
            given: given.into_iter(),
            next: 0,
            current: None,
            counter: Counter::default(),
            counted: 0,
        })
    }

    /// How many bytes of the inputs are processed, before decompression.
    pub fn bytes_read(&self) -> u64 {
        self.counter.load(Ordering::Relaxed)
    }

    /// How many of the input files and streams have yielded all their items; see
    /// [`SiteEnds::is_over`](crate::SiteEnds::is_over).
    pub fn sources_read(&self) -> usize {
        self.next - usize::from(self.current.is_some())
    }

    /// The counter behind [`bytes_read`](Self::bytes_read), for another thread to watch.
    pub fn progress(&self) -> Arc<std::sync::atomic::AtomicU64> {
        Arc::clone(&self.counter)
    }

    /// Opens the source at `next`; `None` if there is none.
    fn open_next(&mut self) -> Option<Items> {
        let sources = Arc::clone(&self.sources);
        let source = sources.get(self.next)?;
        self.next += 1;
        Some(match source {
            Source::Skipped(skipped) => one(Item::Skipped(skipped.clone())),
            Source::File(file) => {
                self.counted += file.size;
                self.open_file(file)
            }
            Source::Stream { name, .. } => match self.streams.next() {
                Some(reader) => self.open_stream(name, reader),
                None => Box::new(std::iter::empty()),
            },
            Source::Given(_) => match self.given.next() {
                Some(reader) => self.open_given(reader),
                None => Box::new(std::iter::empty()),
            },
        })
    }

    fn open_given(&self, reader: GivenReader) -> Items {
        let context = self.context(&"pages".into(), None);
        let counter = Arc::clone(&self.counter);
        Box::new((1..).zip(reader).map(move |(number, page)| match page {
            Ok(page) => {
                counter.fetch_add(page.body.len() as u64, Ordering::Relaxed);
                page.into_item(number, &context)
            }
            Err(error) => Item::Skipped(Skipped {
                name: format!("page {number}"),
                reason: SkipReason::Unreadable(error.to_string()),
            }),
        }))
    }

    fn open_file(&self, source: &FileSource) -> Items {
        let name = source.path.display().to_string();
        let file = match File::open(&source.path) {
            Ok(file) => file,
            Err(error) => return skip(name, SkipReason::Unreadable(error.to_string())),
        };
        let context = self.context(&source.site, date::of_file(&file));
        let mut stream = Unpacked::new(Box::new(Counted::new(file, &self.counter)));
        let packed = stream.packing() != Packing::Plain;
        let head = stream.peek(sniff::HEAD);
        match sniff::kind(head, packed, &source.path, source.origin) {
            Kind::Wacz => {
                let counter = Arc::clone(&self.counter);
                Box::new(WaczReader::new(source.path.clone(), context, counter))
            }
            kind => {
                let url = self.url_of_page();
                self.read(kind, name, stream, context, |name, stream, context| {
                    let path = Some(source.relative.clone());
                    html_file::read(name, path, url, stream, source.size, &context)
                })
            }
        }
    }

    fn open_stream(&self, name: &str, reader: SpoolReader) -> Items {
        let counted: Box<dyn Read + Send> = Box::new(Counted::new(reader, &self.counter));
        let mut stream = Unpacked::new(counted);
        let packed = stream.packing() != Packing::Plain;
        let head = stream.peek(sniff::HEAD);
        let kind = sniff::kind(head, packed, name.as_ref(), Origin::Stream);
        let context = self.context(&"stdin".into(), None);
        let name = name.to_owned();
        if kind == Kind::Wacz {
            let how =
                "a zip file cannot be read from a stream; save it and give the path of the file";
            return skip(name, SkipReason::Unreadable(how.to_owned()));
        }
        let url = self.url_of_page();
        self.read(kind, name, stream, context, |name, stream, context| {
            html_file::read(name, None, url, stream, 0, &context)
        })
    }

    fn read(
        &self,
        kind: Kind,
        name: String,
        stream: Unpacked,
        context: Context,
        page: impl FnOnce(String, Unpacked, Context) -> Vec<Item>,
    ) -> Items {
        match kind {
            Kind::Warc => Box::new(ArchiveReader::new(name, stream, Dialect::Warc, context)),
            Kind::Arc => Box::new(ArchiveReader::new(name, stream, Dialect::ARC, context)),
            Kind::JsonLines => Box::new(JsonLines::new(name, stream, context)),
            Kind::Html => Box::new(page(name, stream, context).into_iter()),
            Kind::Wacz => Box::new(std::iter::empty()),
            Kind::Other(what) => other(name, what, stream),
        }
    }

    fn context(&self, site: &Arc<str>, date: Option<String>) -> Context {
        Context {
            options: Arc::clone(&self.options),
            site: Arc::clone(site),
            date,
        }
    }

    /// The URL given for the page, if there is only one input it can apply to.
    fn url_of_page(&self) -> Option<String> {
        let only = match &self.sources[..] {
            [Source::File(file)] => file.origin == Origin::Named,
            [Source::Stream { .. }] => true,
            _ => false,
        };
        self.options.url.clone().filter(|_| only)
    }
}

/// Reports something that is not a page, or the error if it only looks so because reading failed.
fn other(name: String, what: String, mut stream: Unpacked) -> Items {
    let reason = match stream.take_break() {
        Some(broken) if broken.unreadable => SkipReason::Unreadable(broken.problem),
        Some(broken) => SkipReason::Broken(broken.problem),
        None => SkipReason::NotHtml(what),
    };
    skip(name, reason)
}

fn one(item: Item) -> Items {
    Box::new(std::iter::once(item))
}

fn skip(name: String, reason: SkipReason) -> Items {
    one(Item::Skipped(Skipped { name, reason }))
}

impl Iterator for Pages {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(item) = self.current.as_mut().and_then(Iterator::next) {
                return Some(match item {
                    Item::Page(page) if !self.options.filter.reads(&page) => {
                        let (name, reason) = (page.name, SkipReason::Excluded);
                        Item::Skipped(Skipped { name, reason })
                    }
                    item => item,
                });
            }
            if self.current.take().is_some() {
                // Bytes that a reader did not need to read count as processed.
                self.counter.fetch_max(self.counted, Ordering::Relaxed);
            }
            self.current = Some(self.open_next()?);
        }
    }
}

impl fmt::Debug for Pages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages")
            .field("next", &self.next)
            .field("sources", &self.sources.len())
            .field("bytes_read", &self.bytes_read())
            .finish()
    }
}
