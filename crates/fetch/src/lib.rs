//! Fetches live pages, politely and safely, one at a time, without an async runtime.
//!
//! Input: a URL. Output: the bytes of the page and its final URL, or an error that says which URL
//! failed, why, and what to do.
//!
//! ```text
//!            ┌──────────────────────────── redirect: same host? loop? too many? ◄───┐
//!            ▼                                                                      │
//! URL ─► http(s)? ─► robots.txt ─► cache ─► budget ─► turn ─► names ─► request ─► response ─► page
//!                    allowed?      fresh?   loads     of the  public   in time,   HTML?
//!                    delay         renew             host     address  in bounds  decompress
//! ```
//!
//! **Polite**: `robots.txt` is obeyed ([RFC 9309](https://www.rfc-editor.org/rfc/rfc9309)),
//! including `Crawl-delay`. A host gets one request at a time, with a delay before the next. The
//! `User-Agent` says who is asking. Cached pages are fetched again only if they have changed.
//!
//! **Safe**: every hop of a redirect is checked like the first URL. Names are resolved here, and
//! the client connects only to the checked addresses, so neither a redirect nor a name that changes
//! its address can lead to a private machine. Bytes, time, headers, redirects and loads are
//! limited, also against servers that send slowly, never answer, or send decompression bombs.
//! Proxies and cookies are not used.
//!
//! ```no_run
//! use unframe_fetch::{FetchOptions, Fetcher};
//!
//! let fetcher = Fetcher::new(FetchOptions {
//!     contact: Some("https://site.example/about-our-robot".to_owned()),
//!     cache: Some("pages".into()),
//!     ..FetchOptions::default()
//! })?;
//! let first = fetcher.get_from_any_host(&"https://site.example/".parse()?)?;
//! match fetcher.get(&first.url.join("news/")?) {
//!     Ok(page) => println!("{}: {} bytes", page.url, page.bytes.len()),
//!     Err(error) => eprintln!("{error}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod address;
mod cache;
mod error;
mod exchange;
mod fetcher;
mod names;
mod options;
mod pace;
mod robots;

pub use error::{FetchError, Reason};
pub use fetcher::{Fetched, Fetcher};
pub use names::{Lookup, SystemLookup};
pub use options::{BadOptions, FetchOptions};
