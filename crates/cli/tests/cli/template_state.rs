//! `unframe template KEY --state FILE`: one page against pages of an earlier run.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::args;
use crate::harness::*;
use crate::template_links::{MENU, linked, linked_site, page_of, serve, text};

/// Has `links` learn some pages; returns the state.
fn learned_from(folder: &Folder, pages: &Path, more: &[&str]) -> PathBuf {
    let state = folder.path("s.unframe");
    let out = folder.path("cleaned");
    let clean = args![
        "clean", pages, "--method", "links", "--state", state, "-o", out, "-q"
    ];
    run(with(&clean, more)).expect(0);
    state
}

/// Pages with URLs, of these hosts.
fn hosts(folder: &Folder, hosts: &[&str]) -> PathBuf {
    let pages = hosts
        .iter()
        .flat_map(|host| MENU.map(|name| (format!("https://{host}/{name}"), linked(name))));
    folder.write("hosts.jsonl", jsonl(pages))
}

fn urls(found: &Value) -> Vec<&str> {
    let pages = found["rests_on"].as_array().unwrap().iter();
    pages.map(|page| page["url"].as_str().unwrap()).collect()
}

#[test]
fn a_new_page_against_what_was_learnt() {
    let folder = Folder::new();
    let site = linked_site(&folder);
    let state = learned_from(&folder, &site, &[]);
    let before = fs::read(&state).unwrap();
    let new = folder.write("linked/new.html", linked("new.html"));
    let done = run(args!["template", new, "--state", state]).expect(0);
    let html = text(&done.stdout);
    assert!(
        html.contains("Go to c.html") && html.contains("Since 1887"),
        "{html}"
    );
    assert!(!html.contains("Only new.html") && html.contains("<!-- unframe: slot "));
    done.says(&[
        "new.html: ",
        "on 2 or more of 3 pages of site 'linked' in ",
        "s.unframe",
    ]);
    assert!(fs::read(&state).unwrap() == before, "the state was changed");

    let content = args!["template", new, "--state", state, "--view", "content", "-q"];
    let content = run(content).expect(0);
    assert!(content.stderr.is_empty());
    let content = text(&content.stdout);
    assert!(content.contains("Only new.html") && !content.contains("Go to"));

    let out = folder.path("frame.html");
    let json = args![
        "template", new, "--state", state, "--json", "-o", out, "--n", "9"
    ];
    let json = run(json).expect(0);
    let found = json.records().remove(0);
    assert_eq!(found["site"], "linked");
    assert_eq!(found["state"], state.to_str().unwrap());
    let mut pages = urls(&found);
    pages.sort_unstable();
    assert_eq!(
        pages,
        ["a.html", "b.html", "c.html", "d.html", "index.html"]
    );
    assert_eq!(found["loads"], 0);
    for node in found["nodes"].as_array().unwrap() {
        let votes = node["votes"].as_u64().unwrap();
        assert_eq!(node["probability"].as_f64(), Some(votes as f64 / 5.0));
    }
    json.says(&["of 5 pages of site ", "(9 were asked for)"]);
    assert!(
        fs::read_to_string(out)
            .unwrap()
            .contains("href=\"linked/s.css\"")
    );
}

#[test]
fn a_page_that_was_learnt_is_not_compared_with_itself() {
    let folder = Folder::new();
    let site = linked_site(&folder);
    let state = learned_from(&folder, &site, &[]);
    let of = |key: &str, more: &[&str]| {
        let args = args!["template", key, "--site", site, "--state", state, "--json"];
        run(with(&args, more)).expect(0).records().remove(0)
    };
    let found = of("a.html", &["--n", "9"]);
    let mut pages = urls(&found);
    pages.sort_unstable();
    assert_eq!(pages, ["b.html", "c.html", "d.html", "index.html"]);
    assert_eq!(found["by_links"], 4);
    // Nor is it as it was before.
    let changed = linked("a.html").replace("Only", "Today");
    folder.write("linked/a.html", changed);
    assert_eq!(urls(&of("a.html", &["--n", "9"])).len(), 4);
}

