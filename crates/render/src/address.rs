//! Resolves the links of a page; they become absolute if the page's URL is known.

use unframe_dom::Tag;
use unframe_page::Page;
use url::Url;

/// A longer `href` of a `base` element is ignored: every link of the page would become as long.
const LONGEST_BASE: usize = 1_000;

/// The base of the page's links: the `href` of its `base` element, or its URL. `None` if neither is
/// known.
pub(crate) fn base(page: &Page) -> Option<Url> {
    base_at(page, page.url.as_deref())
}

/// The base of the page's links, if this is its URL.
pub(crate) fn base_at(page: &Page, url: Option<&str>) -> Option<Url> {
    let url = url.and_then(|url| Url::parse(url.trim()).ok());
    stated_base(page, url.as_ref()).or(url)
}

/// The address that the first `base` element with an `href` states.
fn stated_base(page: &Page, url: Option<&Url>) -> Option<Url> {
    let dom = page.dom();
    let mut bases = (dom.nodes().iter().zip(0..))
        .filter(|(node, _)| node.tag == Tag::BASE && !node.foreign)
        .filter_map(|(_, id)| dom.attribute(id, "href"));
    let href = bases.next()?.trim();
    if href.len() > LONGEST_BASE {
        return None;
    }
    let base = match url {
        Some(url) => url.join(href).ok(),
        None => Url::parse(href).ok(),
    };
    base.filter(|base| !base.cannot_be_a_base() && base.scheme() != "data")
}

/// Resolves the addresses of one page.
#[derive(Clone, Debug)]
pub(crate) struct Addresses {
    /// `None` if it is not known: the page has no URL, or one derived from its path in a folder, and
    /// states none.
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
        let base = stated_base(page, own.as_ref()).or_else(|| own.clone());
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
