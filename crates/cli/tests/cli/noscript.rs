//! Pages whose text is in a `noscript`, as forums send them, are read like any other.

use crate::args;
use crate::harness::*;

const PAGES: usize = 6;

const NOTICE: &str = "<noscript>Please <b>enable</b> scripts.</noscript>";

/// A page of the usual site, sent for scripts to fill; what it shows is in a `noscript`.
fn sent_empty(n: usize) -> String {
    let story = format!(
        "{}<p>Fish &amp; chips &lt;{n}&gt;</p><p>See <a href=/own{n}>tides</a></p>",
        format!("<p>{}</p>", format!("reply{n} ").repeat(10)).repeat(5)
    );
    page_with(n, &story)
        .replace(
            "<body>",
            &format!("<body>{NOTICE}<noscript data-path=/t/{n}>"),
        )
        .replace("</body>", "</noscript><div id=app></div></body>")
}

fn site(folder: &Folder) -> std::path::PathBuf {
    for n in 0..PAGES {
        folder.write(format!("site/p{n}.html"), sent_empty(n));
    }
    folder.path("site")
}

#[test]
fn every_method_finds_the_text() {
    let folder = Folder::new();
    let site = site(&folder);
    for method in ["text", "auto", "stream", "chunks", "mdl", "links"] {
        let records = run(args!["clean", site, "-m", method]).expect(0).records();
        assert_eq!(records.len(), PAGES);
        for (n, record) in records.iter().enumerate() {
            let text = record["text"].as_str().unwrap();
            let kept = [format!("reply{n} reply{n}"), format!("Fish & chips <{n}>")];
            assert!(
                kept.iter().all(|kept| text.contains(kept)),
                "{method}: {text}"
            );
            assert!(!text.contains("enable"), "{method}: {text}");
        }
    }
}

#[test]
fn every_format_has_it_and_spans_are_those_of_the_file() {
    let folder = Folder::new();
    let (site, source) = (site(&folder), sent_empty(0));
    let clean = |format: &[&str]| {
        let out = folder.path(format.join("-"));
        run(with(
            &args!["clean", "-mstream", site, "-o", out, "--format"],
            format,
        ))
        .expect(0);
        let files = tree(&out);
        let first = files.iter().find(|(name, _)| name.starts_with("p0.html"));
        String::from_utf8(first.unwrap().1.clone()).unwrap()
    };
    let records = run(args!["clean", "-mstream", site]).expect(0).records();
    let removed = records[0]["removed"].as_array().unwrap();
    let span = |region: &serde_json::Value| {
        let place = |name: &str| region[name].as_u64().unwrap() as usize;
        &source[place("start")..place("end")]
    };
    let spans: Vec<&str> = removed.iter().map(span).collect();
    assert_eq!(spans.len(), 2, "{spans:?}");
    assert!(
        spans[0].starts_with(&format!("<div id=head><b>{HEAD}</b>")),
        "{spans:?}"
    );
    assert_eq!(spans[1], format!("<div id=foot>{FOOT}</div>"));
    let links = &records[0]["links"];
    assert_eq!(links["own"][0]["text"], "tides", "{links}");

    let cut = source.replace(spans[0], "").replace(spans[1], "");
    assert_eq!(clean(&["html"]), cut);
    let mark = " data-unframe=\"template\"";
    let marked = clean(&["html", "--marked"]);
    assert_eq!(marked.matches(mark).count(), 2, "{marked}");
    assert_eq!(marked.replace(mark, ""), source);
    let markdown = clean(&["markdown"]);
    assert!(
        markdown.starts_with("# Headline 0\n\nreply0 reply0"),
        "{markdown}"
    );
    let end = "Fish & chips <0>\n\nSee [tides](/own0)\n";
    assert!(markdown.ends_with(end), "{markdown}");
}

#[test]
fn a_page_that_shows_more_itself_is_read_as_ever() {
    let folder = Folder::new();
    let menu = format!("<noscript><p>{}</noscript>", "menu ".repeat(80));
    for n in 0..PAGES {
        let story = format!("<p>{}", format!("reply{n} ").repeat(100));
        let html = page_with(n, &story).replace("<div id=foot>", &format!("{menu}<div id=foot>"));
        folder.write(format!("site/p{n}.html"), html);
    }
    let kept = run(args!["clean", folder.path("site"), "-m", "text"]).expect(0);
    for record in kept.records() {
        let text = record["text"].as_str().unwrap();
        assert!(text.contains("reply") && !text.contains("menu"), "{text}");
    }
}
