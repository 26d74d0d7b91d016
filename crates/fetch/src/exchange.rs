//! One request and its answer, within limits of time and length.
//!
//! What enters: a request. What leaves: status, headers, and the body unpacked, or the reason why
//! not. Redirects are not followed here and a body that is not wanted is not read. Proxies are
//! never used, because a proxy would choose the address; connections are not kept, because at one
//! request a second that gains little and a kept one may have been closed meanwhile.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;

use unframe_read::{Undecodable, decode_content};
use ureq::Agent;
use ureq::http::header::{self, HeaderMap};
use ureq::http::{Request, Response, StatusCode};
use ureq::unversioned::transport::DefaultConnector;
use url::Url;

use crate::error::Reason;
use crate::names::{CheckedNames, Lookup, NotAsked};
use crate::options::{BadOptions, FetchOptions};

/// The longest head of an answer.
const MAX_HEAD: usize = 64 << 10;

#[derive(Debug)]
pub(crate) struct Client {
    agent: Agent,
    user_agent: String,
    timeout: Duration,
}

/// What a server answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    /// The body, unpacked; empty if it was not wanted.
    pub(crate) body: Vec<u8>,
}

impl Client {
    pub(crate) fn new(
        options: &FetchOptions,
        lookup: Arc<dyn Lookup>,
    ) -> Result<Client, BadOptions> {
        let config = Agent::config_builder()
            .proxy(None)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(options.timeout))
            .max_idle_connections(0)
            .max_response_header_size(MAX_HEAD)
            .build();
        let names = CheckedNames {
            lookup,
            allow_private: options.allow_private,
        };
        Ok(Client {
            agent: Agent::with_parts(config, DefaultConnector::new(), names),
            user_agent: options.user_agent()?,
            timeout: options.timeout,
        })
    }

    /// The request for a page.
    pub(crate) fn request(&self, url: &Url) -> Result<Request<()>, Reason> {
        Request::get(url.as_str())
            .header(header::USER_AGENT, &self.user_agent)
            .header(
                header::ACCEPT,
                "text/html, application/xhtml+xml, */*;q=0.1",
            )
            .header(header::ACCEPT_ENCODING, "gzip, deflate, br, zstd")
            .body(())
            .map_err(|error| Reason::BadUrl(error.to_string()))
    }

    /// Sends a request. `wanted` sees the head of the answer and says how long the body may be, or
    /// `None` to leave it unread.
    pub(crate) fn send(
        &self,
        request: Request<()>,
        wanted: impl FnOnce(StatusCode, &HeaderMap) -> Result<Option<usize>, Reason>,
    ) -> Result<Answer, Reason> {
        let response = self.agent.run(request).map_err(|error| self.why(error))?;
        let limit = wanted(response.status(), response.headers())?;
        let (head, body) = response.into_parts();
        let body = match limit {
            Some(limit) => self.read(Response::from_parts(head.clone(), body), limit)?,
            None => Vec::new(),
        };
        Ok(Answer {
            status: head.status,
            headers: head.headers,
            body,
        })
    }

    fn read(&self, mut response: Response<ureq::Body>, limit: usize) -> Result<Vec<u8>, Reason> {
        let stated = response.body().content_length().unwrap_or(0);
        if stated > limit as u64 {
            return Err(Reason::TooLong(limit));
        }
        let mut raw = Vec::new();
        let mut reader = response.body_mut().as_reader().take(limit as u64 + 1);
        if let Err(error) = reader.read_to_end(&mut raw) {
            return Err(self.why(ureq::Error::from(error)));
        }
        if raw.len() > limit {
            return Err(Reason::TooLong(limit));
        }
        let encodings = response.headers().get_all(header::CONTENT_ENCODING);
        let encodings: Vec<_> = encodings
            .iter()
            .map(|value| String::from_utf8_lossy(value.as_bytes()))
            .collect();
        decode_content(&encodings.join(","), raw, limit).map_err(|why| match why {
            Undecodable::TooLong => Reason::TooLong(limit),
            why => Reason::Undecodable(why),
        })
    }

    /// The client's error in our words.
    fn why(&self, error: ureq::Error) -> Reason {
        match error {
            ureq::Error::Timeout(_) => Reason::TimedOut(self.timeout),
            ureq::Error::HostNotFound => Reason::NoSuchHost("not found".to_owned()),
            ureq::Error::Other(cause) => match cause.downcast::<NotAsked>() {
                Ok(not_asked) => match *not_asked {
                    NotAsked::Private { address, kind } => Reason::PrivateAddress { address, kind },
                    NotAsked::Unknown(why) => Reason::NoSuchHost(why),
                },
                Err(other) => Reason::NoConnection(other.to_string()),
            },
            ureq::Error::Io(error) => why_io(&error),
            ureq::Error::Tls(why) => Reason::NotSecure(why.to_owned()),
            ureq::Error::Rustls(error) => Reason::NotSecure(error.to_string()),
            ureq::Error::LargeResponseHeader(..) => Reason::HeadTooLong,
            ureq::Error::Protocol(error) => Reason::NotHttp(error.to_string()),
            ureq::Error::BadUri(why) => Reason::BadUrl(why),
            ureq::Error::Http(error) => Reason::BadUrl(error.to_string()),
            other => Reason::NotHttp(other.to_string()),
        }
    }
}

fn why_io(error: &io::Error) -> Reason {
    use io::ErrorKind::{
        BrokenPipe, ConnectionAborted, ConnectionReset, InvalidData, UnexpectedEof,
    };
    match error.kind() {
        UnexpectedEof | ConnectionReset | ConnectionAborted | BrokenPipe => {
            Reason::BrokenOff(error.to_string())
        }
        // What the handshake makes of a bad certificate.
        InvalidData => Reason::NotSecure(error.to_string()),
        _ => Reason::NoConnection(error.to_string()),
    }
}
