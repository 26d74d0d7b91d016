//! How to add a method: a complete one in sixty lines.
//!
//! `twice` removes every text that it has seen on two pages or more. It is written here as it would be
//! in a folder of its own below `src/`; its one line in `registry::ALL` would be
//! `MethodEntry::of::<Twice>()`. Everything else follows from that: the command line, states on disk,
//! `bench`, and every other face.

use std::collections::BTreeMap;

use unframe_labels::{Label, Labels, Reason, TextLabel};
use unframe_methods::params::{Param, Params, put};
use unframe_methods::{Engine, Method, MethodEntry, Registered};
use unframe_page::{Fingerprint, Kind, Page, length, normalise, page_identity, visible_texts};
use unframe_site::{BadRow, Memory, Sites, Visit, WriteRow};

// ---- the method ----

/// 1. The parameters, and the table that names them.
#[derive(Clone, Debug, PartialEq)]
struct TwiceParams {
    pages: u32,
}

impl Default for TwiceParams {
    fn default() -> Self {
        TwiceParams { pages: 2 }
    }
}

impl Params for TwiceParams {
    const METHOD: &'static str = Twice::NAME;
    const TABLE: &'static [Param<Self>] = &[Param::value(
        "pages",
        "PAGES",
        "A text is removed if it is on this many pages or more",
        |params| Some(params.pages.to_string()),
        |params, value| put(&mut params.pages, "pages", value),
    )];

    fn check(&self) -> Result<(), String> {
        match self.pages {
            0 | 1 => Err("pages must be at least 2".into()),
            _ => Ok(()),
        }
    }
}

/// 2. What is remembered of a site: on how many pages each text is.
#[derive(Default)]
struct Counts(BTreeMap<Fingerprint, u32>);

impl Memory for Counts {
    fn load(&mut self, _: u8, key: Fingerprint, row: &[u8]) -> Result<(), BadRow> {
        let pages = row.try_into().map_err(|_| BadRow)?;
        self.0.insert(key, u32::from_le_bytes(pages));
        Ok(())
    }

    fn load_head(&mut self, _: &[u8]) -> Result<(), BadRow> {
        Ok(())
    }

    fn head(&self) -> Vec<u8> {
        Vec::new()
    }

    fn rows(&self, write: &mut WriteRow<'_>) {
        for (key, pages) in &self.0 {
            write(0, *key, Some(&pages.to_le_bytes()));
        }
    }

    /// Writing all rows is always right; writing those that changed is faster.
    fn take_changes(&mut self, write: &mut WriteRow<'_>) {
        self.rows(write);
    }

    fn unlearn(&mut self, contribution: &[u8]) {
        for key in contribution.as_chunks().0 {
            let pages = self.0.entry(Fingerprint(u128::from_be_bytes(*key)));
            pages.and_modify(|pages| *pages -= 1);
        }
    }

    fn merge(&mut self, other: Self) {
        for (key, pages) in other.0 {
            *self.0.entry(key).or_default() += pages;
        }
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

/// 3. The method: what it sees of a page, how it learns, how it labels.
struct Twice(TwiceParams);

impl Method for Twice {
    const NAME: &'static str = "twice";
    const VERSION: u32 = 1;

    type Memory = Counts;
    type View = Vec<(u32, u32, Fingerprint)>;

    fn view(&self, page: &Page) -> Self::View {
        let mut normal = String::new();
        let texts = visible_texts(page.dom()).map(|node| {
            let text = normalise(page.dom().text(node), &mut normal);
            (node, length(text), Fingerprint::of(Kind::Text, text))
        });
        texts.collect()
    }

    fn learn(&self, memory: &mut Counts, _: &Page, view: &Self::View, visit: Visit<'_>) -> Vec<u8> {
        memory.unlearn(visit.former.unwrap_or_default());
        let mut keys: Vec<Fingerprint> = view.iter().map(|(_, _, key)| *key).collect();
        keys.sort();
        keys.dedup();
        for key in &keys {
            *memory.0.entry(*key).or_default() += 1;
        }
        keys.iter().flat_map(|key| key.0.to_be_bytes()).collect()
    }

    fn label(&self, memory: &Counts, view: &Self::View) -> Labels {
        let mut labels = Labels::default();
        for (at, (node, length, key)) in view.iter().enumerate() {
            let df = memory.0.get(key).copied().unwrap_or(0);
            labels.texts.push(TextLabel {
                node: *node,
                length: *length,
                label: match df >= self.0.pages {
                    true => Label::Template,
                    false => Label::Content,
                },
                reason: at as u32,
            });
            labels.reasons.push(Reason::ChunkDf {
                df,
                threshold: self.0.pages,
                pages: 0,
                length: *length,
                texts: 1,
            });
        }
        labels
    }
}

/// 4. How it is chosen by name.
impl Registered for Twice {
    type Params = TwiceParams;
    const SOURCE: &'static str = "an example";
    const SUMMARY: &'static str = "removes what is on two pages or more";

    fn build(params: TwiceParams, _: bool) -> Result<Self, String> {
        Ok(Twice(params))
    }
}

// ---- what follows from it ----

fn page(n: u32) -> Page {
    let html = format!("<nav>Home</nav><p>Story {n}");
    Page::parse(html.into(), None, None, &unframe_dom::Limits::default())
}

#[test]
fn it_learns_and_labels_through_the_engine() {
    let engine: &dyn Engine = &Twice(TwiceParams::default());
    let mut sites = Sites::in_memory(engine.memory());
    for n in 0..3 {
        let (page, identity) = (page(n), page_identity(None, &n.to_string()));
        let view = engine.view(&page);
        let content = Fingerprint(n.into());
        let learn =
            |memory: &mut dyn Memory, visit: Visit<'_>| engine.learn(memory, &page, &view, visit);
        assert!(sites.visit("site", identity, content, 1, learn).unwrap());
    }
    let labels = engine.label(sites.get("site").unwrap(), &engine.view(&page(1)));
    let found: Vec<Label> = labels.texts.iter().map(|text| text.label).collect();
    assert_eq!(found, [Label::Template, Label::Content]);
}

#[test]
fn its_entry_documents_and_builds_it() {
    let entry = MethodEntry::of::<Twice>();
    assert_eq!((entry.name, entry.source), ("twice", "an example"));
    let params = entry.params();
    assert_eq!(params[0].info.key, "pages");
    assert_eq!(params[0].default.as_deref(), Some("2"));
}

#[test]
#[should_panic(expected = "the memory of another method")]
fn memories_of_other_methods_are_a_mistake() {
    let engine: &dyn Engine = &Twice(TwiceParams::default());
    let other = unframe_methods::MethodSpec::default()
        .engine()
        .memory()
        .create();
    engine.label(&*other, &engine.view(&page(1)));
}
