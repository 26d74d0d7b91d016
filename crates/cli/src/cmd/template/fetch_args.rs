//! How live pages are fetched, as flags.

use std::path::PathBuf;
use std::time::Duration;

use unframe::fetch::FetchOptions;

/// How live pages are fetched
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Live pages")]
pub struct FetchArgs {
    /// Your contact, sent with each request: an e-mail address or a URL
    #[arg(long, value_name = "ADDRESS")]
    contact: Option<String>,

    /// Pause between requests, in seconds; longer if the site asks for it [default: 1]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    delay: Option<Duration>,

    /// Give up on a page after this many seconds [default: 30]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,

    /// Largest page, also after decompression [default: 16777216]
    #[arg(long, value_name = "BYTES")]
    max_bytes: Option<usize>,

    /// Cache pages in this folder, so that the next run fetches only what has changed [default:
    /// none]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,

    /// Allow hosts that are not on the public internet: this machine, the local network
    #[arg(long)]
    allow_private: bool,
}

impl FetchArgs {
    /// The first of the flags that was given.
    pub fn given(&self) -> Option<&'static str> {
        let flags = [
            (self.contact.is_some(), "--contact"),
            (self.delay.is_some(), "--delay"),
            (self.timeout.is_some(), "--timeout"),
            (self.max_bytes.is_some(), "--max-bytes"),
            (self.cache.is_some(), "--cache"),
            (self.allow_private, "--allow-private"),
        ];
        let given = flags.into_iter().find(|(given, _)| *given);
        given.map(|(_, name)| name)
    }

    /// The fetch options, with a limit on the number of pages.
    pub fn options(&self, max_loads: usize) -> FetchOptions {
        let usual = FetchOptions::default();
        FetchOptions {
            contact: self.contact.clone(),
            delay: self.delay.unwrap_or(usual.delay),
            timeout: self.timeout.unwrap_or(usual.timeout),
            max_bytes: self.max_bytes.unwrap_or(usual.max_bytes),
            max_loads,
            allow_private: self.allow_private,
            cache: self.cache.clone(),
            ..usual
        }
    }
}

/// Longer times are probably a mistake, such as milliseconds.
const LONGEST: f64 = 3600.0;

fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=LONGEST).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err(format!(
            "write seconds, from 0 to {LONGEST}, such as 2 or 0.5"
        )),
    }
}
