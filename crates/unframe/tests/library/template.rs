//! The template of one page, from pages in memory and from inputs.

use std::collections::HashMap;

use unframe::dom::{NodeId, Tag};
use unframe::methods::links::{
    LinksParams, LinksPreset, LoadError, Loaded, MenuRule, PageSource, TemplateError, template_of,
};
use unframe::page::CanonicalUrl;
use unframe::read::{Inputs, ReadOptions};
use unframe::template::LocalPages;
use unframe::{Limits, Page};

/// Pages by URL, with what was asked for.
#[derive(Default)]
struct Made {
    pages: HashMap<String, String>,
    leads_to: HashMap<String, String>,
    asked: Vec<String>,
}

impl PageSource for Made {
    fn load(&mut self, url: &CanonicalUrl) -> Result<Loaded, LoadError> {
        self.asked.push(url.to_string());
        let url = self
            .leads_to
            .get(&url.to_string())
            .cloned()
            .unwrap_or(url.to_string());
        let html = self.pages.get(&url).ok_or(LoadError::Missing)?;
        Ok(Loaded {
            page: parse(html),
            url: self::url(&url),
        })
    }
}

fn url(text: &str) -> CanonicalUrl {
    CanonicalUrl::parse(&format!("http://{text}")).unwrap()
}

fn parse(html: &str) -> Page {
    Page::parse(html.into(), None, None, &Limits::default())
}

/// A page with a menu to these, and a text of its own.
fn page(menu: &[&str], content: &str) -> String {
    let items: String = menu
        .iter()
        .map(|to| format!("<li><a href='{to}'>{to}</a></li>"))
        .collect();
    format!("<ul id=menu>{items}</ul><div id=main>{content}</div><p class=foot>Foot</p>")
}

const MENU: [&str; 5] = ["/", "/a", "/b", "/c", "/d"];

fn site() -> Made {
    let mut made = Made::default();
    for name in MENU {
        let content = format!("<h1>Page {name}</h1><p>Story of {name}</p>");
        made.pages.insert(format!("h{name}"), page(&MENU, &content));
    }
    made
}

fn find(made: &Made, key: &str, params: &LinksParams) -> Result<Found, TemplateError> {
    let mut made = Made {
        pages: made.pages.clone(),
        leads_to: made.leads_to.clone(),
        asked: Vec::new(),
    };
    let key_page = parse(&made.pages[key]);
    let result = template_of(&url(key), &key_page, &mut made, params)?;
    let dom = key_page.dom();
    let texts = (0..dom.nodes().len() as NodeId)
        .filter(|id| dom.node(*id).tag == Tag::TEXT && result.is_template[*id as usize])
        .map(|id| dom.text(id).to_string())
        .collect();
    Ok(Found {
        texts,
        rests_on: result.rests_on.iter().map(ToString::to_string).collect(),
        atypical: result.atypical.iter().map(ToString::to_string).collect(),
        skipped: result
            .skipped
            .iter()
            .map(|s| format!("{}: {}", s.url, s.reason))
            .collect(),
        loads: result.loads,
        needed: result.needed,
    })
}

#[derive(Debug)]
struct Found {
    texts: Vec<String>,
    rests_on: Vec<String>,
    atypical: Vec<String>,
    skipped: Vec<String>,
    loads: usize,
    needed: u32,
}

#[test]
fn the_menu_leads_to_the_template() {
    let found = find(&site(), "h/", &LinksParams::default()).unwrap();
    assert_eq!(found.texts, ["/", "/a", "/b", "/c", "/d", "Foot"]);
    assert_eq!((found.rests_on.len(), found.loads, found.needed), (3, 3, 2));
    assert!(found.skipped.is_empty());
    // Without looking at the texts, all that is built alike is template.
    let faithful = find(&site(), "h/", &LinksPreset::Alarte2014.params()).unwrap();
    assert_eq!(faithful.texts.len(), 8);
}

