//! Runs the service until it is told to stop.

use std::future::Future;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tracing_subscriber::EnvFilter;

use crate::app::{App, AppError};
use crate::http::{Limits, serve};
use crate::mcp;
use crate::options::Options;
use crate::settings::LogFormat;

/// Why the service ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// It could not start.
    #[error(transparent)]
    App(#[from] AppError),
    /// The address cannot be listened on.
    #[error(
        "cannot listen on {address}: {error}; choose another address with `--listen ADDRESS:PORT`"
    )]
    Listen {
        /// The address.
        address: std::net::SocketAddr,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The runtime or its signals could not be set up.
    #[error("cannot start: {0}")]
    System(std::io::Error),
    /// The client of standard input and output is gone.
    #[error("the client on standard input: {0}")]
    Client(String),
}

/// The time for requests in work when the service is stopped.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);
/// Files that the service opens beside its connections.
const OWN_FILES: u64 = 128;

/// Serves HTTP until Ctrl-C or a signal to end. `started` is told the address.
pub fn run(
    mut options: Options,
    started: impl FnOnce(std::net::SocketAddr),
) -> Result<(), RunError> {
    log(options.log);
    // Each connection is an open file.
    let wanted = options.max_connections as u64 + OWN_FILES;
    let allowed = rlimit::increase_nofile_limit(wanted).unwrap_or(1024);
    let room = allowed.saturating_sub(OWN_FILES).max(16);
    options.max_connections = options
        .max_connections
        .min(usize::try_from(room).unwrap_or(usize::MAX));
    let address = options.listen;
    let limits = Limits {
        connections: options.max_connections,
        client_timeout: options.client_timeout,
        stop_timeout: STOP_TIMEOUT,
    };
    let runtime = Runtime::new().map_err(RunError::System)?;
    let served = runtime.block_on(async {
        // Before the state is opened: an address that is taken must not touch it.
        let listener = TcpListener::bind(address).await;
        let listener = listener.map_err(|error| RunError::Listen { address, error })?;
        let stop = stop_signal().map_err(RunError::System)?;
        let app = App::start(options)?;
        let bound = listener.local_addr().map_err(RunError::System)?;
        started(bound);
        tracing::info!(address = %bound, connections = limits.connections, "listening");
        serve(listener, app.router(), limits, stop).await;
        Ok::<_, RunError>(app)
    });
    let app = served?;
    app.stop();
    runtime.shutdown_timeout(Duration::from_secs(1));
    tracing::info!("stopped");
    Ok(())
}

/// Serves one client of tools on standard input and output, until it is gone.
pub fn run_stdio(options: Options) -> Result<(), RunError> {
    log(options.log);
    let runtime = Runtime::new().map_err(RunError::System)?;
    let served = runtime.block_on(async {
        let app = App::start(options)?;
        let stop = stop_signal().map_err(RunError::System)?;
        tokio::select! {
            served = mcp::serve_stdio(app.clone()) => served.map_err(RunError::Client)?,
            () = stop => {}
        }
        Ok::<_, RunError>(app)
    });
    let app = served?;
    app.stop();
    // A thread may wait for a line that never comes.
    runtime.shutdown_background();
    Ok(())
}

/// Ready when the service is to end.
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// Libraries that would log messages with pages in them, or the addresses that are fetched.
const TALKATIVE: [&str; 4] = ["rmcp", "ureq", "ureq_proto", "rustls"];

/// What is logged: what `wanted` says, and of some libraries warnings only.
fn filter(wanted: Option<&str>) -> EnvFilter {
    let wanted = wanted.and_then(|wanted| EnvFilter::try_new(wanted).ok());
    let filter = wanted.unwrap_or_else(|| EnvFilter::new("info"));
    TALKATIVE.iter().fold(filter, |filter, name| {
        let warnings = format!("{name}=warn").parse();
        filter.add_directive(warnings.expect("a name and a level"))
    })
}

/// Log lines on standard error. `UNFRAME_LOG` chooses what is logged, as in `warn` or `unframe_server=debug`.
fn log(format: LogFormat) {
    let wanted = std::env::var("UNFRAME_LOG").ok();
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter(wanted.as_deref()))
        .with_writer(std::io::stderr);
    // Whoever embeds the service may log already.
    let begun = match format {
        LogFormat::Json => lines.json().try_init(),
        LogFormat::Text => lines.with_ansi(false).try_init(),
    };
    if begun.is_ok() {
        // The message of a panic may have text of a page.
        std::panic::set_hook(Box::new(|panic| {
            let place = panic.location().map(ToString::to_string);
            tracing::error!(place, "a thread panicked");
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_with_pages_in_their_messages_only_warn() {
        for wanted in [
            None,
            Some("debug"),
            Some("trace,rmcp=trace"),
            Some("= bad ="),
        ] {
            let filter = filter(wanted).to_string();
            assert!(filter.contains("rmcp=warn"), "{filter}");
            assert!(!filter.contains("rmcp=trace"), "{filter}");
        }
        assert!(filter(Some("debug")).to_string().contains("debug"));
        assert!(filter(Some("= bad =")).to_string().contains("info"));
    }
}
