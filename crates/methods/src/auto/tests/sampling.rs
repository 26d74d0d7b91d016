//! Large sites: the sample of their pages, and what it settles.

use unframe_site::Sampling;

use super::*;
use crate::auto::settled::{by_outline, by_tree};

/// A page of a site with a frame, an article and a list of links that differ from page to page.
fn large_site_page(number: usize) -> String {
    let paragraph = |part: usize| {
        format!(
            "<p>Part {part} of report {number}: the harbour of town {} was quiet on that day, and nobody \
             saw the ship number {} leave, which carried {} barrels of salt.</p>",
            number * 7 + part,
            number * 3 + part,
            number + 11 * part
        )
    };
    let parts: String = (0..4).map(paragraph).collect();
    format!(
        "<body><nav><ul><li><a href=/>Home</a><li><a href=/shop>Shop</a><li><a href=/help>Help</a></ul></nav>\
         <main class=story id=story-{number}><h1>Report {number} of the harbour</h1>{parts}\
         <span hidden>hidden note {number}</span></main>\
         <aside class=more><h2>More reports</h2><ul><li><a href=/{}>Report {}</a>\
         <li><a href=/{}>Report {}</a></ul></aside>\
         <footer><p>All rights reserved by the harbour master</p></footer>",
        number + 1,
        number + 1,
        number + 2,
        number + 2,
    )
}

fn large_site(pages: usize) -> Vec<String> {
    (0..pages).map(large_site_page).collect()
}

#[test]
fn a_sample_is_a_function_of_the_pages() {
    let pages = large_site(700);
    let forwards = learn(&pages);
    let mut backwards = Sites::in_memory(MemoryKind::of::<AutoMemory>("auto", 2));
    for (number, html) in pages.iter().enumerate().rev() {
        visit(&mut backwards, &number.to_string(), html);
    }
    let (one, other) = (known(&forwards), known(&backwards));
    assert_eq!(stored(one), stored(other));
    assert!(one.sampling() > Sampling::ALL);
    assert!((64..=256).contains(&one.pages()), "{}", one.pages());

    // Two halves put together are the whole.
    let mut halves = [
        Sites::in_memory(MemoryKind::of::<AutoMemory>("auto", 2)),
        learn(&[]),
    ];
    for (number, html) in pages.iter().enumerate() {
        visit(&mut halves[number % 2], &number.to_string(), html);
    }
    let [mut merged, half] = halves.map(|sites| known(&sites).clone());
    merged.merge(half);
    assert_eq!(stored(&merged), stored(one));
}

#[test]
fn packed_rows_come_back() {
    let memory = memory(&large_site(60));
    let (_, rows) = stored(&memory);
    let packed = AutoMemory::pack(&rows);
    let mut back = AutoMemory::unpack(&packed).unwrap();
    back.sort();
    assert_eq!(back, rows);
    let plain: usize = rows.iter().map(|(_, _, row)| row.len()).sum();
    assert!(packed.len() < plain, "{} of {plain}", packed.len());
    for cut in (0..packed.len()).step_by(97) {
        assert!(AutoMemory::unpack(&packed[..cut]).is_err(), "{cut}");
    }
}

#[test]
fn damaged_packs_are_refused_or_harmless() {
    let (_, rows) = stored(&memory(&large_site(30)));
    let packed = AutoMemory::pack(&rows);
    for at in (0..packed.len()).step_by(31) {
        let mut damaged = packed.clone();
        damaged[at] ^= 0x55;
        if let Ok(rows) = AutoMemory::unpack(&damaged) {
            let mut memory = AutoMemory::default();
            for (table, key, row) in rows {
                let _ = memory.load(table, key, &row);
            }
        }
    }
}

#[test]
fn places_of_a_large_site_are_settled() {
    let pages = large_site(900);
    let sites = learn(&pages);
    let memory = known(&sites);
    let (method, mut settled) = (Auto::default(), 0);
    for html in pages.iter().step_by(45) {
        let page = page(&**html);
        let view = method.view(&page);
        let by_outline = by_outline(memory, &view.outline);
        // A page gets the same labels however it is viewed.
        assert_eq!(by_tree(memory, &page), by_outline);
        let known_view = method.view_known(&page, memory);
        assert_eq!(
            method.label(memory, &known_view),
            method.label(memory, &view)
        );
        settled += usize::from(by_outline.is_some());
        let kept: Vec<&str> = method
            .label(memory, &view)
            .texts
            .iter()
            .filter(|text| text.label == Label::Content)
            .map(|text| page.dom().text(text.node).trim())
            .collect();
        assert!(
            kept.iter().any(|text| text.starts_with("Part 3 of report")),
            "{kept:?}"
        );
        assert!(!kept.contains(&"Shop"), "{kept:?}");
    }
    assert!(settled >= 15, "{settled} of 20 pages");
    // A page of another design is judged as ever.
    let odd = page(
        "<body><section><p>Something else altogether, which nobody has seen before.</section>",
    );
    assert_eq!(by_tree(memory, &odd), None);
    // So is every page if that is asked for.
    let all = Auto::default().judging_all();
    let view = all.view(&page(&*pages[5]));
    let labels = all.label(memory, &view);
    assert!(
        !labels
            .reasons
            .iter()
            .any(|reason| matches!(reason, Reason::Settled { .. }))
    );
}
