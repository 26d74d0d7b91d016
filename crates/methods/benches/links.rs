//! The template of a key page with pages in memory, against parsing the same pages; and the order
//! of links.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use unframe_dom::{Limits, parse};
use unframe_methods::links::{
    LinksParams, LinksPreset, LoadError, Loaded, PageSource, RootedTree, Votes, sort_links,
    template_of,
};
use unframe_page::{CanonicalUrl, Page, links};

const PAGES: usize = 12;

/// A page of some 1,500 nodes: a menu, a column of teasers, an article and a footer.
fn html(number: usize) -> String {
    let menu: String = (0..PAGES)
        .map(|n| format!("<li class='item level-1'><a href='/p{n}' title=x>Page {n}</a></li>"))
        .collect();
    let teasers: String = (0..60)
        .map(|n| {
            format!(
                "<div class='teaser box'><h3><a href='/story{n}'>Teaser {n}</a></h3>\
                 <p>Some words of it</p><span class=date>May {n}</span></div>"
            )
        })
        .collect();
    let story: String = (0..100 + number)
        .map(|n| format!("<p>Sentence {n} of page {number}, <b>with</b> <em>stress</em>.</p>"))
        .collect();
    let foot: String = (0..20)
        .map(|n| format!("<a href='/f{n}'>Foot {n}</a> "))
        .collect();
    format!(
        "<!doctype html><html><head><title>Page {number}</title></head><body class=p{number}>\
         <ul id=menu>{menu}</ul><div class=side>{teasers}</div><div id=main>{story}</div>\
         <div class=foot>{foot}</div></body></html>"
    )
}

fn page(number: usize) -> Page {
    Page::parse(html(number).into(), None, None, &Limits::default())
}

struct InMemory(Vec<Page>);

impl PageSource for InMemory {
    fn load(&mut self, url: &CanonicalUrl) -> Result<Loaded, LoadError> {
        let number = url
            .path()
            .strip_prefix("/p")
            .and_then(|n| n.parse::<usize>().ok());
        let page = number
            .and_then(|n| self.0.get(n))
            .ok_or(LoadError::Missing)?;
        Ok(Loaded {
            page: page.clone(),
            url: url.clone(),
        })
    }
}

fn of_a_key_page(c: &mut Criterion) {
    let mut source = InMemory((0..PAGES).map(page).collect());
    let (key, url) = (page(0), CanonicalUrl::parse("http://h/p0").expect("a URL"));
    assert!((1_300..1_800).contains(&key.dom().nodes().len()));
    let sources: Vec<String> = (0..=3).map(html).collect();
    c.bench_function("parse the key page and three others", |b| {
        b.iter(|| {
            for html in &sources {
                black_box(parse(html.clone(), &Limits::default()));
            }
        })
    });
    for n in [3, 8] {
        for preset in [LinksPreset::Alarte2014, LinksPreset::Modern] {
            let mut params = preset.params();
            (params.n, params.t) = (n, n.div_ceil(2));
            c.bench_function(&format!("template, n={n}, {preset}"), |b| {
                b.iter(|| template_of(&url, &key, &mut source, &params).expect("pages"))
            });
        }
    }
    let params = LinksParams::default();
    let pages: Vec<Page> = (0..=3).map(page).collect();
    c.bench_function("trees and mapping alone, n=3", |b| {
        b.iter(|| {
            let trees: Vec<_> = pages
                .iter()
                .map(|page| RootedTree::of(page.dom(), &params, None).tree)
                .collect();
            Votes::count(&params, &trees[0], &trees[1..])
        })
    });
}

fn order_of_links(c: &mut Criterion) {
    let items: String = (0..2_000)
        .map(|n| {
            let (open, close) = match n % 5 {
                0 => ("<ul>", ""),
                4 => ("", "</ul>"),
                _ => ("", ""),
            };
            format!(
                "{open}<li><a href='/a{}/b{}/p{n}'>x</a></li>{close}",
                n % 3,
                n % 7
            )
        })
        .collect();
    let dom = parse(items, &Limits::default());
    let key = CanonicalUrl::parse("http://h/a0/b0/").expect("a URL");
    let found = links(&dom, "http://h/a0/b0/");
    assert_eq!(found.len(), 2_000);
    c.bench_function("order of 2,000 links", |b| {
        b.iter(|| sort_links(&dom, &key, &found))
    });
}

criterion_group!(benches, of_a_key_page, order_of_links);
criterion_main!(benches);
