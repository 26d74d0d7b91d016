//! Why a page could not be fetched, in words for the person who asked for it.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use thiserror::Error;
use unframe_read::Undecodable;
use url::Url;

/// A page that could not be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchError {
    /// What was asked for.
    pub asked: Box<Url>,
    /// Where it went wrong: the same URL, or one that it redirected to.
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
    /// Not a URL of the web.
    #[error("pages are fetched over http and https only, not `{0}`")]
    Scheme(String),
    /// The URL has a user name or password in it.
    #[error("has a user name or password in it, which is not sent\n  hint: leave it out")]
    Login,
    /// The URL cannot be put into a request.
    #[error("cannot be asked for ({0})")]
    BadUrl(String),
    /// The name or number leads to a machine that is not on the public internet.
    #[error(
        "leads to {address}, {kind}, which is not asked unless you say so\n  hint: if you trust the site, add --allow-private"
    )]
    PrivateAddress {
        /// The address.
        address: IpAddr,
        /// What it is.
        kind: &'static str,
    },
    /// There is no such host.
    #[error(
        "no address is known for the host ({0})\n  hint: check the spelling, and whether this machine is online"
    )]
    NoSuchHost(String),
    /// A redirect leads to another host.
    #[error("redirects to {to}, on another host\n  hint: give that URL if it is the site you mean")]
    OtherHost {
        /// Where it leads.
        to: Box<Url>,
    },
    /// A redirect without a usable target.
    #[error("redirects, but not to a URL (`{0}`)")]
    BadRedirect(String),
    /// A redirect leads to where it came from.
    #[error(
        "redirects in a circle, back to {to}; sites that insist on cookies do this\n  hint: save the pages with a browser and give the folder instead"
    )]
    RedirectLoop {
        /// The URL that was reached twice.
        to: Box<Url>,
    },
    /// One redirect after another.
    #[error("redirects more than {0} times")]
    TooManyRedirects(usize),
    /// The site asks robots to stay away from this page.
    #[error(
        "the site's robots.txt asks programs not to fetch it (Disallow: {rule})\n  hint: ask the site's owner, or save the pages with a browser and give the folder instead"
    )]
    Robots {
        /// The pattern that decided.
        rule: String,
    },
    /// Whether the site wants robots could not be found out, so it is left alone.
    #[error(
        "the site's robots.txt could not be read, so it is left alone: {0}\n  hint: try again later"
    )]
    RobotsUnreachable(String),
    /// The server answered with an error.
    #[error("the server answered {}{}", status_words(*.status), wait_words(*.retry_after))]
    Status {
        /// The status code.
        status: u16,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
    },
    /// It is something else than a page.
    #[error("not a web page but {0}")]
    NotHtml(String),
    /// The page is longer than allowed.
    #[error(
        "longer than {0} bytes, the longest page allowed\n  hint: raise --max-bytes if you want it"
    )]
    TooLong(usize),
    /// The head of the answer is longer than any honest one.
    #[error("the head of the server's answer is too long")]
    HeadTooLong,
    /// The body could not be unpacked.
    #[error("the page {0}")]
    Undecodable(Undecodable),
    /// It took too long.
    #[error(
        "no whole answer within {} s\n  hint: try again later, or raise --timeout", .0.as_secs_f64()
    )]
    TimedOut(Duration),
    /// No connection could be made.
    #[error("no connection ({0})\n  hint: try again later, or check host and port")]
    NoConnection(String),
    /// There is no secure connection.
    #[error(
        "no secure connection ({0})\n  hint: the site's certificate may be out of date, or the host misspelt"
    )]
    NotSecure(String),
    /// The connection ended in the middle.
    #[error("the connection ended before the page did ({0})\n  hint: try again")]
    BrokenOff(String),
    /// The answer is not HTTP.
    #[error("the server's answer is not HTTP ({0})")]
    NotHttp(String),
    /// As many pages were loaded as were allowed.
    #[error("not loaded, because {0} pages have been\n  hint: raise --max-loads to go on")]
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

/// What a server said, fit to be shown: short, and nothing that moves a terminal's cursor.
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

/// A status code with what it means, where that helps.
fn status_words(status: u16) -> String {
    let meaning = match status {
        204 | 205 => "no content",
        206 => "a part only",
        304 => "not modified, though it was not asked that",
        400 => "bad request",
        401 => "log in first",
        402 => "pay first",
        403 => "forbidden",
        404 => "not found",
        405 => "not allowed",
        406 => "not acceptable",
        408 => "request timeout",
        410 => "gone",
        429 => "too many requests",
        451 => "unavailable for legal reasons",
        500 => "internal error",
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
