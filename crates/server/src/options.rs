//! What the settings amount to: all defaults filled in, and what does not fit together refused.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use unframe::fetch::FetchOptions;
use unframe::read::SiteFrom;

use crate::engine::EngineOptions;
use crate::http::Token;
use crate::settings::{BadSettings, LogFormat, Settings, Size};

/// All settings of the service.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where pages are learned.
    pub engine: EngineOptions,
    /// The address to listen on.
    pub listen: SocketAddr,
    /// What clients must send.
    pub token: Option<Token>,
    /// Host names that requests may be for; none allows all.
    pub hosts: Option<Vec<String>>,
    /// How pages are fetched, if they may be.
    pub fetch: Option<FetchOptions>,
    /// Bytes of a request, and of a page of a batch.
    pub max_page: usize,
    /// Open connections.
    pub max_connections: usize,
    /// Requests of one client at a time.
    pub max_per_client: Option<usize>,
    /// The time for one request.
    pub timeout: Duration,
    /// The time in which a client must send or take something.
    pub client_timeout: Duration,
    /// How log lines are written.
    pub log: LogFormat,
}

/// Names that only lead to this machine.
const OWN_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

impl TryFrom<Settings> for Options {
    type Error = BadSettings;

    fn try_from(given: Settings) -> Result<Options, BadSettings> {
        let listen = given
            .listen
            .unwrap_or(SocketAddr::from(([127, 0, 0, 1], 8080)));
        let bytes = |size: Option<Size>, usual: usize| size.map_or(usual, |size| size.0);
        let positive = |given: Option<usize>, flag: &str, usual: usize| match given {
            Some(0) => Err(BadSettings(format!(
                "--{flag} is 0; write 1 or more, or leave it out"
            ))),
            given => Ok(given.unwrap_or(usual)),
        };
        let token = match &given.token_file {
            Some(file) => Some(Token::read(file)?),
            None if listen.ip().is_loopback() => None,
            None => return Err(no_token(listen)),
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Options {
            listen,
            token,
            hosts: hosts(listen.ip(), given.allowed_host.clone().unwrap_or_default()),
            fetch: fetching(&given)?,
            max_page: bytes(given.max_page, 16_000_000),
            max_connections: positive(given.max_connections, "max-connections", 20_000)?,
            max_per_client: match given.max_per_client {
                Some(most) => Some(positive(Some(most), "max-per-client", 1)?),
                None => None,
            },
            timeout: given.timeout.map_or(Duration::from_secs(60), |time| time.0),
            client_timeout: given
                .client_timeout
                .map_or(Duration::from_secs(15), |time| time.0),
            log: given.log.unwrap_or_default(),
            engine: EngineOptions {
                memory: bytes(given.memory, 256_000_000),
                jobs: positive(given.jobs, "jobs", cores)?,
                queue: positive(given.queue, "queue", 512)?,
                queue_bytes: bytes(given.queue_memory, 256_000_000),
                recent_bytes: bytes(given.recent, 64_000_000),
                site_from: given.sites(),
                state: given.state,
            },
        })
    }
}

impl EngineOptions {
    /// For pages of a single user, in main memory.
    pub fn in_memory() -> EngineOptions {
        EngineOptions {
            state: None::<PathBuf>,
            memory: 256_000_000,
            jobs: 2,
            queue: 512,
            queue_bytes: 256_000_000,
            recent_bytes: 64_000_000,
            site_from: SiteFrom::Host,
        }
    }
}

fn no_token(listen: SocketAddr) -> BadSettings {
    BadSettings(format!(
        "--listen {listen} can be reached from other machines, so clients must send a token; make one with \
         `head -c 32 /dev/urandom | base64 > token && chmod 600 token` and add `--token-file token`, or \
         listen on 127.0.0.1:{}",
        listen.port()
    ))
}

/// On an address of this machine only, other names are those of a web site that was pointed here to misuse
/// the browser of a user.
fn hosts(address: IpAddr, given: Vec<String>) -> Option<Vec<String>> {
    let own = OWN_NAMES.map(String::from).into_iter();
    match (address.is_loopback(), given.is_empty()) {
        (true, _) => Some(own.chain([address.to_string()]).chain(given).collect()),
        (false, true) => None,
        (false, false) => Some(own.chain(given).collect()),
    }
}

fn fetching(given: &Settings) -> Result<Option<FetchOptions>, BadSettings> {
    if given.allow_fetch != Some(true) {
        let lone = [
            (given.allow_private == Some(true), "allow-private"),
            (given.contact.is_some(), "contact"),
            (given.delay.is_some(), "delay"),
        ];
        return match lone.iter().find(|(is_given, _)| *is_given) {
            Some((_, flag)) => Err(BadSettings(format!(
                "--{flag} is about pages that the service fetches, and it fetches none; add --allow-fetch, or \
                 leave out --{flag}"
            ))),
            None => Ok(None),
        };
    }
    let usual = FetchOptions::default();
    Ok(Some(FetchOptions {
        contact: given.contact.clone(),
        delay: given.delay.map_or(usual.delay, |delay| delay.0),
        allow_private: given.allow_private == Some(true),
        // The service runs for months; what a client may ask for is bounded otherwise.
        max_loads: usize::MAX,
        ..usual
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(file: &str) -> Result<Options, BadSettings> {
        toml::from_str::<Settings>(file).unwrap().try_into()
    }

    #[test]
    fn other_machines_need_a_token() {
        assert!(options("").unwrap().token.is_none());
        assert!(options("listen = \"[::1]:1\"").is_ok());
        let error = options("listen = \"0.0.0.0:8080\"")
            .unwrap_err()
            .to_string();
        assert!(error.contains("--token-file token"), "{error}");
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (file, said) in [
            ("queue = 0", "--queue is 0"),
            ("jobs = 0", "--jobs is 0"),
            ("max-per-client = 0", "--max-per-client is 0"),
            ("contact = \"me@a.example\"", "add --allow-fetch"),
            ("token-file = \"/no/such/file\"", "/no/such/file"),
        ] {
            let error = options(file).unwrap_err().to_string();
            assert!(error.contains(said), "{file}: {error}");
        }
    }
}
