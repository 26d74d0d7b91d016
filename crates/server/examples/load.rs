//! Loads a service on this machine, and does the same work in the library, to compare the two.
//!
//! ```text
//! load library FOLDER ROUNDS             the work itself, on all threads
//! load batch ADDRESS FOLDER ROUNDS       as lines of JSON in one request
//! load single ADDRESS FOLDER ROUNDS N    a page in each request, on N connections
//! load slow ADDRESS N SECONDS            N connections that send a byte each second
//! ```
//!
//! Every round posts all pages of the folder under new addresses, so that all of them are learned.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use unframe::Crawl;
use unframe::methods::MethodSpec;

/// The service must be on this machine.
const MOST_ROUNDS: usize = 2000;
const MOST_CONNECTIONS: usize = 20_000;

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let _ = rlimit::increase_nofile_limit(30_000);
    let runtime = tokio::runtime::Runtime::new()?;
    match *args {
        ["library", folder, rounds] => library(&pages(folder)?, number(rounds, MOST_ROUNDS)?),
        ["batch", address, folder, rounds] => {
            let (pages, rounds) = (pages(folder)?, number(rounds, MOST_ROUNDS)?);
            runtime.block_on(batch(own(address)?, pages, rounds))
        }
        ["single", address, folder, rounds, clients] => {
            let (pages, rounds) = (pages(folder)?, number(rounds, MOST_ROUNDS)?);
            let clients = number(clients, MOST_CONNECTIONS)?;
            runtime.block_on(single(own(address)?, pages, rounds, clients))
        }
        ["slow", address, clients, seconds] => {
            let clients = number(clients, MOST_CONNECTIONS)?;
            runtime.block_on(slow(own(address)?, clients, number(seconds, 600)?))
        }
        _ => Err("write library, batch, single or slow; the head of this file says how".into()),
    }
}

fn number(text: &str, most: usize) -> Result<usize, Failure> {
    Ok(text.parse::<usize>()?.min(most))
}

fn own(address: &str) -> Result<SocketAddr, Failure> {
    let address: SocketAddr = address.parse()?;
    match address.ip().is_loopback() {
        true => Ok(address),
        false => Err("only a service on this machine is loaded".into()),
    }
}

/// The pages of a folder and the folders in it, as text.
fn pages(folder: &str) -> Result<Vec<String>, Failure> {
    fn read(folder: &Path, found: &mut Vec<String>) -> io::Result<()> {
        let mut entries: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
        entries.sort_by_key(std::fs::DirEntry::path);
        for entry in entries {
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                read(&path, found)?;
            } else if path.extension().is_some_and(|ending| ending == "html") {
                found.push(String::from_utf8_lossy(&std::fs::read(path)?).into_owned());
            }
        }
        Ok(())
    }
    let mut found = Vec::new();
    read(Path::new(folder), &mut found)?;
    match found.is_empty() {
        true => Err(format!("{folder} has no pages").into()),
        false => Ok(found),
    }
}

fn url(round: usize, page: usize) -> String {
    format!("https://site.example/{round}/{page}")
}

fn report(what: &str, pages: usize, bytes: usize, took: Duration, times: Vec<Duration>) {
    let seconds = took.as_secs_f64();
    let mut line = format!(
        "{what}: {pages} pages in {seconds:.2} s, {:.0} pages/s, {:.1} MB/s",
        pages as f64 / seconds,
        bytes as f64 / seconds / 1e6
    );
    let mut times = times;
    times.sort();
    if let Some(last) = times.len().checked_sub(1) {
        let at = |share: f64| times[(last as f64 * share) as usize].as_secs_f64() * 1e3;
        line.push_str(&format!(", p50 {:.1} ms, p99 {:.1} ms", at(0.5), at(0.99)));
    }
    println!("{line}");
}

fn total(pages: &[String], rounds: usize) -> usize {
    rounds * pages.iter().map(String::len).sum::<usize>()
}