#[test]
fn pages_that_do_not_link_back_are_passed_over() {
    let mut made = site();
    for story in ["/s1", "/s2", "/s3"] {
        made.pages.insert(format!("h{story}"), "<p>alone".into());
    }
    let content = ["/s1", "/s2", "/s3"]
        .map(|to| format!("<p>Read <a href={to}>this</a> <b>now</b> or <i>later</i></p>"))
        .concat();
    made.pages.insert("h/".into(), page(&MENU, &content));
    let found = find(&made, "h/", &LinksParams::default()).unwrap();
    assert!(
        found.rests_on.iter().all(|page| !page.starts_with("h/s")),
        "{found:?}"
    );
    assert_eq!(found.rests_on.len(), 3);
    // The menu first: the stories are never loaded.
    let mut params = LinksParams::default();
    params.menu = MenuRule::Density;
    let dense = find(&made, "h/", &params).unwrap();
    assert_eq!(dense.loads, 3);
    assert!(dense.loads < found.loads);
}

#[test]
fn fewer_pages_than_asked_for() {
    let mut made = site();
    made.pages.retain(|url, _| url == "h/" || url == "h/a");
    let found = find(&made, "h/", &LinksParams::default()).unwrap();
    assert_eq!((found.rests_on, found.needed), (vec!["h/a".to_string()], 1));
    assert_eq!(found.skipped.len(), 3);
    assert!(found.skipped[0].ends_with(": there is no such page"));
}

/// `/` and `/a` say the same, byte for byte: the one would vote for all of the other.
#[test]
fn a_copy_of_the_key_page_has_no_vote() {
    let mut made = site();
    made.pages.insert("h/a".into(), made.pages["h/"].clone());
    let mut params = LinksParams::default();
    (params.n, params.t) = (4, 1);
    let found = find(&made, "h/", &params).unwrap();
    assert!(!found.rests_on.contains(&"h/a".to_string()), "{found:?}");
    assert_eq!(found.rests_on.len(), 3);
    assert!(found.texts.iter().all(|text| !text.starts_with("Story")));
    assert!(found.skipped.is_empty(), "{found:?}");
}

#[test]
fn redirects_and_other_names() {
    let mut made = site();
    // One leads to another site, one to the key page, and one to a page that is known.
    made.leads_to.insert("h/a".into(), "other/".into());
    made.pages.insert("other/".into(), page(&MENU, "elsewhere"));
    made.leads_to.insert("h/b".into(), "h/".into());
    made.leads_to.insert("h/d".into(), "h/c".into());
    let found = find(&made, "h/", &LinksParams::default()).unwrap();
    assert_eq!(found.rests_on, ["h/c"]);
    assert_eq!(found.loads, 4);
    let mut skipped = found.skipped;
    skipped.sort();
    assert_eq!(skipped[0], "h/a: leads to another site, other/");
    assert!(
        skipped[1].ends_with("which is already known"),
        "{skipped:?}"
    );
    assert_eq!(skipped.len(), 2);
}

#[test]
fn nothing_to_compare_with_is_an_error_that_says_why() {
    let check = |html: &str, hint: &str| {
        let mut made = Made::default();
        made.pages.insert("h/".into(), html.into());
        let error = find(&made, "h/", &LinksParams::default())
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("h/: no other page") && error.contains(hint),
            "{error}"
        );
    };
    check("", "no link to its own site");
    check(
        "<a href='mailto:a@b'>x</a><a href='javascript:x()'>y</a><a href='#z'>z</a>",
        "no link",
    );
    check("<a href=http://elsewhere/>x</a>", "no link");
    check("<frameset><frame src=a.html></frameset>", "frames");
    check(
        "<a href=/gone>x</a>",
        "none of 1 links tried leads to one; the first, h/gone: there is no",
    );
    check("<meta http-equiv=refresh content='0;url=/x'>", "no link");
}

