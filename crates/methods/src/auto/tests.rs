//! The laws that hold for any pages and any model, and pages that mean harm.

use std::sync::Arc;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use unframe_dom::Limits;
use unframe_page::{Fingerprint, Page, content_fingerprint, page_identity, visible_texts};
use unframe_site::{Memory, Sites};

use super::*;
use crate::{Label, Labels, Method, Reason};

fn page(html: impl Into<Vec<u8>>) -> Page {
    Page::parse(html.into(), None, None, &Limits::default())
}

fn view(html: impl Into<Vec<u8>>) -> AutoView {
    Auto::default().view(&page(html))
}

fn visit(sites: &mut Sites<AutoMemory>, name: &str, html: &str) -> bool {
    let (method, parsed) = (Auto::default(), page(html));
    let view = method.view(&parsed);
    let content = content_fingerprint(parsed.bytes());
    let identity = page_identity(None, name);
    sites
        .visit(
            "s",
            identity,
            content,
            html.len() as u64,
            |memory, visit| method.learn(memory, &parsed, &view, visit),
        )
        .unwrap()
}

/// Learns pages one by one under the names `0`, `1`, …
fn learn(pages: &[String]) -> Sites<AutoMemory> {
    let mut sites = Sites::new(None, usize::MAX);
    sites.load("s").unwrap();
    for (number, html) in pages.iter().enumerate() {
        visit(&mut sites, &number.to_string(), html);
    }
    sites
}

fn memory(pages: &[String]) -> AutoMemory {
    learn(pages).get("s").unwrap().clone()
}

/// All that is stored of a memory.
type Stored = (Vec<u8>, Vec<(u8, Fingerprint, Vec<u8>)>);

fn stored(memory: &AutoMemory) -> Stored {
    let mut rows = Vec::new();
    memory.rows(&mut |table, key, row| rows.push((table, key, row.unwrap().to_vec())));
    (memory.head(), rows)
}

fn labels(memory: &AutoMemory, html: &str) -> Labels {
    Auto::default().label(memory, &view(html))
}

/// The texts of a page that go.
fn removed(method: &Auto, memory: &AutoMemory, html: &str) -> Vec<String> {
    let page = page(html);
    let labels = method.label(memory, &method.view(&page));
    let gone = labels
        .texts
        .iter()
        .filter(|text| text.label == Label::Template);
    gone.map(|text| page.dom().text(text.node).trim().to_string())
        .collect()
}

/// A reason has probabilities, and they are some.
fn is_sound(labels: &Labels) -> bool {
    labels.reasons.iter().all(|reason| match reason {
        Reason::Odds {
            probability,
            boilerplate,
            template,
            seen,
            of,
            ..
        } => {
            let chances = [boilerplate, template].map(|chance| chance.unwrap_or(f32::NAN));
            chances.iter().all(|chance| (0.0..=1.0).contains(chance))
                && chances.contains(probability)
                && seen <= of
        }
        _ => false,
    })
}

/// Markup as it comes: unclosed, nested where it must not be, outside of the body, hidden.
fn markup() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "<div>",
        "</div>",
        "<p>",
        "</p>",
        "<ul><li>",
        "<li>",
        "</ul>",
        "<table>",
        "<tr>",
        "<td>",
        "</table>",
        "<form>",
        "</form>",
        "<form><form>",
        "<select><option>",
        "</select>",
        "<nav>",
        "</nav>",
        "<a href=/x>",
        "<a href=/y>",
        "</a>",
        "<b>",
        "</b>",
        "<span hidden>",
        "<span style=display:none>",
        "</span>",
        "<span>",
        "<br>",
        "<br><br>",
        "<h1>",
        "</h1>",
        "<script>x</script>",
        "<style>y</style>",
        "<textarea>",
        "</textarea>",
        "<svg><text>",
        "</svg>",
        "<template>",
        "</template>",
        "<noscript>",
        "</noscript>",
        "</body>",
        "</html>",
        "<title>",
        "</title>",
        "<head>",
        "<body>",
        "<iframe>",
        "</iframe>",
        "<img alt=i>",
        "<input value=v>",
        "<button>",
        "</button>",
        "<label>",
        "<math><mi>",
        "</math>",
        "<article class=main>",
        "<footer id=foot>",
        "<section class='comments'>",
        "</section>",
        "&nbsp;",
        "\0",
        "  ",
        "<!-- c -->",
    ]);
    let words = prop::sample::select(vec![
        "Home",
        "About us",
        "12 May 2024",
        "Read more",
        "x",
        "Page 3 of 9",
        "The quick brown fox jumps over the lazy dog, and nobody says a word.",
        "All rights reserved.",
        "日本語の文章です。",
        "naïve café",
    ]);
    let part = prop_oneof![3 => pieces, 2 => words];
    let start = prop::sample::select(vec![
        "",
        "<!doctype html><body>",
        "<title>Fox</title>",
        "<frameset><frame src=a>",
        "<frameset><noframes>",
        "<html><head>",
        "<table>",
    ]);
    (start, prop::collection::vec(part, 0..40))
        .prop_map(|(start, parts)| start.to_string() + &parts.concat())
}

