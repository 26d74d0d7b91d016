use proptest::prelude::*;
use unframe_dom::Limits;
use unframe_page::{Fingerprint, page_identity};
use unframe_site::Memory;
use unframe_survey::mdl::{Cost, ModeRule};

use super::*;

fn page(html: &str) -> Page {
    Page::parse(html.into(), None, None, &Limits::default())
}

fn identity(name: usize) -> Fingerprint {
    page_identity(None, &name.to_string())
}

fn mdl(cost: Cost, mode_rule: ModeRule) -> Mdl {
    let mut params = MdlParams::default();
    (params.cost, params.mode_rule) = (cost, mode_rule);
    Mdl::new(params).unwrap()
}

fn usual() -> Mdl {
    Mdl::new(MdlParams::default()).unwrap()
}

fn learn(method: &Mdl, memory: &mut MdlMemory, name: usize, html: &str) -> Vec<u8> {
    let page = page(html);
    let visit = Visit::first(identity(name));
    method.learn(memory, &page, &method.view(&page), visit)
}

fn learnt<'a>(method: &Mdl, pages: impl IntoIterator<Item = &'a String>) -> MdlMemory {
    let mut memory = MdlMemory::default();
    for (name, html) in pages.into_iter().enumerate() {
        learn(method, &mut memory, name, html);
    }
    memory
}

/// The texts of a page that are template.
fn template(method: &Mdl, memory: &MdlMemory, html: &str) -> Vec<String> {
    let page = page(html);
    let labels = method.label(memory, &method.view(&page));
    let template = labels.texts.iter().filter(|t| t.label == Label::Template);
    let text = |text: &TextLabel| page.dom().text(text.node).trim().to_string();
    template.map(text).collect()
}

fn labels(method: &Mdl, memory: &MdlMemory, html: &str) -> Vec<Label> {
    let labels = method.label(memory, &method.view(&page(html)));
    labels.texts.iter().map(|text| text.label).collect()
}

fn news(word: &str) -> String {
    format!("<div><ul><li>News<li>Sport</ul></div><h1>{word}</h1><p>Of {word}.")
}

fn shop(word: &str) -> String {
    format!("<table><tr><td>Cart<td>Till</table><form><b>{word}</b><i>{word} 9</i></form>")
}

fn two_sites() -> Vec<String> {
    let words = ["tea", "milk", "salt", "rice", "soap"];
    let pages = words.map(|word| [news(word), shop(word)]);
    pages.into_iter().flatten().collect()
}

/// The pages of the paper's Table 1 share no text. If both have one more text, it is template. With
/// the paper's matrices this takes enough paths that they do not share: if over two thirds of two
/// pages are common, nearly all entries are ones, which need no template.
#[test]
fn the_pages_of_the_paper() {
    for rule in [
        ModeRule::Literal,
        ModeRule::IgnoreSingletons,
        ModeRule::Elements,
    ] {
        for (cost, room) in [
            (Cost::Seed, false),
            (Cost::Delta, false),
            (Cost::Delta, true),
        ] {
            let mut params = mdl(cost, rule).params;
            params.room = room;
            let method = Mdl::new(params).unwrap();
            let pages = ["<h1>IT</h1><br>", "<h1>Park</h1><br>Gate"].map(String::from);
            let memory = learnt(&method, &pages);
            assert!(template(&method, &memory, &pages[0]).is_empty());
            assert!(template(&method, &memory, &pages[1]).is_empty());
            let [one, other] = pages.map(|page| page + "<b>Home</b>");
            let memory = learnt(&method, [&one, &other]);
            assert_eq!(template(&method, &memory, &one).is_empty(), !room);
            let (one, other) = (one + "<p>Bus</p>", other + "<p>Tram</p>");
            let memory = learnt(&method, [&one, &other]);
            assert_eq!(template(&method, &memory, &one), ["Home"], "{rule:?}");
        }
    }
}

