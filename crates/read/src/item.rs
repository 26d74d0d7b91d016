//! The items of a pass: pages, and other things with the reason why they are not pages.

use std::fmt;
use std::path::{Path, PathBuf};

use bytes::Bytes;

use crate::InputFields;
use crate::printable::printable;

/// One item of the stream: a page, or something else.
// Most items are pages, so a box for each would cost more than it saves.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A page to work on.
    Page(RawPage),
    /// Something that is not a page, or could not be read as one.
    Skipped(Skipped),
}

/// One page as its source holds it: decompressed, but in its original charset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawPage {
    /// The name of the page in messages: its path, `crawl.warc.gz#4711` (byte offset of the record,
    /// or of the compressed member it is in, then `+` and the offset inside that member),
    /// `pages.jsonl:17`, or `-`.
    pub name: String,
    /// The page's URL, as the source states it.
    pub url: Option<String>,
    /// For a page in a separate file: its path relative to the input directory, to the literal part
    /// of the glob, or to the common directory of all named files.
    pub path: Option<PathBuf>,
    /// The site the page belongs to.
    pub site: String,
    /// The charset that the transport stated (HTTP header; always `utf-8` for JSON lines).
    pub charset: Option<String>,
    /// The page, with transfer and content encodings decoded.
    pub body: Bytes,
    /// When the page was fetched, in the format of archives (`2024-05-01T10:00:00Z`): the date of
    /// its record, or else the modification time of its file.
    pub date: Option<String>,
    /// The id of its archive record (`<urn:uuid:…>`).
    pub record_id: Option<String>,
    /// Whether the body is incomplete: cut at the length limit, or because its source ended early.
    pub truncated: bool,
    /// What else the source says about the page.
    pub input: InputFields,
    /// Whether parts of the body were binary data. They are not in it.
    pub undecodable: bool,
    /// Which digest of its archive record does not match the page, for messages.
    pub wrong_digest: Option<&'static str>,
}

/// Something in the inputs that yielded no page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Its name, in the form of [`RawPage::name`].
    pub name: String,
    /// Why it yielded no page.
    pub reason: SkipReason,
}

impl Skipped {
    pub(crate) fn at(path: &Path, reason: SkipReason) -> Skipped {
        let name = path.display().to_string();
        Skipped { name, reason }
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, reason) = (printable(&self.name), self.reason.to_string());
        write!(f, "{name}: {}", printable(&reason))
    }
}

/// Why something yielded no page.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkipReason {
    /// It is not HTML; the text says what it is.
    NotHtml(String),
    /// It has the name or the stated type of a page, but is not text in any charset.
    Binary,
    /// The encoding of a response cannot be undone; the text says which and why.
    Undecodable(String),
    /// It is an archive record that says a page had not changed since an earlier visit.
    Revisit,
    /// It is an archive record of this type, which never holds a page.
    NotResponse(String),
    /// The server answered with this status, which is not a success.
    Status(u16),
    /// It is a link to this path that was found and not named, and links are not followed.
    Link(PathBuf),
    /// It is a link to this path, which does not exist.
    DanglingLink(PathBuf),
    /// It was reached through a link, and is read under another path.
    LinkedTwice,
    /// The patterns of [`PageFilter`](crate::PageFilter) leave it out.
    Excluded,
    /// It is a directory link that leads back to this parent directory.
    LinkLoop(PathBuf),
    /// The system could not read it; the text is the system's error.
    Unreadable(String),
    /// It is damaged; the text says how. Any recovered part was yielded before, as a page.
    Broken(String),
}

impl SkipReason {
    /// A stable short key, for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            SkipReason::NotHtml(_) => "not-html",
            SkipReason::Binary | SkipReason::Undecodable(_) => "undecodable",
            SkipReason::Revisit => "revisit",
            SkipReason::NotResponse(_) => "not-response",
            SkipReason::Status(_) => "http-status",
            SkipReason::Link(_) => "link",
            SkipReason::DanglingLink(_) => "dangling-link",
            SkipReason::LinkedTwice => "linked-twice",
            SkipReason::Excluded => "excluded",
            SkipReason::LinkLoop(_) => "link-loop",
            SkipReason::Unreadable(_) => "unreadable",
            SkipReason::Broken(_) => "broken",
        }
    }

    /// Whether a page may have been lost, so that the run did not fully succeed.
    pub fn is_failure(&self) -> bool {
        use SkipReason::{Broken, Undecodable, Unreadable};
        matches!(self, Unreadable(_) | Broken(_) | Undecodable(_))
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SkipReason::NotHtml(what) => write!(f, "not HTML but {what}"),
            SkipReason::Binary => f.write_str("binary data, which is not text in any charset"),
            SkipReason::Undecodable(why) => write!(f, "cannot be decoded to text: {why}"),
            SkipReason::Revisit => f.write_str("a revisit record, whose page is in another record"),
            SkipReason::NotResponse(kind) => write!(f, "a `{kind}` record, which holds no page"),
            SkipReason::Status(status) => write!(f, "the server answered with status {status}"),
            SkipReason::Link(target) => write!(
                f,
                "a link to {}, not followed; --follow-links follows it",
                target.display()
            ),
            SkipReason::DanglingLink(target) => {
                write!(f, "a link to {}, which does not exist", target.display())
            }
            SkipReason::LinkedTwice => f.write_str("reached by a link, and read elsewhere"),
            SkipReason::Excluded => f.write_str("left out by --include or --exclude"),
            SkipReason::LinkLoop(above) => {
                write!(f, "a link back to {}, not followed", above.display())
            }
            SkipReason::Unreadable(why) => write!(f, "cannot be read: {why}"),
            SkipReason::Broken(how) => write!(f, "damaged: {how}"),
        }
    }
}
