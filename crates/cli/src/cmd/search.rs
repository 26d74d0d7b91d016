//! `unframe search`: look into an index that `unframe clean --index` made.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;
use unframe_console::exit::{Exit, say};
use unframe_report::numbers::count;
use unframe_search::{Found, Index};

/// Look into an index of cleaned pages
///
/// Shows the best pages for a query, best first (BM25 over titles and texts): rank, score, title,
/// URL and the place in the text that matches. The index comes from `unframe clean INPUT --index DIR`.
#[derive(clap::Args)]
#[command(
    after_help = "Queries: any of the words will do; \"…\" is a phrase; +word must be there, -word \
must not (put -- before\nthe query if it begins with -); AND, OR, NOT and brackets; title: and body: \
look for words in\none field, url:, site: and source: for all that is in it.

Examples:
  unframe search idx/ harbour lamps
  unframe search idx/ '\"anchor lamp\" -electric' -n 3
  unframe search idx/ 'title:lamps AND site:shop.example' --json"
)]
pub struct Args {
    /// Folder of the index
    #[arg(value_name = "DIR")]
    index: PathBuf,

    /// What to look for
    #[arg(value_name = "QUERY", required = true)]
    query: Vec<String>,

    /// Pages to show
    #[arg(short = 'n', long = "number", default_value_t = 10, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=10_000))]
    number: u16,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Answer<'a> {
    query: &'a str,
    #[serde(flatten)]
    found: &'a Found,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let index = Index::open(&args.index)?;
    let query = args.query.join(" ");
    let parsed = index.parse(&query)?;
    let found = index.search(&*parsed, usize::from(args.number))?;
    let mut out = std::io::stdout().lock();
    if args.json {
        let answer = Answer {
            query: &query,
            found: &found,
        };
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
        return Ok(Exit::Done);
    }
    for hit in &found.hits {
        let title = match one_line(&hit.title) {
            title if title.is_empty() => "(no title)".into(),
            title => title,
        };
        writeln!(out, "{:>2}. {:.2}  {title}", hit.rank, hit.score)?;
        for line in [&hit.url, &hit.snippet] {
            let line = one_line(line);
            if !line.is_empty() {
                writeln!(out, "    {line}")?;
            }
        }
    }
    let pages = count(index.pages(), "page");
    match found.total {
        0 => say(format_args!(
            "no page matches `{query}` ({pages} in the index)\n"
        )),
        total => {
            let match_ = if total == 1 { "matches" } else { "match" };
            say(format_args!("{total} of {pages} {match_}\n"));
        }
    }
    Ok(Exit::Done)
}

/// A text of a page as one line; nothing in it can command a terminal.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace(char::is_control, "\u{fffd}")
}
