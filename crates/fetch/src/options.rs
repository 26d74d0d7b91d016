//! Options for fetching pages: politeness and limits.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

/// The options of [`Fetcher::new`](crate::Fetcher::new).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchOptions {
    /// Whom to contact about these requests: an e-mail address or a URL, sent as part of the
    /// `User-Agent`. Default: none. Sites are more tolerant of robots that say who runs them.
    pub contact: Option<String>,
    /// Delay between the end of one request to a host and the start of the next. Default: one
    /// second. A longer `Crawl-delay` in the host's `robots.txt` takes precedence.
    pub delay: Duration,
    /// A longer `Crawl-delay` or `Retry-After` is shortened to this. Default: 30 seconds.
    pub max_delay: Duration,
    /// Maximum time for one page, from name resolution to the last byte, including redirects but
    /// not delays, even if the server keeps sending slowly. Fetching a site's `robots.txt` may take
    /// as long, once. Default: 30 seconds.
    pub timeout: Duration,
    /// Maximum length of a page in bytes, both as sent and decompressed. Default: 16 MiB.
    pub max_bytes: usize,
    /// Maximum number of redirects per page. Default: 5.
    pub max_redirects: usize,
    /// Maximum number of pages fetched over the network. Pages answered from the cache alone,
    /// redirects and `robots.txt` do not count. Default: 1,000.
    pub max_loads: usize,
    /// Whether hosts that are not on the public internet may be contacted: this machine, the local
    /// network and the like. Default: no.
    pub allow_private: bool,
    /// A directory that stores pages between runs; it is created if missing. Default: none.
    pub cache: Option<PathBuf>,
    /// Maximum size of the cache in bytes; the oldest pages are removed first. Default: 256 MiB.
    pub max_cache_bytes: u64,
}

impl Default for FetchOptions {
    fn default() -> Self {
        FetchOptions {
            contact: None,
            delay: Duration::from_secs(1),
            max_delay: Duration::from_secs(30),
            timeout: Duration::from_secs(30),
            max_bytes: 16 << 20,
            max_redirects: 5,
            max_loads: 1_000,
            allow_private: false,
            cache: None,
            max_cache_bytes: 256 << 20,
        }
    }
}

/// Maximum length of a contact.
const MAX_CONTACT: usize = 200;

impl FetchOptions {
    /// The `User-Agent`, such as `unframe/0.1.0 (+mailto:me@site.example)`.
    pub(crate) fn user_agent(&self) -> Result<String, BadOptions> {
        let name = concat!("unframe/", env!("CARGO_PKG_VERSION"));
        let Some(contact) = &self.contact else {
            return Ok(name.to_owned());
        };
        let contact = contact.trim().trim_start_matches('+');
        let plain = |c: char| c.is_ascii_graphic() && !matches!(c, '(' | ')' | '\\');
        if contact.is_empty() || contact.len() > MAX_CONTACT || !contact.chars().all(plain) {
            return Err(BadOptions::Contact(contact.to_owned()));
        }
        Ok(format!("{name} (+{contact})"))
    }

    /// Rejects limits that allow nothing to be fetched.
    pub(crate) fn check(&self) -> Result<(), BadOptions> {
        let zero = |what| Err(BadOptions::Zero(what));
        match self {
            _ if self.timeout.is_zero() => zero("timeout"),
            _ if self.max_bytes == 0 => zero("max-bytes"),
            _ if self.max_loads == 0 => zero("max-loads"),
            _ => Ok(()),
        }
    }
}

/// Options that cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BadOptions {
    /// The contact cannot be sent.
    #[error(
        "`{0}` cannot be sent as a contact\n  hint: use an e-mail address or a URL, without spaces and brackets"
    )]
    Contact(String),
    /// A limit is zero.
    #[error("--{0} is 0, so nothing could be fetched\n  hint: leave it out for the default")]
    Zero(&'static str),
    /// The cache's directory cannot be used.
    #[error("{}: cannot store the page cache there ({reason})\n  hint: name a writable directory, or run without a cache", .path.display())]
    Cache {
        /// The directory.
        path: PathBuf,
        /// The error of the system.
        reason: io::Error,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contact_is_part_of_the_name() {
        let agent = |contact: Option<&str>| {
            let contact = contact.map(str::to_owned);
            FetchOptions {
                contact,
                ..FetchOptions::default()
            }
            .user_agent()
        };
        let name = concat!("unframe/", env!("CARGO_PKG_VERSION"));
        assert_eq!(agent(None).unwrap(), name);
        assert_eq!(
            agent(Some(" me@site.example ")).unwrap(),
            format!("{name} (+me@site.example)")
        );
        assert_eq!(
            agent(Some("+https://site.example/bot")).unwrap(),
            format!("{name} (+https://site.example/bot)")
        );
        let long = "x".repeat(300);
        for bad in ["", "a b", "a\r\nHost: b", "(a", "ä@b", &long] {
            let error = agent(Some(bad)).unwrap_err().to_string();
            assert!(error.contains("contact"), "{error}");
        }
    }

    #[test]
    fn limits_of_nothing_are_refused() {
        let mut options = FetchOptions::default();
        assert!(options.check().is_ok());
        options.max_bytes = 0;
        let error = options.check().unwrap_err().to_string();
        assert!(error.contains("--max-bytes"), "{error}");
    }
}