fn site(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(markup(), count)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Law 1: every visible text has exactly one label, in order, with its own reason.
    #[test]
    fn every_text_has_one_label(pages in site(1..5)) {
        let memory = memory(&pages);
        for html in &pages {
            let page = page(&**html);
            let labels = Auto::default().label(&memory, &Auto::default().view(&page));
            let nodes: Vec<_> = labels.texts.iter().map(|text| text.node).collect();
            let visible: Vec<_> = visible_texts(page.dom()).collect();
            prop_assert_eq!(nodes, visible);
            prop_assert_eq!(labels.reasons.len(), labels.texts.len());
            prop_assert!(is_sound(&labels));
        }
    }

    /// Law 2: in whatever order the pages come, the same is known, and the same said.
    #[test]
    fn the_order_of_pages_does_not_matter(pages in site(2..6), seed in any::<u64>()) {
        let mut shuffled = pages.clone();
        let mut state = seed;
        for at in (1..shuffled.len()).rev() {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            shuffled.swap(at, (state >> 33) as usize % (at + 1));
        }
        let (one, other) = (memory(&pages), memory(&shuffled));
        prop_assert_eq!(stored(&one), stored(&other));
        for html in &pages {
            prop_assert_eq!(labels(&one, html), labels(&other, html));
        }
    }

    /// Law 2: two memories put together know what one does that has learnt both.
    #[test]
    fn merging_adds_up(pages in site(2..7), split in 0usize..7) {
        let (a, b) = pages.split_at(split % (pages.len() + 1));
        let mut merged = memory(a);
        merged.merge(memory(b));
        prop_assert_eq!(stored(&merged), stored(&memory(&pages)));
    }

    /// Law 3: the last page is labelled at its arrival as it is in the end.
    #[test]
    fn the_last_page_is_labelled_as_in_the_end(pages in site(1..5)) {
        let (last, rest) = pages.split_last().unwrap();
        let mut sites = learn(rest);
        visit(&mut sites, "last", last);
        prop_assert_eq!(labels(sites.get("s").unwrap(), last), labels(&memory(&pages), last));
    }

    /// What a view lets go is made again.
    #[test]
    fn a_shrunk_view_is_labelled_as_before(pages in site(1..4)) {
        let (method, memory) = (Auto::default(), memory(&pages));
        let mut view = view(&*pages[0]);
        let before = method.label(&memory, &view);
        method.shrink(&mut view);
        prop_assert_eq!(method.label(&memory, &view), before);
    }

    /// Asking for less changes no label.
    #[test]
    fn one_probability_decides(pages in site(1..4)) {
        let memory = memory(&pages);
        for remove in [Remove::Boilerplate, Remove::Template] {
            let both = Auto::new(remove, Lean::default());
            let view = view(&*pages[0]);
            let (all, one) = (both.label(&memory, &view), both.clone().only_deciding().label(&memory, &view));
            prop_assert_eq!(&all.texts, &one.texts);
            for (all, one) in all.reasons.iter().zip(&one.reasons) {
                let (Reason::Odds { probability, .. }, Reason::Odds { probability: same, boilerplate, template, .. }) = (all, one) else {
                    panic!("odds");
                };
                prop_assert_eq!(probability, same);
                prop_assert_eq!(boilerplate.is_some(), remove == Remove::Boilerplate);
                prop_assert_eq!(template.is_some(), remove == Remove::Template);
            }
        }
    }

    /// Law 4: the same page again changes nothing; a changed page replaces its former self.
    #[test]
    fn seeing_a_page_again_changes_nothing(pages in site(1..5), again in 0usize..5, changed in markup()) {
        let mut sites = learn(&pages);
        let again = again % pages.len();
        let before = stored(sites.get("s").unwrap());
        prop_assert!(!visit(&mut sites, &again.to_string(), &pages[again]));
        prop_assert_eq!(&stored(sites.get("s").unwrap()), &before);

        prop_assume!(changed != pages[again]);
        prop_assert!(visit(&mut sites, &again.to_string(), &changed));
        let mut replaced = pages.clone();
        replaced[again] = changed;
        prop_assert_eq!(stored(sites.get("s").unwrap()), stored(&memory(&replaced)));
    }

    /// A page that is forgotten leaves no trace.
    #[test]
    fn forgetting_undoes_learning(pages in site(1..5), extra in markup()) {
        let mut sites = learn(&pages);
        let before = stored(sites.get("s").unwrap());
        visit(&mut sites, "extra", &extra);
        prop_assert!(sites.forget("s", page_identity(None, "extra")).unwrap());
        prop_assert_eq!(stored(sites.get("s").unwrap()), before);
    }

    /// What is stored is all that is known; what has changed is all that has to be stored.
    #[test]
    fn a_memory_comes_back_from_its_rows(pages in site(1..5), extra in markup()) {
        let mut sites = learn(&pages);
        let mut copy = AutoMemory::default();
        let memory = sites.get_mut("s").unwrap();
        memory.rows(&mut |table, key, row| copy.load(table, key, row.unwrap()).unwrap());
        memory.take_changes(&mut |_, _, _| ());
        visit(&mut sites, "extra", &extra);
        sites.forget("s", page_identity(None, "0")).unwrap();
        let memory = sites.get_mut("s").unwrap();
        let mut rows: std::collections::BTreeMap<_, _> = Default::default();
        copy.rows(&mut |table, key, row| { rows.insert((table, key), row.unwrap().to_vec()); });
        memory.take_changes(&mut |table, key, row| {
            match row {
                Some(row) => rows.insert((table, key), row.to_vec()),
                None => rows.remove(&(table, key)),
            };
        });
        let mut loaded = AutoMemory::default();
        loaded.load_head(&memory.head()).unwrap();
        for ((table, key), row) in rows {
            loaded.load(table, key, &row).unwrap();
        }
        prop_assert_eq!(stored(&loaded), stored(memory));
        for html in &pages {
            prop_assert_eq!(labels(&loaded, html), labels(memory, html));
        }
    }

    /// Whoever leans to precision takes off less, whoever leans to recall more.
    #[test]
    fn leaning_is_a_matter_of_more_or_less(odds in prop::collection::vec(0.0f32..=1.0, 1..30)) {
        let html: String = (0..odds.len()).map(|n| format!("<p>word {n}")).collect();
        let (view, model) = (view(html), Model::built_in());
        let judged = Judgement {
            chances: odds,
            ..Judgement::default()
        };
        let threshold = |shift| model.threshold(&view, &judged, shift);
        prop_assert!(threshold(-0.85) <= threshold(0.0));
        prop_assert!(threshold(0.0) <= threshold(1.4));
        prop_assert!((0.0..=1.0).contains(&threshold(0.0)));
    }
}

