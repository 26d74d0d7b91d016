//! Canonical URLs, and the links of a page.

use std::fmt;
use std::path::{Component, Path};

use unframe_dom::{Dom, NodeId, Tag};
use url::Url;

/// A URL in the form in which two URLs of one page are equal: lower-case host, no default port,
/// no fragment, no `.` and `..`, uniform percent escapes, `http` the same as `https`. The query and a leading
/// `www.` are kept.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CanonicalUrl {
    host: String,
    path: String,
    query: Option<String>,
}

impl CanonicalUrl {
    /// Parses an absolute `http` or `https` URL; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        Url::parse(text.trim()).ok().as_ref().and_then(Self::of)
    }

    fn of(url: &Url) -> Option<Self> {
        if !matches!(url.scheme(), "http" | "https") {
            return None;
        }
        let mut host = url.host_str()?.to_string();
        if let Some(port) = url.port().filter(|port| !matches!(port, 80 | 443)) {
            host = format!("{host}:{port}");
        }
        Some(CanonicalUrl {
            host,
            path: escape_uniformly(url.path()),
            query: url
                .query()
                .filter(|query| !query.is_empty())
                .map(escape_uniformly),
        })
    }

    /// Host, with the port if it is not the usual one.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Path from the first slash on.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Query without the question mark.
    pub fn query(&self) -> Option<&str> {
        self.query.as_deref()
    }

    /// The host and the directories of the path. The last word is a resource, and dropped, if no
    /// slash follows and it has a dot in it.
    pub fn directories(&self) -> Vec<&str> {
        let mut words = vec![self.host.as_str()];
        words.extend(self.path.split('/').filter(|word| !word.is_empty()));
        let resource = !self.path.ends_with('/') && words.last().is_some_and(|w| w.contains('.'));
        if resource && words.len() > 1 {
            words.pop();
        }
        words
    }
}

impl fmt::Display for CanonicalUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.host, self.path)?;
        match &self.query {
            Some(query) => write!(f, "?{query}"),
            None => Ok(()),
        }
    }
}

/// Decodes unnecessary percent escapes and writes the others in upper case.
fn escape_uniformly(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%' && at + 2 < bytes.len())
            .then(|| text.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match escaped {
            Some(b) if b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~') => {
                out.push(b as char);
                at += 3;
            }
            Some(b) => {
                out.push_str(&format!("%{b:02X}"));
                at += 3;
            }
            // The URL parser has left nothing but ASCII.
            None => {
                out.push(bytes[at] as char);
                at += 1;
            }
        }
    }
    out
}

/// A URL for a file in the folder of a site, so that its links to other files can be resolved. The host is the
/// name of the site under `.invalid`, which no real host uses.
pub fn file_url(site: &str, path: &Path) -> String {
    let name: String = site
        .chars()
        .map(
            |c| match c.is_ascii_alphanumeric() || matches!(c, '-' | '.') {
                true => c.to_ascii_lowercase(),
                false => '-',
            },
        )
        .collect();
    let name = match name.trim_matches(['.', '-']) {
        "" => "folder",
        name => name,
    };
    let host = format!("http://{name}.invalid/");
    let Ok(mut url) = Url::parse(&host) else {
        return host;
    };
    if let Ok(mut words) = url.path_segments_mut() {
        words.clear();
        words.extend(path.components().filter_map(|part| match part {
            Component::Normal(word) => Some(word.to_string_lossy()),
            _ => None,
        }));
    }
    url.into()
}

/// A link of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The `a` or `area` element.
    pub node: NodeId,
    /// Its target.
    pub target: CanonicalUrl,
}

/// The links of a page to other pages, in document order. Links within the page, and those to no page
/// (`mailto:`, `javascript:`, `data:`), are left out.
pub fn links(dom: &Dom, page_url: &str) -> Vec<Link> {
    let Ok(page) = Url::parse(page_url.trim()) else {
        return Vec::new();
    };
    let base = dom
        .find(Tag::BASE)
        .and_then(|base| dom.attribute(base, "href"))
        .and_then(|href| page.join(href.trim()).ok())
        .unwrap_or_else(|| page.clone());
    let own = CanonicalUrl::of(&page);
    let mut found = Vec::new();
    for (id, node) in dom.nodes().iter().enumerate() {
        if !matches!(node.tag, Tag::A | Tag::AREA) || node.foreign {
            continue;
        }
        let node = id as NodeId;
        let target = dom
            .attribute(node, "href")
            .and_then(|href| base.join(href.trim()).ok())
            .and_then(|url| CanonicalUrl::of(&url))
            .filter(|target| Some(target) != own.as_ref());
        found.extend(target.map(|target| Link { node, target }));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe_dom::{Limits, parse};

    #[test]
    fn canonical_forms() {
        for (url, expected) in [
            ("http://Example.COM", "example.com/"),
            ("https://example.com:443/a/../b/./c", "example.com/b/c"),
            ("http://example.com:8080/#top", "example.com:8080/"),
            ("https://www.example.com/a?b=1#c", "www.example.com/a?b=1"),
            (
                "http://example.com/%7euser/%e4%b8%ad",
                "example.com/~user/%E4%B8%AD",
            ),
            ("http://example.com/中", "example.com/%E4%B8%AD"),
            ("http://example.com/a b%2", "example.com/a%20b%2"),
            ("http://example.com/?", "example.com/"),
        ] {
            assert_eq!(
                CanonicalUrl::parse(url).unwrap().to_string(),
                expected,
                "{url}"
            );
        }
        for none in [
            "mailto:a@b.c",
            "javascript:void(0)",
            "data:,x",
            "/relative",
            "",
            "ftp://a/b",
        ] {
            assert_eq!(CanonicalUrl::parse(none), None, "{none}");
        }
    }

    #[test]
    fn files_have_urls_that_never_leave() {
        for (site, path, expected) in [
            ("demo", "a/b.html", "http://demo.invalid/a/b.html"),
            (
                "My site_1",
                "./x y.html",
                "http://my-site-1.invalid/x%20y.html",
            ),
            ("2024", "a?b#c", "http://2024.invalid/a%3Fb%23c"),
            ("...", "", "http://folder.invalid/"),
        ] {
            assert_eq!(file_url(site, Path::new(path)), expected);
        }
    }

    #[test]
    fn directories_of_a_url() {
        for (url, expected) in [
            ("http://www.bbc.com", vec!["www.bbc.com"]),
            ("http://www.bbc.com/news", vec!["www.bbc.com", "news"]),
            (
                "http://h/research/maths/index.html",
                vec!["h", "research", "maths"],
            ),
            ("http://h/a.b/", vec!["h", "a.b"]),
        ] {
            assert_eq!(
                CanonicalUrl::parse(url).unwrap().directories(),
                expected,
                "{url}"
            );
        }
    }

    #[test]
    fn links_of_a_page() {
        let html = "<base href='/dir/'><a href=x.html>1</a><a href='#here'>2</a>\
            <a href='mailto:a@b'>3</a><a href='//Other.example/y'>4</a><a name=z>5</a>\
            <map><area href='../z'></map><a href='http://h/page'>self</a>";
        let dom = parse(html, &Limits::default());
        let found: Vec<_> = links(&dom, "http://h/page")
            .iter()
            .map(|l| l.target.to_string())
            .collect();
        // A fragment alone leads to the base, as in browsers.
        assert_eq!(found, ["h/dir/x.html", "h/dir/", "other.example/y", "h/z"]);
    }
}
