//! The tools.

use std::fmt::Write;

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, ContentBlock, Implementation, ServerCapabilities, ServerConfig};
use rmcp::{ServerHandler, schemars, tool, tool_handler, tool_router};
use serde::Deserialize;
use unframe::labels::Label;
use unframe::render::SkeletonOptions;

use super::parts::part;
use crate::app::App;
use crate::engine::{Asked, RemoveWhat};
use crate::fetching::{Got, judged};
use crate::problem::Problem;

/// Regions that `why` lists.
const MOST_REGIONS: usize = 200;

#[derive(Clone)]
pub struct Tools {
    app: App,
    tool_router: ToolRouter<Tools>,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Fetch {
    /// URL to fetch
    url: String,
    /// Maximum number of characters to return.
    #[serde(default = "usual_length")]
    #[schemars(range(min = 1, max = 999_999))]
    max_length: u32,
    /// On return output starting at this character index, useful if a previous fetch was truncated and more
    /// context is required.
    #[serde(default)]
    start_index: u32,
    /// Get the HTML source of the page, with its frame.
    #[serde(default)]
    raw: bool,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct CleanHtml {
    /// The HTML source of the page.
    html: String,
    /// Its URL, so that what is known of its site is used and links are absolute.
    #[serde(default)]
    url: Option<String>,
    /// Maximum number of characters to return.
    #[serde(default = "usual_length")]
    #[schemars(range(min = 1, max = 999_999))]
    max_length: u32,
    /// On return output starting at this character index.
    #[serde(default)]
    start_index: u32,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct SiteTemplate {
    /// URL of a page of the site.
    url: String,
    /// Maximum number of characters to return.
    #[serde(default = "usual_length")]
    #[schemars(range(min = 1, max = 999_999))]
    max_length: u32,
    /// On return output starting at this character index.
    #[serde(default)]
    start_index: u32,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Why {
    /// URL of the page.
    url: String,
    /// Its HTML source, if it is not to be fetched.
    #[serde(default)]
    html: Option<String>,
    /// Only regions whose text contains this.
    #[serde(default)]
    text: Option<String>,
}

fn usual_length() -> u32 {
    5000
}

#[tool_router]
impl Tools {
    pub fn new(app: App) -> Tools {
        Tools {
            app,
            tool_router: Tools::tool_router(),
        }
    }

    #[tool(
        description = "Fetches a URL from the internet and returns its content as Markdown, without the frame that \
                       the site repeats on every page: no menus, headers, footers, banners and related links. Obeys \
                       robots.txt. Refuses private addresses.",
        annotations(
            title = "Fetch a page without its frame",
            read_only_hint = true,
            open_world_hint = true
        )
    )]
    async fn fetch(&self, Parameters(asked): Parameters<Fetch>) -> CallToolResult {
        let fetched = self.fetch_part(&asked).await;
        answer(fetched.map(|(url, text)| format!("Contents of {url}:\n{text}")))
    }

    #[tool(
        description = "Returns the content of an HTML page as Markdown, without the frame of its site.",
        annotations(
            title = "Clean an HTML page",
            read_only_hint = true,
            open_world_hint = false
        )
    )]
    async fn clean_html(&self, Parameters(asked): Parameters<CleanHtml>) -> CallToolResult {
        let text = async {
            let got = self.given(asked.url, asked.html)?;
            let text = self.made(&got, |page| page.markdown()).await?;
            Ok(part(
                &text,
                asked.start_index as usize,
                asked.max_length as usize,
            ))
        };
        answer(text.await)
    }

