//! A site of `pages/**` with labels in `gold/**.json`: all of its pages are learned, then those with a label
//! are cleaned, and the words of their content are counted.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::path::Path;

use unframe::page::file_url;
use unframe::{Site, ViewedPage};
use unframe_eval::{Columns, EvalError, Gold, GoldBags, SiteTotal};

use super::{LabelledSite, Mean, NOT_ASKED, ScoredPage, Wanted, cannot_be_read, mean_time};

/// The site.
pub struct TextSite {
    name: String,
    site: Site,
    /// What is done with which page, in this order.
    todo: VecDeque<(Step, String)>,
    /// All pages, by their path in `pages/`.
    pages: BTreeSet<String>,
    /// The labels that count, by page.
    labels: BTreeMap<String, Gold>,
    /// Files to read before anything is scored.
    files: usize,
    given: usize,
    /// What it took to learn each page, in milliseconds.
    learning: HashMap<String, f64>,
    columns: Vec<Columns>,
    times: Vec<f64>,
}

#[derive(Clone, Copy, PartialEq)]
enum Step {
    ReadLabel,
    Learn,
    Score,
}

impl TextSite {
    /// A site by its name and the paths of its files. Without labels, there is nothing to do.
    pub fn new(name: &str, paths: &[String]) -> Result<TextSite, String> {
        let below = |folder: &'static str| {
            let inside = move |path: &'_ String| path.strip_prefix(folder).map(str::to_string);
            paths.iter().filter_map(inside)
        };
        let pages: BTreeSet<String> = below("pages/").collect();
        let label_of = |file: String| file.strip_suffix(".json").map(str::to_string);
        let labels: BTreeSet<String> = below("gold/").filter_map(label_of).collect();
        if let Some(id) = labels.difference(&pages).next() {
            let error = EvalError::PageMissing {
                gold: Step::ReadLabel.path(id).into(),
                page: Step::Learn.path(id).into(),
            };
            return Err(error.to_string());
        }
        Ok(TextSite {
            name: name.into(),
            site: Site::new(),
            files: labels.len() + pages.len(),
            todo: labels.into_iter().map(|id| (Step::ReadLabel, id)).collect(),
            pages,
            labels: BTreeMap::new(),
            given: 0,
            learning: HashMap::new(),
            columns: Vec::new(),
            times: Vec::new(),
        })
    }

    /// When all labels are known: the whole site is learned if any page has a score.
    fn plan(&mut self) {
        if self.labels.is_empty() {
            return;
        }
        let learned = self.pages.iter().map(|id| (Step::Learn, id.clone()));
        let scored = self.labels.keys().map(|id| (Step::Score, id.clone()));
        self.todo.extend(learned.chain(scored));
    }

    /// A page is viewed once to be learned and once to be cleaned, so that only one is in memory.
    fn view(&self, id: &str, bytes: Vec<u8>) -> ViewedPage {
        let url = file_url(&self.name, Path::new(id));
        self.site.view(&url, bytes)
    }

    fn score(&mut self, id: String, bytes: Vec<u8>, clock: &dyn Fn() -> f64) -> ScoredPage {
        let label = GoldBags::new(&self.labels[&id], &bytes);
        let from = clock();
        let text = self.site.label_viewed(&self.view(&id, bytes)).text();
        let ms = clock() - from + self.learning.get(&id).copied().unwrap_or(0.0);
        let columns = label.score(&text);
        self.columns.push(columns);
        self.times.push(ms);
        ScoredPage {
            path: id,
            precision: columns.p,
            recall: columns.r,
            f1: columns.f1,
            ms,
            problem: None,
        }
    }
}

impl Step {
    fn path(self, id: &str) -> String {
        match self {
            Step::ReadLabel => format!("gold/{id}.json"),
            Step::Learn | Step::Score => format!("pages/{id}"),
        }
    }
}

impl LabelledSite for TextSite {
    fn next(&self) -> Option<Wanted> {
        let (step, id) = self.todo.front()?;
        Some(Wanted {
            path: step.path(id),
            scores: *step == Step::Score,
            number: (self.given + 1).min(self.files),
            of: self.files,
        })
    }

    fn give(
        &mut self,
        bytes: Vec<u8>,
        clock: &dyn Fn() -> f64,
    ) -> Result<Option<ScoredPage>, String> {
        let (step, id) = self.todo.pop_front().ok_or(NOT_ASKED)?;
        self.given += 1;
        match step {
            Step::ReadLabel => {
                let gold = Gold::from_json(&bytes, Path::new(&step.path(&id)));
                let gold = gold.map_err(|error| error.to_string())?;
                if gold.is_scored() {
                    self.labels.insert(id, gold);
                }
                if self.todo.is_empty() {
                    self.plan();
                }
            }
            Step::Learn => {
                let from = clock();
                let viewed = self.view(&id, bytes);
                let learned = self.site.learn_viewed(&viewed);
                learned.map_err(|error| format!("{}: {error}", step.path(&id)))?;
                self.learning.insert(id, clock() - from);
            }
            Step::Score => return Ok(Some(self.score(id, bytes, clock))),
        }
        Ok(None)
    }

    fn fail(&mut self, reason: &str) -> Result<(), String> {
        let (step, id) = self.todo.front().ok_or(NOT_ASKED)?;
        Err(cannot_be_read(&step.path(id), reason))
    }

