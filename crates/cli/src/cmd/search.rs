//! `unframe search`: queries an index written by `unframe clean --index`.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;
use unframe_console::exit::{Exit, say};
use unframe_console::terminal;
use unframe_report::numbers::count;
use unframe_search::{Found, Index};

/// Search an index of cleaned pages
///
/// Prints the best pages for a query (BM25 over titles and texts): rank, score, title, URL and the
/// passage that matches. Build the index with `unframe clean INPUT --index DIR`.
#[derive(clap::Args)]
#[command(
    after_help = "Queries: any of the words matches; \"…\" is a phrase; +word is required, -word is excluded
(put -- before a query that begins with -); AND, OR, NOT and parentheses; title: and body: search
one field; url:, site: and source: match the whole value.

Examples:
  unframe search idx/ harbour lamps
  unframe search idx/ '\"anchor lamp\" -electric' -n 3
  unframe search idx/ 'title:lamps AND site:shop.example' --json"
)]
pub struct Args {
    /// Folder of the index
    #[arg(value_name = "DIR")]
    index: PathBuf,

    /// Query
    #[arg(value_name = "QUERY", required = true)]
    query: Vec<String>,

    /// Number of pages to show
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
    let mut out = match args.json {
        true => terminal::data(),
        false => terminal::people(),
    };
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

/// A text of a page as one line.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}
