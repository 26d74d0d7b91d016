//! Fetches live pages, politely and safely, one at a time, without an async runtime.
//!
//! What enters: a URL. What leaves: the bytes of the page and where they were found, or an error
//! that says which URL, why, and what to do.
//!
//! ```text
//!            ┌──────────────────────────── redirect: same host? loop? too many? ◄───┐
//!            ▼                                                                      │
//! URL ─► http(s)? ─► robots.txt ─► cache ─► budget ─► turn ─► names ─► request ─► answer ─► page
//!                    allowed?      fresh?   loads     of the  public   in time,   HTML?
//!                    delay         renew             host     address  in bounds  unpack
//! ```
//!
//! **Polite**: `robots.txt` is obeyed ([RFC 9309](https://www.rfc-editor.org/rfc/rfc9309)) with its
//! `Crawl-delay`; a host is asked one thing at a time, with a pause before the next; the
//! `User-Agent` says who asks; what the cache knows is asked for only if it has changed.
//!
//! **Safe**: every hop of a redirect is checked like the first URL. Names are looked up here, and
//! the client connects to the checked addresses and no others, so neither a redirect nor a name that
//! changes its address leads to a private machine. Bytes, time, headers, redirects and loads are
//! bounded, also against servers that drip, never answer, or send bombs. Proxies and cookies are
//! not used.
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
