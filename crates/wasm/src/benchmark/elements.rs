//! A site of TECO: its key pages have labels on their elements, and are compared with its other pages.

use std::collections::{HashMap, VecDeque};

use unframe::Limits;
use unframe::Page;
use unframe::methods::LinksParams;
use unframe::methods::links::{LoadError, Loaded, PageSource, template_of};
use unframe::page::CanonicalUrl;
use unframe::template::{linked_page, sort_fairly};
use unframe_eval::teco::{carries_labels, looks_like_a_page, unlabelled, url_of};
use unframe_eval::{NodeScore, TecoPage, mean_node_score};

use super::{LabelledSite, Mean, NOT_ASKED, ScoredPage, Wanted, cannot_be_read, mean_time};

/// The site.
pub struct ElementSite {
    name: String,
    params: LinksParams,
    /// Files that may be pages and were not read yet.
    unread: VecDeque<String>,
    files: usize,
    pages: Pages,
    /// Key pages that were not scored yet.
    keys: VecDeque<String>,
    scores: Vec<NodeScore>,
    times: Vec<f64>,
}

impl ElementSite {
    /// A site by its name and the paths of its files.
    pub fn new(name: &str, mut paths: Vec<String>, params: LinksParams) -> ElementSite {
        // What is no page by its name need not be read.
        paths.retain(|path| looks_like_a_page(path, b"<"));
        paths.sort();
        ElementSite {
            name: name.into(),
            params,
            files: paths.len(),
            unread: paths.into(),
            pages: Pages::default(),
            keys: VecDeque::new(),
            scores: Vec::new(),
            times: Vec::new(),
        }
    }

    fn read(&mut self, path: String, bytes: Vec<u8>) {
        if !looks_like_a_page(&path, &bytes) {
            return;
        }
        let Some(url) = CanonicalUrl::parse(&url_of(&self.name, &path)) else {
            return;
        };
        if carries_labels(&bytes) {
            self.keys.push_back(path);
        }
        let bytes = unlabelled(bytes, &Limits::default());
        self.pages.0.entry(url).or_insert(bytes);
    }

    fn score(
        &mut self,
        path: String,
        bytes: Vec<u8>,
        clock: &dyn Fn() -> f64,
    ) -> Result<ScoredPage, String> {
        let url = url_of(&self.name, &path);
        let key = CanonicalUrl::parse(&url).ok_or(NOT_ASKED)?;
        let TecoPage { page, template, .. } = TecoPage::parse(&url, bytes, &Limits::default());
        let from = clock();
        let found = template_of(&key, &page, &mut self.pages, &self.params);
        let ms = clock() - from;
        let (score, problem) = match found {
            Ok(found) => (template.score(&found.is_template), None),
            Err(error) => (template.score(&[]), Some(error.to_string())),
        };
        self.scores.push(score);
        self.times.push(ms);
        Ok(ScoredPage {
            path,
            precision: Some(score.precision),
            recall: Some(score.recall),
            f1: Some(score.f1),
            ms,
            problem,
        })
    }
}

impl LabelledSite for ElementSite {
    fn next(&self) -> Option<Wanted> {
        let read = self.unread.front();
        let path = read.or_else(|| self.keys.front())?;
        Some(Wanted {
            path: path.clone(),
            scores: read.is_none(),
            number: (self.files - self.unread.len() + 1).min(self.files),
            of: self.files,
        })
    }

    fn give(
        &mut self,
        bytes: Vec<u8>,
        clock: &dyn Fn() -> f64,
    ) -> Result<Option<ScoredPage>, String> {
        if let Some(path) = self.unread.pop_front() {
            self.read(path, bytes);
            return Ok(None);
        }
        let path = self.keys.pop_front().ok_or(NOT_ASKED)?;
        self.score(path, bytes, clock).map(Some)
    }

    fn fail(&mut self, reason: &str) -> Result<(), String> {
        // A mirror has all kinds of files, and links can lead to other pages.
        if self.unread.pop_front().is_some() {
            return Ok(());
        }
        let path = self.keys.front().ok_or(NOT_ASKED)?;
        Err(cannot_be_read(path, reason))
    }

    fn mean(&self) -> Option<Mean> {
        mean_node_score(&self.scores).map(|mean| Mean {
            pages: self.scores.len(),
            precision: Some(mean.precision),
            recall: Some(mean.recall),
            f1: Some(mean.f1),
            ms: mean_time(&self.times),
        })
    }
}

