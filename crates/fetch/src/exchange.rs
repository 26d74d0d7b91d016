//! One request and its response, within limits of time and length.
//!
//! Input: a request. Output: status, headers, and the decompressed body, or the reason for failure.
//! Redirects are not followed here, and an unwanted body is not read. Proxies are never used,
//! because a proxy would choose the address. Connections are not reused: at one request per second
//! that gains little, and the server may have closed the connection meanwhile.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;

use unframe_read::{Undecodable, decode_content};
use ureq::Agent;
use ureq::http::header::{self, HeaderMap};
use ureq::http::{Request, Response, StatusCode};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::unversioned::transport::DefaultConnector;
use url::Url;

use crate::error::Reason;
use crate::names::{CheckedNames, Lookup, NotAsked};
use crate::options::{BadOptions, FetchOptions};

/// Maximum length of a response header.
const MAX_HEAD: usize = 64 << 10;

#[derive(Debug)]
pub(crate) struct Client {
    agent: Agent,
    user_agent: String,
    timeout: Duration,
}

/// A server's response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    /// The decompressed body; empty if it was not wanted.
    pub(crate) body: Vec<u8>,
}

impl Client {
    pub(crate) fn new(
        options: &FetchOptions,
        lookup: Arc<dyn Lookup>,
    ) -> Result<Client, BadOptions> {
        Client::trusting(RootCerts::WebPki, options, lookup)
    }

    /// A client that trusts these certificate authorities.
    fn trusting(
        roots: RootCerts,
        options: &FetchOptions,
        lookup: Arc<dyn Lookup>,
    ) -> Result<Client, BadOptions> {
        let config = Agent::config_builder()
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            .proxy(None)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
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

    /// Sends a request, which must be answered completely within `left`. `wanted` sees the header
    /// of the response and returns the maximum length of the body, or `None` to leave it unread.
    pub(crate) fn send(
        &self,
        request: Request<()>,
        left: Duration,
        wanted: impl FnOnce(StatusCode, &HeaderMap) -> Result<Option<usize>, Reason>,
    ) -> Result<Answer, Reason> {
        if left.is_zero() {
            return Err(Reason::TimedOut(self.timeout));
        }
        let request = self.agent.configure_request(request);
        let request = request.timeout_global(Some(left)).build();
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

    /// Converts the client's error to a reason.
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
        // The handshake reports a bad certificate like this.
        InvalidData => Reason::NotSecure(error.to_string()),
        _ => Reason::NoConnection(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::net::{SocketAddr, TcpListener};
    use std::thread;

    /// Resolves every host to one address.
    #[derive(Debug)]
    struct Everywhere(SocketAddr);

    impl Lookup for Everywhere {
        fn addresses(&self, _: &str, _: u16) -> io::Result<Vec<SocketAddr>> {
            Ok(vec![self.0])
        }
    }

    /// A server for `site.example` with a self-signed certificate.
    fn secure_server() -> (SocketAddr, Vec<u8>) {
        let made = rcgen::generate_simple_self_signed(["site.example".to_owned()]).unwrap();
        let certificate = made.cert.der().to_vec();
        let key = rustls::pki_types::PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key.into())
            .unwrap();
        let config = Arc::new(config);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let connection = rustls::ServerConnection::new(Arc::clone(&config)).unwrap();
                let mut stream = rustls::StreamOwned::new(connection, stream.unwrap());
                // Clients that do not trust us disconnect, as they should.
                if stream.read(&mut [0; 4096]).is_ok() {
                    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret";
                    let _ = stream.write_all(answer);
                    stream.conn.send_close_notify();
                    let _ = stream.flush();
                }
            }
        });
        (address, certificate)
    }

    fn ask(roots: RootCerts, address: SocketAddr, url: &str) -> Result<Vec<u8>, Reason> {
        ask_within(Duration::from_secs(300), roots, address, url)
    }

    fn ask_within(
        time: Duration,
        roots: RootCerts,
        address: SocketAddr,
        url: &str,
    ) -> Result<Vec<u8>, Reason> {
        let options = FetchOptions {
            allow_private: true,
            ..FetchOptions::default()
        };
        let lookup = Arc::new(Everywhere(address));
        let client = Client::trusting(roots, &options, lookup).unwrap();
        let request = client.request(&url.parse().unwrap()).unwrap();
        let answer = client.send(request, time, |_, _| Ok(Some(100)))?;
        Ok(answer.body)
    }

    #[test]
    fn certificates_are_checked() {
        let (address, certificate) = secure_server();
        let trusted = || {
            let certificate = ureq::tls::Certificate::from_der(&certificate).to_owned();
            RootCerts::new_with_certs(&[certificate])
        };
        let good = ask(trusted(), address, "https://site.example/");
        assert_eq!(good.as_deref(), Ok(&b"secret"[..]));
        // The wrong name, and no authority that vouches for it.
        let rows = [
            (trusted(), "https://other.example/"),
            (RootCerts::WebPki, "https://site.example/"),
        ];
        for (roots, url) in rows {
            let reason = ask(roots, address, url).unwrap_err();
            assert!(matches!(reason, Reason::NotSecure(_)), "{url}: {reason}");
        }
    }

    #[test]
    fn handshakes_that_fail_or_never_end_are_named() {
        let listen = |answer: &'static [u8], again: bool| {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = listener.local_addr().unwrap();
            thread::spawn(move || {
                let (mut stream, _) = listener.accept().unwrap();
                let _ = stream.write_all(answer);
                while again && stream.write_all(b"\0").is_ok() {
                    thread::sleep(Duration::from_millis(5));
                }
                let _ = stream.read(&mut [0; 4096]);
            });
            address
        };
        let plain = listen(b"HTTP/1.1 400 Bad Request\r\n\r\n", false);
        let reason = ask(RootCerts::WebPki, plain, "https://site.example/").unwrap_err();
        assert!(matches!(reason, Reason::NotSecure(_)), "{reason}");
        // The beginning of a long record, byte by byte.
        let drips = listen(b"\x16\x03\x03\x3f\xff\x02\x00\x3f\xf0\x03\x03", true);
        let time = Duration::from_millis(200);
        let drips = ask_within(time, RootCerts::WebPki, drips, "https://site.example/");
        let reason = drips.unwrap_err();
        assert!(matches!(reason, Reason::TimedOut(_)), "{reason}");
    }
}
