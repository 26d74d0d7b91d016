//! Detects the kind of a file from its first bytes, and then from its name.
//!
//! Input: up to [`HEAD`] decompressed bytes, the path if there is one, and how the file became an
//! input. Output: the [`Kind`] of reader for it. The bytes take precedence over the name, because
//! crawls are full of `.php` files that are images and of archives without an extension. There are
//! two exceptions. A file that the user named is read as HTML unless it is plainly something else.
//! A file found in a folder whose name is that of a page is never read as an archive, because its
//! site is decided before it is read.

use std::path::Path;

use crate::text::is_binary;

/// How many bytes are inspected.
pub(crate) const HEAD: usize = 1024;

/// What a file is to be read as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    Warc,
    Arc,
    Wacz,
    JsonLines,
    Html,
    /// None of these; the text says what it is.
    Other(String),
}

/// The description of an archive that has the name of a page.
const DISGUISED: &str =
    "an archive with the file name of a page; pass its path as an input to read it";

/// How a file became an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It was named on the command line.
    Named,
    /// It was found in a directory.
    Found,
    /// It is standard input or a pipe, so its name tells nothing.
    Stream,
}

/// The kind of the file that begins with `head`. `packed` says that `head` was decompressed.
pub(crate) fn kind(head: &[u8], packed: bool, path: &Path, origin: Origin) -> Kind {
    let name = match origin {
        Origin::Stream => String::new(),
        _ => inner_name(path),
    };
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let magic = match head {
        _ if head.starts_with(b"WARC/") => Some(Kind::Warc),
        _ if head.starts_with(b"filedesc:") => Some(Kind::Arc),
        _ => None,
    };
    if let Some(archive) = magic {
        // It was counted as a page of its folder's site, but may hold pages of other sites.
        return match origin == Origin::Found && is_named_as_page(path) {
            true => Kind::Other(DISGUISED.into()),
            false => archive,
        };
    }
    let zip = !packed && (head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06"));
    if extension == "wacz" || (zip && origin != Origin::Found) {
        return Kind::Wacz;
    }
    match extension {
        "warc" => return Kind::Warc,
        "arc" => return Kind::Arc,
        "jsonl" | "ndjson" => return Kind::JsonLines,
        _ => {}
    }
    if origin == Origin::Stream && head.trim_ascii_start().starts_with(b"{") {
        return Kind::JsonLines;
    }
    let believed = origin != Origin::Found || HTML_EXTENSIONS.contains(&extension);
    if (believed && signature(head).is_none()) || looks_like_html(head) {
        return Kind::Html;
    }
    Kind::Other(describe(head, extension))
}

const HTML_EXTENSIONS: [&str; 10] = [
    "html", "htm", "xhtml", "xht", "shtml", "php", "asp", "aspx", "jsp", "cfm",
];

/// Extensions of the files of a site that are not pages.
const OTHER_EXTENSIONS: [&str; 24] = [
    "css", "js", "mjs", "map", "xml", "txt", "md", "png", "jpg", "jpeg", "gif", "svg", "webp",
    "avif", "ico", "bmp", "woff", "woff2", "ttf", "eot", "pdf", "mp3", "mp4", "webm",
];

/// Whether the name is that of a page or of another part of a site, and so not of an archive.
pub(crate) fn is_named_as_page(path: &Path) -> bool {
    let name = inner_name(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    HTML_EXTENSIONS.contains(&extension) || OTHER_EXTENSIONS.contains(&extension)
}

/// The file name in lower case, without the extension of a compression format.
fn inner_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_ascii_lowercase();
    let inner = name.strip_suffix(".gz").or(name.strip_suffix(".zst"));
    inner.map(str::to_owned).unwrap_or(name)
}

/// Whether these bytes are the start of an HTML document: after a byte order mark, white space, an
/// XML declaration and comments comes a doctype, `<html`, `<head` or `<body`.
pub fn looks_like_html(head: &[u8]) -> bool {
    let head = &head[..head.len().min(HEAD)];
    // Without NULs, UTF-16 is readable enough to find ASCII tags.
    let text: Vec<u8> = head.iter().copied().filter(|&byte| byte != 0).collect();
    let mut rest: &[u8] = &text;
    for mark in [&b"\xef\xbb\xbf"[..], b"\xff\xfe", b"\xfe\xff"] {
        rest = rest.strip_prefix(mark).unwrap_or(rest);
    }
    loop {
        rest = rest.trim_ascii_start();
        let end: &[u8] = if rest.starts_with(b"<?") {
            b">"
        } else if rest.starts_with(b"<!--") {
            b"-->"
        } else {
            break;
        };
        match memchr::memmem::find(rest, end) {
            Some(at) => rest = &rest[at + end.len()..],
            None => return false,
        }
    }
    let starts = [&b"<!doctype html"[..], b"<html", b"<head", b"<body"];
    starts.iter().any(|start| {
        let Some(same) = rest.get(..start.len()) else {
            return false;
        };
        // `<header` is not `<head`.
        let after = rest.get(start.len()).copied().unwrap_or(b'>');
        same.eq_ignore_ascii_case(start) && !after.is_ascii_alphanumeric()
    })
}

/// First bytes of binary formats, with their description.
const MAGIC: [(&[u8], &str); 12] = [
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a RIFF file (WebP, WAV or AVI)"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a zip file"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"\x00\x01\x00\x00", "a font"),
    (b"\x00\x00\x01\x00", "an icon"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3", "a database"),
];

/// What a known binary format is, by its first bytes.
pub(crate) fn signature(head: &[u8]) -> Option<&'static str> {
    let known = MAGIC.iter().find(|(start, _)| head.starts_with(start));
    known.map(|(_, what)| *what)
}

