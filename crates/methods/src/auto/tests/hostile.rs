//! Hostile pages, empty pages and damaged rows.

use std::sync::Arc;
use std::time::Duration;

use super::*;

#[path = "../../../../dom/tests/parsing/processor_time.rs"]
mod processor_time;
use processor_time::processor_time;

#[test]
fn hostile_pages_are_labelled_in_bounded_time() {
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
    let row = format!("<table><tr>{}", "<td>cell".repeat(30_000));
    let headings = "<h2><a href=#x>one</a></h2><h3>two</h3>".repeat(15_000);
    let comments: String = (0..10_000)
        .map(|n| format!("<li class=comment><b>Ann {n}</b> May 3, 2010<p>I like it {n} times.</p>"))
        .collect();
    let cases: [(&str, Vec<u8>); 17] = [
        ("empty", Vec::new()),
        ("blank", b"   \n\t ".to_vec()),
        ("deep", deep.into()),
        ("nested lists", nested_lists.into()),
        ("siblings", siblings.into()),
        ("the same", same.into()),
        ("links", links.into()),
        ("one block", inline.into()),
        ("tables", tables.into()),
        ("one row", row.into()),
        ("headings", headings.into()),
        ("comments", comments.into()),
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
            let (labels, taken) = processor_time(|| {
                let method = Auto::with_model(model, Remove::default(), Favor::default());
                let view = method.view(&page);
                let mut memory = AutoMemory::default();
                memory.learn(&view);
                memory.learn(&view);
                let labels = method.label_in_full(&memory, &view);
                method.comments(&memory, &view);
                labels
            });
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

/// A model that uses every feature, which a fitted one need not do.
fn of_all_features() -> Arc<Model> {
    let trees = (0..features().len()).map(|feature| {
        let split = Split {
            feature: feature as u16,
            threshold: 0.5,
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

#[test]
fn damaged_rows_are_refused() {
    let mut memory = AutoMemory::default();
    let key = Fingerprint(7);
    for (table, row) in [
        (0, vec![0; 3]),
        (0, vec![0; 4]),
        (1, vec![0xff; 20]),
        (1, vec![b'a'; 300]),
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
    memory.unlearn(Fingerprint(0), b"nonsense");
    assert!(memory.is_empty());
}
