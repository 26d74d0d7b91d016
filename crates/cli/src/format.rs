//! What is written of a cleaned page, and the arguments that say so.

use unframe::{ArchivedPage, CleanPage, MarkdownOptions, RawPage, Record, removed_regions};
use unframe_console::exit::UsageError;

/// What is written of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// The text that is left; paragraphs, list items and table cells apart
    Text,
    /// The text with its headings, lists, tables, code, formulas and links
    #[value(alias = "md")]
    Markdown,
    /// The page's own bytes with the frame cut out, or marked with --marked
    Html,
    /// A JSON object with the text, metadata, links, what was removed, and why
    #[value(alias = "json")]
    Jsonl,
    /// One .warc.wet.gz for all pages: their texts as `conversion` records, as crawls publish them
    Wet,
    /// One .warc.gz for all pages: `response` records with the frame cut out of the bodies
    Warc,
}

impl Format {
    /// What the names of files end in.
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

    /// Whether all pages go into one file.
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
    /// What to write of a page [default: text into files and on a terminal, jsonl into a pipe]
    #[arg(short, long, value_enum)]
    format: Option<Format>,

    /// Keep everything, and mark the frame: data-unframe="template" on its elements; for html
    #[arg(long)]
    marked: bool,

    /// Addresses of links in Markdown [default: yes]
    #[arg(long, value_enum, value_name = "yes|no", hide_possible_values = true)]
    md_links: Option<YesNo>,

    /// Images in Markdown [default: no]
    #[arg(long, value_enum, value_name = "yes|no", hide_possible_values = true)]
    md_images: Option<YesNo>,
}

impl FormatArgs {
    /// The format that was asked for.
    pub fn stated(&self) -> Option<Format> {
        self.format
    }

    /// How pages are rendered if no format is stated; refuses flags of other formats.
    pub fn rendering(&self, default: Format) -> Result<Rendering, UsageError> {
        let format = self.format.unwrap_or(default);
        let of_markdown = [
            ("--md-links", self.md_links),
            ("--md-images", self.md_images),
        ];
        for (flag, value) in of_markdown {
            if value.is_some() && format != Format::Markdown {
                let message = format!("{flag} is for Markdown; add --format markdown");
                return Err(UsageError(message));
            }
        }
        if self.marked && format != Format::Html {
            let message = "--marked is for the page's own bytes; add --format html";
            return Err(UsageError(message.into()));
        }
        let mut markdown = MarkdownOptions::default();
        let chosen = |value: Option<YesNo>, default| value.map_or(default, |v| v == YesNo::Yes);
        markdown.links = chosen(self.md_links, markdown.links);
        markdown.images = chosen(self.md_images, markdown.images);
        let marked = self.marked;
        Ok(Rendering {
            format,
            marked,
            markdown,
        })
    }
}

/// How pages are rendered.
#[derive(Clone, Debug)]
pub struct Rendering {
    pub format: Format,
    marked: bool,
    markdown: MarkdownOptions,
}

impl Rendering {
    /// Whether a page comes with the reasons of its labels.
    pub fn shows_reasons(&self) -> bool {
        self.format == Format::Jsonl
    }

    /// Renders a page; any thread.
    pub fn render(&self, clean: &CleanPage<'_>) -> Vec<u8> {
        match self.format {
            Format::Text => unframe::text(clean.page.dom(), clean.labels).into_bytes(),
            Format::Markdown => {
                unframe::markdown(clean.page, clean.labels, &self.markdown).into_bytes()
            }
            Format::Html if self.marked => {
                let labels = clean.labels;
                unframe::marked(clean.page, labels, |region| region.probability(labels))
            }
            Format::Html => unframe::html(clean.page, clean.labels),
            Format::Jsonl => {
                let mut json = serde_json::to_vec(&record(clean)).expect("records are plain data");
                json.push(b'\n');
                json
            }
            Format::Wet | Format::Warc => self.archive_record(clean),
        }
    }

    fn archive_record(&self, clean: &CleanPage<'_>) -> Vec<u8> {
        let (raw, page, labels) = (clean.raw, clean.page, clean.labels);
        let metadata = unframe::metadata(page);
        let url = target(raw);
        let archived = ArchivedPage {
            url: &url,
            date: raw.date.as_deref(),
            refers_to: raw.record_id.as_deref(),
            name: &raw.name,
            language: metadata.language.as_deref(),
        };
        match self.format {
            Format::Wet => unframe::wet_record(archived, &unframe::text(page.dom(), labels)),
            _ => unframe::warc_record(archived, &unframe::html(page, labels), page.charset()),
        }
    }
}

/// Where a page is, for records that must say so.
fn target(raw: &RawPage) -> String {
    unframe::page_url(raw).unwrap_or_else(|| unframe::file_url(&raw.site, raw.name.as_ref()))
}

fn record(clean: &CleanPage<'_>) -> Record {
    let (raw, labels) = (clean.raw, clean.labels);
    Record {
        url: raw.url.clone().unwrap_or_else(|| raw.name.clone()),
        source: raw.name.clone(),
        site: raw.site.clone(),
        title: clean.page.title(),
        metadata: unframe::metadata(clean.page),
        text: unframe::text(clean.page.dom(), labels),
        links: unframe::page_links(clean.page, labels),
        removed: removed_regions(clean.page, labels),
        template_share: labels.template_length() as f64 / labels.length().max(1) as f64,
        flags: clean.flags.to_vec(),
        state_pages: clean.state_pages,
    }
}
