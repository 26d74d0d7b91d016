//! The settings of the service: flags, and the same names in `unframe.toml`.

use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};
use unframe::read::SiteFrom;

/// Declares the settings once: each is a flag and a key of the file, and flags win.
macro_rules! settings {
    ($($(#[$about:meta])* $name:ident: $kind:ty,)*) => {
        /// The settings that were given. All have a default.
        #[derive(Args, Clone, Debug, Default, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
        pub struct Settings {
            $($(#[$about])* pub $name: Option<$kind>,)*
        }

        impl Settings {
            /// These settings, and those of a file where nothing was given.
            pub fn over(self, file: Settings) -> Settings {
                Settings { $($name: self.$name.or(file.$name),)* }
            }
        }
    };
}

settings! {
    /// Keep what is learned in this file, as `clean --state` does [default: in main memory, until the
    /// service ends]
    #[arg(short, long, value_name = "FILE")]
    state: PathBuf,

    /// The address to listen on [default: 127.0.0.1:8080]
    #[arg(short, long, value_name = "ADDRESS:PORT")]
    listen: SocketAddr,

    /// The file with the token that clients must send. Required unless ADDRESS is of this machine only
    ///
    /// Clients send it as `Authorization: Bearer TOKEN`. It has 16 characters or more, without spaces.
    #[arg(long, value_name = "FILE")]
    token_file: PathBuf,

    /// Accept requests for this host name. Repeatable [default: only names of this machine if ADDRESS is of
    /// this machine only, else any]
    #[arg(long, value_name = "NAME", num_args = 1)]
    allowed_host: Vec<String>,

    /// Fetch pages when a client asks for it
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true", require_equals = true, hide_possible_values = true, help_heading = "Live pages")]
    allow_fetch: bool,

    /// Also fetch from hosts that are not on the public internet: this machine, the local network
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true", require_equals = true, hide_possible_values = true, help_heading = "Live pages")]
    allow_private: bool,

    /// Your contact, sent with each page that is fetched: an e-mail address or a URL
    #[arg(long, value_name = "ADDRESS", help_heading = "Live pages")]
    contact: String,

    /// Pause between requests to a host, in seconds; longer if the site asks for it [default: 1]
    #[arg(long, value_name = "SECONDS", help_heading = "Live pages")]
    delay: Seconds,

    /// What identifies a site: the host or the domain of the URL [default: host]
    #[arg(long, value_name = "host|domain", hide_possible_values = true)]
    site_from: HostOrDomain,

    /// Main memory for sites in use [default: 256MB]
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    memory: Size,

    /// Main memory for recent pages, which templates and the lens show [default: 64MB]
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    recent: Size,

    /// Threads that parse and label pages [default: one per core]
    #[arg(short, long, value_name = "N", help_heading = "Limits")]
    jobs: usize,

    /// Largest request, and largest page of a batch [default: 16MB]
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    max_page: Size,

    /// Pages that may wait or be in work; more are refused [default: 512]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    queue: usize,

    /// Main memory for requests; more are refused [default: 256MB]
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    queue_memory: Size,

    /// Open connections; more are refused [default: 20000, as far as the system allows]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_connections: usize,

    /// Requests of one client at a time; more are refused [default: no limit]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_per_client: usize,

    /// Give up on a request after this many seconds [default: 60]
    #[arg(long, value_name = "SECONDS", help_heading = "Limits")]
    timeout: Seconds,

    /// Cut off clients that send or take nothing for this many seconds [default: 15]
    #[arg(long, value_name = "SECONDS", help_heading = "Limits")]
    client_timeout: Seconds,

    /// Write log lines as `text` or as `json`, on standard error [default: text]
    #[arg(long, value_name = "text|json", hide_possible_values = true)]
    log: LogFormat,
}

/// What identifies a site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum HostOrDomain {
    /// The host of the URL.
    #[default]
    Host,
    /// Its registrable domain.
    Domain,
}

/// How log lines are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
}

/// A number of bytes: `64MB`, `512kB`, `1000`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub usize);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let text = text.trim();
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
            "" | "b" => 1,
            "kb" | "k" => 1000,
            "mb" | "m" => 1_000_000,
            "gb" | "g" => 1_000_000_000,
            _ => 0,
        };
        let number: Option<usize> = digits.trim().parse().ok();
        let bytes = number.and_then(|number| number.checked_mul(unit));
        let bytes = bytes.filter(|bytes| *bytes > 0).map(Size);
        bytes.ok_or_else(|| "write a size, such as 512kB, 64MB or 2GB".into())
    }
}