#[test]
fn the_site_is_that_of_the_page_or_is_named() {
    let folder = Folder::new();
    let pages = hosts(&folder, &["a.example", "b.example"]);
    let state = learned_from(&folder, &pages, &[]);
    let file = folder.write("alone/new.html", linked("new.html"));
    let site = |more: &[&str]| {
        let args = args!["template", file, "--state", state, "--json"];
        let found = run(with(&args, more)).expect(0).records().remove(0);
        let site = found["site"].as_str().unwrap().to_string();
        let pages = urls(&found);
        let home = format!("https://{site}/");
        assert!(pages.iter().all(|url| url.starts_with(&home)), "{pages:?}");
        site
    };
    assert_eq!(site(&["--url", "https://b.example/new.html"]), "b.example");
    assert_eq!(site(&["--site-name", "a.example"]), "a.example");
    for more in [&[][..], &["--site-name", "c.example"]] {
        let args = args!["template", file, "--state", state];
        run(with(&args, more)).expect(2).says(&[
            if more.is_empty() {
                "no site `alone`"
            } else {
                "no site `c.example`"
            },
            "--site-name NAME",
            "a.example, b.example",
        ]);
    }
    let inside = args![
        "template",
        "https://b.example/a.html",
        "--site",
        pages,
        "--state",
        state,
        "--json"
    ];
    assert_eq!(run(inside).expect(0).records()[0]["site"], "b.example");

    // Of one site there is no doubt.
    let (home, asked) = serve(page_of);
    fs::remove_file(&state).unwrap();
    let state = learned_from(&folder, &hosts(&folder, &["a.example"]), &[]);
    let live = args![
        "template",
        home.clone(),
        "--allow-private",
        "--delay",
        "0",
        "--state",
        state,
        "--json"
    ];
    let found = run(live).expect(0).records().remove(0);
    assert_eq!(
        (&found["site"], &found["url"]),
        (&"a.example".into(), &home.into())
    );
    let asked = asked.lock().unwrap();
    assert!(
        asked
            .iter()
            .all(|head| head.starts_with("GET / ") || head.contains("robots.txt"))
    );
}

#[test]
fn wrong_use_is_explained() {
    let folder = Folder::new();
    let site = linked_site(&folder);
    let state = learned_from(&folder, &site, &["--preset", "alarte-2014"]);
    let bytes = fs::read(&state).unwrap();
    let file = site.join("a.html");
    let own = state.to_str().unwrap();
    let flags = ["--ids", "all", "--classes", "all", "--page-attributes"];
    for (wrong, hints) in [
        (
            &[][..],
            &["s.unframe", "--ids all --classes all --page-attributes"][..],
        ),
        (&["--menu", "density"], &["--menu chooses links to follow"]),
        (&["--delay", "0"], &["--delay works only with live pages"]),
        (
            &["--method", "mdl"],
            &["--state belongs to the method links"],
        ),
        (&["-o", own], &["-o", "--state", "the same file"]),
    ] {
        let run = run(with(&args!["template", file, "--state", state], wrong)).expect(2);
        assert!(run.stdout.is_empty(), "{wrong:?}");
        run.says(hints);
    }
    run(with(&args!["template", file, "--state", state], &flags)).expect(0);
    run(args![
        "template",
        file,
        "--state",
        state,
        "--preset",
        "alarte-best"
    ])
    .expect(0);
    assert!(fs::read(&state).unwrap() == bytes);

    let none = folder.path("none.unframe");
    run(args!["template", file, "--state", none])
        .expect(2)
        .says(&["none.unframe", "not found"]);
    assert!(!none.exists());
    let other = folder.write("other.unframe", "not a state");
    run(args!["template", file, "--state", other])
        .expect(2)
        .says(&["not a state"]);
    let empty = folder.path("empty.unframe");
    run(args![
        "clean",
        site,
        "--state",
        empty,
        "-o",
        folder.path("o"),
        "-q"
    ])
    .expect(0);
    run(args!["template", file, "--state", empty])
        .expect(2)
        .says(&["nothing learned by the method links", "--method links"]);
    run(args!["template", site, "--state", state])
        .expect(2)
        .says(&["several pages", "--site"]);
    run(args!["template", folder.path("no.html"), "--state", state])
        .expect(2)
        .says(&["no.html"]);
    run(args!["template", file, "--site", site, "--site-name", "x"])
        .expect(2)
        .says(&["--state"]);

    // A state of the page alone.
    let alone = folder.write("alone/a.html", linked("a.html"));
    fs::remove_file(&state).unwrap();
    let state = learned_from(&folder, &folder.path("alone"), &[]);
    run(args!["template", alone, "--state", state])
        .expect(1)
        .says(&["no other page", "holds 1 page of alone"]);
}
