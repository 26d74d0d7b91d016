//! The laws that hold for any pages and any model.

use proptest::prelude::*;

use super::*;

/// Markup as found in the wild: unclosed, wrongly nested, outside of the body, hidden.
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
            let labels = Auto::default().label_in_full(&memory, &Auto::default().view(&page));
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
        let mut shuffled: Vec<usize> = (0..pages.len()).collect();
        let mut state = seed;
        for at in (1..shuffled.len()).rev() {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            shuffled.swap(at, (state >> 33) as usize % (at + 1));
        }
        let mut sites = learn(&[]);
        for number in shuffled {
            visit(&mut sites, &number.to_string(), &pages[number]);
        }
        let (one, other) = (memory(&pages), known(&sites));
        prop_assert_eq!(stored(&one), stored(other));
        for html in &pages {
            prop_assert_eq!(labels(&one, html), labels(other, html));
        }
    }

    /// Law 2: two memories put together know what one does that has learnt both.
    #[test]
    fn merging_adds_up(pages in site(2..7), split in 0usize..7) {
        let split = split % (pages.len() + 1);
        let mut parts = [learn(&[]), learn(&[])];
        for (number, html) in pages.iter().enumerate() {
            visit(&mut parts[usize::from(number < split)], &number.to_string(), html);
        }
        let [mut merged, part] = parts.map(|sites| known(&sites).clone());
        merged.merge(part);
        prop_assert_eq!(stored(&merged), stored(&memory(&pages)));
    }

    /// Law 3: the last page is labelled at its arrival as it is in the end.
    #[test]
    fn the_last_page_is_labelled_as_in_the_end(pages in site(1..5)) {
        let (last, rest) = pages.split_last().unwrap();
        let mut sites = learn(rest);
        visit(&mut sites, "last", last);
        prop_assert_eq!(labels(known(&sites), last), labels(&memory(&pages), last));
    }

    /// What a view drops is recomputed.
    #[test]
    fn a_shrunk_view_is_labelled_as_before(pages in site(1..4)) {
        let (method, memory) = (Auto::default(), memory(&pages));
        let mut view = view(&*pages[0]);
        let before = method.label(&memory, &view);
        method.shrink(&mut view);
        prop_assert_eq!(method.label(&memory, &view), before);
    }

    /// Computing one probability instead of two changes no label.
    #[test]
    fn one_probability_decides(pages in site(1..4)) {
        let memory = memory(&pages);
        for remove in [Remove::Boilerplate, Remove::Template] {
            let both = Auto::new(remove, Favor::default());
            let view = view(&*pages[0]);
            let (all, one) = (both.label_in_full(&memory, &view), both.label(&memory, &view));
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
        let before = stored(known(&sites));
        prop_assert!(!visit(&mut sites, &again.to_string(), &pages[again]));
        prop_assert_eq!(&stored(known(&sites)), &before);

        prop_assume!(changed != pages[again]);
        prop_assert!(visit(&mut sites, &again.to_string(), &changed));
        let mut replaced = pages.clone();
        replaced[again] = changed;
        prop_assert_eq!(stored(known(&sites)), stored(&memory(&replaced)));
    }

    /// A page that is forgotten leaves no trace.
    #[test]
    fn forgetting_undoes_learning(pages in site(1..5), extra in markup()) {
        let mut sites = learn(&pages);
        let before = stored(known(&sites));
        visit(&mut sites, "extra", &extra);
        prop_assert!(sites.forget("s", page_identity(None, "extra")).unwrap());
        prop_assert_eq!(stored(known(&sites)), before);
    }

    /// What is stored is all that is known; what has changed is all that has to be stored.
    #[test]
    fn a_memory_comes_back_from_its_rows(pages in site(1..5), extra in markup()) {
        let mut sites = learn(&pages);
        let mut copy = AutoMemory::default();
        let memory = sites.get_mut("s").unwrap().downcast_mut::<AutoMemory>().unwrap();
        memory.rows(&mut |table, key, row| copy.load(table, key, row.unwrap()).unwrap());
        memory.take_changes(&mut |_, _, _| ());
        visit(&mut sites, "extra", &extra);
        sites.forget("s", page_identity(None, "0")).unwrap();
        let memory = sites.get_mut("s").unwrap().downcast_mut::<AutoMemory>().unwrap();
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

    /// Favoring precision removes more, favoring recall less.
    #[test]
    fn what_is_favored_moves_the_threshold(odds in prop::collection::vec(0.0f32..=1.0, 1..30)) {
        let html: String = (0..odds.len()).map(|n| format!("<p>word {n}")).collect();
        let (view, model) = (view(html), Model::built_in());
        let predictions = Predictions {
            probabilities: odds,
            ..Predictions::default()
        };
        let threshold = |favor: Favor| model.threshold(&view, &predictions, favor.shift());
        prop_assert!(threshold(Favor::Precision) <= threshold(Favor::Balance));
        prop_assert!(threshold(Favor::Balance) <= threshold(Favor::Recall));
        prop_assert!((0.0..=1.0).contains(&threshold(Favor::Balance)));
    }
}