#[test]
fn hostile_pages_are_judged_in_bounded_time() {
    let deep = "<div>".repeat(100_000) + "deep";
    let nested_lists = "<ul><li>x".repeat(20_000);
    let siblings: String = (0..50_000).map(|n| format!("<p>text {n}</p>")).collect();
    let same: String = "<p>same text</p>".repeat(50_000);
    let links: String = (0..50_000)
        .map(|n| format!("<a href=/{n}>{n}</a> "))
        .collect();
    let inline = "<b>x</b>y".repeat(25_000);
    let tables = "<table><tr><td>cell".repeat(2_000);
    let titles: String = (0..50_000)
        .map(|n| format!("<meta property=og:title content='a{n} b{n} c{n} d{n}'>"))
        .collect();
    let cases: [(&str, Vec<u8>); 14] = [
        ("empty", Vec::new()),
        ("blank", b"   \n\t ".to_vec()),
        ("deep", deep.into()),
        ("nested lists", nested_lists.into()),
        ("siblings", siblings.into()),
        ("the same", same.into()),
        ("links", links.into()),
        ("one block", inline.into()),
        ("tables", tables.into()),
        ("many titles", titles.into()),
        ("only script", b"<script>let a = 1;</script>".to_vec()),
        ("no spaces", vec![b'x'; 1 << 20]),
        ("NULs", vec![0; 1 << 16]),
        ("no letters", "… — … ".repeat(20_000).into()),
    ];
    let method = Auto::default();
    for (name, html) in cases {
        let page = page(html);
        for model in [Model::built_in(), of_all_features()] {
            let started = Instant::now();
            let method = Auto::with_model(model, Remove::default(), Lean::default());
            let view = method.view(&page);
            let mut memory = AutoMemory::default();
            memory.learn(&view);
            memory.learn(&view);
            let labels = method.label(&memory, &view);
            let taken = started.elapsed();
            assert_eq!(
                labels.texts.len(),
                visible_texts(page.dom()).count(),
                "{name}"
            );
            assert!(is_sound(&labels), "{name}");
            println!("{name}: {} texts, {taken:?}", labels.texts.len());
            assert!(taken < Duration::from_secs(15), "{name}: {taken:?}");
        }
    }
    let nothing = method.label(&AutoMemory::default(), &view(""));
    assert!(nothing.texts.is_empty());
}