/// Views, learns, commits and labels as the service does: in batches, with a state on disk.
fn library(pages: &[String], rounds: usize) -> Result<(), Failure> {
    const BATCH: usize = 128;
    let folder = tempfile::tempdir()?;
    let state = folder.path().join("state.unframe");
    let mut crawl = Crawl::open(&state, &MethodSpec::default(), 256 << 20)?;
    let viewer = crawl.viewer().clone();
    let all: Vec<(usize, usize)> = (0..rounds)
        .flat_map(|round| (0..pages.len()).map(move |page| (round, page)))
        .collect();
    let judge = unframe::Judge {
        engine: Arc::clone(crawl.engine()),
        overrides: unframe::Overrides::default(),
        reasons: false,
        explanations: false,
    };
    let begun = Instant::now();
    let mut kept = 0;
    for batch in all.chunks(BATCH) {
        let view = |(round, page): &(usize, usize)| {
            viewer.view(&url(*round, *page), pages[*page].as_str(), None)
        };
        let viewed: Vec<_> = batch.par_iter().map(view).collect();
        for page in &viewed {
            crawl.learn_viewed("site.example", page)?;
        }
        let texts = viewed.par_iter().map(|page| {
            let page = crawl
                .judge("site.example", page, &judge)
                .expect("it was learned");
            (page.text().len(), page.title().len(), page.confidence())
        });
        kept += texts.map(|(text, ..)| text).sum::<usize>();
        crawl.commit()?;
    }
    let took = begun.elapsed();
    report("library", all.len(), total(pages, rounds), took, Vec::new());
    println!("{kept} bytes of text");
    Ok(())
}

fn line(round: usize, page: usize, html: &str) -> String {
    serde_json::json!({ "url": url(round, page), "html": html }).to_string()
}

async fn batch(address: SocketAddr, pages: Vec<String>, rounds: usize) -> Result<(), Failure> {
    // Made before, because clients are not what is measured.
    let mut bodies = Vec::new();
    for round in 0..rounds {
        let lines = pages
            .iter()
            .enumerate()
            .map(|(at, html)| line(round, at, html) + "\n");
        bodies.push(lines.collect::<String>());
    }
    let (pages, bytes) = (pages.len() * rounds, total(&pages, rounds));
    let begun = Instant::now();
    let stream = TcpStream::connect(address).await?;
    let (input, mut output) = stream.into_split();
    let sending = tokio::spawn(async move {
        let head = format!(
            "POST /v1/clean/batch HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/x-ndjson\r\n\
             Connection: close\r\nContent-Length: {}\r\n\r\n",
            bodies.iter().map(String::len).sum::<usize>()
        );
        output.write_all(head.as_bytes()).await?;
        for body in bodies {
            output.write_all(body.as_bytes()).await?;
        }
        Ok::<_, io::Error>(output)
    });
    let mut lines = BufReader::with_capacity(1 << 20, input).lines();
    let (mut answers, mut problems) = (0, 0);
    while let Some(line) = lines.next_line().await? {
        answers += usize::from(line.starts_with("{\"url\":"));
        problems += usize::from(line.contains("\"problem\":{"));
    }
    sending.await??;
    report("batch", pages, bytes, begun.elapsed(), Vec::new());
    match (answers, problems) {
        (answers, 0) if answers == pages => Ok(()),
        _ => Err(
            format!("{answers} of {pages} pages were answered, {problems} with a problem").into(),
        ),
    }
}

