//! `unframe mcp`: tools for language-model agents.

use std::path::PathBuf;

use unframe_console::exit::Exit;
use unframe_server::settings::Settings;

use super::serve;

/// Serve tools for language-model agents on standard input and output
///
/// The Model Context Protocol. The tool `fetch` takes the arguments of the reference server for fetching, and
/// returns pages as Markdown without the frame of their site. It learns from every page, and on the first visit
/// of a site from a few pages that the menu links to. The other tools are clean_html, site_template and why.
///
/// Pages are fetched politely: robots.txt is obeyed, and private addresses are refused, unless --allow-private
/// is given. `unframe serve` has the same tools at /mcp.
#[derive(clap::Args)]
#[command(after_help = "In the settings of a client:
  {\"mcpServers\": {\"fetch\": {\"command\": \"unframe\", \"args\": [\"mcp\", \"--state\", \"/home/me/web.unframe\"]}}}

Examples:
  unframe mcp                                      what is learned is lost when the client ends
  unframe mcp --state web.unframe --contact me@a.example")]
pub struct Args {
    /// Read settings from this file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    #[command(flatten)]
    settings: Settings,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    // Fetching is what the tools are for.
    let usual = Settings {
        allow_fetch: Some(true),
        ..Settings::default()
    };
    let given = serve::Args {
        config: args.config,
        settings: args.settings,
    };
    let options = serve::options_over(given, usual)?;
    serve::finish(unframe_server::run_stdio(options))
}
