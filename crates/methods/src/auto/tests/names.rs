//! Names of places: what is told of a site without its pages.

use super::*;

/// Pages with a menu, a story and a footer, a third of them with a note of their own.
fn pages(count: usize) -> Vec<String> {
    let sentence = |n: usize, s: usize| {
        format!(
            "On day {s} of the voyage number {n}, the {}th ship of the fleet came into the harbour late, and \
             nobody had {} words to say about it.",
            n * 13 + s,
            n + s * 17
        )
    };
    let page = |n: usize| {
        let story: String = (0..4 + n % 3)
            .map(|p| format!("<p>{}", sentence(n, p)))
            .collect();
        let note = if n.is_multiple_of(3) {
            "<aside id=note>Note <b>well</b></aside>"
        } else {
            ""
        };
        format!(
            "<title>Ship {n}</title><body><nav class=menu><a href=/>Home</a> <a href=/n>News</a></nav>
            <div id=main role=main><h1>Ship {n}</h1>{story}{note}</div>
            <span hidden>Skip <i>this</i></span>
            <footer><p>All rights reserved</p><a href=/t>Terms</a></footer>"
        )
    };
    (0..count).map(page).collect()
}

/// Learns pages under their numbers, in an order of their own.
fn learn_in(order: impl Iterator<Item = usize>, pages: &[String]) -> Sites {
    let mut sites = learn(&[]);
    for number in order {
        visit(&mut sites, &number.to_string(), &pages[number]);
    }
    sites
}

/// The names that are stored, without their slots.
fn names(memory: &AutoMemory) -> Vec<String> {
    let (_, rows) = stored(memory);
    let names = rows.into_iter().filter(|(table, ..)| *table == 1);
    let mut names: Vec<String> = names
        .map(|(.., name)| String::from_utf8(name).unwrap())
        .collect();
    names.sort();
    names
}

fn is_known_by_rows(memory: &AutoMemory) {
    let (head, rows) = stored(memory);
    let mut loaded = AutoMemory::default();
    loaded.load_head(&head).unwrap();
    for (table, key, row) in AutoMemory::unpack(&AutoMemory::pack(&rows)).unwrap() {
        loaded.load(table, key, &row).unwrap();
    }
    assert_eq!(stored(&loaded), stored(memory));
    assert_eq!(loaded.settled_places(), memory.settled_places());
}

#[test]
fn places_of_many_pages_are_named() {
    let pages = pages(60);
    assert!(names(&memory(&pages[..19])).is_empty());
    let all = [
        "a",
        "a",
        "aside\u{2}note",
        "b",
        "body",
        "div\u{2}main\u{3}main",
        "footer",
        "h1",
        "i",
        "nav\u{1}menu",
        "p",
        "p",
        "span",
    ];
    let few: Vec<&str> = all
        .iter()
        .copied()
        .filter(|name| !["aside\u{2}note", "b"].contains(name))
        .collect();
    assert_eq!(names(&memory(&pages[..40])), few);
    let sites = learn(&pages);
    assert_eq!(names(known(&sites)), all);
    is_known_by_rows(known(&sites));
}

/// In whatever order the pages come, also of a site that is sampled.
#[test]
fn the_order_of_pages_does_not_matter() {
    let pages = pages(400);
    let one = learn(&pages);
    let other = learn_in((0..400).map(|n| n * 171 % 400), &pages);
    let (one, other) = (known(&one), known(&other));
    assert!(one.pages() < 400 && !names(one).is_empty());
    assert_eq!(stored(one), stored(other));
    assert_eq!(one.settled_places(), other.settled_places());
    is_known_by_rows(one);
    let mut merged = memory(&pages[..150]);
    merged.merge(known(&learn_in(150..400, &pages)).clone());
    assert_eq!(stored(&merged), stored(one));
}

/// Also what has changed tells of names that came and went.
#[test]
fn names_go_with_their_pages() {
    let pages = pages(61);
    let mut sites = learn(&pages[..57]);
    let before = stored(known(&sites));
    let mut rows: std::collections::BTreeMap<_, _> = Default::default();
    let mut follow = |sites: &mut Sites| {
        let memory = sites.get_mut("s").unwrap();
        memory.take_changes(&mut |table, key, row| {
            match row {
                Some(row) => rows.insert((table, key), row.to_vec()),
                None => rows.remove(&(table, key)),
            };
        });
        let rows = rows
            .iter()
            .map(|((table, key), row)| (*table, *key, row.clone()));
        rows.collect::<Vec<_>>()
    };
    assert_eq!(follow(&mut sites), before.1);
    for (number, html) in pages.iter().enumerate().skip(57) {
        visit(&mut sites, &number.to_string(), html);
    }
    assert!(names(known(&sites)).contains(&"aside\u{2}note".to_string()));
    assert_eq!(follow(&mut sites), stored(known(&sites)).1);
    for number in 57..61 {
        let page = page_identity(None, &number.to_string());
        sites.forget("s", page).unwrap();
    }
    assert_eq!(stored(known(&sites)), before);
    assert_eq!(follow(&mut sites), before.1);
}

#[test]
fn settled_places_tell_the_frame_from_the_content() {
    let memory = memory(&pages(400));
    let found = memory.settled_places();
    let of = |name: &str| {
        let is_it = |place: &&SettledPlace| place.path.last().is_some_and(|last| last == name);
        let place = found.iter().find(is_it);
        place.unwrap_or_else(|| panic!("{name} is missing in {found:#?}"))
    };
    let main = of("div\u{2}main\u{3}main");
    assert_eq!(main.path, ["body", "div\u{2}main\u{3}main"]);
    assert!(!main.is_frame && main.agreeing * 10 >= main.pages * 8);
    assert!(of("nav\u{1}menu").is_frame && of("footer").is_frame);
    assert!(found.iter().all(|place| place.agreeing <= place.pages));
    assert!(
        found
            .iter()
            .any(|place| !place.is_frame && place.words > 1_000)
    );
}