#[test]
fn each_cluster_has_its_own_template() {
    let (method, pages) = (usual(), two_sites());
    let memory = learnt(&method, &pages);
    assert_eq!(memory.shared_clusters(method.params()), 2);
    assert_eq!(template(&method, &memory, &pages[0]), ["News", "Sport"]);
    assert_eq!(template(&method, &memory, &pages[1]), ["Cart", "Till"]);
    let page = page(&pages[1]);
    let labels = method.label(&memory, &method.view(&page));
    let support = |support| Reason::PathSupport {
        cluster: Some(1),
        pages: 5,
        support,
        least: 3,
    };
    assert_eq!(labels.reasons, [support(5), support(1)]);
}

/// The printed cost puts everything into one cluster, in which the frame of half the pages is not
/// frame.
#[test]
fn the_cost_of_the_paper_merges_everything() {
    let (method, mut pages) = (mdl(Cost::Seed, ModeRule::Literal), two_sites());
    let memory = learnt(&method, &pages);
    assert_eq!(memory.shared_clusters(method.params()), 1);
    assert!(template(&method, &memory, &pages[0]).is_empty());
    pages.push(news("oil"));
    let memory = learnt(&method, &pages);
    assert_eq!(template(&method, &memory, &pages[0]), ["News", "Sport"]);
    assert!(template(&method, &memory, &pages[1]).is_empty());
}

#[test]
fn a_page_alone_has_no_template() {
    for method in [usual(), mdl(Cost::Seed, ModeRule::Literal)] {
        let memory = learnt(&method, [&news("tea")]);
        let page = page(&news("tea"));
        let labels = method.label(&memory, &method.view(&page));
        assert!(labels.texts.iter().all(|text| text.label == Label::Content));
        let alone = Reason::PathSupport {
            cluster: None,
            pages: 1,
            support: 1,
            least: 1,
        };
        assert_eq!(labels.reasons, [alone]);
        let nothing = MdlMemory::default();
        assert_eq!(method.label(&nothing, &method.view(&page)), labels);
    }
}

#[test]
fn a_page_that_was_not_learnt_belongs_where_it_fits() {
    let (method, pages) = (usual(), two_sites());
    let memory = learnt(&method, &pages);
    assert_eq!(template(&method, &memory, &shop("oil")), ["Cart", "Till"]);
    assert_eq!(template(&method, &memory, &news("oil")), ["News", "Sport"]);
    assert!(template(&method, &memory, "<section>Cart</section>").is_empty());
}

#[test]
fn pages_without_text_and_without_anything() {
    let method = usual();
    let pages = ["", "<img>", "<br>", ""].map(String::from);
    let memory = learnt(&method, &pages);
    for html in &pages {
        assert!(labels(&method, &memory, html).is_empty());
    }
}

/// What the rows say, one after another.
fn rows(memory: &MdlMemory) -> Vec<(u8, Fingerprint, Vec<u8>)> {
    let mut rows = Vec::new();
    memory.rows(&mut |table, key, row| rows.push((table, key, row.unwrap().to_vec())));
    assert_eq!(rows.len(), memory.len());
    rows
}

fn loaded(head: &[u8], rows: impl IntoIterator<Item = (u8, Fingerprint, Vec<u8>)>) -> MdlMemory {
    let mut memory = MdlMemory::default();
    memory.load_head(head).unwrap();
    for (table, key, row) in rows {
        memory.load(table, key, &row).unwrap();
    }
    memory
}

#[test]
fn a_long_page_comes_back_from_its_rows_in_any_order() {
    let method = usual();
    let long: String = (0..500).map(|n| format!("<p>{n}")).collect();
    let memory = learnt(&method, [&long, &news("tea"), &String::new()]);
    let mut stored = rows(&memory);
    for _ in 0..5 {
        let again = loaded(&memory.head(), stored.clone());
        assert_eq!(rows(&again), rows(&memory));
        assert_eq!(
            (again.paths(), again.pages()),
            (memory.paths(), memory.pages())
        );
        stored.rotate_left(1);
        stored.reverse();
    }
}

