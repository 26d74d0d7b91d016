//! `unframe template KEY`: the template of one page, from a site at hand or a live one.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;

use crate::args;
use crate::harness::*;

pub const MENU: [&str; 5] = ["index.html", "a.html", "b.html", "c.html", "d.html"];

/// A page with a menu, a style sheet, and a text of its own.
pub fn linked(name: &str) -> String {
    let menu = MENU.map(|to| format!("<li><a href='{to}'>Go to {to}</a></li>"));
    format!(
        "<!doctype html><html><head><title>{name}</title><link rel=stylesheet href=s.css></head>\
         <body><ul id=menu>{}</ul><div id=main><h1>All of {name}</h1><p>Only {name} says this</p>\
         </div><p class=foot>Since 1887</p></body></html>",
        menu.concat()
    )
}

pub fn linked_site(folder: &Folder) -> PathBuf {
    for name in MENU {
        folder.write(format!("linked/{name}"), linked(name));
    }
    folder.path("linked")
}

fn demo(site: &str) -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.join("../../demo").join(site).join("pages")
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

#[test]
fn the_menu_is_template_and_the_story_is_a_slot() {
    let folder = Folder::new();
    let site = linked_site(&folder);
    let done = run(args!["template", "index.html", "--site", site]).expect(0);
    let html = text(&done.stdout);
    assert!(html.contains("Go to c.html") && html.contains("Since 1887"));
    assert!(!html.contains("All of index.html") && !html.contains("Only index.html"));
    assert!(html.contains("<!-- unframe: slot ") && html.contains("data-unframe-slot=\""));
    assert!(html.contains("href=\"s.css\""), "{html}");
    assert!(!html.contains("<style>"));
    done.says(&[
        "on 2 or more of 3 pages",
        "link to each other",
        "3 pages loaded",
    ]);

    // The file itself names the page as well as its place in the folder does.
    let by_file = args!["template", site.join("index.html"), "--site", site, "-q"];
    let by_file = run(by_file).expect(0);
    assert_eq!(text(&by_file.stdout), html);
    assert!(by_file.stderr.is_empty());

    let content = args![
        "template",
        "index.html",
        "--site",
        site,
        "--view",
        "content"
    ];
    let content = run(content).expect(0);
    let content = text(&content.stdout);
    assert!(content.contains("Only index.html") && !content.contains("Go to"));
    let page = args![
        "template",
        "index.html",
        "--site",
        site,
        "--view",
        "page",
        "--show-slots"
    ];
    let page = run(page).expect(0);
    let page = text(&page.stdout);
    assert!(page.contains("Only index.html") && page.contains("Go to c.html"));
    assert!(page.contains("<!-- unframe: end of slot ") && page.contains("<style>"));
}

#[test]
fn links_lead_to_where_they_led_wherever_the_file_is() {
    let folder = Folder::new();
    let site = linked_site(&folder);
    let write = |out: &str, more: &[&str]| {
        let out = folder.path(out);
        fs::create_dir_all(out.parent().unwrap()).unwrap();
        let args = args!["template", "a.html", "--site", site, "-o", out, "-q"];
        run(with(&args, more)).expect(0);
        fs::read_to_string(out).unwrap()
    };
    let beside = write("frame.html", &[]);
    assert!(beside.contains("href=\"linked/s.css\""), "{beside}");
    let below = write("out/deep/frame.html", &[]);
    assert!(below.contains("href=\"../../linked/s.css\""), "{below}");
    let as_is = write("as-is.html", &["--relative-to", "as-is"]);
    assert!(as_is.contains("href=\"s.css\""), "{as_is}");
    let absolute = write("absolute.html", &["--relative-to", "absolute"]);
    assert!(absolute.contains("href=\"file:///"), "{absolute}");

    let pages = MENU.map(|name| (format!("https://s.example/x/{name}"), linked(name)));
    let lines = folder.write("site.jsonl", jsonl(pages));
    let key = "https://s.example/x/a.html";
    for (relative_to, expected) in [
        (&[][..], "href=\"https://s.example/x/s.css\""),
        (&["--relative-to", "as-is"], "href=\"s.css\""),
        (
            &["--relative-to", "https://s.example/y/"],
            "href=\"../x/s.css\"",
        ),
    ] {
        let done = run(with(&args!["template", key, "--site", lines], relative_to)).expect(0);
        let html = text(&done.stdout);
        assert!(html.contains(expected), "{relative_to:?}: {html}");
    }

    let place = ["--relative-to", "https://s.example/"];
    let unknown = run(with(&args!["template", "a.html", "--site", site], &place)).expect(0);
    assert!(text(&unknown.stdout).contains("href=\"s.css\""));
    unknown.says(&["a.html", "URL of the page is not known"]);
}

