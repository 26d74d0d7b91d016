//! Resolves host names and passes on only the addresses that may be contacted.
//!
//! The client connects to the addresses returned here and resolves nothing itself, so the checked
//! address is the one that is contacted. A check before the request would not be enough: a name can
//! resolve to a public address now and to a private one a moment later.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

use crate::address::not_public;

/// Resolves host names.
pub trait Lookup: fmt::Debug + Send + Sync {
    /// The addresses of a host, which may itself be an address (in brackets if it is IPv6).
    fn addresses(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>>;
}

/// The system's name resolution.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn addresses(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        format!("{host}:{port}")
            .to_socket_addrs()
            .map(Iterator::collect)
    }
}

/// See the module documentation.
#[derive(Debug)]
pub(crate) struct CheckedNames {
    pub(crate) lookup: Arc<dyn Lookup>,
    pub(crate) allow_private: bool,
}

/// Why a host is not contacted. The client returns it as the cause of its error.
#[derive(Debug)]
pub(crate) enum NotAsked {
    Private { address: IpAddr, kind: &'static str },
    Unknown(String),
}

impl fmt::Display for NotAsked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotAsked::Private { address, kind } => write!(f, "{address} is {kind}"),
            NotAsked::Unknown(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for NotAsked {}

/// Maximum number of addresses tried per host.
const MAX_ADDRESSES: usize = 8;

impl CheckedNames {
    fn check(&self, found: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, NotAsked> {
        let mut refused = None;
        let mut allowed = Vec::new();
        for address in found {
            match not_public(address.ip()) {
                Some(kind) if !self.allow_private => refused = refused.or(Some((address, kind))),
                _ => allowed.push(address),
            }
        }
        allowed.truncate(MAX_ADDRESSES);
        match (allowed.is_empty(), refused) {
            (false, _) => Ok(allowed),
            (true, Some((address, kind))) => Err(NotAsked::Private {
                address: address.ip(),
                kind,
            }),
            (true, None) => Err(NotAsked::Unknown("the name has no address".to_owned())),
        }
    }
}

impl Resolver for CheckedNames {
    fn resolve(
        &self,
        uri: &Uri,
        _: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let host = uri.host().ok_or(ureq::Error::HostNotFound)?.to_owned();
        let usual = if uri.scheme_str() == Some("https") {
            443
        } else {
            80
        };
        let port = uri.port_u16().unwrap_or(usual);
        // The system's look-up has no timeout, so one that takes too long is abandoned.
        let (sender, receiver) = mpsc::sync_channel(1);
        let lookup = Arc::clone(&self.lookup);
        thread::spawn(move || sender.send(lookup.addresses(&host, port)));
        let found = match receiver.recv_timeout(*timeout.after) {
            Ok(Ok(found)) => self.check(found),
            Ok(Err(error)) => Err(NotAsked::Unknown(error.to_string())),
            Err(RecvTimeoutError::Timeout) => return Err(ureq::Error::Timeout(timeout.reason)),
            Err(RecvTimeoutError::Disconnected) => {
                Err(NotAsked::Unknown("name resolution failed".to_owned()))
            }
        };
        let mut out = self.empty();
        for address in found.map_err(|why| ureq::Error::Other(Box::new(why)))? {
            out.push(address);
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(allow_private: bool, found: &[&str]) -> Result<Vec<String>, NotAsked> {
        let names = CheckedNames {
            lookup: Arc::new(SystemLookup),
            allow_private,
        };
        let found = found.iter().map(|address| address.parse().unwrap());
        let allowed = names.check(found.collect())?;
        Ok(allowed.iter().map(SocketAddr::to_string).collect())
    }

    #[test]
    fn private_addresses_are_left_out() {
        let mixed = ["10.0.0.1:80", "1.1.1.1:80", "[::1]:80", "8.8.8.8:80"];
        assert_eq!(
            checked(false, &mixed).unwrap(),
            ["1.1.1.1:80", "8.8.8.8:80"]
        );
        assert_eq!(checked(true, &mixed).unwrap(), mixed);
        let Err(NotAsked::Private { address, kind }) = checked(false, &["10.0.0.1:80", "[::1]:80"])
        else {
            panic!("a private address passed");
        };
        assert_eq!(
            (address.to_string().as_str(), kind),
            ("10.0.0.1", "a private address")
        );
        assert!(matches!(checked(true, &[]), Err(NotAsked::Unknown(_))));
    }
}
