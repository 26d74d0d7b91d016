//! The laws of `Site`, for every method: pages count once, order and merging change nothing, what is
//! written comes back.

use proptest::prelude::*;
use unframe::methods::ALL;
use unframe::page::Selector;
use unframe::{Flag, Label, MethodSpec, Overrides, Site, StoreError, extract};

fn html(n: usize) -> String {
    format!(
        "<title>Story {n}</title><div><nav><a href=/>Home</a> <a href=/shop>Shop</a></nav></div><main>\
         <h1>Story number {n}</h1><p>Only page {n} tells this story, in a whole sentence.</p></main>\
         <div><footer>All rights reserved</footer></div>"
    )
}

fn url(n: usize) -> String {
    format!("https://a.example/{n}")
}

fn learned(spec: &MethodSpec, pages: impl IntoIterator<Item = usize>) -> Site {
    let mut site = Site::with_method(spec);
    for n in pages {
        site.learn(&url(n), html(n)).unwrap();
    }
    site
}

fn specs() -> impl Iterator<Item = MethodSpec> {
    let methods = ALL.iter();
    methods.map(|entry| MethodSpec::new(entry.name, &[]).unwrap())
}

#[test]
fn the_frame_is_removed_and_the_story_is_kept() {
    for spec in specs() {
        let mut site = learned(&spec, 0..12);
        let page = site.clean(&url(3), html(3)).unwrap();
        let text = page.text();
        assert!(text.contains("Only page 3 tells"), "{spec}: {text}");
        let removes = spec.name() != "text";
        assert_eq!(!text.contains("All rights"), removes, "{spec}: {text}");
        assert_eq!(!page.regions().is_empty(), removes, "{spec}");
        assert_eq!(page.state_pages(), 12, "{spec}");
    }
}

#[test]
fn a_page_counts_once_and_a_changed_page_replaces_itself() {
    for spec in specs() {
        let mut site = learned(&spec, 0..6);
        assert!(!site.learn(&url(2), html(2)).unwrap(), "{spec}");
        site.clean(&url(2), html(2)).unwrap();
        assert_eq!(site.pages(), 6, "{spec}");
        assert!(site.learn(&url(2), html(99)).unwrap(), "{spec}");
        assert!(site.learn(&url(2), html(2)).unwrap(), "{spec}");
        assert_eq!(site.pages(), 6, "{spec}");
        let text = |site: &Site| site.label(&url(4), html(4)).text();
        assert_eq!(text(&site), text(&learned(&spec, 0..6)), "{spec}");
    }
}

#[test]
fn labelling_learns_nothing() {
    let site = learned(&MethodSpec::default(), 0..6);
    let before = site.label(&url(7), html(7)).text();
    assert_eq!(site.label(&url(7), html(7)).text(), before);
    assert_eq!(site.pages(), 6);
}

#[test]
fn bytes_come_back() {
    for spec in specs() {
        let mut site = learned(&spec, 0..8);
        let bytes = site.to_bytes().unwrap();
        let mut again = Site::from_bytes_with(&spec, &bytes).unwrap();
        assert_eq!(again.pages(), 8, "{spec}");
        assert!(!again.learn(&url(5), html(5)).unwrap(), "{spec}");
        let text = |site: &Site| site.label(&url(4), html(4)).text();
        assert_eq!(text(&again), text(&site), "{spec}");
        assert_eq!(again.to_bytes().unwrap(), bytes, "{spec}");
    }
}

#[test]
fn the_bytes_of_another_method_are_refused() {
    let stream: MethodSpec = "stream".parse().unwrap();
    let bytes = learned(&stream, 0..3).to_bytes().unwrap();
    let refused = Site::from_bytes(&bytes).err().unwrap().to_string();
    assert!(refused.contains("stream"), "{refused}");
    assert!(Site::from_bytes(b"not a site").is_err());
    let mut site = Site::new();
    assert!(site.merge(learned(&stream, 0..3)).is_err());
    assert_eq!(site.pages(), 0);
}

#[test]
fn a_durable_site_is_there_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.unframe");
    for round in 0..3 {
        let mut site = Site::open(&path).unwrap();
        assert_eq!(site.pages(), [0, 4, 8][round]);
        for n in 4 * round..4 * (round + 1) {
            site.learn(&url(n), html(n)).unwrap();
        }
        site.commit().unwrap();
        assert_eq!(site.name(), "a.example", "named after its host");
    }
    let mut site = Site::open(&path).unwrap();
    let mut in_memory = learned(&MethodSpec::default(), 0..12);
    let text = |site: &mut Site| site.clean(&url(4), html(4)).unwrap().text();
    assert_eq!(text(&mut site), text(&mut in_memory));
    drop(site);
    let mut other = Site::open_with(&path, &MethodSpec::default(), "b.example").unwrap();
    other.learn("https://b.example/", html(1)).unwrap();
    other.commit().unwrap();
    drop(other);
    assert!(matches!(
        Site::open(&path),
        Err(StoreError::SeveralSites(_))
    ));
}

