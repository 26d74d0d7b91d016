//! A small server, and fetchers that connect to it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use unframe_fetch::{FetchError, FetchOptions, Fetched, Fetcher, Lookup, Reason};
use url::Url;

/// A request as the server received it.
#[derive(Debug, Clone)]
pub struct Asked {
    pub path: String,
    /// The header of the request, unchanged.
    pub head: String,
    pub when: std::time::Instant,
}

impl Asked {
    /// The value of a header field.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (field, value) = line.split_once(':')?;
            field.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// How the server answers.
pub enum Answer {
    /// Sends these bytes, including the header, and closes the connection.
    Bytes(Vec<u8>),
    /// Sends the first bytes, and then the second ones forever, with a pause before each.
    Drips(Vec<u8>, &'static [u8], Duration),
    /// Never answers, but keeps the connection open.
    Never,
}

/// A server on its own port. It answers each request on a thread and then closes.
pub struct Server {
    pub address: SocketAddr,
    log: Arc<Mutex<Vec<Asked>>>,
    connections: Arc<AtomicUsize>,
}

impl Server {
    /// A server whose answers depend on the request. `None` means 404.
    pub fn start(answer: impl Fn(&Asked) -> Option<Answer> + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let log = Arc::new(Mutex::new(Vec::new()));
        let (written, answer) = (Arc::clone(&log), Arc::new(answer));
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&connections);
        thread::spawn(move || {
            for stream in listener.incoming() {
                counted.fetch_add(1, Ordering::SeqCst);
                let (log, answer) = (Arc::clone(&written), Arc::clone(&answer));
                thread::spawn(move || {
                    let mut stream = stream.unwrap();
                    let Some(asked) = read_request(&mut stream) else {
                        return;
                    };
                    log.lock().unwrap().push(asked.clone());
                    let missing = || Answer::Bytes(response("404 Not Found", "", b""));
                    reply(stream, answer(&asked).unwrap_or_else(missing));
                });
            }
        });
        Server {
            address,
            log,
            connections,
        }
    }

    /// A server with one answer for one path.
    pub fn one(path: &'static str, bytes: Vec<u8>) -> Server {
        Server::start(move |asked| (asked.path == path).then(|| Answer::Bytes(bytes.clone())))
    }

    pub fn url(&self, path: &str) -> Url {
        Url::parse(&format!("http://{}{path}", self.address)).unwrap()
    }

    /// The paths that were requested, without `robots.txt`.
    pub fn pages(&self) -> Vec<String> {
        let asked = self.asked().into_iter().map(|asked| asked.path);
        asked.filter(|path| path != "/robots.txt").collect()
    }

    /// How many connections were made, with or without a request.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.log.lock().unwrap().clone()
    }
}

fn read_request(stream: &mut TcpStream) -> Option<Asked> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).ok()?;
    let path = head.split(' ').nth(1)?.to_owned();
    let when = std::time::Instant::now();
    Some(Asked { path, head, when })
}

fn reply(mut stream: TcpStream, answer: Answer) {
    // The client may have disconnected, which is fine.
    match answer {
        Answer::Bytes(bytes) => drop(stream.write_all(&bytes)),
        Answer::Drips(first, forever, pause) => {
            let mut sent = stream.write_all(&first);
            while sent.is_ok() {
                thread::sleep(pause);
                sent = stream.write_all(forever);
            }
        }
        Answer::Never => drop(stream.read(&mut [0])),
    }
}

/// A whole response. `fields` are lines, each with its newline.
pub fn response(status: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let fields = fields.replace('\n', "\r\n");
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{fields}\r\n");
    [head.as_bytes(), body].concat()
}

/// A page as servers send it.
pub fn page(body: &str) -> Vec<u8> {
    response(
        "200 OK",
        "Content-Type: text/html; charset=utf-8\n",
        body.as_bytes(),
    )
}

pub fn redirect(to: &str) -> Vec<u8> {
    response("302 Found", &format!("Location: {to}\n"), b"")
}

/// Options for tests: no delay, small limits, private addresses allowed, and time enough for what is to succeed.
pub fn options() -> FetchOptions {
    FetchOptions {
        delay: Duration::ZERO,
        timeout: Duration::from_secs(300),
        max_bytes: 100_000,
        allow_private: true,
        ..FetchOptions::default()
    }
}

pub fn fetcher(options: FetchOptions) -> Fetcher {
    Fetcher::new(options).unwrap()
}

/// Fetches one page with these options.
pub fn get(options: FetchOptions, url: &Url) -> Result<Fetched, FetchError> {
    fetcher(options).get(url)
}

/// Fetches a page that never comes, and says why and within which time it did not. The first time is short. Where
/// the machine has so much else to do that not even `robots.txt` came within it, a longer time is tried.
pub fn get_too_late(options: FetchOptions, url: &Url) -> (Reason, Duration) {
    let mut timeout = Duration::from_millis(200);
    loop {
        let with_timeout = FetchOptions {
            timeout,
            ..options.clone()
        };
        match get(with_timeout, url).unwrap_err().reason {
            Reason::RobotsUnreachable(_) if timeout < options.timeout => timeout *= 2,
            reason => return (reason, timeout),
        }
    }
}

/// Why a page cannot be fetched.
pub fn why(server: &Server, path: &str) -> Reason {
    let error = get(options(), &server.url(path)).unwrap_err();
    let text = error.to_string();
    assert!(text.contains(path), "the message names the URL: {text}");
    error.reason
}

/// Resolves every host to the server, whatever the port.
#[derive(Debug)]
pub struct Everywhere(pub SocketAddr);

impl Lookup for Everywhere {
    fn addresses(&self, _: &str, _: u16) -> std::io::Result<Vec<SocketAddr>> {
        Ok(vec![self.0])
    }
}

/// A fetcher that resolves every host to this server.
pub fn fetcher_of(server: &Server, options: FetchOptions) -> Fetcher {
    Fetcher::with_lookup(options, Arc::new(Everywhere(server.address))).unwrap()
}