/// A model that asks for every feature, which a fitted one need not do.
fn of_all_features() -> Arc<Model> {
    let trees = (0..features().len()).map(|feature| {
        let split = Split {
            feature: feature as u16,
            above: 0.5,
        };
        Tree::new(&[split], &[-0.1, 0.1], &[1.0; 2])
    });
    let forest = Forest {
        trees: trees.collect(),
        ..Forest::default()
    };
    let model = Model {
        boilerplate: forest.clone(),
        template: forest,
        ..Model::default()
    };
    Arc::new(model)
}

/// Every feature is a number, whatever the page.
#[test]
fn features_are_finite() {
    let pages = [
        "",
        "x",
        "<body><p> \u{a0} </p>",
        "<frameset><frame>",
        "<h1></h1><p>a<p>b<p>c",
        "<ul><li>1<li>2<li>3</ul><form><select><option>o</select></form>",
    ];
    let memories = [
        memory(&[]),
        memory(&["x".into()]),
        memory(&pages.map(String::from)),
    ];
    for html in pages {
        let view = view(html);
        for memory in &memories {
            let table = view.features(memory);
            for row in 0..table.rows() {
                for (feature, value) in features().iter().zip(table.row(row)) {
                    assert!(value.is_finite(), "{}: {html}", feature.name);
                }
            }
        }
    }
}

/// An article in a frame; the frame is the same on all pages of the site.
fn article(frame: &str, own: &str) -> String {
    format!(
        "<title>{own}</title><nav><ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a \
         href=/about>About {frame}</a></ul></nav><main><h1>The story of {own}</h1>{}</main><footer>\
         <p>Copyright {frame}, all rights reserved.</p></footer>",
        (0..6)
            .map(|n| format!(
                "<p>Paragraph {n} tells, in plain words, what {own} did next, and why it mattered \
                 to everybody who was there at the time.</p>"
            ))
            .collect::<String>()
    )
}

const OWN: [&str; 8] = [
    "the baker",
    "a sailor",
    "our teacher",
    "some miner",
    "one doctor",
    "that farmer",
    "any painter",
    "every judge",
];

#[test]
fn an_article_at_two_addresses_is_no_frame() {
    let mut pages: Vec<String> = OWN.iter().map(|own| article("Gazette", own)).collect();
    let twice = pages[3].clone();
    pages.push(twice.clone());
    let memory = memory(&pages);
    for remove in [Remove::Template, Remove::Boilerplate] {
        let gone = removed(&Auto::new(remove, Lean::Balance), &memory, &twice);
        let story = |text: &&String| text.starts_with("Paragraph");
        assert_eq!(gone.iter().find(story), None, "{remove}");
    }
}

