//! The output formats of a cleaned page, and their arguments.

use unframe::CleanPage;
use unframe::page::file_url;
use unframe::read::RawPage;
use unframe::render::{ArchivedPage, Field, MarkdownOptions, warc_record, wet_record};
use unframe::template::page_url;
use unframe_console::exit::UsageError;

use unframe::record::Fields;

/// The format in which a page is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Plain text; paragraphs, list items and table cells are separated
    Text,
    /// Text with headings, lists, tables, code, formulas and links
    #[value(alias = "md")]
    Markdown,
    /// The page's own bytes with the frame cut out, or marked with --marked. They contain the page's
    /// own scripts, which run in a browser
    Html,
    /// A JSON object with text, metadata, links, and what was removed and why
    #[value(alias = "json")]
    Jsonl,
    /// One .warc.wet.gz for all pages: their texts as `conversion` records, as crawls publish them
    Wet,
    /// One .warc.gz for all pages: `response` records with the frame cut out of the bodies
    Warc,
    /// One .parquet for all pages: the JSON objects as rows of a table
    Parquet,
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
            Format::Parquet => "parquet",
        }
    }

    /// Its name in `--format`.
    pub fn name(self) -> String {
        let value = clap::ValueEnum::to_possible_value(&self);
        value.map_or_else(String::new, |value| value.get_name().to_string())
    }

    /// Whether all pages are always written to one file.
    pub fn is_one_file(self) -> bool {
        matches!(self, Format::Wet | Format::Warc | Format::Parquet)
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
    /// Output format [default: by the name of the file of -o; text for a folder and on a terminal, jsonl
    /// for a pipe]
    #[arg(short, long, value_enum)]
    format: Option<Format>,

    /// Write only the body of articles, without headline, byline, date, standfirst and captions
    ///
    /// With --format jsonl they are still in `parts`.
    #[arg(long, conflicts_with_all = ["marked", "dry_run"])]
    body_only: bool,

    /// With --format html: keep everything, also the page's own scripts, and mark frame elements with
    /// data-unframe="template"
    #[arg(long)]
    marked: bool,

    /// Fields of JSON records, in this order, as in `url,title,text`; or fields to add to the default,
    /// as in `+markdown`
    ///
    /// All fields are listed below. Fields without a value are left out of a record.
    #[arg(long, value_name = "LIST")]
    fields: Option<String>,

    /// With --format jsonl: after all pages, write a record of the frame of each site
    ///
    /// It has the texts and links that were removed from two of its pages or more: {"record": "frame",
    /// "site": …, "pages": …, "complete": true, "texts": [{"text": …, "pages": …}, …], "links": […]}.
    /// Records of pages get `"record": "page"`.
    #[arg(long, conflicts_with_all = ["resume", "dry_run"])]
    frame_records: bool,

    /// Begin each Markdown text with YAML front matter: title, URL, date, author, …
    ///
    /// The fields are title, url (or source), date, modified, author, description, language, site, kind,
    /// content_hash and flags, as far as they are known.
    #[arg(long)]
    front_matter: bool,

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
        let flags = [
            ("--format", self.format.is_some()),
            ("--body-only", self.body_only),
            ("--fields", self.fields.is_some()),
            ("--front-matter", self.front_matter),
            ("--frame-records", self.frame_records),
        ];
        let given = flags.iter().find(|(_, given)| *given);
        given.map(|(flag, _)| *flag)
    }

    /// `--format`.
    pub fn stated(&self) -> Option<Format> {
        self.format
    }

    /// How pages are rendered in a format. Refuses flags of other formats.
    pub fn rendering(&self, format: Format) -> Result<Rendering, UsageError> {
        let of_markdown = [
            ("--md-links", self.md_links),
            ("--md-images", self.md_images),
        ];
        let mut fields = self.chosen_fields(format)?;
        if self.frame_records {
            if format != Format::Jsonl {
                let message = "--frame-records works only with JSON lines; add --format jsonl";
                return Err(UsageError(message.into()));
            }
            fields = fields.with_first(Field::Record);
        }
        let has_markdown = format == Format::Markdown || fields.has(Field::Markdown);
        for (flag, value) in of_markdown {
            if value.is_some() && !has_markdown {
                let message = format!(
                    "{flag} works only with Markdown; add --format markdown, or --fields +markdown \
                     with JSON lines"
                );
                return Err(UsageError(message));
            }
        }
        if self.front_matter && format != Format::Markdown {
            let message = "--front-matter works only with Markdown; add --format markdown";
            return Err(UsageError(message.into()));
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
            fields,
            front_matter: self.front_matter,
            frame_records: self.frame_records,
            markdown,
        })
    }

    /// The fields of records. Refuses a list with a format that has no fields.
    fn chosen_fields(&self, format: Format) -> Result<Fields, UsageError> {
        let Some(list) = &self.fields else {
            return Ok(Fields::default());
        };
        if !matches!(format, Format::Jsonl | Format::Parquet) {
            let message =
                "--fields works only with JSON lines and Parquet; add --format jsonl or parquet";
            return Err(UsageError(message.into()));
        }
        list.parse()
            .map_err(|error| UsageError(format!("--fields {list}: {error}")))
    }
}

/// How pages are rendered.
#[derive(Clone, Debug)]
pub struct Rendering {
    pub format: Format,
    body_only: bool,
    marked: bool,
    fields: Fields,
    front_matter: bool,
    /// Whether the frame of each site is written, too.
    pub frame_records: bool,
    markdown: MarkdownOptions,
}

impl Rendering {
    /// Whether the output contains the reasons for each label.
    pub fn shows_reasons(&self) -> bool {
        matches!(self.format, Format::Jsonl | Format::Parquet) && self.fields.has(Field::Removed)
    }

    /// The fields of records.
    pub fn fields(&self) -> &Fields {
        &self.fields
    }

    /// Renders a page; may be called on any thread.
    pub fn render(&self, raw: &RawPage, page: &CleanPage) -> Vec<u8> {
        let body = self.body_only.then(|| page.body());
        let clean = body.as_ref().unwrap_or(page);
        match self.format {
            Format::Text => clean.text().into_bytes(),
            Format::Markdown => {
                let mut text = match self.front_matter {
                    true => page.front_matter(raw.into()),
                    false => String::new(),
                };
                text.push_str(&clean.markdown_with(&self.markdown));
                text.into_bytes()
            }
            Format::Html if self.marked => clean.marked(),
            Format::Html => clean.html(),
            Format::Jsonl | Format::Parquet => {
                let record = self
                    .fields
                    .record(raw.into(), page, body.as_ref(), &self.markdown);
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
pub fn target(raw: &RawPage) -> String {
    page_url(raw).unwrap_or_else(|| file_url(&raw.site, raw.name.as_ref()))
}
