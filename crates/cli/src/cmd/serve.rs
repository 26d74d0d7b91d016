//! `unframe serve`: the HTTP service and the lens.

use std::path::PathBuf;

use unframe_console::exit::{Exit, UsageError, say};
use unframe_server::app::AppError;
use unframe_server::engine::StartError;
use unframe_server::settings::Settings;
use unframe_server::{Options, RunError};

/// Serve pages over HTTP: clean them as they come, and show the frame in a browser
///
/// Crawlers post pages and get them back clean, while their sites are learned. A page that was acknowledged is
/// durable, and one that is posted twice counts once. In a browser the same address shows the lens: pages with
/// their frame tinted, templates, clusters and redesigns. Language-model agents find tools at /mcp.
///
/// /docs describes the interface, and docs/serve.md the service.
#[derive(clap::Args)]
#[command(
    after_help = "Settings can also be in a file with the names of the flags, and flags win:
  state = \"news.unframe\"
  listen = \"127.0.0.1:8080\"
  max-page = \"16MB\"

Log lines are on standard error; UNFRAME_LOG=warn shows less, UNFRAME_LOG=debug more.

Examples:
  unframe serve                                    on this machine, in main memory
  unframe serve --state news.unframe               what is learned is kept
  unframe serve --state news.unframe --listen 0.0.0.0:8080 --token-file token
  unframe serve --config unframe.toml --log json
  curl localhost:8080/v1/clean?url=https://a.example/1 -H 'Content-Type: text/html' --data-binary @1.html
  curl localhost:8080/v1/clean/batch -H 'Content-Type: application/x-ndjson' -T pages.jsonl -X POST"
)]
pub struct Args {
    /// Read settings from this file
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    #[command(flatten)]
    pub settings: Settings,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let options = options(args)?;
    let state = options.engine.state.clone();
    let served = unframe_server::run(options, |address| {
        let kept = match &state {
            Some(state) => format!("; what is learned is kept in {}", state.display()),
            None => "; what is learned is lost when it ends, without --state FILE".into(),
        };
        say(format_args!(
            "the lens: http://{address}/, the interface: http://{address}/docs{kept}\n"
        ));
    });
    finish(served)
}

/// All settings: those of the flags, then those of the file, then the defaults.
pub fn options(args: Args) -> anyhow::Result<Options> {
    options_over(args, Settings::default())
}

/// The same with other defaults.
pub fn options_over(args: Args, usual: Settings) -> anyhow::Result<Options> {
    let usage = |error: unframe_server::settings::BadSettings| UsageError(error.to_string());
    let settings = match &args.config {
        Some(file) => args.settings.over(Settings::read(file).map_err(usage)?),
        None => args.settings,
    };
    Ok(Options::try_from(settings.over(usual)).map_err(usage)?)
}

/// Errors of starting are mostly errors of arguments.
pub fn finish(served: Result<(), RunError>) -> anyhow::Result<Exit> {
    match served {
        Ok(()) => Ok(Exit::Done),
        // States have errors of both kinds.
        Err(RunError::App(AppError::Engine(StartError::State(error)))) => Err(error.into()),
        Err(error @ (RunError::Listen { .. } | RunError::App(_))) => {
            Err(UsageError(error.to_string()).into())
        }
        Err(error) => Err(error.into()),
    }
}
