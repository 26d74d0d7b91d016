//! The output formats of a cleaned page, and their arguments.

use unframe::CleanPage;
use unframe::page::file_url;
use unframe::read::RawPage;
use unframe::render::{ArchivedPage, KindRecord, MarkdownOptions, Record, warc_record, wet_record};
use unframe::template::page_url;
use unframe_console::exit::UsageError;

/// The format in which a page is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Plain text; paragraphs, list items and table cells are separated
    Text,
    /// Text with headings, lists, tables, code, formulas and links
    #[value(alias = "md")]
    Markdown,
    /// The page's own bytes with the frame cut out, or marked with --marked
    Html,
    /// A JSON object with text, metadata, links, and what was removed and why
    #[value(alias = "json")]
    Jsonl,
    /// One .warc.wet.gz for all pages: their texts as `conversion` records, as crawls publish them
    Wet,
    /// One .warc.gz for all pages: `response` records with the frame cut out of the bodies
    Warc,
}

impl Format {
    /// The extension of output files.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Text => "txt",
            Format::Markdown => "md",
            Format::Html => "html",
            Format::Jsonl => "json",
            Format::Wet => "warc.wet.gz",
            Format::Warc => "clean.warc.gz",
        }
    }

    /// Whether all pages are written to one file.
    pub fn is_archive(self) -> bool {
        matches!(self, Format::Wet | Format::Warc)
    }

    /// Whether people read it on a terminal, page after page.
    pub fn is_for_reading(self) -> bool {
        matches!(self, Format::Text | Format::Markdown)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum YesNo {
    Yes,
    No,
}

#[derive(clap::Args)]
pub struct FormatArgs {
    /// Output format [default: text for files and on a terminal, jsonl for a pipe]
    #[arg(short, long, value_enum)]
    format: Option<Format>,

    /// Write only the body of articles, without headline, byline, date, standfirst and captions. With
    /// --format jsonl they are still in `parts`
    #[arg(long, conflicts_with_all = ["marked", "dry_run"])]
    body_only: bool,

    /// With --format html: keep everything and mark frame elements with data-unframe="template"
    #[arg(long)]
    marked: bool,

    /// Write the addresses of links in Markdown [default: yes]
    #[arg(long, value_enum, value_name = "yes|no", hide_possible_values = true)]
    md_links: Option<YesNo>,

    /// Write images in Markdown [default: no]
    #[arg(long, value_enum, value_name = "yes|no", hide_possible_values = true)]
    md_images: Option<YesNo>,
}

impl FormatArgs {
    /// The flag that was given and has no effect without output.
    pub fn stated_flag(&self) -> Option<&'static str> {
        match (self.format, self.body_only) {
            (Some(_), _) => Some("--format"),
            (None, true) => Some("--body-only"),
            (None, false) => None,
        }
    }

    /// How pages are rendered; `default` if no format was given. Refuses flags of other formats.
    pub fn rendering(&self, default: Format) -> Result<Rendering, UsageError> {
        let format = self.format.unwrap_or(default);
        let of_markdown = [
            ("--md-links", self.md_links),
            ("--md-images", self.md_images),
        ];
        for (flag, value) in of_markdown {
            if value.is_some() && format != Format::Markdown {
                let message = format!("{flag} works only with Markdown; add --format markdown");
                return Err(UsageError(message));
            }
        }
        if self.marked && format != Format::Html {
            let message = "--marked works only with HTML; add --format html";
            return Err(UsageError(message.into()));
        }
        let mut markdown = MarkdownOptions::default();
        let chosen = |value: Option<YesNo>, default| value.map_or(default, |v| v == YesNo::Yes);
        markdown.links = chosen(self.md_links, markdown.links);
        markdown.images = chosen(self.md_images, markdown.images);
        Ok(Rendering {
            format,
            body_only: self.body_only,
            marked: self.marked,
            markdown,
        })
    }
}

/// How pages are rendered.
#[derive(Clone, Debug)]
pub struct Rendering {
    pub format: Format,
    body_only: bool,
    marked: bool,
    markdown: MarkdownOptions,
}

impl Rendering {
    /// Whether the output contains the reasons for each label.
    pub fn shows_reasons(&self) -> bool {
        self.format == Format::Jsonl
    }

    /// Renders a page; may be called on any thread.
    pub fn render(&self, raw: &RawPage, page: &CleanPage) -> Vec<u8> {
        let body = self.body_only.then(|| page.body());
        let clean = body.as_ref().unwrap_or(page);
        match self.format {
            Format::Text => clean.text().into_bytes(),
            Format::Markdown => clean.markdown_with(&self.markdown).into_bytes(),
            Format::Html if self.marked => clean.marked(),
            Format::Html => clean.html(),
            Format::Jsonl => {
                let mut record = record(raw, page);
                if let Some(body) = body {
                    record.text = body.text();
                }
                let mut json = serde_json::to_vec(&record).expect("records are plain data");
                json.push(b'\n');
                json
            }
            Format::Wet | Format::Warc => self.archive_record(raw, clean),
        }
    }

    fn archive_record(&self, raw: &RawPage, clean: &CleanPage) -> Vec<u8> {
        let metadata = clean.metadata();
        let url = target(raw);
        let archived = ArchivedPage {
            url: &url,
            date: raw.date.as_deref(),
            refers_to: raw.record_id.as_deref(),
            name: &raw.name,
            language: metadata.language.as_deref(),
        };
        match self.format {
            Format::Wet => wet_record(archived, &clean.text()),
            _ => warc_record(archived, &clean.html(), clean.page().charset()),
        }
    }
}

/// The URL of a page, for records that require one.
fn target(raw: &RawPage) -> String {
    page_url(raw).unwrap_or_else(|| file_url(&raw.site, raw.name.as_ref()))
}

fn record(raw: &RawPage, clean: &CleanPage) -> Record {
    Record {
        url: raw.url.clone().unwrap_or_else(|| raw.name.clone()),
        source: raw.name.clone(),
        site: raw.site.clone(),
        title: clean.title(),
        metadata: clean.metadata(),
        kind: clean.kind().map(|(name, probability)| KindRecord {
            name,
            probability: (100.0 * f64::from(probability)).round() / 100.0,
        }),
        text: clean.text(),
        parts: clean.parts(),
        comments: clean.comments(),
        links: clean.links(),
        removed: clean.regions(),
        template_share: clean.removed_share(),
        flags: clean.flags().to_vec(),
        state_pages: clean.state_pages(),
    }
}