#[test]
fn rows_of_another_shape_are_refused() {
    for row in [&[][..], &[0], &[0, 0], &[0, 0, 1, 2, 3], &[1, 0, 1, 2, 3]] {
        let mut memory = MdlMemory::default();
        assert!(memory.load(0, identity(0), row).is_err(), "{row:?}");
    }
    assert!(MdlMemory::default().load(1, identity(0), &[1, 0]).is_err());
    assert!(MdlMemory::default().load_head(&[0; 3]).is_err());
}

/// A page changes: its new row replaces the old one.
#[test]
fn changes_replayed_are_the_rows() {
    let method = usual();
    let long: String = (0..100).map(|n| format!("<p>{n}")).collect();
    let mut memory = learnt(&method, [&long, &news("tea")]);
    let mut replayed = std::collections::BTreeMap::new();
    let mut replay = |memory: &mut MdlMemory| {
        memory.take_changes(&mut |table, key, row| {
            match row {
                Some(row) => replayed.insert((table, key), row.to_vec()),
                None => replayed.remove(&(table, key)),
            };
        });
        let flat = replayed.iter().map(|((t, k), row)| (*t, *k, row.clone()));
        let mut expected = rows(memory);
        expected.sort();
        assert_eq!(flat.collect::<Vec<_>>(), expected);
    };
    replay(&mut memory);
    learn(&method, &mut memory, 0, "<p>short");
    learn(&method, &mut memory, 2, &long);
    replay(&mut memory);
    learn(&method, &mut memory, 0, &long);
    memory.unlearn(identity(2), &identity(2).0.to_be_bytes());
    replay(&mut memory);
    memory.unlearn(identity(0), &identity(0).0.to_be_bytes());
    memory.unlearn(identity(1), &identity(1).0.to_be_bytes());
    replay(&mut memory);
    assert!(memory.is_empty());
    assert_eq!(memory.bytes(), 0);
}

fn arriving() -> Mdl {
    Mdl::at_arrival(unframe_survey::mdl::OnlineParams::default())
}

/// Each page is labelled by those that came before it.
#[test]
fn pages_are_assigned_as_they_come() {
    let (method, pages) = (arriving(), two_sites());
    let mut memory = MdlMemory::default();
    let mut found = Vec::new();
    for (name, html) in pages.iter().enumerate() {
        learn(&method, &mut memory, name, html);
        found.push(template(&method, &memory, html));
    }
    for (name, texts) in found.iter().enumerate() {
        let expected: &[&str] = match (name < 2, name % 2) {
            (true, _) => &[],
            (false, 0) => &["News", "Sport"],
            (false, _) => &["Cart", "Till"],
        };
        assert_eq!(texts, expected, "{name}");
    }
    assert_eq!(method.templates(&memory), 2);
    assert_eq!(template(&method, &memory, &shop("oil")), ["Cart", "Till"]);

    // A page that comes again with other bytes is counted once, in its original position.
    learn(&method, &mut memory, 0, &news("oats"));
    let page = page(&news("oats"));
    let labels = method.label(&memory, &method.view(&page));
    let support = |support| Reason::PathSupport {
        cluster: Some(0),
        pages: 5,
        support,
        least: 3,
    };
    assert_eq!(labels.reasons, [support(5), support(1)]);
}

#[test]
fn a_memory_that_comes_back_assigns_on() {
    let (method, pages) = (arriving(), two_sites());
    let whole = learnt(&method, &pages);
    let half = learnt(&method, &pages[..5]);
    let mut half = loaded(&half.head(), rows(&half));
    for (name, html) in pages.iter().enumerate().skip(5) {
        learn(&method, &mut half, name, html);
    }
    for html in &pages {
        let labels = |memory| method.label(memory, &method.view(&page(html)));
        assert_eq!(labels(&half), labels(&whole));
    }
}

fn sites() -> impl Strategy<Value = Vec<String>> {
    let piece = prop_oneof![
        Just("<div>"),
        Just("</div>"),
        Just("<p>"),
        Just("<ul><li>"),
        Just("</ul>"),
        Just("<b>"),
        Just("</b>"),
        Just("Home"),
        Just("About"),
        Just("x"),
        Just("y"),
        Just("z"),
    ];
    let page = prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat());
    prop::collection::vec(page, 0..8)
}

