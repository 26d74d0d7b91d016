//! Why a page could not be fetched, with messages for the user.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use thiserror::Error;
use unframe_read::Undecodable;
use url::Url;

/// A page that could not be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchError {
    /// The requested URL.
    pub asked: Box<Url>,
    /// The URL that failed: the same one, or one that it redirected to.
    pub url: Box<Url>,
    /// What went wrong.
    pub reason: Reason,
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.asked != self.url {
            write!(f, "{} (redirected to {}): ", self.asked, self.url)?;
        } else {
            write!(f, "{}: ", self.url)?;
        }
        self.reason.fmt(f)
    }
}

// The reason is part of the message, so it is not also its source.
impl std::error::Error for FetchError {}

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Reason {
    /// The scheme is not http or https.
    #[error("pages are fetched over http and https only, not `{0}`")]
    Scheme(String),
    /// The URL has a user name or password in it.
    #[error("has a user name or password in it, which is not sent\n  hint: leave it out")]
    Login,
    /// The URL cannot be used in a request.
    #[error("cannot be requested ({0})")]
    BadUrl(String),
    /// The host is not on the public internet.
    #[error(
        "resolves to {address}, {kind}; only public addresses are fetched by default\n  hint: if you trust the site, add --allow-private"
    )]
    PrivateAddress {
        /// The address.
        address: IpAddr,
        /// The kind of address.
        kind: &'static str,
    },
    /// The host does not exist.
    #[error(
        "the host name cannot be resolved ({0})\n  hint: check the spelling, and whether this machine is online"
    )]
    NoSuchHost(String),
    /// A redirect leads to another host.
    #[error("redirects to {to}, on another host\n  hint: use that URL if it is the site you mean")]
    OtherHost {
        /// The target.
        to: Box<Url>,
    },
    /// A redirect without a usable target.
    #[error("redirects to something that is not a URL (`{0}`)")]
    BadRedirect(String),
    /// A redirect leads back to a URL it came from.
    #[error(
        "redirects in a circle, back to {to}; sites that require cookies do this\n  hint: save the pages with a browser and use that folder as input"
    )]
    RedirectLoop {
        /// The URL that was reached twice.
        to: Box<Url>,
    },
    /// Too many redirects in a row.
    #[error("redirects more than {0} times")]
    TooManyRedirects(usize),
    /// The site's `robots.txt` disallows this page.
    #[error(
        "the site's robots.txt disallows fetching it (Disallow: {rule})\n  hint: ask the site's owner, or save the pages with a browser and use that folder as input"
    )]
    Robots {
        /// The pattern that matched.
        rule: String,
    },
    /// The site's `robots.txt` could not be read, so its pages are not fetched.
    #[error(
        "the site's robots.txt could not be read, so nothing is fetched from the site: {0}\n  hint: try again later"
    )]
    RobotsUnreachable(String),
    /// The server answered with an error.
    #[error("the server answered {}{}", status_words(*.status), wait_words(*.retry_after))]
    Status {
        /// The status code.
        status: u16,
        /// How long the server asks clients to wait.
        retry_after: Option<Duration>,
    },
    /// The response is not a page.
    #[error("not a web page, but {0}")]
    NotHtml(String),
    /// The page is longer than allowed.
    #[error("longer than the limit of {0} bytes\n  hint: raise --max-bytes to fetch it")]
    TooLong(usize),
    /// The header of the response is longer than that of any legitimate response.
    #[error("the header of the server's response is too long")]
    HeadTooLong,
    /// The body could not be decompressed.
    #[error("the page {0}")]
    Undecodable(Undecodable),
    /// It took too long.
    #[error(
        "no complete response within {} s\n  hint: try again later, or raise --timeout", .0.as_secs_f64()
    )]
    TimedOut(Duration),
    /// No connection could be made.
    #[error("could not connect ({0})\n  hint: try again later, or check host and port")]
    NoConnection(String),
    /// No secure connection could be made.
    #[error(
        "no secure connection ({0})\n  hint: the site's certificate may have expired, or the host name may be misspelt"
    )]
    NotSecure(String),
    /// The connection ended in the middle.
    #[error("the connection closed before the page was complete ({0})\n  hint: try again")]
    BrokenOff(String),
    /// The answer is not HTTP.
    #[error("the server's response is not HTTP ({0})")]
    NotHttp(String),
    /// The maximum number of pages has been fetched.
    #[error(
        "not fetched, because the limit of {0} pages is reached\n  hint: raise --max-loads to fetch more"
    )]
    BudgetSpent(usize),
}

impl Reason {
    pub(crate) fn at(self, asked: &Url, url: &Url) -> FetchError {
        FetchError {
            asked: Box::new(asked.clone()),
            url: Box::new(url.clone()),
            reason: self,
        }
    }
}

/// Text from a server, made safe to print: short, and without terminal control characters.
pub(crate) fn printable(text: &str) -> String {
    const LONGEST: usize = 200;
    let plain = |c: char| {
        if c.is_control() {
            char::REPLACEMENT_CHARACTER
        } else {
            c
        }
    };
    let mut out: String = text.chars().take(LONGEST).map(plain).collect();
    if text.chars().nth(LONGEST).is_some() {
        out.push('…');
    }
    out
}

/// A status code with its meaning, where that helps.
fn status_words(status: u16) -> String {
    let meaning = match status {
        204 | 205 => "no content",
        206 => "partial content",
        304 => "not modified, although the request was unconditional",
        400 => "bad request",
        401 => "login required",
        402 => "payment required",
        403 => "forbidden",
        404 => "not found",
        405 => "method not allowed",
        406 => "not acceptable",
        408 => "request timeout",
        410 => "gone",
        429 => "too many requests",
        451 => "unavailable for legal reasons",
        500 => "internal server error",
        502 => "bad gateway",
        503 => "unavailable",
        504 => "gateway timeout",
        _ => return status.to_string(),
    };
    format!("{status} ({meaning})")
}

fn wait_words(retry_after: Option<Duration>) -> String {
    match retry_after {
        Some(wait) => format!(
            " and asks to wait\n  hint: try again in {} s",
            wait.as_secs()
        ),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_url_and_where_it_led() {
        let asked = Url::parse("http://site.example/a").unwrap();
        let led = Url::parse("http://site.example/b").unwrap();
        let gone = || Reason::Status {
            status: 404,
            retry_after: None,
        };
        assert_eq!(
            gone().at(&asked, &asked).to_string(),
            "http://site.example/a: the server answered 404 (not found)"
        );
        assert_eq!(
            gone().at(&asked, &led).to_string(),
            "http://site.example/a (redirected to http://site.example/b): the server answered 404 (not found)"
        );
        let busy = Reason::Status {
            status: 429,
            retry_after: Some(Duration::from_secs(9)),
        };
        assert!(busy.to_string().ends_with("hint: try again in 9 s"));
    }

    #[test]
    fn what_servers_say_is_shown_harmlessly() {
        assert_eq!(printable("text/plain"), "text/plain");
        assert_eq!(printable("\u{1b}[2J"), "\u{fffd}[2J");
        assert_eq!(printable(&"ä".repeat(500)).chars().count(), 201);
    }
}
