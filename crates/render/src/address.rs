//! Resolves the links of a page; they become absolute if the page's URL is known.

use unframe_dom::Tag;
use unframe_page::Page;
use url::Url;

/// The base of the page's links: its URL, or the `href` of its `base` element.
pub(crate) fn base(page: &Page) -> Option<Url> {
    let url = Url::parse(page.url.as_deref()?.trim()).ok()?;
    let dom = page.dom();
    let stated = dom
        .find(Tag::BASE)
        .and_then(|base| dom.attribute(base, "href"))
        .and_then(|href| url.join(href.trim()).ok());
    Some(stated.unwrap_or(url))
}

/// Resolves the addresses of one page.
#[derive(Clone, Debug)]
pub(crate) struct Addresses {
    /// `None` if the page's URL is not known, or was derived from its path in a folder.
    base: Option<Url>,
    own: Option<Url>,
}

impl Addresses {
    pub(crate) fn of(page: &Page) -> Addresses {
        let own = page
            .url
            .as_deref()
            .and_then(|url| Url::parse(url.trim()).ok());
        let own = own.filter(|url| !is_made_up(url));
        let base = own.as_ref().and_then(|_| base(page));
        Addresses { base, own }
    }

    /// The target of a link; `None` if it is not a document, or is in the page itself.
    pub(crate) fn resolve(&self, address: &str) -> Option<String> {
        let address = address.trim();
        if address.is_empty() || address.starts_with('#') {
            return None;
        }
        let parsed = match &self.base {
            Some(base) => base.join(address),
            None => Url::parse(address),
        };
        let Ok(url) = parsed else {
            let relative = parsed == Err(url::ParseError::RelativeUrlWithoutBase);
            return relative.then(|| address.to_string());
        };
        if !matches!(url.scheme(), "http" | "https" | "ftp" | "mailto" | "tel") {
            return None;
        }
        let within = |own: &Url| {
            let (mut one, mut other) = (own.clone(), url.clone());
            one.set_fragment(None);
            other.set_fragment(None);
            one == other
        };
        let into_itself = url.fragment().is_some() && self.own.as_ref().is_some_and(within);
        (!into_itself).then(|| url.into())
    }
}

/// No real host ends this way; see `unframe_page::file_url`.
fn is_made_up(url: &Url) -> bool {
    url.host_str()
        .is_some_and(|host| host.ends_with(".invalid"))
}