async fn single(
    address: SocketAddr,
    pages: Vec<String>,
    rounds: usize,
    clients: usize,
) -> Result<(), Failure> {
    let (count, bytes) = (pages.len() * rounds, total(&pages, rounds));
    let next = Arc::new(AtomicUsize::new(0));
    let times = Arc::new(Mutex::new(Vec::new()));
    let refused = Arc::new(AtomicUsize::new(0));
    let pages = Arc::new(pages);
    let begun = Instant::now();
    let mut tasks = Vec::new();
    for _ in 0..clients {
        let (next, times, refused) = (Arc::clone(&next), Arc::clone(&times), Arc::clone(&refused));
        let pages = Arc::clone(&pages);
        tasks.push(tokio::spawn(async move {
            let mut stream = BufReader::new(TcpStream::connect(address).await?);
            stream.get_ref().set_nodelay(true)?;
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                if at >= count {
                    return Ok::<_, io::Error>(());
                }
                let (round, page) = (at / pages.len(), at % pages.len());
                let html = &pages[page];
                let head = format!(
                    "POST /v1/clean?url={} HTTP/1.1\r\nHost: {address}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n",
                    url(round, page),
                    html.len()
                );
                let sent = Instant::now();
                stream.get_mut().write_all(head.as_bytes()).await?;
                stream.get_mut().write_all(html.as_bytes()).await?;
                match answer(&mut stream).await? {
                    200 => times.lock().expect("no panics").push(sent.elapsed()),
                    _ => drop(refused.fetch_add(1, Ordering::Relaxed)),
                }
            }
        }));
    }
    for task in tasks {
        task.await??;
    }
    let took = begun.elapsed();
    let times = std::mem::take(&mut *times.lock().expect("no panics"));
    report(
        &format!("single, {clients} connections"),
        times.len(),
        bytes * times.len() / count,
        took,
        times,
    );
    println!("{} refused", refused.load(Ordering::Relaxed));
    Ok(())
}

/// Reads an answer. Returns its status.
async fn answer(stream: &mut BufReader<TcpStream>) -> io::Result<u16> {
    let (mut status, mut length, mut line) = (0, 0, String::new());
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let text = line.trim_end().to_ascii_lowercase();
        if let Some(rest) = text.strip_prefix("http/1.1 ") {
            status = rest[..3].parse().unwrap_or(0);
        } else if let Some(rest) = text.strip_prefix("content-length: ") {
            length = rest.parse().unwrap_or(0);
        } else if text.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    Ok(status)
}

/// Half of the connections never end the head of their request, the others never its body. Meanwhile another
/// client asks for its pages.
async fn slow(address: SocketAddr, clients: usize, seconds: usize) -> Result<(), Failure> {
    let open = Arc::new(AtomicUsize::new(0));
    let end = Instant::now() + Duration::from_secs(seconds as u64);
    let mut tasks = Vec::new();
    for number in 0..clients {
        let open = Arc::clone(&open);
        tasks.push(tokio::spawn(async move {
            // From other addresses of this machine: one address has too few ports for so many.
            let socket = tokio::net::TcpSocket::new_v4()?;
            let from = [127, 0, 1 + (number / 5000) as u8, 1];
            socket.bind((from, 0).into())?;
            let mut stream = socket.connect(address).await?;
            open.fetch_add(1, Ordering::Relaxed);
            let head: &[u8] = match number % 2 {
                0 => b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\n",
                _ => b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n",
            };
            stream.write_all(head).await?;
            while Instant::now() < end {
                tokio::time::sleep(Duration::from_secs(1)).await;
                if stream.write_all(b"a").await.is_err() {
                    break;
                }
            }
            Ok::<_, io::Error>(())
        }));
        if number % 200 == 199 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    let page = b"<p>A page of somebody who does not know of the others, and wants an answer soon.";
    let (mut times, mut refused) = (Vec::new(), 0);
    while Instant::now() < end {
        let asked = Instant::now();
        let mut stream = BufReader::new(TcpStream::connect(address).await?);
        let head = format!(
            "POST /v1/extract HTTP/1.1\r\nHost: {address}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n",
            page.len()
        );
        stream.get_mut().write_all(head.as_bytes()).await?;
        stream.get_mut().write_all(page).await?;
        match answer(&mut stream).await {
            Ok(200) => times.push(asked.elapsed()),
            _ => refused += 1,
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for task in tasks {
        let _ = task.await;
    }
    println!(
        "{} slow connections were open",
        open.load(Ordering::Relaxed)
    );
    let (answered, bytes) = (times.len(), times.len() * page.len());
    report(
        "a client beside them",
        answered,
        bytes,
        Duration::from_secs(seconds as u64),
        times,
    );
    match refused {
        0 => Ok(()),
        refused => Err(format!("{refused} of its requests were refused").into()),
    }
}
