//! What each method stores of fixed pages, pinned.
//!
//! A change to a tag list, to the normalisation of texts or to the encoding of a row gives stored
//! bytes another meaning, and states on disk would be misread without a word. If this test fails and
//! the change is meant, raise the `VERSION` of the method and pin the new value beside it.

use unframe_dom::Limits;
use unframe_methods::{ALL, MethodSpec};
use unframe_page::{Fingerprint, Kind, Page, page_identity};
use unframe_site::{Sites, Visit};

/// Method, version, and the fingerprint of all that it stores.
const STORED: [(&str, u32, &str); 6] = [
    ("auto", 2, "8f7bac6e27cede270a0247b6ee8465c9"),
    ("stream", 2, "7c30fa782495ad9a7e387bfdcb3d32c1"),
    ("chunks", 2, "566d25b3920bab30dd1cbad5e1e35fae"),
    ("mdl", 2, "0f341d100a422d0cc701b2b9ec35751b"),
    ("links", 2, "35f99bfb2d882be2b77379bbc223eaa6"),
    ("text", 1, "41330260143c7849b0b3673a3144b5d3"),
];

/// Pages with an element of every class that the methods tell apart.
fn html(n: u32) -> String {
    format!(
        "<!doctype html><html lang=en><head><title>Story {n} – The Paper</title>
        <meta property=og:title content='Story {n}'></head>
        <body class='page news-{n}'><header id=top><a href=/>The Paper</a> <b>since</b> 1871</header>
        <nav role=navigation><ul><li><a href=/1>Home</a><li><a href=/2>Shop</a></ul></nav>
        <main id=content><article><h1>Story number {n}</h1><time>2026-01-0{n}</time>
        <p>Only page {n} tells <em>this</em> story, with <a href=/x{n}>a link</a>, 42 figures and
        enough words to be prose.<br>After a break.</p><pre><code>let n = {n};</code></pre>
        <blockquote>Quoted {n}</blockquote><figure><img src=/img/ship{n}.png alt='A ship'>
        <figcaption>Ship {n}</figcaption></figure>
        <dl><dt>Width:<dd>{n} cm<dt>List Price:<dd>${n}.00</dl>
        <table><caption>Sizes</caption><tr><th>Size<td>{n}<tr><th>Weight<td>{n} kg</table>
        <details><summary>More</summary><p hidden>Hidden {n}</p></details></article>
        <aside><section><h2>Related</h2><ol><li><a href=/{n}9>Story {n}9</a></ol></section></aside>
        <form><label>Search <input></label><select><option>All</select><button>Go</button></form>
        <center><font>Old <i>and</i> new</font></center><map name=m><area href=/></map></main>
        <footer><p>All rights reserved</p><noscript>No script</noscript></footer></body></html>"
    )
}

/// A fingerprint of the head, the rows and the contributions, before they are packed: how they are packed
/// is the store's affair, which has a format of its own.
fn stored(method: &str) -> String {
    let spec: MethodSpec = method.parse().unwrap();
    let engine = spec.engine();
    let mut sites = Sites::in_memory(engine.memory());
    let mut all = Vec::new();
    for n in 1..=4 {
        let (url, html) = (format!("https://a.example/{n}"), html(n));
        let page = Page::parse(html.into(), Some(url.clone()), None, &Limits::default());
        let (view, identity) = (engine.view(&page), page_identity(Some(&url), ""));
        let learn = |memory: &mut dyn unframe_site::Memory, visit: Visit<'_>| {
            let contribution = engine.learn(memory, &page, &view, visit);
            all.extend(&contribution);
            contribution
        };
        let content = Fingerprint(n.into());
        sites.visit("site", identity, content, 1, learn).unwrap();
    }
    let memory = sites.get("site").unwrap();
    all.extend(memory.head());
    memory.rows(&mut |table, key, row| {
        all.push(table);
        all.extend(key.0.to_be_bytes());
        all.extend(row.unwrap_or_default());
    });
    Fingerprint::of(Kind::Content, all).to_string()
}

#[test]
fn stored_bytes_change_with_the_version_only() {
    assert_eq!(ALL.len(), STORED.len(), "every method is pinned");
    let mut changed = Vec::new();
    for (method, version, expected) in STORED {
        let spec: MethodSpec = method.parse().unwrap();
        assert_eq!(spec.engine().memory().version, version, "{method}");
        let found = stored(method);
        if found != expected {
            changed.push(format!("(\"{method}\", {version}, \"{found}\"),"));
        }
    }
    assert!(
        changed.is_empty(),
        "these methods store something else; raise their VERSION and pin:\n{}",
        changed.join("\n")
    );
}
