//! A parsed page with its original bytes.

use unframe_dom::{
    CharsetSource, Dom, Limits, NodeId, PageBytes, SourceMap, Span, Tag, decode, parse,
};

use crate::fingerprint::{Fingerprint, Kind};
use crate::link::CanonicalUrl;
use crate::text::normalise;

/// A parsed page with its original bytes.
#[derive(Clone, Debug)]
pub struct Page {
    /// The URL that the source states, or one made from the path of its file.
    pub url: Option<String>,
    /// The original bytes, if they differ from the decoded text.
    original: Option<PageBytes>,
    map: SourceMap,
    charset: &'static str,
    charset_source: CharsetSource,
    dom: Dom,
}

impl Page {
    /// Decodes and parses a page; `charset` is the one stated by the transport. Never fails.
    pub fn parse(
        bytes: PageBytes,
        url: Option<String>,
        charset: Option<&str>,
        limits: &Limits,
    ) -> Self {
        let decoded = decode(bytes, charset);
        Page {
            url,
            map: decoded.map,
            charset: decoded.encoding.name(),
            charset_source: decoded.source,
            dom: parse(decoded.text, limits),
            original: decoded.original,
        }
    }

    /// The tree.
    pub fn dom(&self) -> &Dom {
        &self.dom
    }

    /// The original bytes.
    pub fn bytes(&self) -> &[u8] {
        match &self.original {
            Some(bytes) => bytes,
            None => self.dom.source().as_bytes(),
        }
    }

    /// The name of the charset that it was decoded with.
    pub fn charset(&self) -> &'static str {
        self.charset
    }

    /// How that charset was determined.
    pub fn charset_source(&self) -> CharsetSource {
        self.charset_source
    }

    /// A range of the decoded text as a range of the original bytes.
    pub fn source(&self, span: Span) -> std::ops::Range<usize> {
        let place = |at: u32| self.map.to_source(self.bytes(), at as usize);
        place(span.start)..place(span.end)
    }

    /// The text of the first `<title>`, normalised; empty if there is none.
    pub fn title(&self) -> String {
        let Some(id) = self.dom.find(Tag::TITLE) else {
            return String::new();
        };
        let texts = self
            .dom
            .subtree(id)
            .map(|child: NodeId| self.dom.text(child));
        normalise(&texts.collect::<String>(), &mut String::new()).to_string()
    }
}

/// The identity of a page over several visits: its URL if it has one, else its name in the input.
pub fn page_identity(url: Option<&str>, name: &str) -> Fingerprint {
    match url.and_then(CanonicalUrl::parse) {
        Some(url) => Fingerprint::of(Kind::Page, url.to_string()),
        None => Fingerprint::of(Kind::Page, url.unwrap_or(name)),
    }
}

/// Fingerprint of the bytes of a page, which tells whether it has changed.
pub fn content_fingerprint(bytes: &[u8]) -> Fingerprint {
    Fingerprint::of(Kind::Content, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_lead_to_the_original_bytes() {
        let bytes = b"<meta charset=windows-1252><p>\x93Gr\xFC\xDFe\x94</p>".into();
        let page = Page::parse(bytes, None, None, &Limits::default());
        let p = page.dom().find(Tag::P).unwrap();
        assert_eq!(page.dom().text(p + 1), "“Grüße”");
        let span = page.dom().node(p + 1).open;
        assert_eq!(&page.bytes()[page.source(span)], b"\x93Gr\xFC\xDFe\x94");
    }

    #[test]
    fn identity_is_the_url_or_the_name() {
        let id = page_identity;
        assert_eq!(id(Some("HTTP://A/x#y"), "1"), id(Some("https://a/x"), "2"));
        assert_ne!(id(Some("http://a/x"), "1"), id(Some("http://a/y"), "1"));
        assert_eq!(id(None, "a.html"), id(None, "a.html"));
        assert_ne!(id(None, "a.html"), id(None, "b.html"));
    }

    #[test]
    fn titles() {
        let title = |html: &str| Page::parse(html.into(), None, None, &Limits::default()).title();
        assert_eq!(title("<title> A &amp;\n B </title>x"), "A & B");
        assert_eq!(title("no title"), "");
        assert_eq!(title("<svg><title>picture</title></svg>"), "");
    }
}
