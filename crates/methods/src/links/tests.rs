//! The method and its memory.

use unframe_dom::Limits;
use unframe_page::{Fingerprint, Page, page_identity};
use unframe_site::{Memory, Visit};

use super::{LinksMemory, LinksMethod, LinksParams, LinksPreset};
use crate::method::Method;
use crate::rows::sample_place;
use unframe_labels::{Label, Labels, Reason};

fn html(number: usize) -> String {
    let items: String = (0..number % 3)
        .map(|n| format!("<li>Item {n} of {number}"))
        .collect();
    format!(
        "<ul id=menu><li><a href=/>Home</a><li><a href=/about>About us</a></ul><div class=main>\
         <h1>Page {number}</h1><p>Story of page {number}</p><ol>{items}</ol></div><p>Foot</p>"
    )
}

fn page(number: usize) -> Page {
    Page::parse(html(number).into(), None, None, &Limits::default())
}

fn identity(number: usize) -> Fingerprint {
    page_identity(None, &number.to_string())
}

fn method(change: impl FnOnce(&mut LinksParams)) -> LinksMethod {
    let mut params = LinksParams::default();
    change(&mut params);
    LinksMethod::new(params).unwrap()
}

fn learn(method: &LinksMethod, memory: &mut LinksMemory, number: usize) -> Vec<u8> {
    let page = page(number);
    let view = method.view(&page);
    method.learn(memory, &page, &view, Visit::first(identity(number)))
}

fn learnt(method: &LinksMethod, numbers: impl IntoIterator<Item = usize>) -> LinksMemory {
    let mut memory = LinksMemory::default();
    for number in numbers {
        learn(method, &mut memory, number);
    }
    memory
}

fn label(method: &LinksMethod, memory: &LinksMemory, page: &Page) -> Labels {
    method.label(memory, &method.view(page))
}

fn template_texts(page: &Page, labels: &Labels) -> Vec<String> {
    let texts = labels
        .texts
        .iter()
        .filter(|text| text.label == Label::Template);
    texts
        .map(|text| page.dom().text(text.node).to_string())
        .collect()
}

/// All rows, as they are stored.
fn rows(memory: &LinksMemory) -> Vec<(Fingerprint, Vec<u8>)> {
    let mut rows = Vec::new();
    memory.rows(&mut |_, key, row| rows.push((key, row.unwrap().to_vec())));
    rows
}

#[test]
fn the_frame_is_what_other_pages_have() {
    let method = method(|_| ());
    let memory = learnt(&method, 0..10);
    for number in [3, 99] {
        let page = page(number);
        let labels = label(&method, &memory, &page);
        assert_eq!(template_texts(&page, &labels), ["Home", "About us", "Foot"]);
        assert_eq!(
            labels.reasons[0],
            Reason::Votes {
                votes: 3,
                needed: 2,
                pages: 3
            }
        );
    }
    // As in the thesis, similar structure is template, whatever the text.
    let faithful = LinksMethod::new(LinksPreset::Alarte2014.params()).unwrap();
    let memory = learnt(&faithful, 0..10);
    let page = page(99);
    assert_eq!(
        template_texts(&page, &label(&faithful, &memory, &page)).len(),
        5
    );
}

#[test]
fn a_page_does_not_vote_for_itself_or_its_copies() {
    let method = method(|_| ());
    let mut memory = LinksMemory::default();
    for copy in 0..5 {
        let page = page(1);
        let view = method.view(&page);
        method.learn(&mut memory, &page, &view, Visit::first(identity(copy)));
    }
    let page = page(1);
    assert!(template_texts(&page, &label(&method, &memory, &page)).is_empty());
}

#[test]
fn the_order_of_pages_does_not_matter() {
    let method = method(|params| params.keep = 5);
    let (forward, back) = (learnt(&method, 0..20), learnt(&method, (0..20).rev()));
    assert_eq!(rows(&forward), rows(&back));
    assert_eq!((forward.kept_pages(), forward.pages()), (5, 20));
    let page = page(50);
    assert_eq!(
        label(&method, &forward, &page),
        label(&method, &back, &page)
    );
}

/// The contents of a store after each change.
#[derive(Default)]
struct Stored(std::collections::BTreeMap<Fingerprint, Vec<u8>>);

impl Stored {
    fn commit(&mut self, memory: &mut LinksMemory) {
        memory.take_changes(&mut |_, key, row| {
            match row {
                Some(row) => self.0.insert(key, row.to_vec()),
                None => self.0.remove(&key),
            };
        });
    }

    fn load(&self, head: &[u8]) -> LinksMemory {
        let mut memory = LinksMemory::default();
        memory.load_head(head).unwrap();
        for (key, row) in &self.0 {
            memory.load(0, *key, row).unwrap();
        }
        memory
    }
}