#[test]
fn a_dropped_site_is_committed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.unframe");
    let mut site = Site::open(&path).unwrap();
    site.learn(&url(1), html(1)).unwrap();
    drop(site);
    assert_eq!(Site::open(&path).unwrap().pages(), 1);
}

#[test]
fn no_page_is_emptied() {
    let words = "The same words on every page of the site, so that all of it looks like frame. ";
    let page = format!("<main><p>{}</p></main>", words.repeat(8));
    let spec: MethodSpec = "chunks".parse().unwrap();
    let mut site = Site::with_method(&spec);
    for n in 0..6 {
        site.learn(&url(n), page.clone()).unwrap();
    }
    let clean = site.label(&url(3), page);
    assert!(clean.flags().contains(&Flag::Suspicious));
    assert!(clean.text().contains("The same words"));
}

#[test]
fn overrides_win() {
    let page = |n: usize| {
        html(n)
            .replace("</main>", "<p data-nosnippet>An owner's note</p></main>")
            .replace("<footer>", "<footer class=licence>")
    };
    let mut site = Site::new();
    for n in 0..12 {
        site.learn(&url(n), page(n)).unwrap();
    }
    let text = site.label(&url(3), page(3)).text();
    assert!(!text.contains("owner's note"), "obeyed by default: {text}");
    let protect: Selector = ".licence".parse().unwrap();
    site.set_overrides(Overrides {
        protect: vec![protect],
        owner_marks: Some(false),
        ..Overrides::default()
    });
    let text = site.label(&url(3), page(3)).text();
    assert!(text.contains("All rights reserved"), "{text}");
}

#[test]
fn why_explains_every_text() {
    let site = learned(&MethodSpec::default(), 0..12);
    let page = site.why(&url(3), html(3));
    assert_eq!(page.explanations().len(), page.labels().texts.len());
    let regions = page.explained_regions();
    let footer = regions.iter().find(|region| region.text.contains("rights"));
    let footer = footer.expect("every text is in a region");
    assert_eq!(footer.why.label, Label::Template);
    assert!(
        footer.why.rule.contains("other pages"),
        "{}",
        footer.why.rule
    );
    assert!(site.label(&url(3), html(3)).explanations().is_empty());
}

#[test]
fn a_page_in_every_form() {
    let mut site = learned(&MethodSpec::default(), 0..12);
    let page = site.clean(&url(3), html(3)).unwrap();
    assert!(
        page.markdown().starts_with("# Story number 3"),
        "{}",
        page.markdown()
    );
    let cut = String::from_utf8(page.html()).unwrap();
    assert!(
        cut.contains("<h1>Story number 3</h1>") && !cut.contains("All rights"),
        "{cut}"
    );
    let marked = String::from_utf8(page.marked()).unwrap();
    assert!(marked.contains("data-unframe=\"template\""), "{marked}");
    let template = site.template(&url(3), html(3));
    assert!(
        template.contains("All rights reserved") && template.contains("unframe: slot"),
        "{template}"
    );
    assert!(!template.contains("Only page 3"), "{template}");
    assert_eq!(page.title(), "Story 3");
    assert_eq!(page.links().frame.len(), 2);
    let confidence = page.confidence().unwrap();
    assert!((0.5..=1.0).contains(&confidence), "{confidence}");
    let stream = learned(&"stream".parse().unwrap(), 0..12);
    assert_eq!(stream.label(&url(3), html(3)).confidence(), None);
}

#[test]
fn a_single_page_is_cleaned_as_a_site_of_one() {
    let alone = extract(Some(&url(3)), html(3));
    let mut site = Site::new();
    let page = site.clean(&url(3), html(3)).unwrap();
    assert_eq!(alone.text(), page.text());
    assert!(alone.flags().contains(&Flag::FewPages));
    assert_eq!(extract(None, "").text(), "");
}

proptest! {
    /// Learning in any order, or in two halves that are merged, is the same as learning in a row.
    #[test]
    fn order_and_merging_change_nothing(
        order in Just((0..8).collect::<Vec<usize>>()).prop_shuffle(),
        split in 1usize..7,
    ) {
        for name in ["auto", "chunks"] {
            let spec: MethodSpec = name.parse().unwrap();
            let expected = learned(&spec, 0..8).to_bytes().unwrap();
            prop_assert_eq!(&learned(&spec, order.clone()).to_bytes().unwrap(), &expected);
            // The halves overlap in one page.
            let mut first = learned(&spec, order[..=split].iter().copied());
            let second = learned(&spec, order[split..].iter().copied());
            prop_assert_eq!(first.merge(second).unwrap() as usize, 7 - split);
            prop_assert_eq!(&first.to_bytes().unwrap(), &expected);
        }
    }
}
