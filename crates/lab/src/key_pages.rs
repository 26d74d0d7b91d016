//! Sites with key pages whose template is known for each element: TECO's, and labelled sites that list
//! the bytes of a page's own content.

use anyhow::Context;
use unframe::page::{CanonicalUrl, Fingerprint, file_url, page_identity};
use unframe::read::RawPage;
use unframe::template::LocalPages;
use unframe::{Limits, Page};
use unframe_eval::{Gold, NodeGold, Site, TecoPage, TecoSite};

/// One site.
pub struct KeySite {
    /// Its name.
    pub name: String,
    /// All of its pages.
    pub source: LocalPages,
    /// The key pages.
    pub keys: Vec<KeyPage>,
}

/// A page whose template is to be found.
pub struct KeyPage {
    /// Its URL.
    pub url: CanonicalUrl,
    /// The page, without any labels.
    pub page: Page,
    /// Which of its elements are template.
    pub gold: NodeGold,
}

impl KeySite {
    /// A site of TECO.
    pub fn teco(site: &TecoSite) -> anyhow::Result<KeySite> {
        let mut found = KeySite::empty(&site.name);
        for (at, (text, path)) in site.pages.iter().enumerate() {
            let read = TecoPage::read(text, path, &Limits::default())?;
            let Some(url) = CanonicalUrl::parse(text) else {
                continue;
            };
            found.add(url.clone(), read.page.bytes().to_vec());
            if site.keys.contains(&at) {
                found.keys.push(KeyPage {
                    url,
                    page: read.page,
                    gold: read.template,
                });
            }
        }
        Ok(found)
    }

    /// A labelled site whose labels have byte ranges (`editable`); at most `most` of its pages are
    /// key pages, the same ones each time. `None` if no label has ranges.
    pub fn labelled(site: &Site, most: usize) -> anyhow::Result<Option<KeySite>> {
        let mut found = KeySite::empty(&site.name);
        let mut keys: Vec<(Fingerprint, KeyPage)> = Vec::new();
        for page in &site.pages {
            let bytes = std::fs::read(&page.path);
            let bytes = bytes.with_context(|| format!("cannot read {}", page.path.display()))?;
            let text = file_url(&site.name, linked_name(&page.id).as_ref());
            let url = CanonicalUrl::parse(&text).filter(|url| found.source.find(url).is_none());
            let text = match url {
                Some(_) => text,
                None => file_url(&site.name, page.id.as_ref()),
            };
            let Some(url) = CanonicalUrl::parse(&text) else {
                continue;
            };
            found.add(url.clone(), bytes.clone());
            let label = page.gold.as_deref().filter(|_| page.scored);
            let own = label.map(Gold::read).transpose()?;
            if let Some(own) = own.and_then(|gold| gold.editable) {
                let own: Vec<_> = own.iter().map(|range| range.start..range.end).collect();
                let parsed = Page::parse(bytes.into(), Some(text), None, &Limits::default());
                let gold = NodeGold::from_ranges(&parsed, &own);
                let key = KeyPage {
                    url,
                    page: parsed,
                    gold,
                };
                keys.push((page_identity(None, &page.id), key));
            }
        }
        keys.sort_by_key(|(identity, _)| *identity);
        keys.truncate(most);
        found.keys = keys.into_iter().map(|(_, key)| key).collect();
        Ok((!found.keys.is_empty()).then_some(found))
    }

    fn empty(name: &str) -> KeySite {
        KeySite {
            name: name.into(),
            source: LocalPages::default(),
            keys: Vec::new(),
        }
    }

    fn add(&mut self, url: CanonicalUrl, body: Vec<u8>) {
        let raw = RawPage {
            name: url.to_string(),
            url: None,
            path: None,
            site: self.name.clone(),
            charset: None,
            body: body.into(),
            date: None,
            record_id: None,
            truncated: false,
            input: Default::default(),
            undecodable: false,
            wrong_digest: None,
        };
        self.source.insert(url, raw);
    }
}

/// Corpora that keep the pages of a site in one folder write `news__index-95a171.html`, where links
/// say `news/index.html`.
fn linked_name(id: &str) -> String {
    let (stem, ending) = id.rsplit_once('.').unwrap_or((id, ""));
    match stem.rsplit_once('-') {
        Some((name, digits))
            if digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()) =>
        {
            format!("{}.{ending}", name.replace("__", "/"))
        }
        _ => id.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_links_use() {
        assert_eq!(linked_name("a/index-95a171.html"), "a/index.html");
        assert_eq!(linked_name("a__b__c-95a171.htm"), "a/b/c.htm");
        assert_eq!(linked_name("about-us.html"), "about-us.html");
        assert_eq!(linked_name("a__b.html"), "a__b.html");
        assert_eq!(linked_name("index"), "index");
    }
}