    #[tool(
        description = "Returns the frame of a site: the HTML that its pages share, with slots where each page's own \
                       content is. Fetches the page and a few that it links to.",
        annotations(
            title = "Show the frame of a site",
            read_only_hint = true,
            open_world_hint = true
        )
    )]
    async fn site_template(&self, Parameters(asked): Parameters<SiteTemplate>) -> CallToolResult {
        let html = async {
            let got = self
                .app
                .visit(&self.app.engine, &asked.url, asked.start_index > 0)
                .await?;
            let only_repeated = Asked {
                remove: RemoveWhat::Template,
                ..Asked::default()
            };
            let html = judged(&self.app.engine, &got, only_repeated, |page| {
                page.template_with(&SkeletonOptions::default()).into_bytes()
            });
            let html = String::from_utf8_lossy(&html.await?).into_owned();
            Ok(part(
                &html,
                asked.start_index as usize,
                asked.max_length as usize,
            ))
        };
        answer(html.await)
    }

    #[tool(
        description = "Explains which regions of a page are content and which are frame, with probabilities and \
                       reasons.",
        annotations(
            title = "Explain a page",
            read_only_hint = true,
            open_world_hint = true
        )
    )]
    async fn why(&self, Parameters(asked): Parameters<Why>) -> CallToolResult {
        let list = async {
            let got = match asked.html {
                Some(html) => self.given(Some(asked.url), html)?,
                None => self.app.visit(&self.app.engine, &asked.url, false).await?,
            };
            let wanted = asked.text.unwrap_or_default().to_lowercase();
            self.made(&got, move |page| regions(page, &wanted)).await
        };
        answer(list.await)
    }
}

impl Tools {
    async fn fetch_part(&self, asked: &Fetch) -> Result<(String, String), Problem> {
        let got = self
            .app
            .visit(&self.app.engine, &asked.url, asked.start_index > 0)
            .await?;
        let text = match asked.raw {
            true => {
                self.made(&got, |page| page.page().dom().source().to_string())
                    .await?
            }
            false => self.made(&got, titled).await?,
        };
        let text = part(&text, asked.start_index as usize, asked.max_length as usize);
        Ok((got.url, text))
    }

    async fn made(
        &self,
        got: &Got,
        make: impl FnOnce(&unframe::CleanPage) -> String + Send + 'static,
    ) -> Result<String, Problem> {
        let made = judged(&self.app.engine, got, Asked::default(), |page| {
            make(page).into_bytes()
        });
        Ok(String::from_utf8_lossy(&made.await?).into_owned())
    }

    /// A page that the client has.
    fn given(&self, url: Option<String>, html: String) -> Result<Got, Problem> {
        let url = url.unwrap_or_default();
        let most = self.app.options.max_page;
        if html.len() > most {
            return Err(Problem::new(
                "too-large",
                format!("the page has more than {most} bytes"),
            ));
        }
        Ok(Got {
            site: self
                .app
                .engine
                .site_of(&url)
                .unwrap_or_else(|| "page".into()),
            url,
            html: html.into(),
            charset: None,
        })
    }
}

/// The Markdown of a page, below its title if that is not its headline.
fn titled(page: &unframe::CleanPage) -> String {
    let (title, text) = (page.title(), page.markdown());
    match title.is_empty() || text.trim_start().starts_with("# ") {
        true => text,
        false => format!("Title: {title}\n\n{text}"),
    }
}

fn regions(page: &unframe::CleanPage, wanted: &str) -> String {
    let all = page.explained_regions();
    let found = all.iter().filter(|region| {
        let whole = region.whole_text(page.page(), page.explanations());
        whole.to_lowercase().contains(wanted)
    });
    let found: Vec<_> = found.collect();
    let mut out = format!(
        "{} of {} regions, compared with {} pages of the site\n",
        found.len().min(MOST_REGIONS),
        all.len(),
        page.state_pages()
    );
    for region in found.into_iter().take(MOST_REGIONS) {
        let label = match region.why.label {
            Label::Content => "content",
            Label::Template => "frame",
        };
        let sure = region.why.probability;
        let sure = sure.map_or(String::new(), |sure| {
            format!(" ({:.0} % frame)", 100.0 * sure)
        });
        let _ = writeln!(
            out,
            "- {label}{sure} `{}`: {}\n  {}",
            region.css, region.text, region.why.rule
        );
    }
    out
}

/// What goes wrong is an answer, too, so that the model can react to it.
fn answer(made: Result<String, Problem>) -> CallToolResult {
    match made {
        Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
        Err(problem) => CallToolResult::error(vec![ContentBlock::text(problem.to_string())]),
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        let instructions = "Reads web pages without the frame that their sites repeat. `fetch` is the usual way to \
                            read a page; it gets better with each page of a site.";
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("unframe", env!("CARGO_PKG_VERSION")))
            .with_instructions(instructions)
    }
}