#[test]
fn a_site_of_copies_is_not_all_frame() {
    // The same article with another date: nothing tells its own text from the frame.
    let pages: Vec<String> = (1..=8)
        .map(|day| article("Gazette", "the baker").replace("Paragraph 0", &format!("On day {day}")))
        .collect();
    let memory = memory(&pages);
    for html in &pages {
        let method = Auto::default();
        let mut labels = method.label(&memory, &method.view(&page(&**html)));
        labels.never_empty();
        assert!(labels.template_length() < labels.length());
    }
}

/// Of a single page nothing is known to be the site's, so nothing goes, fields of forms neither.
#[test]
fn without_other_pages_nothing_is_the_sites() {
    let html = article("Gazette", "the baker")
        + "<form><select><option>Choose</select><textarea>Write</textarea></form>";
    let alone = memory(std::slice::from_ref(&html));
    for memory in [&alone, &AutoMemory::default()] {
        let method = Auto::new(Remove::Template, Lean::Recall);
        assert_eq!(removed(&method, memory, &html), Vec::<String>::new());
    }
    let boilerplate = removed(&Auto::default(), &alone, &html);
    assert!(
        boilerplate.contains(&"Choose".to_string()),
        "{boilerplate:?}"
    );
}

/// Thresholds that lean to recall are among what others let go as content.
#[test]
fn recall_lets_no_content_go_early() {
    let pages: Vec<String> = ["baker", "smith", "miller"]
        .map(|name| article("Gazette", name))
        .into();
    let (memory, view) = (memory(&pages), view(pages[0].as_str()));
    let chances = |model, lean| {
        let method = Auto::with_model(model, Remove::default(), lean);
        method.judge(&view, &memory).chances
    };
    let model = Model::built_in();
    let asking_on = Arc::new(model.asking_on_below());
    let recall = chances(model.clone(), Lean::Recall);
    assert_eq!(recall, chances(asking_on, Lean::Balance));
    assert_ne!(recall, chances(model, Lean::Balance));
}

/// What no forest was asked for is explained by its rule, without evidence.
#[test]
fn rules_explain_what_they_decide() {
    let html = article("Gazette", "the baker") + "<textarea>Write</textarea>";
    let view = view(html.as_str());
    let alone = memory(std::slice::from_ref(&html));
    for (remove, rule) in [
        (Remove::Boilerplate, "field of a form"),
        (Remove::Template, "no other page"),
    ] {
        let method = Auto::new(remove, Lean::Balance);
        let labels = method.label(&alone, &view);
        let found = method.explain(&alone, &view, &labels);
        let written = found.last().expect("the field is the last text");
        assert!(written.rule.contains(rule), "{}", written.rule);
        assert_eq!(written.evidence, []);
    }
}

#[test]
fn damaged_rows_are_refused() {
    let mut memory = AutoMemory::default();
    let key = Fingerprint(7);
    for (table, row) in [
        (0, vec![0; 3]),
        (0, vec![0; 4]),
        (1, vec![0; 20]),
        (2, vec![1; 5]),
        (3, vec![1; 8]),
        (9, vec![1; 64]),
    ] {
        assert!(memory.load(table, key, &row).is_err(), "{table}: {row:?}");
    }
    assert!(
        memory
            .load(0, Fingerprint(u128::MAX), &[1, 0, 0, 0])
            .is_err()
    );
    assert!(memory.load_head(&[0; 8]).is_err());
    // What no page can have contributed is left alone.
    memory.unlearn(b"nonsense");
    assert!(memory.is_empty());
}

#[test]
fn rows_are_recounted_from_what_pages_contributed() {
    let method = Auto::default();
    let mut memory = AutoMemory::default();
    let mut contributions = Vec::new();
    for own in OWN {
        let page = page(article("Gazette", own));
        let visit = unframe_site::Visit::first(page_identity(None, own));
        contributions.push(method.learn(&mut memory, &page, &method.view(&page), visit));
    }
    let recount = |memory: &AutoMemory| memory.wrong_rows(contributions.iter().map(|c| &**c));
    assert_eq!(recount(&memory), 0);
    assert!(memory.frame_texts() >= 4);
    assert!(memory.bytes() > 0 && memory.table_bytes() > 0);
    memory.unlearn(&contributions[0]);
    assert!(recount(&memory) > 0);
}
