//! Pages in groups that share a template, from files to groups.

use std::fmt::Write;

use tempfile::TempDir;
use unframe::dom::Tag;
use unframe::page::visible_texts;
use unframe::read::{Inputs, ReadOptions};
use unframe::survey::{ClusterOptions, Clustered, cluster, representatives};

fn news(n: usize) -> String {
    format!("<div><a>Home</a> <a>Tides</a></div><h1>Head {n}</h1><p>story {n}<p>more {n}</p>")
}

fn shop(n: usize) -> String {
    format!("<table><tr><td>Ropes<td>Lamps</table><dl><dt>Thing<dd>t{n}<dt>Price<dd>{n}</dl>")
}

/// Ten pages of news on one host, five of it and six of a shop on another.
fn inputs(folder: &TempDir) -> Inputs {
    let mut lines = String::new();
    for n in 0..21 {
        let (url, html) = match n {
            0..10 => (format!("http://a.example/news/{n}"), news(n)),
            10..15 => (format!("http://b.example/news/{n}"), news(n)),
            _ => (format!("http://b.example/shop/{n}"), shop(n)),
        };
        writeln!(lines, "{{\"url\": {url:?}, \"html\": {html:?}}}").unwrap();
    }
    let file = folder.path().join("pages.jsonl");
    std::fs::write(&file, lines).unwrap();
    Inputs::open(&[file.into_os_string()], ReadOptions::default()).unwrap()
}

fn grouped(mixed: bool, jobs: usize) -> Clustered {
    let options = ClusterOptions {
        mixed,
        jobs,
        ..ClusterOptions::default()
    };
    let folder = TempDir::new().unwrap();
    cluster(&mut inputs(&folder), &options, false, |_| ()).unwrap()
}

fn pages(found: &Clustered) -> Vec<Vec<u32>> {
    found
        .groups
        .iter()
        .map(|group| group.pages.clone())
        .collect()
}

#[test]
fn each_site_on_its_own_or_all_in_one_heap() {
    let ranges = |ranges: &[std::ops::Range<u32>]| -> Vec<Vec<u32>> {
        ranges.iter().map(|range| range.clone().collect()).collect()
    };
    for jobs in [1, 2, 3] {
        let apart = grouped(false, jobs);
        assert_eq!(pages(&apart), ranges(&[0..10, 10..15, 15..21]));
        let sites: Vec<_> = apart
            .heaps
            .iter()
            .map(|heap| heap.site.as_deref())
            .collect();
        assert_eq!(sites, [Some("a.example"), Some("b.example")]);
        let of: Vec<usize> = apart.groups.iter().map(|group| group.heap).collect();
        assert_eq!(of, [0, 1, 1]);
        let mixed = grouped(true, jobs);
        assert_eq!(pages(&mixed), ranges(&[0..15, 15..21]));
        assert_eq!((mixed.heaps.len(), &mixed.heaps[0].site), (1, &None));
        assert_eq!(mixed.groups[0].pattern.with_host(), "*.example/news/{N}");
        assert_eq!(mixed.groups[1].pattern.to_string(), "/shop/{N}");
    }
}

#[test]
fn lengths_fall_merge_by_merge() {
    let found = grouped(true, 2);
    let heap = &found.heaps[0];
    assert_eq!(
        heap.lengths.len(),
        21 - 2,
        "each merge leaves one cluster less"
    );
    let first = std::iter::once(heap.length_before);
    let lengths: Vec<f64> = first.chain(heap.lengths.iter().copied()).collect();
    assert!(lengths.is_sorted_by(|a, b| a > b), "{lengths:?}");
    assert!((lengths[19] - heap.length_after).abs() < 1e-6);
    assert!(found.groups.iter().all(|group| group.gain > 0.0));
}

#[test]
fn representatives_show_what_is_template() {
    let folder = TempDir::new().unwrap();
    let mut inputs = inputs(&folder);
    let options = ClusterOptions::default();
    let found = cluster(&mut inputs, &options, true, |_| ()).unwrap();
    let marked = representatives(
        &mut inputs,
        &found,
        &[2, 0],
        &options,
        true,
        |page, group| {
            let (dom, marks) = (page.dom(), group.marks(page));
            let body = dom.find(Tag::BODY).unwrap();
            assert!(marks[body as usize]);
            let texts = visible_texts(dom).filter(|node| marks[*node as usize]);
            texts
                .map(|node| dom.text(node).to_string())
                .collect::<Vec<_>>()
        },
    );
    let marked = marked.unwrap();
    assert_eq!(
        marked[0].as_ref().unwrap(),
        &["Ropes", "Lamps", "Thing", "Price"]
    );
    assert_eq!(marked[1].as_ref().unwrap(), &["Home", "Tides"]);
    // What has gone since is not there.
    std::fs::write(folder.path().join("pages.jsonl"), "").unwrap();
    let gone = representatives(&mut inputs, &found, &[0], &options, false, |_, _| ()).unwrap();
    assert_eq!(gone, [None]);
}
