//! Fetches pages and prints the result: `cargo run -p unframe-fetch --example get URL…`
//!
//! With `UNFRAME_ALLOW_PRIVATE=1` it also contacts hosts on the local network.

use std::process::ExitCode;

use unframe_fetch::{FetchOptions, Fetcher};

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let fetcher = Fetcher::new(FetchOptions {
        allow_private: std::env::var_os("UNFRAME_ALLOW_PRIVATE").is_some(),
        ..FetchOptions::default()
    })?;
    let mut code = ExitCode::SUCCESS;
    for url in std::env::args().skip(1) {
        match fetcher.get_from_any_host(&url.parse()?) {
            Ok(page) => println!("{}: {} bytes", page.url, page.bytes.len()),
            Err(error) => {
                eprintln!("{error}");
                code = ExitCode::from(2);
            }
        }
    }
    Ok(code)
}