/// Describes a file that is not HTML, for messages.
fn describe(head: &[u8], extension: &str) -> String {
    if let Some(what) = signature(head) {
        return what.to_owned();
    }
    if head.is_empty() {
        return "an empty file".to_owned();
    }
    match extension {
        "" if is_binary(head) => "binary data".to_owned(),
        "" => "other text".to_owned(),
        extension => format!("a .{extension} file"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Origin::{Found, Named, Stream};

    #[test]
    fn bytes_and_names_tell_the_kind() {
        let other = |what: &str| Kind::Other(what.to_owned());
        let rows: [(&[u8], &str, Origin, Kind); 25] = [
            (b"WARC/1.0\r\n", "x", Found, Kind::Warc),
            (b"", "x.warc.gz", Found, Kind::Warc),
            (b"filedesc://x", "x.dat", Found, Kind::Arc),
            (b"filedesc://x", "x.html", Named, Kind::Arc),
            (b"filedesc://x", "x.html", Found, other(DISGUISED)),
            (b"PK\x03\x04", "x.wacz", Found, Kind::Wacz),
            (b"PK\x03\x04", "x.zip", Named, Kind::Wacz),
            (b"PK\x03\x04", "x.zip", Found, other("a zip file")),
            (b"{}", "x.JSONL.GZ", Found, Kind::JsonLines),
            (b"nonsense", "x.ndjson", Found, Kind::JsonLines),
            (b" \n{\"url\"", "-", Stream, Kind::JsonLines),
            (b"{\"a\": 1}", "x.json", Found, other("a .json file")),
            (b"", "x.html", Found, Kind::Html),
            (b"", "x", Found, other("an empty file")),
            (b"hello", "x.php", Found, Kind::Html),
            (b"hello", "x", Found, other("other text")),
            (b"hello", "x", Named, Kind::Html),
            (b"hello", "x.txt", Stream, Kind::Html),
            (b"<!DOCTYPE HTML PUBLIC", "page", Found, Kind::Html),
            (b"\xef\xbb\xbf \n<HTML lang=x>", "a.b", Found, Kind::Html),
            (
                b"<?xml version='1.0'?><!-- c --><html",
                "x",
                Found,
                Kind::Html,
            ),
            (
                b"<?xml version='1.0'?><svg>",
                "x.svg",
                Found,
                other("a .svg file"),
            ),
            (b"<header>", "x", Found, other("other text")),
            (b"\x89PNG\r\n", "x.html", Found, other("a PNG image")),
            (b"\x89PNG\r\n", "x.png", Named, other("a PNG image")),
        ];
        for (head, path, origin, expected) in rows {
            let found = kind(head, false, Path::new(path), origin);
            assert_eq!(found, expected, "{path} {origin:?}");
        }
    }

    #[test]
    fn utf16_html_is_recognised() {
        let page: Vec<u8> = "\u{feff}<!doctype html>"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert!(looks_like_html(&page));
    }
}