/// A time in seconds: `2`, `0.5`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seconds(pub Duration);

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Seconds, String> {
        /// Longer times are probably a mistake, such as milliseconds.
        const LONGEST: f64 = 3600.0;
        match text.trim().parse() {
            Ok(seconds) if (0.01..=LONGEST).contains(&seconds) => {
                Ok(Seconds(Duration::from_secs_f64(seconds)))
            }
            _ => Err(format!(
                "write seconds, from 0.01 to {LONGEST}, such as 2 or 0.5"
            )),
        }
    }
}

/// Reads a number or a text of a file as a flag would read it.
macro_rules! written_as_flag {
    ($kind:ty, $expected:literal) => {
        impl<'de> Deserialize<'de> for $kind {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<$kind, D::Error> {
                struct Written;
                impl Visitor<'_> for Written {
                    type Value = $kind;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expected)
                    }

                    fn visit_str<E: Error>(self, text: &str) -> Result<$kind, E> {
                        text.parse().map_err(E::custom)
                    }

                    fn visit_i64<E: Error>(self, number: i64) -> Result<$kind, E> {
                        self.visit_str(&number.to_string())
                    }

                    fn visit_f64<E: Error>(self, number: f64) -> Result<$kind, E> {
                        self.visit_str(&number.to_string())
                    }
                }
                from.deserialize_any(Written)
            }
        }
    };
}

written_as_flag!(Size, "a size, such as \"64MB\"");
written_as_flag!(Seconds, "seconds, such as 2 or 0.5");

/// Settings that cannot be used, with what to type instead.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadSettings(pub String);

impl Settings {
    /// Reads a file of settings.
    pub fn read(file: &Path) -> Result<Settings, BadSettings> {
        let text = std::fs::read_to_string(file);
        let text =
            text.map_err(|error| BadSettings(format!("--config {}: {error}", file.display())))?;
        toml::from_str(&text).map_err(|error| {
            let names = "the keys are the names of the flags, such as `max-page = \"16MB\"`";
            BadSettings(format!("--config {}: {error}{names}", file.display()))
        })
    }

    /// What identifies a site.
    pub fn sites(&self) -> SiteFrom {
        match self.site_from.unwrap_or_default() {
            HostOrDomain::Host => SiteFrom::Host,
            HostOrDomain::Domain => SiteFrom::Domain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_names_of_the_flags_and_flags_win() {
        let file: Settings = toml::from_str(
            "state = \"a.unframe\"\nlisten = \"127.0.0.1:9000\"\nmax-page = \"2MB\"\nqueue-memory = 5000\n\
             timeout = 2.5\nclient-timeout = \"3\"\nallow-fetch = true\nsite-from = \"domain\"\n\
             allowed-host = [\"a.example\"]",
        )
        .unwrap();
        let flags = Settings {
            max_page: Some("3MB".parse().unwrap()),
            ..Settings::default()
        };
        let both = flags.over(file);
        assert_eq!(both.max_page, Some(Size(3_000_000)));
        assert_eq!(both.queue_memory, Some(Size(5000)));
        assert_eq!(both.timeout, Some(Seconds(Duration::from_millis(2500))));
        assert_eq!(both.client_timeout, Some(Seconds(Duration::from_secs(3))));
        assert_eq!(both.sites(), SiteFrom::Domain);
        assert_eq!(both.allow_fetch, Some(true));
    }

    #[test]
    fn what_is_wrong_in_a_file_is_named() {
        for (file, said) in [
            ("max_page = 1", "unknown field `max_page`"),
            ("max-page = \"many\"", "write a size"),
            ("timeout = 0", "write seconds"),
            ("listen = \"here\"", "listen"),
        ] {
            let error = toml::from_str::<Settings>(file).unwrap_err().to_string();
            assert!(error.contains(said), "{file}: {error}");
        }
        assert!("0".parse::<Size>().is_err() && "5 parsecs".parse::<Size>().is_err());
        assert!("-1".parse::<Seconds>().is_err() && "1e9".parse::<Seconds>().is_err());
    }
}