#[test]
fn votes_and_what_they_rest_on_as_json() {
    let folder = Folder::new();
    let pages = MENU.map(|name| (format!("https://s.example/{name}"), linked(name)));
    let record = |(url, html): &(String, String)| warc_record(url, html.as_bytes());
    let warc: Vec<u8> = pages.iter().flat_map(record).collect();
    let warc = folder.write("crawl.warc.gz", warc);
    let key = "http://s.example/d.html";
    let out = folder.path("frame.html");
    let done = args!["template", key, "--site", warc, "--json", "-o", out];
    let done = run(done).expect(0);
    let [found] = &done.records()[..] else {
        panic!("one object");
    };
    assert_eq!(found["url"], "https://s.example/d.html");
    assert_eq!(found["rests_on"].as_array().unwrap().len(), 3);
    assert!(
        found["rests_on"][0]["url"]
            .as_str()
            .unwrap()
            .starts_with("https://s.example/")
    );
    assert_eq!((&found["n"], &found["t"]), (&3.into(), &2.into()));
    assert_eq!(found["votes_needed"], 2);
    assert_eq!((&found["links"], &found["loads"]), (&4.into(), &3.into()));
    assert_eq!(found["skipped"].as_array().unwrap().len(), 0);
    assert!(fs::read_to_string(out).unwrap().contains("Go to a.html"));
    let html = linked("d.html");
    let nodes = found["nodes"].as_array().unwrap();
    for node in nodes {
        let votes = node["votes"].as_u64().unwrap();
        assert_eq!(node["probability"].as_f64(), Some(votes as f64 / 3.0));
        assert_eq!(node["template"].as_bool(), Some(votes >= 2));
        let (start, end) = (&node["start"], &node["end"]);
        let bytes = start.as_u64().unwrap() as usize..end.as_u64().unwrap() as usize;
        if let Some(text) = node["text"].as_str() {
            assert_eq!(&html[bytes], text);
        }
    }
    let votes_of = |text: &str| {
        let found = nodes.iter().find(|node| node["text"] == text);
        found.expect("the text is there")["votes"].as_u64()
    };
    assert_eq!(votes_of("Go to b.html"), Some(3));
    assert_eq!(votes_of("Only d.html says this"), Some(0));
    let elements = nodes.iter().filter(|node| node["tag"] != "#text");
    assert_eq!(found["elements"], elements.count());
}

#[test]
fn presets_and_flags_change_what_is_compared() {
    let folder = Folder::new();
    let site = linked_site(&folder);
    let account = |more: &[&str]| {
        let args = args!["template", "a.html", "--site", site, "--json"];
        run(with(&args, more)).expect(0).records().remove(0)
    };
    let n_t = |more: &[&str]| {
        let found = account(more);
        let pages = found["rests_on"].as_array().unwrap().len();
        (
            found["n"].as_u64().unwrap(),
            found["t"].as_u64().unwrap(),
            pages,
        )
    };
    assert_eq!(n_t(&["--preset", "alarte-2014"]), (3, 2, 3));
    // Four others are all there is.
    assert_eq!(n_t(&["--preset", "alarte-best"]), (8, 4, 4));
    assert_eq!(n_t(&["--n", "1"]), (1, 1, 1));
    assert_eq!(n_t(&["--n", "4", "--t", "4"]), (4, 4, 4));
    let structural = account(&["--texts", "structural"])["nodes"].to_string();
    assert_ne!(structural, account(&[])["nodes"].to_string());
    for flags in [
        &["--menu", "density"][..],
        &["--replace-atypical"],
        &["--drop-main-content"],
        &["--max-loads", "40", "--max-links", "30"],
        &[
            "--weight-classes",
            "0.4",
            "--weight-position",
            "0.4",
            "--wa",
            "0.1",
            "--wch",
            "0.1",
        ],
        &[
            "--pnc", "0.8", "--pna", "0.3", "--pnch", "0.9", "--pt", "0.6",
        ],
        &["--ids", "all", "--classes", "all", "--page-attributes"],
    ] {
        assert_eq!(n_t(flags), (3, 2, 3), "{flags:?}");
    }
}