fn methods() -> impl Strategy<Value = Mdl> {
    let cost = prop_oneof![Just(Cost::Seed), Just(Cost::Delta)];
    let rule = prop_oneof![
        Just(ModeRule::Literal),
        Just(ModeRule::IgnoreSingletons),
        Just(ModeRule::Elements)
    ];
    (cost, rule).prop_map(|(cost, rule)| mdl(cost, rule))
}

proptest! {
    #[test]
    fn the_order_of_the_pages_does_not_matter(
        (pages, order) in sites().prop_flat_map(|pages| {
            let order: Vec<usize> = (0..pages.len()).collect();
            (Just(pages), Just(order).prop_shuffle())
        }),
        method in methods(),
    ) {
        let memory = learnt(&method, &pages);
        let mut shuffled = MdlMemory::default();
        for name in order {
            learn(&method, &mut shuffled, name, &pages[name]);
        }
        for html in &pages {
            prop_assert_eq!(labels(&method, &memory, html), labels(&method, &shuffled, html));
        }
    }

    #[test]
    fn a_page_seen_twice_changes_nothing_and_one_taken_out_was_never_there(
        pages in sites(),
        more in sites(),
        method in methods(),
    ) {
        let memory = learnt(&method, &pages);
        let mut other = learnt(&method, &pages);
        for (name, html) in more.iter().enumerate() {
            // Earlier pages with other bytes, and new ones.
            learn(&method, &mut other, 2 * name, html);
        }
        for name in pages.len()..2 * more.len() {
            other.unlearn(identity(name), &identity(name).0.to_be_bytes());
        }
        for (name, html) in pages.iter().enumerate() {
            learn(&method, &mut other, name, html);
        }
        prop_assert_eq!(rows(&other), rows(&memory));
        for html in &pages {
            prop_assert_eq!(labels(&method, &memory, html), labels(&method, &other, html));
        }
    }

    #[test]
    fn two_memories_together_label_as_one(pages in sites(), at in 0..8usize, method in methods()) {
        let at = at.min(pages.len());
        let memory = learnt(&method, &pages);
        let mut first = learnt(&method, &pages[..at]);
        let mut second = MdlMemory::default();
        for (name, html) in pages.iter().enumerate().skip(at) {
            learn(&method, &mut second, name, html);
        }
        // For a page that both have, the first one's version counts.
        if at > 0 {
            learn(&method, &mut second, 0, "<p>something else");
        }
        first.merge(second);
        for html in &pages {
            prop_assert_eq!(labels(&method, &memory, html), labels(&method, &first, html));
        }
    }

    /// Removing a page removes it from the counts of its cluster.
    #[test]
    fn arrivals_that_leave_were_never_counted(pages in sites(), more in sites()) {
        let method = arriving();
        let mut memory = learnt(&method, &pages);
        for (name, html) in more.iter().enumerate() {
            learn(&method, &mut memory, 100 + name, html);
        }
        for name in 0..more.len() {
            memory.unlearn(identity(100 + name), &identity(100 + name).0.to_be_bytes());
        }
        let total: u32 = pages.len() as u32;
        for html in &pages {
            let labels = method.label(&memory, &method.view(&page(html)));
            for reason in labels.reasons {
                let Reason::PathSupport { pages, support, .. } = reason else {
                    panic!("{reason:?}");
                };
                prop_assert!(support >= 1 && support <= pages && pages <= total);
            }
        }
    }

    #[test]
    fn every_visible_text_is_labelled_once_with_its_reason(pages in sites(), method in methods()) {
        let memory = learnt(&method, &pages);
        for html in &pages {
            let page = page(html);
            let labels = method.label(&memory, &method.view(&page));
            let nodes: Vec<NodeId> = labels.texts.iter().map(|text| text.node).collect();
            prop_assert_eq!(nodes, visible_texts(page.dom()).collect::<Vec<_>>());
            let used = labels.texts.iter().map(|text| text.reason as usize);
            let used: std::collections::BTreeSet<usize> = used.collect();
            prop_assert_eq!(used.into_iter().collect::<Vec<_>>(), (0..labels.reasons.len()).collect::<Vec<_>>());
        }
    }
}