#[test]
fn what_is_stored_is_what_was_learnt() {
    let method = method(|params| params.keep = 4);
    let (mut memory, mut stored) = (LinksMemory::default(), Stored::default());
    for number in 0..30 {
        learn(&method, &mut memory, number);
        if number % 4 == 0 {
            stored.commit(&mut memory);
        }
        if number == 16 {
            // Continue learning from the stored state.
            memory = stored.load(&memory.head());
        }
    }
    // One stored page changes and shrinks, one is removed.
    let kept: Vec<usize> = (0..30)
        .filter(|n| memory.keeps(sample_place(identity(*n), "links")))
        .collect();
    assert_eq!(kept.len(), 4);
    let small = Page::parse("<p>Now short".into(), None, None, &Limits::default());
    let visit = Visit {
        page: identity(kept[0]),
        former: Some(&[]),
    };
    method.learn(&mut memory, &small, &method.view(&small), visit);
    memory.unlearn(identity(kept[1]), &[]);
    stored.commit(&mut memory);
    let loaded = stored.load(&memory.head());
    assert_eq!(rows(&loaded), rows(&memory));
    assert_eq!(stored.0.len(), rows(&memory).len());
    assert_eq!((loaded.kept_pages(), loaded.pages()), (3, 29));
    assert_eq!(loaded.unreadable(), 0);
    let page = page(50);
    assert_eq!(
        label(&method, &loaded, &page),
        label(&method, &memory, &page)
    );
}

#[test]
fn two_memories_are_as_one() {
    let method = method(|params| params.keep = 6);
    let mut half = learnt(&method, 0..9);
    half.merge(learnt(&method, 9..20));
    assert_eq!(rows(&half), rows(&learnt(&method, 0..20)));
    assert_eq!(half.pages(), 20);
}

#[test]
fn damage_costs_a_page_and_no_more() {
    let method = method(|_| ());
    let mut stored = Stored::default();
    let mut memory = learnt(&method, 0..10);
    stored.commit(&mut memory);
    let first = *stored.0.keys().next().unwrap();
    stored.0.get_mut(&first).unwrap().truncate(9);
    let loaded = stored.load(&memory.head());
    assert_eq!(loaded.unreadable(), 1);
    let page = page(99);
    let labels = label(&method, &loaded, &page);
    assert_eq!(template_texts(&page, &labels), ["Home", "About us", "Foot"]);
}

#[test]
fn trees_made_another_way_are_refused() {
    let modern = method(|_| ());
    let memory = learnt(&modern, 0..3);
    assert!(modern.accepts(&memory).is_ok());
    let other = LinksMethod::new(LinksPreset::Alarte2014.params()).unwrap();
    let refused = other.accepts(&memory).unwrap_err();
    assert!(
        refused.contains("`ids=unique-stable,classes=stable,keep=24`"),
        "{refused}"
    );
    // Weights and votes may change.
    assert!(method(|params| params.t = 3).accepts(&memory).is_ok());
}

#[test]
fn linked_pages_come_first() {
    let method = method(|params| (params.n, params.t) = (2, 2));
    let mut memory = LinksMemory::default();
    let linked = |name: &str, menu: &str, text: &str| {
        let html = format!("<div>{menu}</div><p>{text}</p>");
        Page::parse(
            html.into(),
            Some(format!("http://h/{name}")),
            None,
            &Limits::default(),
        )
    };
    let menu = "<a href=/a>A</a><a href=/b>B</a><a href=/c>C</a>";
    // Many pages without links to each other, and two that link with the page.
    for n in 0..10 {
        let page = linked(&format!("x{n}"), "<b>other</b>", "text");
        method.learn(
            &mut memory,
            &page,
            &method.view(&page),
            Visit::first(identity(n)),
        );
    }
    for (n, name) in [(20, "b"), (21, "c")] {
        let page = linked(name, menu, name);
        method.learn(
            &mut memory,
            &page,
            &method.view(&page),
            Visit::first(identity(n)),
        );
    }
    let page = linked("a", menu, "text");
    let labels = label(&method, &memory, &page);
    assert_eq!(template_texts(&page, &labels), ["A", "B", "C"]);
}

#[test]
fn the_template_of_a_page_is_what_its_texts_are_labelled() {
    for preset in LinksPreset::ALL {
        let method = LinksMethod::new(preset.params()).unwrap();
        let memory = learnt(&method, 0..20);
        for number in [3, 4, 50] {
            let page = page(number);
            let found = method.template(&memory, &page).expect("pages are kept");
            assert_eq!(found.rests_on, vec![None; method.params().n as usize]);
            assert_eq!((found.by_links, found.needed), (0, method.params().t));
            let labels = label(&method, &memory, &page);
            assert!(!labels.texts.is_empty());
            for text in labels.texts {
                let is_template = found.is_template[text.node as usize];
                assert_eq!(is_template, text.label == Label::Template);
            }
        }
    }
    let method = method(|_| ());
    let alone = learnt(&method, [3]);
    assert_eq!(method.template(&alone, &page(3)), None);
    let one = method.template(&alone, &page(4)).expect("another page");
    assert_eq!((one.needed, one.rests_on.len()), (1, 1));
}

#[test]
fn any_number_of_kept_pages_can_be_compared_with() {
    let few = method(|params| params.keep = 6);
    let memory = learnt(&few, 0..9);
    assert!(method(|_| ()).compares_with(&memory));
    let other = LinksMethod::new(LinksPreset::Alarte2014.params()).unwrap();
    assert!(!other.compares_with(&memory));
}
