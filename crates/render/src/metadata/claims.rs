//! All that a page states of itself, where one value per field is not enough: the visible text may
//! repeat any of them.

use unframe_page::Page;

use super::statements::{Stated, Statements};
use super::{AUTHORS, TITLES, authors_of, tidy};

/// What a page states of itself. No value is empty.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    /// Its titles, with and without the name of the site.
    pub(crate) titles: Vec<String>,
    /// The names of its site.
    pub(crate) site_names: Vec<String>,
    /// Its descriptions.
    pub(crate) descriptions: Vec<String>,
    /// Its authors, one by one.
    pub(crate) authors: Vec<String>,
    /// When it was published and changed, as written on the page.
    pub(crate) dates: Vec<String>,
}

impl Claims {
    pub(crate) fn of(page: &Page) -> Claims {
        use Stated::{Element, JsonLd, Meta};
        let stated = Statements::of(page);
        let all = |names: &[Stated]| {
            let values = names.iter().flat_map(|name| stated.values(*name));
            let mut found: Vec<String> = values.filter_map(tidy).collect();
            found.sort();
            found.dedup();
            found
        };
        let mut titles = all(&TITLES);
        titles.extend(tidy(&page.title()));
        let authors = all(&AUTHORS);
        let authors = authors_of(authors.iter().map(String::as_str)).unwrap_or_default();
        let authors = authors.split("; ").map(str::to_string);
        Claims {
            titles,
            site_names: all(&[
                Meta("og:site_name"),
                JsonLd("publisher"),
                JsonLd("site"),
                Meta("application-name"),
            ]),
            descriptions: all(&[
                Meta("description"),
                Meta("og:description"),
                Meta("twitter:description"),
                JsonLd("description"),
                Meta("dc.description"),
            ]),
            authors: authors.filter(|author| !author.is_empty()).collect(),
            dates: all(&[
                Meta("article:published_time"),
                JsonLd("datePublished"),
                Meta("citation_publication_date"),
                Meta("citation_date"),
                Meta("dcterms.issued"),
                Meta("dcterms.created"),
                Meta("dcterms.date"),
                Meta("dc.date.issued"),
                Meta("dc.date"),
                Meta("parsely-pub-date"),
                Element("datepublished"),
                Meta("pubdate"),
                Meta("date"),
                Meta("article:modified_time"),
                JsonLd("dateModified"),
                Element("datemodified"),
            ]),
        }
    }
}
