//! Metadata of a page: title, author, dates, language, canonical URL.
//!
//! In: a page. Out: the values of `<title>`, `<html lang>`, `<link rel=canonical>`, `<meta>` elements,
//! microdata and JSON-LD; each field is taken from its most reliable source. Nothing is guessed from
//! the visible text.

mod claims;
mod json_ld;
mod statements;

use serde::Serialize;
use unframe_page::{Page, normalise};

pub(crate) use claims::Claims;
use statements::{Stated, Statements};

/// Maximum bytes of a value.
const MAX_VALUE: usize = 1_000;

/// The metadata of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Metadata {
    /// Its title, without the site's name if the page states them separately.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its authors, separated by semicolons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// When it was published, as written on the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// When it was last changed, as written on the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// The language, as a tag such as `en` or `pt-BR`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Its canonical URL; absolute if the page's URL is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical_url: Option<String>,
    /// Its description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The name of its site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site_name: Option<String>,
}

/// Where pages state their title, the best first.
const TITLES: [Stated; 6] = [
    Stated::Meta("og:title"),
    Stated::Meta("citation_title"),
    Stated::JsonLd("headline"),
    Stated::Meta("dc.title"),
    Stated::Meta("dcterms.title"),
    Stated::Meta("twitter:title"),
];

/// Where pages state their authors, the best first.
const AUTHORS: [Stated; 8] = [
    Stated::Meta("citation_author"),
    Stated::JsonLd("author"),
    Stated::Meta("author"),
    Stated::Meta("article:author"),
    Stated::Meta("dc.creator"),
    Stated::Meta("dcterms.creator"),
    Stated::Meta("parsely-author"),
    Stated::Element("author"),
];

/// Collects the metadata of a page.
///
/// ```
/// use unframe_dom::Limits;
/// use unframe_page::Page;
///
/// let html = "<html lang=en><title>Tea - Shop</title><meta property=og:title content=Tea>";
/// let page = Page::parse(html.into(), None, None, &Limits::default());
/// let found = unframe_render::metadata(&page);
/// assert_eq!(found.title.as_deref(), Some("Tea"));
/// assert_eq!(found.language.as_deref(), Some("en"));
/// assert_eq!(found.author, None);
/// ```
pub fn metadata(page: &Page) -> Metadata {
    let stated = Statements::of(page);
    let first = |names: &[Stated]| {
        let mut values = names.iter().flat_map(|name| stated.values(*name));
        values.find_map(tidy)
    };
    use Stated::{Element, JsonLd, Meta};
    Metadata {
        title: first(&TITLES).or_else(|| tidy(&page.title())),
        author: AUTHORS
            .iter()
            .find_map(|place| authors_of(stated.values(*place))),
        published: first(&[
            Meta("article:published_time"),
            JsonLd("datePublished"),
            Meta("citation_publication_date"),
            Meta("citation_date"),
            Meta("dcterms.issued"),
            Meta("dcterms.created"),
            Meta("dc.date.issued"),
            Meta("dcterms.date"),
            Meta("dc.date"),
            Meta("parsely-pub-date"),
            Element("datepublished"),
            Meta("pubdate"),
            Meta("date"),
        ]),
        modified: first(&[
            Meta("article:modified_time"),
            JsonLd("dateModified"),
            Meta("og:updated_time"),
            Meta("dcterms.modified"),
            Meta("dc.date.modified"),
            Element("datemodified"),
            Meta("last-modified"),
        ]),
        language: first(&[
            Element("lang"),
            Meta("content-language"),
            Meta("language"),
            Meta("dc.language"),
            Meta("dcterms.language"),
            Meta("og:locale"),
            JsonLd("inLanguage"),
        ])
        .and_then(|language| language_tag(&language)),
        canonical_url: first(&[Element("canonical"), Meta("og:url")])
            .and_then(|url| crate::address::Addresses::of(page).resolve(&url)),
        description: first(&[
            Meta("description"),
            Meta("og:description"),
            Meta("twitter:description"),
            Meta("dc.description"),
            Meta("dcterms.description"),
        ]),
        site_name: first(&[
            Meta("og:site_name"),
            JsonLd("publisher"),
            JsonLd("site"),
            Meta("application-name"),
            Meta("dc.publisher"),
        ]),
    }
}

/// A value, normalised and shortened; `None` if empty.
fn tidy(value: &str) -> Option<String> {
    let mut normal = String::new();
    // A little more than the limit, because normalising shortens white space.
    let value = &value[..value.floor_char_boundary(4 * MAX_VALUE)];
    let value = normalise(value, &mut normal);
    let value = value[..value.floor_char_boundary(MAX_VALUE)].trim_end();
    (!value.is_empty()).then(|| value.to_string())
}

/// All distinct authors; URLs are not names.
fn authors_of<'a>(values: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut authors: Vec<String> = Vec::new();
    for author in values.take(100).filter_map(tidy) {
        let is_address = author.starts_with("http:") || author.starts_with("https:");
        if !is_address && !authors.contains(&author) {
            authors.push(author);
        }
    }
    tidy(&authors.join("; "))
}

/// `en-GB` for `en_GB`; the first of a list.
fn language_tag(stated: &str) -> Option<String> {
    let first = stated.split([',', ';', ' ']).next()?.replace('_', "-");
    let fits = |word: &str| {
        (1..=8).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let letters = first
        .split('-')
        .next()?
        .bytes()
        .all(|byte| byte.is_ascii_alphabetic());
    let length = first.split('-').next()?.len();
    let is_tag = letters && (2..=3).contains(&length) && first.split('-').all(fits);
    is_tag.then_some(first)
}