/// The pages of the site without their labels, by URL.
#[derive(Default)]
struct Pages(HashMap<CanonicalUrl, Vec<u8>>);

impl PageSource for Pages {
    fn load(&mut self, url: &CanonicalUrl) -> Result<Loaded, LoadError> {
        let known = |url: &CanonicalUrl| self.0.get_key_value(url).map(|(url, _)| url);
        let url = linked_page(url, known).ok_or(LoadError::Missing)?.clone();
        let bytes = self.0[&url].clone();
        let page = Page::parse(bytes.into(), None, None, &Limits::default());
        Ok(Loaded { page, url })
    }

    fn others(&mut self, key: &CanonicalUrl) -> Vec<CanonicalUrl> {
        let is_other = |url: &&CanonicalUrl| *url != key && url.host() == key.host();
        let mut others: Vec<_> = self.0.keys().filter(is_other).cloned().collect();
        sort_fairly(&mut others);
        others
    }
}

#[cfg(test)]
mod tests {
    use super::super::score_all;
    use super::*;

    /// A page of the sites that the lab's own tests have.
    fn page(name: &str, prefix: &str) -> String {
        let menu: String = ["index", "a", "b", "c"]
            .map(|to| format!("<li><a href={to}.html>Page {to}</a></li>"))
            .concat();
        let mark = |class: &str| match name {
            "index" => format!(" class='{prefix}{class}'"),
            _ => String::new(),
        };
        let own = match name {
            "index" => "<table><tr><td>x</table>",
            _ => "<h2>y</h2>",
        };
        format!(
            "<html><head><title>t</title></head><body><ul id=menu>{menu}</ul><div id=main>\
             <div{}>{own}</div><p{}>Words of {name}</p></div><p id=foot>Foot</p></body></html>",
            mark("notTemplate"),
            mark("notTemplate mainContent"),
        )
    }

    fn scored(site: &mut ElementSite, prefix: &str) -> Vec<ScoredPage> {
        let read = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            page(name.trim_end_matches(".html"), prefix).into_bytes()
        };
        score_all(site, read).unwrap()
    }

    #[test]
    fn key_pages_have_the_scores_of_the_lab() {
        for (folder, prefix) in [("www.one.example/", ""), ("", "TECO_")] {
            let mut paths = ["index", "c", "a", "b"]
                .map(|name| format!("{folder}{name}.html"))
                .to_vec();
            paths.push(format!("{folder}style.css"));
            for params in [
                LinksParams::default(),
                unframe::methods::LinksPreset::Alarte2014.params(),
            ] {
                let mut site = ElementSite::new("one", paths.clone(), params);
                assert_eq!(site.next().map(|wanted| wanted.of), Some(4));
                let pages = scored(&mut site, prefix);
                assert_eq!(pages.len(), 1);
                assert_eq!(pages[0].path, format!("{folder}index.html"));
                let found = (pages[0].precision, pages[0].recall);
                assert_eq!(found, (Some(15.0 / 17.0), Some(1.0)));
                assert_eq!(
                    site.mean().map(|mean| (mean.pages, mean.f1)),
                    Some((1, pages[0].f1))
                );
            }
        }
    }

    #[test]
    fn a_key_page_alone_counts_as_nothing_found() {
        let mut site = ElementSite::new("one", vec!["index.html".into()], LinksParams::default());
        let pages = scored(&mut site, "");
        assert_eq!(pages[0].f1, Some(0.0));
        assert!(
            pages[0]
                .problem
                .as_ref()
                .is_some_and(|why| why.contains("no other page"))
        );
    }

    #[test]
    fn files_that_cannot_be_read() {
        let paths = ["index.html", "movie.mp4"].map(String::from).to_vec();
        let mut site = ElementSite::new("one", paths, LinksParams::default());
        site.give(page("index", "").into(), &|| 0.0).unwrap();
        // Not a page that is needed.
        site.fail("too large").unwrap();
        assert!(site.next().is_some_and(|wanted| wanted.scores));
        assert_eq!(
            site.fail("gone").unwrap_err(),
            "index.html: cannot be read: gone"
        );
        let mut none = ElementSite::new("two", vec!["a.html".into()], LinksParams::default());
        assert_eq!(scored(&mut none, ""), []);
        assert_eq!(none.mean(), None);
    }
}
