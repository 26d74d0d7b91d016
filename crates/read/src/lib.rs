//! Turns the INPUT arguments of a command line into a repeatable stream of raw pages.
//!
//! Input: paths of files and directories, globs, and `-` for standard input. Files may be HTML,
//! JSON lines, WARC, ARC or WACZ, plain or compressed with gzip or zstd.
//!
//! Output: for every page a [`RawPage`] (bytes in the page's own charset, the site it belongs to, a
//! name for messages), and for everything else a [`Skipped`] with the reason. Nothing is dropped
//! silently, and no damaged input ends the stream: the reader reports the damage and continues
//! after it.
//!
//! Learning a site's frame takes one pass and removing it another, so [`Inputs::read`] can be
//! called repeatedly and yields the same items in the same order. The list of files is therefore
//! fixed by [`Inputs::open`] (which also keeps a run from reading its own output), and streams that
//! cannot be read twice are spooled to a temporary file.
//!
//! ```
//! use unframe_read::{Inputs, Item, ReadOptions};
//!
//! # let folder = tempfile::tempdir()?;
//! # let page = folder.path().join("index.html");
//! # std::fs::write(&page, "<!doctype html><p>hello")?;
//! let mut inputs = Inputs::open(&[page.into_os_string()], ReadOptions::default())?;
//! for item in inputs.read(false)? {
//!     match item {
//!         Item::Page(page) => assert_eq!(&page.body[..], b"<!doctype html><p>hello"),
//!         Item::Skipped(skipped) => eprintln!("{skipped}"),
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod archive;
mod block_file;
mod counted;
mod date;
mod error;
mod filter;
mod given;
mod html_file;
mod http;
mod input_fields;
mod input_files;
mod inputs;
mod item;
mod json_lines;
mod listing;
mod options;
mod pages;
pub mod printable;
mod site;
mod site_ends;
mod sniff;
mod source;
mod spool;
mod text;
mod unpack;

pub use error::InputError;
pub use filter::{BadPattern, PageFilter};
pub use given::GivenPage;
pub use http::{MediaType, Undecodable, decode_content};
pub use input_fields::InputFields;
pub use input_files::InputFiles;
pub use inputs::Inputs;
pub use item::{Item, RawPage, SkipReason, Skipped};
pub use options::{ReadOptions, SiteFrom, UnknownSiteFrom};
pub use pages::Pages;
pub use site_ends::SiteEnds;
pub use sniff::looks_like_html;