#[test]
fn demo_sites_have_templates() {
    for (site, frame, content) in [
        (
            "harbour-shop",
            "Ship Chandlers of Skerrow Harbour since 1871",
            "Galvanised buckets",
        ),
        (
            "petromyra-museum",
            "Μουσείο Φάρου Πετρομύρας",
            "Καλώς ήρθατε στον φάρο",
        ),
        (
            "fieldnotes",
            "A small magazine of close looking",
            "A rain gauge on the roof",
        ),
    ] {
        for more in [&[][..], &["--menu", "density"]] {
            let args = args!["template", "index.html", "--site", demo(site)];
            let done = run(with(&args, more)).expect(0);
            let html = text(&done.stdout);
            assert!(html.contains(frame), "{site}: {html}");
            assert!(!html.contains(content), "{site}: {html}");
        }
    }
}

#[test]
fn wrong_use_is_explained() {
    let folder = Folder::new();
    let site = linked_site(&folder);
    let there = folder.write("there.html", "mine");
    let there = there.to_str().unwrap();
    let inside = site.join("frame.html");
    for (wrong, hints) in [
        (&["--t", "4"][..], &["--t 4 of --n 3", "lower --t"][..]),
        (&["--n", "65"], &["n is 65", "at most 64"]),
        (&["--pt", "1"], &["pt is 1", "below 1"]),
        (&["--wc", "0.9"], &["sum of the weights"]),
        (
            &["--preset", "kim-shim"],
            &["modern, alarte-2014, alarte-best"],
        ),
        (&["--menu", "left"], &["page, density"]),
        (
            &["--cluster", "1"],
            &["--cluster belongs to the method mdl"],
        ),
        (&["--bands", "4"], &["--bands belongs to the method mdl"]),
        (&["--delay", "0"], &["--delay works only with live pages"]),
        (
            &["--method", "mdl"],
            &["--site belongs to the method links"],
        ),
        (&["--json", "--view", "page"], &["-o FILE"]),
        (&["-o", inside.to_str().unwrap()], &["inside the input"]),
    ] {
        let run = run(with(&args!["template", "a.html", "--site", site], wrong)).expect(2);
        assert!(run.stdout.is_empty(), "{wrong:?}");
        run.says(hints);
    }
    assert_eq!(fs::read_to_string(there).unwrap(), "mine");
    let again = args!["template", "a.html", "--site", site, "-o", there];
    run(again).expect(0);
    assert!(fs::read_to_string(there).unwrap().contains("Since 1887"));

    let none = args!["template", "of-a.html", "--site", site];
    run(none)
        .expect(2)
        .says(&["of-a.html", "it contains a.html, b.html", "1 more"]);
    let lines = folder.write("site.jsonl", jsonl_site("s.example", 0..3));
    let elsewhere = args!["template", "https://other.example/1", "--site", lines];
    run(elsewhere).expect(2).says(&["http://s.example/1"]);
    folder.write("empty/notes.txt", "no page");
    let empty = args!["template", "a.html", "--site", folder.path("empty")];
    run(empty).expect(2).says(&["contains no page"]);
    for (args, hints) in [
        (
            args!["template", "a.html", "b.html", "--site", site].to_vec(),
            &["one", "2 were given"][..],
        ),
        (
            args!["template", there, "--method", "links"].to_vec(),
            &["--site"],
        ),
        (
            args!["template", "s.example/news"].to_vec(),
            &["write https://s.example/news"],
        ),
        (
            args!["template", "localhost:8765"].to_vec(),
            &["write http://localhost:8765/"],
        ),
        (
            args!["template", "127.0.0.1:80/a", "--allow-private"].to_vec(),
            &["write http://127.0.0.1:80/a"],
        ),
        (
            args!["template", "ftp://s.example/"].to_vec(),
            &["http and https only"],
        ),
        (
            args!["template", "http://"].to_vec(),
            &["not the URL of a page"],
        ),
        (
            args!["template", site, "--n", "4"].to_vec(),
            &["--n belongs to the method links"],
        ),
        (
            args!["template", site, "--cache", "x"].to_vec(),
            &["--cache belongs to"],
        ),
        (
            args!["template", "--site", site, "a.html"].to_vec(),
            &["put KEY before it"],
        ),
        (
            args!["template", "http://s.example/", "--delay", "soon"].to_vec(),
            &["seconds"],
        ),
        (
            args!["template", "http://s.example/", "--max-bytes", "0"].to_vec(),
            &["--max-bytes is 0"],
        ),
        (
            args!["template", "http://s.example/", "--contact", "a b"].to_vec(),
            &["contact"],
        ),
    ] {
        run(args).expect(2).says(hints);
    }
}

