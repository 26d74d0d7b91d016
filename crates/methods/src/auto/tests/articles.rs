//! Small sites of articles, and what must be removed from them.

use std::sync::Arc;

use super::*;

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
        let gone = removed(&Auto::new(remove, Favor::Balance), &memory, &twice);
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

/// Without other pages nothing is known to be template, so nothing is removed, form fields included.
#[test]
fn without_other_pages_nothing_is_the_sites() {
    let html = article("Gazette", "the baker")
        + "<form><select><option>Choose</select><textarea>Write</textarea></form>";
    let alone = memory(std::slice::from_ref(&html));
    for memory in [&alone, &AutoMemory::default()] {
        let method = Auto::new(Remove::Template, Favor::Precision);
        assert_eq!(removed(&method, memory, &html), Vec::<String>::new());
    }
    let boilerplate = removed(&Auto::default(), &alone, &html);
    assert!(
        boilerplate.contains(&"Choose".to_string()),
        "{boilerplate:?}"
    );
}

/// Thresholds that favor precision are in the range where content would leave early.
#[test]
fn no_content_leaves_early_when_precision_is_favored() {
    let pages: Vec<String> = ["baker", "smith", "miller"]
        .map(|name| article("Gazette", name))
        .into();
    let (memory, view) = (memory(&pages), view(pages[0].as_str()));
    let probabilities = |model, favor| {
        let method = Auto::with_model(model, Remove::default(), favor);
        method.predict(&view, &memory).probabilities
    };
    let model = Model::built_in();
    let without_exits = Arc::new(model.without_early_exits_below());
    let precision = probabilities(model.clone(), Favor::Precision);
    assert_eq!(precision, probabilities(without_exits, Favor::Balance));
    assert_ne!(precision, probabilities(model, Favor::Balance));
}

/// What a rule decides is explained by that rule, without evidence.
#[test]
fn rules_explain_what_they_decide() {
    let html = article("Gazette", "the baker") + "<textarea>Write</textarea>";
    let view = view(html.as_str());
    let alone = memory(std::slice::from_ref(&html));
    for (remove, rule) in [
        (Remove::Boilerplate, "field of a form"),
        (Remove::Template, "no other page"),
    ] {
        let method = Auto::new(remove, Favor::Balance);
        let labels = method.label(&alone, &view);
        let found = method.explain(&alone, &view, &labels);
        let written = found.last().expect("the field is the last text");
        assert!(written.rule.contains(rule), "{}", written.rule);
        assert_eq!(written.evidence, []);
    }
}

#[test]
fn counts_are_those_of_the_sampled_pages() {
    let method = Auto::default();
    let mut memory = AutoMemory::default();
    let mut ledger = Vec::new();
    for own in OWN {
        let page = page(article("Gazette", own));
        let visit = unframe_site::Visit::first(page_identity(None, own));
        let contribution = method.learn(&mut memory, &page, &method.view(&page), visit);
        let record = unframe_site::PageRecord {
            content: 0,
            bytes: 0,
            contribution,
        };
        ledger.push((visit.page, record));
    }
    assert_eq!(memory.wrong_counts(&ledger), 0);
    assert!(memory.frame_texts() >= 4);
    assert!(memory.bytes() > 0 && memory.sample_bytes() > 0);
    memory.unlearn(ledger[0].0, &[]);
    assert!(memory.wrong_counts(&ledger) > 0);
    ledger.remove(0);
    assert_eq!(memory.wrong_counts(&ledger), 0);
}
