//! Laws of rules: what is written is read back, no rule is superfluous, and rules agree with the labels that
//! they are made from.

use proptest::prelude::*;
use unframe_dom::{Limits, parse};
use unframe_labels::{Label, Labels};
use unframe_methods::{KeepAll, Method, NoMemory};
use unframe_page::{Fingerprint, Kind, Page, visible_texts};
use unframe_rules::{About, Decisions, Evidence, HeldOut, Inferred, Observed, Outline, Score};
use unframe_rules::{Format, Rule, RuleSet, SiteRules};

fn selector() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "nav",
        "main#content",
        "div.ad.top",
        "#foot",
        "ul > li:nth-of-type(2)",
        "a[title=\"};/* x */\"]",
        "nav, .side",
        "[class*=\"Card__\"]",
        "table > tbody > tr > td",
        "p.\\31 0",
        "*[data-x='a;b']",
    ])
    .prop_map(str::to_string)
}

fn rule() -> impl Strategy<Value = Rule> {
    let evidence = (0u64..500, 0u64..500, 0u32..=10_000, "\\PC{0,12}").prop_map(
        |(pages, of_pages, share, example)| Evidence {
            pages,
            of_pages,
            confidence: f64::from(share) / 1e4,
            example,
        },
    );
    (selector(), prop::option::of(evidence)).prop_map(|(selector, evidence)| Rule {
        selector: selector.parse().unwrap(),
        evidence,
    })
}