#[test]
fn pages_that_lead_nowhere_say_why() {
    let folder = Folder::new();
    let story = "<p>Nobody else says this";
    let many: String = (0..5000)
        .map(|n| format!("<a href=/p{n}>{n}</a> "))
        .collect();
    let other = "<a href='javascript:go()'>a</a><a href='mailto:a@b'>b</a><a href='#top'>c</a>\
                 <a href='//other.example/'>d</a>";
    for (name, html, hints) in [
        (
            "alone",
            story.to_string(),
            &["has no link to its own site"][..],
        ),
        ("other", other.to_string(), &["has no link to its own site"]),
        (
            "failing",
            "<a href=x>x</a><a href=y>y</a>".into(),
            &[
                "2 links lead to pages that are not in the input",
                "such as ",
            ],
        ),
        (
            "many",
            many,
            &["60 links lead to pages that are not in the input"],
        ),
        (
            "frames",
            "<frameset><frame src=menu.html><frame src=main.html></frameset>".into(),
            &["frames", "menu.html"],
        ),
        (
            "refresh",
            "<meta http-equiv=refresh content='0;url=home.html'>".into(),
            &["redirects to home.html"],
        ),
    ] {
        folder.write(format!("{name}/key.html"), html);
        let site = folder.path(name);
        let done = run_briefly(args!["template", "key.html", "--site", site]).expect(1);
        assert!(done.stdout.is_empty(), "{name}");
        done.says(&["key.html: no other page of the site"])
            .says(hints);
    }
}

#[test]
fn large_and_odd_pages_end() {
    let folder = Folder::new();
    let siblings: String = (0..20_000).map(|n| format!("<b>{}</b>", n % 7)).collect();
    let ids = "<div id=x>Same</div>".repeat(500);
    for name in MENU {
        let page = linked(name);
        folder.write(
            format!("large/{name}"),
            page.replace("<h1>", &format!("<div>{siblings}</div>{ids}<h1>")),
        );
    }
    let done = run(args!["template", "a.html", "--site", folder.path("large")]).expect(0);
    assert!(text(&done.stdout).contains("Go to c.html"));
}

