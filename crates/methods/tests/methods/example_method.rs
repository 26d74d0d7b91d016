//! How to add a method: a complete one.
//!
//! `twice` removes every text that it has seen on two pages or more. The module below is what a folder
//! of `src/` would hold, with `crate::` in place of `unframe_methods::`. Beside it, `lib.rs` declares
//! the folder, and `registry::ALL` gets the line `MethodEntry::of::<Twice>()`. Everything else follows
//! from that: the command line, states on disk, `bench`, and every other face.

use unframe_labels::Label;
use unframe_methods::{Engine, MethodEntry, MethodSpec};
use unframe_page::{Fingerprint, Page, page_identity};
use unframe_site::{Memory, Sites, Visit};

use twice::{Twice, TwiceParams};

mod twice {
    use std::collections::{BTreeMap, BTreeSet};

    use unframe_labels::{Label, Labels, Reason, TextLabel};
    use unframe_methods::params::{Param, Params, put};
    use unframe_methods::{Method, Registered};
    use unframe_page::{Fingerprint, Kind, Page, length, normalise, visible_texts};
    use unframe_site::{BadRow, Memory, Visit, WriteRow};

    /// 1. The parameters, and the table that names them.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) struct TwiceParams {
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
    pub(crate) struct Counts {
        learned: u64,
        pages: BTreeMap<Fingerprint, u32>,
        changed: BTreeSet<Fingerprint>,
    }

    impl Memory for Counts {
        fn load(&mut self, _: u8, key: Fingerprint, row: &[u8]) -> Result<(), BadRow> {
            let pages = row.try_into().map_err(|_| BadRow)?;
            self.pages.insert(key, u32::from_le_bytes(pages));
            Ok(())
        }

        fn load_head(&mut self, head: &[u8]) -> Result<(), BadRow> {
            self.learned = u64::from_le_bytes(head.try_into().map_err(|_| BadRow)?);
            Ok(())
        }

        fn head(&self) -> Vec<u8> {
            self.learned.to_le_bytes().to_vec()
        }

        fn rows(&self, write: &mut WriteRow<'_>) {
            for (key, pages) in &self.pages {
                write(0, *key, Some(&pages.to_le_bytes()));
            }
        }

        /// A row that is gone is written as `None`.
        fn take_changes(&mut self, write: &mut WriteRow<'_>) {
            for key in std::mem::take(&mut self.changed) {
                let row = self.pages.get(&key).map(|pages| pages.to_le_bytes());
                write(0, key, row.as_ref().map(|row| &row[..]));
            }
        }

        fn unlearn(&mut self, _: Fingerprint, contribution: &[u8]) {
            self.learned -= 1;
            for key in contribution.as_chunks().0 {
                let key = Fingerprint(u128::from_be_bytes(*key));
                match self.pages.get_mut(&key) {
                    Some(pages) if *pages > 1 => *pages -= 1,
                    _ => _ = self.pages.remove(&key),
                }
                self.changed.insert(key);
            }
        }

        fn merge(&mut self, other: Self) {
            self.learned += other.learned;
            for (key, pages) in other.pages {
                *self.pages.entry(key).or_default() += pages;
                self.changed.insert(key);
            }
        }

        fn len(&self) -> usize {
            self.pages.len()
        }
    }

    /// 3. The method: what it sees of a page, how it learns, how it labels.
    pub(crate) struct Twice(pub TwiceParams);

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

        /// Returns what `unlearn` needs: the keys of the page's texts.
        fn learn(
            &self,
            memory: &mut Counts,
            _: &Page,
            view: &Self::View,
            visit: Visit<'_>,
        ) -> Vec<u8> {
            if let Some(former) = visit.former {
                memory.unlearn(visit.page, former);
            }
            memory.learned += 1;
            let keys: BTreeSet<Fingerprint> = view.iter().map(|(_, _, key)| *key).collect();
            for key in &keys {
                *memory.pages.entry(*key).or_default() += 1;
            }
            memory.changed.extend(&keys);
            keys.iter().flat_map(|key| key.0.to_be_bytes()).collect()
        }

        /// Reasons are an enum of all methods; this one borrows that of `chunks`.
        fn label(&self, memory: &Counts, view: &Self::View) -> Labels {
            let mut labels = Labels::default();
            for (at, (node, length, key)) in view.iter().enumerate() {
                let df = memory.pages.get(key).copied().unwrap_or(0);
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
                    pages: memory.learned,
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
}

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
    let other = MethodSpec::default().engine().memory().create();
    engine.label(&*other, &engine.view(&page(1)));
}