fn section() -> impl Strategy<Value = SiteRules> {
    let score = (0u32..=10_000).prop_map(|n| {
        let share = f64::from(n) / 1e4;
        Score {
            p: share,
            r: share,
            f1: share,
        }
    });
    let about =
        (prop::option::of(score.clone()), score, 0u64..90).prop_map(|(one, two, pages)| About {
            method: "auto".into(),
            pages,
            score: one,
            held_out: Some(HeldOut { pages, score: two }),
            example_url: Some("https://a.example/*/".into()),
        });
    let rules = || prop::collection::vec(rule(), 0..4);
    (
        "[\\PC&&[^\\p{C}]]{1,12}",
        prop::option::of(about),
        rules(),
        rules(),
    )
        .prop_map(|(site, about, keep, remove)| SiteRules {
            site: Some(site),
            about,
            keep,
            remove,
        })
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(sections in prop::collection::vec(section(), 0..4)) {
        let rules = RuleSet { sections };
        prop_assert_eq!(&RuleSet::parse(&rules.to_json()).unwrap(), &rules);
        prop_assert_eq!(RuleSet::parse(&rules.to_css()).unwrap(), rules.bare());
        let bare = rules.bare();
        prop_assert_eq!(&RuleSet::parse(&bare.to_css()).unwrap(), &bare);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(keep|remove|@site|[{};/*\"'\\\\\n a.#>])*|\\PC{0,40}") {
        let _ = RuleSet::parse(&text);
    }

    #[test]
    fn every_format_is_one_line_for_each_rule(sections in prop::collection::vec(section(), 1..3)) {
        let rules = RuleSet { sections };
        for format in [Format::XPath, Format::Adblock, Format::Ftr] {
            let written = format.write(&rules);
            let count = written.lines().filter(|line| line.contains("##")).count();
            let removing: usize = rules.sections.iter().map(|section| section.remove.len()).sum();
            prop_assert!(format != Format::Adblock || count >= removing);
        }
    }
}

/// A page of a made-up site, and whether the words of each of its elements are content.
fn page(number: usize, design: u32) -> (String, Vec<bool>) {
    let mut html = String::new();
    let mut content = Vec::new();
    let mut add = |markup: String, is_content: bool| {
        html.push_str(&markup);
        content.push(is_content);
    };
    let words = |count: usize| {
        let words: Vec<String> = (0..count).map(|at| format!("word{number}x{at}")).collect();
        words.join(" ")
    };
    let bar = if design & 1 == 0 {
        "nav"
    } else {
        "div class='bar x-1a2b3c4d'"
    };
    add(
        format!("<{bar}>Home News Shop About us</{}>", &bar[..3]),
        false,
    );
    let main = ["main", "div id=content", "div class='post css-1x2y3z'"][design as usize % 3];
    add(format!("<{main}><h1>Story {number}</h1>"), true);
    add(format!("<p>{}</p>", words(60)), true);
    if design & 2 == 0 {
        add(
            "<div class=share>Share Tweet Pin Mail Print</div>".into(),
            false,
        );
    }
    add(
        format!(
            "<ul><li>{}</ul></{}>",
            words(30),
            &main[..main.find(' ').unwrap_or(main.len())]
        ),
        true,
    );
    if design & 4 == 0 {
        add(
            "<aside>Latest posts of our friends and partners</aside>".into(),
            false,
        );
    }
    add(
        "<div id=foot>All rights reserved, Pier Road 7</div>".into(),
        false,
    );
    (html, content)
}

fn labelled(html: &str, content: &[bool]) -> (Page, Labels) {
    let page = Page::parse(html.into(), None, None, &Limits::default());
    let mut labels = Method::label(&KeepAll, &NoMemory, &Method::view(&KeepAll, &page));
    assert_eq!(labels.texts.len(), content.len(), "{html}");
    for (text, is_content) in labels.texts.iter_mut().zip(content) {
        text.label = if *is_content {
            Label::Content
        } else {
            Label::Template
        };
    }
    (page, labels)
}

/// What rules keep of all pages: with all rules, and with the removing ones alone.
fn kept(rules: &Inferred, pages: &[(String, Vec<bool>)]) -> [Vec<bool>; 2] {
    let whole = SiteRules {
        keep: rules.keep.clone(),
        remove: rules.remove.clone(),
        ..SiteRules::default()
    };
    let alone = SiteRules {
        keep: Vec::new(),
        ..whole.clone()
    };
    [whole, alone].map(|rules| {
        let texts = pages.iter().flat_map(|(html, _)| {
            let dom = parse(html.as_str(), &Limits::default());
            let decisions = Decisions::new(&[&rules], &dom);
            let texts: Vec<u32> = visible_texts(&dom).collect();
            texts
                .into_iter()
                .map(move |text| decisions.of(text).keeps())
                .collect::<Vec<_>>()
        });
        texts.collect()
    })
}

#[test]
fn rules_agree_with_the_labels_and_each_of_them_is_needed() {
    for design in 0..24 {
        let pages: Vec<_> = (0..12).map(|number| page(number, design)).collect();
        let mut observed = Observed::default();
        for (number, (html, content)) in pages.iter().enumerate() {
            let (page, labels) = labelled(html, content);
            let identity = Fingerprint::of(Kind::Page, number.to_string());
            observed.add(identity, Outline::new(page.dom(), &labels));
        }
        let rules = observed.rules();
        let all: Vec<_> = rules.keep.iter().chain(&rules.remove).collect();
        let shown: Vec<String> = all.iter().map(|rule| rule.selector.to_string()).collect();
        let [whole, alone] = kept(&rules, &pages);
        let wanted: Vec<bool> = pages
            .iter()
            .flat_map(|(_, content)| content.clone())
            .collect();
        assert_eq!(whole, wanted, "{design}: {shown:?}");
        assert_eq!(alone, wanted, "{design}: {shown:?}");
        assert_eq!(rules.keep.len(), 1, "{design}: {shown:?}");
        assert!(
            !shown
                .iter()
                .any(|selector| selector.contains("1a2b") || selector.contains("css-"))
        );
        for (at, rule) in rules.remove.iter().enumerate() {
            let mut fewer = rules.clone();
            fewer.remove.remove(at);
            let without = kept(&fewer, &pages);
            let with = [whole.clone(), alone.clone()];
            assert_ne!(without, with, "{design}: {}", rule.selector);
        }
    }
}

/// Order of the pages does not matter.
#[test]
fn the_order_of_pages_does_not_matter() {
    let pages: Vec<_> = (0..30).map(|number| page(number, number as u32)).collect();
    let rules = |order: &mut dyn Iterator<Item = usize>| {
        let mut observed = Observed::default();
        for number in order {
            let (page, labels) = labelled(&pages[number].0, &pages[number].1);
            let identity = Fingerprint::of(Kind::Page, number.to_string());
            observed.add(identity, Outline::new(page.dom(), &labels));
        }
        (observed.rules(), observed.rules_of_half())
    };
    let there = rules(&mut (0..30));
    assert_eq!(there, rules(&mut (0..30).rev()));
    assert!(there.1.is_some());
}