/// A site whose server knows pages by path; anything else is not found. Returns its URL, and the
/// heads of the requests that came.
pub fn serve(
    answer: impl Fn(&str) -> Option<String> + Send + 'static,
) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let home = format!("http://{}/", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    thread::spawn(move || {
        let mut silent = Vec::new();
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let lines = lines.map_while(Result::ok);
            let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            let path = head.first().and_then(|line| line.split(' ').nth(1));
            let path = path.unwrap_or_default().to_string();
            log.lock().unwrap().push(head.join("\n"));
            let answer = match path.as_str() {
                "/robots.txt" => None,
                path => answer(path),
            };
            let answer = match answer.as_deref() {
                Some("") => {
                    silent.push(stream);
                    continue;
                }
                Some(answer) if answer.starts_with("HTTP/") => answer.to_string(),
                Some(html) => format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\
                     Connection: close\r\n\r\n{html}",
                    html.len()
                ),
                None => "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    .to_string(),
            };
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    (home, asked)
}

pub fn page_of(path: &str) -> Option<String> {
    let name = path.trim_start_matches('/');
    let name = if name.is_empty() { "index.html" } else { name };
    MENU.contains(&name).then(|| linked(name))
}

#[test]
fn a_live_page() {
    let folder = Folder::new();
    let (home, asked) = serve(page_of);
    let cache = folder.path("cache");
    let live = args![
        "template",
        home.clone(),
        "--allow-private",
        "--delay",
        "0",
        "--contact",
        "me@site.example",
        "--cache",
        cache,
    ];
    let done = run(with(&live, &[])).expect(0);
    let html = text(&done.stdout);
    assert!(html.contains("Go to c.html") && !html.contains("Only index.html"));
    // Away from its site, the page is styled as on it.
    assert!(html.contains(&format!("href=\"{home}s.css\"")), "{html}");
    // One of the four was the page itself under its other name, which has no vote.
    done.says(&[&home, "of 3 pages", "4 pages loaded"]);
    assert!(cache.is_dir());
    let heads = asked.lock().unwrap().join("\n\n");
    assert!(heads.contains("me@site.example"), "{heads}");

    let again = run(with(&live, &["--json"])).expect(0);
    let found = again.records().remove(0);
    assert_eq!(found["url"], home.as_str());
    assert!(
        found["rests_on"][0]["url"]
            .as_str()
            .unwrap()
            .starts_with(&home)
    );
}

#[test]
fn live_links_without_a_page_are_named() {
    let (home, _) = serve(|path| {
        match path {
        "/" => Some(linked("index.html").replace(
            "</ul>",
            "</ul><a href=gone>1</a><a href=picture>2</a><a href=loop>3</a><a href=away>4</a>",
        )),
        "/picture" => Some(
            "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 4\r\nConnection: \
             close\r\n\r\n\u{0}\u{1}\u{2}\u{3}"
                .into(),
        ),
        "/loop" => Some("HTTP/1.1 302 Found\r\nLocation: /loop\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".into()),
        "/away" => Some("HTTP/1.1 302 Found\r\nLocation: http://other.example/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".into()),
        path => page_of(path),
    }
    });
    let done = args![
        "template",
        home.clone(),
        "--allow-private",
        "--delay",
        "0",
        "--n",
        "6",
        "--json",
    ];
    let done = run(done).expect(0);
    let found = done.records().remove(0);
    let skipped = found["skipped"].as_array().unwrap();
    let why = |path: &str| {
        let url = format!("{home}{path}");
        let link = skipped.iter().find(|link| link["url"] == url.as_str());
        link.expect("the link was tried")["reason"]
            .as_str()
            .unwrap()
            .to_string()
    };
    assert!(why("gone").contains("no such page"));
    assert!(why("picture").contains("image/png"));
    assert!(why("loop").contains("circle"), "{}", why("loop"));
    assert!(why("away").contains("other.example"));
    done.says(&[&format!("{home}gone: "), "6 were asked for"]);
}

#[test]
fn a_silent_server_costs_bounded_time() {
    let (home, asked) = serve(|path| match path {
        "/" => {
            let links: String = (0..50).map(|n| format!("<a href=/p{n}>{n}</a> ")).collect();
            Some(links)
        }
        _ => Some(String::new()),
    });
    let template = |url: &str, timeout: &str| {
        let args = args!["template", url, "--allow-private", "--delay", "0"];
        run(with(&args, &["--timeout", timeout])).expect(1)
    };
    // Within the first time the page itself comes, unless the machine has very much else to do.
    let (timeout, done) = ["0.3", "3", "30"]
        .into_iter()
        .map(|timeout| {
            asked.lock().unwrap().clear();
            (timeout, template(&home, timeout))
        })
        .find(|(_, done)| done.stderr.contains("no other page of the site"))
        .expect("the page comes");
    assert!(done.stdout.is_empty());
    done.says(&[&format!("within {timeout} s"), "got no answer"]);
    let asked = asked.lock().unwrap();
    let pages = asked.iter().filter(|head| head.contains("/p"));
    assert!(pages.count() <= 3, "{asked:?}");

    let (never, _) = serve(|_| Some(String::new()));
    template(&never, "0.3").says(&[&never, "no complete response within 0.3 s"]);
    run(args!["template", never])
        .expect(1)
        .says(&["--allow-private"]);
}