    fn mean(&self) -> Option<Mean> {
        let SiteTotal { pages, columns, .. } = SiteTotal::new(&*self.name, &self.columns);
        (pages > 0).then(|| Mean {
            pages,
            precision: columns.p,
            recall: columns.r,
            f1: columns.f1,
            ms: mean_time(&self.times),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::score_all;
    use super::*;
    use unframe_eval::Corpus;

    /// All pages at once, as `unframe-lab bench` does it.
    fn at_once(site: &unframe_eval::Site) -> Vec<(String, Columns)> {
        let mut learned = Site::new();
        let view = |page: &unframe_eval::Page| {
            let url = file_url(&site.name, Path::new(&page.id));
            learned.view(&url, std::fs::read(&page.path).unwrap())
        };
        let viewed: Vec<ViewedPage> = site.pages.iter().map(view).collect();
        for page in &viewed {
            learned.learn_viewed(page).unwrap();
        }
        let pages = site.pages.iter().zip(&viewed);
        let scored = pages.filter_map(|(page, viewed)| {
            let text = learned.label_viewed(viewed).text();
            let label = GoldBags::read(page).unwrap()?;
            Some((page.id.clone(), label.score(&text)))
        });
        scored.collect()
    }

    #[test]
    fn the_demo_has_the_scores_of_the_lab() {
        let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo");
        let corpus = Corpus::open(&demo).unwrap();
        assert_eq!(corpus.sets[0].sites.len(), 3);
        for site in &corpus.sets[0].sites {
            // As a browser lists them: in any order.
            let pages = site.pages.iter().rev();
            let mut paths: Vec<String> = pages
                .clone()
                .map(|page| Step::Learn.path(&page.id))
                .collect();
            paths.extend(pages.map(|page| Step::ReadLabel.path(&page.id)));
            paths.push("site.json".into());
            let mut found = TextSite::new(&site.name, &paths).unwrap();
            let read = |path: &str| std::fs::read(site.path.join(path)).unwrap();
            let scored = score_all(&mut found, read).unwrap();

            let expected = at_once(site);
            let scored = scored
                .iter()
                .map(|page| (page.path.as_str(), page.precision, page.recall, page.f1));
            let same = expected
                .iter()
                .map(|(id, columns)| (id.as_str(), columns.p, columns.r, columns.f1));
            assert!(scored.eq(same), "{}", site.name);
            let columns: Vec<Columns> = expected.iter().map(|(_, columns)| *columns).collect();
            let total = SiteTotal::new("", &columns);
            let mean = found.mean().unwrap();
            assert_eq!((mean.pages, mean.f1), (total.pages, total.columns.f1));
            assert!(mean.f1.unwrap() > 0.8, "{mean:?}");
        }
    }

    const PAGES: [&str; 2] = ["pages/a.html", "pages/b/c.html"];

    fn site(gold: &[&str]) -> Result<TextSite, String> {
        let paths: Vec<String> = PAGES.iter().chain(gold).map(ToString::to_string).collect();
        TextSite::new("s", &paths)
    }

    /// Labels first, then all pages, then those that are scored once more.
    #[test]
    fn files_are_asked_for_one_by_one() {
        let mut site = site(&["gold/b/c.html.json", "gold/a.html.json"]).unwrap();
        let mut asked = Vec::new();
        while let Some(wanted) = site.next() {
            let bytes = match &*wanted.path {
                "gold/a.html.json" => r#"{"kind": "list"}"#,
                "gold/b/c.html.json" => r#"{"content": "tea is picked by hand"}"#,
                "pages/a.html" => "<p>Coffee grows in the shade of old trees.",
                _ => "<p>Tea is picked by hand.",
            };
            let scored = site.give(bytes.into(), &|| 0.0).unwrap();
            assert_eq!(scored.is_some(), wanted.scores);
            asked.push(format!("{} {}/{}", wanted.path, wanted.number, wanted.of));
        }
        let expected = [
            "gold/a.html.json 1/4",
            "gold/b/c.html.json 2/4",
            "pages/a.html 3/4",
            "pages/b/c.html 4/4",
            "pages/b/c.html 4/4",
        ];
        assert_eq!(asked, expected);
        assert_eq!(
            site.mean().map(|mean| (mean.pages, mean.recall)),
            Some((1, Some(1.0)))
        );
        assert_eq!(site.give(Vec::new(), &|| 0.0).unwrap_err(), NOT_ASKED);
    }

    #[test]
    fn a_site_without_labels_is_not_read() {
        let lists = |_: &str| br#"{"kind": "list"}"#.to_vec();
        for mut site in [site(&[]).unwrap(), site(&["gold/a.html.json"]).unwrap()] {
            assert_eq!(score_all(&mut site, lists).unwrap(), []);
            assert_eq!(site.mean(), None);
        }
    }

    #[test]
    fn errors_name_the_file() {
        let missing = site(&["gold/x.html.json"]).err().unwrap();
        assert!(
            missing.starts_with("gold/x.html.json: labels a page that is missing"),
            "{missing}"
        );
        let mut broken = site(&["gold/a.html.json"]).unwrap();
        let error = score_all(&mut broken, |_| b"{".to_vec()).unwrap_err();
        assert!(
            error.starts_with("gold/a.html.json: not a gold label"),
            "{error}"
        );
        let unreadable = site(&["gold/a.html.json"]).unwrap().fail("it is gone");
        assert_eq!(
            unreadable.unwrap_err(),
            "gold/a.html.json: cannot be read: it is gone"
        );
    }
}
