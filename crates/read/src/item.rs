//! What a pass over the inputs yields: pages, and things that are no page with the reason why.

use std::fmt;
use std::path::PathBuf;

/// One element of the stream: a page, or something that is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A page to work on.
    Page(RawPage),
    /// Something that is not, or could not be made, a page.
    Skipped(Skipped),
}

/// One page as its source holds it: decompressed, but still in its own charset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawPage {
    /// What messages call the page: its path, `crawl.warc.gz#4711` (byte offset of the record, or
    /// of the compressed member it is in, then `+` and the offset inside that member),
    /// `pages.jsonl:17`, or `-`.
    pub name: String,
    /// The page's URL, as the source states it.
    pub url: Option<String>,
    /// For a page that is a file of its own: its path relative to the input directory, to the
    /// literal part of the glob, or to the directory all named files have in common.
    pub path: Option<PathBuf>,
    /// The site the page belongs to.
    pub site: String,
    /// The charset the transport stated (HTTP header; always `utf-8` for JSON lines).
    pub charset: Option<String>,
    /// The page, with transfer and content encodings undone.
    pub body: Vec<u8>,
    /// When the page was fetched, as archives write it (`2024-05-01T10:00:00Z`): by its record, else
    /// when the file that it is in was last changed.
    pub date: Option<String>,
    /// The id of the archive record that it was read from (`<urn:uuid:…>`).
    pub record_id: Option<String>,
    /// Whether the body was cut: at the length limit, or because its source ended early.
    pub truncated: bool,
}

/// Something in the inputs that gave no page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// What it is called, in the form of [`RawPage::name`].
    pub name: String,
    /// Why it gave no page.
    pub reason: SkipReason,
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.reason)
    }
}

/// Why something gave no page.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkipReason {
    /// It is not HTML, but this.
    NotHtml(String),
    /// It is an archive's note that a page had not changed since an earlier visit.
    Revisit,
    /// It is an archive record of this type, which never holds a page.
    NotResponse(String),
    /// The server answered with this status, which is not a success.
    Status(u16),
    /// It is a directory link that leads back to this directory above it.
    LinkLoop(PathBuf),
    /// The system would not let us read it; the text is the system's reason.
    Unreadable(String),
    /// It is damaged; the text says how. What could be saved of it came before as a page.
    Broken(String),
}

impl SkipReason {
    /// A stable short key, for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            SkipReason::NotHtml(_) => "not-html",
            SkipReason::Revisit => "revisit",
            SkipReason::NotResponse(_) => "not-response",
            SkipReason::Status(_) => "http-status",
            SkipReason::LinkLoop(_) => "link-loop",
            SkipReason::Unreadable(_) => "unreadable",
            SkipReason::Broken(_) => "broken",
        }
    }

    /// Whether something was lost that may have been a page, so that the run did not fully succeed.
    pub fn is_failure(&self) -> bool {
        matches!(self, SkipReason::Unreadable(_) | SkipReason::Broken(_))
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SkipReason::NotHtml(what) => write!(f, "not HTML but {what}"),
            SkipReason::Revisit => f.write_str("a revisit record, whose page is in another record"),
            SkipReason::NotResponse(kind) => write!(f, "a `{kind}` record, which holds no page"),
            SkipReason::Status(status) => write!(f, "the server answered with status {status}"),
            SkipReason::LinkLoop(above) => {
                write!(f, "a link back to {}, not followed", above.display())
            }
            SkipReason::Unreadable(why) => write!(f, "cannot be read: {why}"),
            SkipReason::Broken(how) => write!(f, "damaged: {how}"),
        }
    }
}