#[test]
fn loads_are_bounded() {
    let menu: Vec<String> = (0..5_000).map(|n| format!("/p{n}")).collect();
    let names: Vec<&str> = menu.iter().map(String::as_str).collect();
    let mut made = Made::default();
    made.pages.insert("h/".into(), page(&names, "x"));
    let error = find(&made, "h/", &LinksParams::default()).unwrap_err();
    let TemplateError::NotEnoughPages { skipped, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(skipped.len(), 60);
}

#[test]
fn atypical_pages_are_replaced() {
    let mut made = site();
    let links: String = MENU
        .iter()
        .map(|to| format!("<td><a href={to}>x</a>"))
        .collect();
    for name in ["/a", "/b"] {
        made.pages
            .insert(format!("h{name}"), format!("<table><tr>{links}</table>"));
    }
    let mut params = LinksParams::default();
    params.n = 3;
    let without = find(&made, "h/", &params).unwrap();
    params.replace_atypical = true;
    let with = find(&made, "h/", &params).unwrap();
    let odd = |pages: &[String]| pages.iter().filter(|p| *p == "h/a" || *p == "h/b").count();
    assert!(
        odd(&with.rests_on) < odd(&without.rests_on),
        "{with:?} {without:?}"
    );
    assert!(!with.atypical.is_empty());
}

#[test]
fn main_content_can_be_dropped() {
    let mut made = site();
    let story = "The same long story on every page. ".repeat(20);
    for name in MENU {
        made.pages.insert(
            format!("h{name}"),
            page(&MENU, &format!("<p>{story}</p>{name}")),
        );
    }
    let mut params = LinksParams::default();
    assert!(find(&made, "h/", &params).unwrap().texts.contains(&story));
    params.drop_main_content = true;
    let found = find(&made, "h/", &params).unwrap();
    assert_eq!(found.texts, ["/", "/a", "/b", "/c", "/d", "Foot"]);
}

/// A folder whose pages link to each other by relative links, one of them to `./` for the index.
#[test]
fn a_folder_is_a_source() {
    let folder = tempfile::tempdir().unwrap();
    let menu = ["./", "a.html", "b.html?from=menu", "c.html#top"];
    for (file, text) in [
        ("index.html", "i"),
        ("a.html", "a"),
        ("b.html", "b"),
        ("c.html", "c"),
    ] {
        std::fs::write(folder.path().join(file), page(&menu, text)).unwrap();
    }
    let arg = folder.path().as_os_str().to_owned();
    let mut inputs = Inputs::open(&[arg], ReadOptions::default()).unwrap();
    let skipped = |skipped: &unframe::read::Skipped| panic!("{skipped}");
    let (mut site, key) =
        LocalPages::read(&mut inputs, "a.html", Limits::default(), skipped).unwrap();
    let key = key.unwrap();
    assert!(key.to_string().ends_with(".invalid/a.html"));
    assert_eq!(site.len(), 4);
    let page = site.load(&key).unwrap().page;
    let found = template_of(&key, &page, &mut site, &LinksParams::default()).unwrap();
    assert_eq!(
        (found.rests_on.len(), found.by_links, found.loads),
        (3, 3, 3)
    );
    assert!(found.skipped.is_empty());
}

#[test]
fn pages_without_links_are_filled_in() {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..5 {
        std::fs::write(
            folder.path().join(format!("{n}.html")),
            page(&[], &format!("<p>{n}")),
        )
        .unwrap();
    }
    let arg = folder.path().as_os_str().to_owned();
    let mut inputs = Inputs::open(&[arg], ReadOptions::default()).unwrap();
    let (mut site, key) =
        LocalPages::read(&mut inputs, "0.html", Limits::default(), |_| ()).unwrap();
    let key = key.unwrap();
    let page = site.load(&key).unwrap().page;
    let found = template_of(&key, &page, &mut site, &LinksParams::default()).unwrap();
    assert_eq!(
        (found.rests_on.len(), found.by_links, found.links),
        (3, 0, 0)
    );
}
