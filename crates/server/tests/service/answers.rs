//! What the interface answers.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;
use unframe::Crawl;

use crate::harness::{service, story, url};

#[tokio::test]
async fn pages_are_cleaned_as_the_library_cleans_them() {
    let service = service("");
    let mut crawl = Crawl::new();
    for number in 0..12 {
        let answer = service
            .post(
                "/v1/clean",
                json!({ "url": url(number), "html": story(number) }),
            )
            .await;
        let record = answer.json();
        let page = crawl
            .clean("a.example", &url(number), story(number))
            .unwrap();
        assert_eq!(record["text"], page.text());
        assert_eq!(record["state_pages"], page.state_pages());
        assert_eq!(record["learned"], true);
        assert_eq!(record["site"], "a.example");
        assert!(record.get("markdown").is_none() && record.get("links").is_none());
    }
    let again = service
        .post("/v1/clean", json!({ "url": url(3), "html": story(3) }))
        .await
        .json();
    assert_eq!(again["learned"], false);
    assert_eq!(service.pages("a.example").await, 12);
    let shown = service.get("/v1/sites/a.example").await.json();
    assert_eq!(
        (&shown["pages"], shown["versions"].as_array().unwrap().len()),
        (&json!(12), 1)
    );
    assert_eq!(shown["recent"].as_array().unwrap().len(), 12);
    assert_eq!(shown["recent"][0], url(3));
    assert_eq!(shown["drift"].as_array().unwrap().len(), 12);
}

#[tokio::test]
async fn objects_and_bodies_of_their_own_get_the_same_answer() {
    let service = service("");
    for number in 0..6 {
        service
            .post(
                "/v1/learn",
                json!({ "url": url(number), "html": story(number) }),
            )
            .await;
    }
    let object = json!({
        "url": url(9), "html": story(9), "learn": false, "formats": ["text", "markdown", "html"],
        "fields": ["title", "links", "removed"], "remove": "template", "favor": "recall", "protect": ["footer"],
    });
    let object = service.post("/v1/clean", object).await;
    let query = "/v1/clean?url=https://a.example/9&learn=false&formats=text,markdown,html&fields=title,links,removed&\
                 remove=template&favor=recall&protect=footer";
    let body = service
        .ask("POST", query, "text/html; charset=utf-8", story(9))
        .await;
    assert_eq!(object.json(), body.json());
    let record = object.json();
    let text = record["text"].as_str().unwrap();
    assert!(
        text.contains("All rights reserved") && !text.contains("News"),
        "{text}"
    );
    assert!(
        record["removed"]
            .as_array()
            .is_some_and(|removed| !removed.is_empty())
    );
    assert!(record.get("learned").is_none() && record.get("site").is_none());
    assert_eq!(service.pages("a.example").await, 6);
    // The charset of the transport counts.
    let latin = service
        .ask(
            "POST",
            "/v1/extract",
            "text/html; charset=iso-8859-1",
            &b"<p>caf\xe9 au lait"[..],
        )
        .await;
    assert_eq!(latin.json()["text"], "caf\u{e9} au lait\n");
}

#[tokio::test]
async fn a_page_is_explained_and_its_frame_is_shown() {
    let service = service("");
    for number in 0..8 {
        service
            .post(
                "/v1/learn",
                json!({ "url": url(number), "html": story(number) }),
            )
            .await;
    }
    let why = service
        .post("/v1/why", json!({ "url": url(3), "html": story(3) }))
        .await
        .json();
    let regions = why["regions"].as_array().unwrap();
    let footer = regions
        .iter()
        .find(|one| one["css"].as_str().unwrap().contains("footer"))
        .unwrap();
    assert_eq!(footer["label"], "template");
    assert_eq!(why["state_pages"], 8);
    let template = service.get("/v1/sites/a.example/template").await;
    assert!(
        template.headers["content-security-policy"]
            .to_str()
            .unwrap()
            .contains("sandbox")
    );
    assert!(
        template.text().contains("All rights reserved") && !template.text().contains("is told by")
    );
    let other = service
        .get("/v1/sites/a.example/template?url=https://a.example/2")
        .await;
    assert_eq!(other.status, 200);
    assert_eq!(
        service
            .get("/v1/sites/a.example/template?url=x")
            .await
            .problem(),
        "not-found"
    );
    // Few pages settle nothing.
    assert_eq!(
        service.get("/v1/sites/a.example/rules").await.problem(),
        "not-found"
    );
}

#[tokio::test]
async fn rules_are_those_of_the_command_line() {
    let service = service("");
    for number in 0..300 {
        let html = format!(
            "<div id=top><nav class=menu>Home</nav></div>{}",
            story(number)
        );
        service
            .post("/v1/learn", json!({ "url": url(number), "html": html }))
            .await;
    }
    let rules = service.get("/v1/sites/a.example/rules").await;
    assert_eq!(rules.status, 200, "{}", rules.text());
    assert!(
        rules.text().contains("@site a.example;") && rules.text().contains("remove {"),
        "{}",
        rules.text()
    );
    let json = service
        .get("/v1/sites/a.example/rules?format=json")
        .await
        .json();
    assert!(
        json[0]["remove"]
            .as_array()
            .is_some_and(|remove| !remove.is_empty()),
        "{json}"
    );
    assert_eq!(
        service
            .get("/v1/sites/a.example/rules?format=pdf")
            .await
            .problem(),
        "unusable"
    );
}

#[tokio::test]
async fn what_people_mark_overrules_the_method() {
    let service = service("");
    for number in 0..6 {
        service
            .post(
                "/v1/learn",
                json!({ "url": url(number), "html": story(number) }),
            )
            .await;
    }
    let marks = json!({ "protect": ["footer"], "remove": ["h1"] });
    let set = service
        .ask(
            "PUT",
            "/v1/sites/a.example/marks",
            "application/json",
            marks.to_string(),
        )
        .await;
    assert_eq!(set.json(), marks);
    assert_eq!(service.get("/v1/sites/a.example/marks").await.json(), marks);
    let text = service
        .post("/v1/clean", json!({ "url": url(3), "html": story(3) }))
        .await
        .json();
    let text = text["text"].as_str().unwrap();
    assert!(
        text.contains("All rights reserved") && !text.contains("Story 3\n"),
        "{text}"
    );
    let bad = json!({ "protect": ["a:hover"] }).to_string();
    let bad = service
        .ask("PUT", "/v1/sites/a.example/marks", "application/json", bad)
        .await;
    assert_eq!(bad.problem(), "unusable");
}

#[tokio::test]
async fn batches_keep_their_order_and_one_bad_line_stops_nothing() {
    let service = service("queue = 8");
    let mut lines = String::new();
    for number in 0..200 {
        match number {
            50 => lines.push_str("{\"url\": \"https://a.example/50\"\n"),
            60 => lines.push_str("{\"html\": \"<p>no url\"}\r\n\n"),
            _ => lines.push_str(&format!(
                "{}\n",
                json!({ "url": url(number), "html": story(number) })
            )),
        }
    }
    let answer = service
        .ask("POST", "/v1/clean/batch", "application/x-ndjson", lines)
        .await;
    let text = answer.text();
    let records: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(records.len(), 200);
    for (number, record) in records.iter().enumerate() {
        match number {
            50 => assert_eq!(record["problem"]["status"], 400),
            60 => assert_eq!(record["problem"]["status"], 422),
            _ => {
                assert_eq!(record["url"], url(number));
                assert!(
                    record["text"]
                        .as_str()
                        .unwrap()
                        .contains(&format!("number {number} is"))
                );
            }
        }
    }
    assert_eq!(service.pages("a.example").await, 198);
    let wrong = service
        .ask("POST", "/v1/clean/batch", "text/html", "<p>")
        .await;
    assert_eq!(wrong.problem(), "unusable");
}

#[tokio::test]
async fn wrong_requests_are_told_what_to_do() {
    let service = service("");
    for (method, path, kind, body, problem) in [
        ("POST", "/v1/clean", "application/json", "{", "bad-request"),
        (
            "POST",
            "/v1/clean",
            "application/json",
            "{\"htm\": 1}",
            "unusable",
        ),
        (
            "POST",
            "/v1/clean",
            "application/json",
            "{\"html\": \"<p>a\"}",
            "unusable",
        ),
        ("POST", "/v1/clean", "text/html", "<p>a", "unusable"),
        ("POST", "/v1/clean?url=/a", "text/html", "<p>a", "unusable"),
        (
            "POST",
            "/v1/clean?url=https://a.example/&formats=pdf",
            "text/html",
            "<p>a",
            "unusable",
        ),
        (
            "POST",
            "/v1/clean?learn=false&protect=a:hover",
            "text/html",
            "<p>a",
            "unusable",
        ),
        (
            "POST",
            "/v1/learn?learn=false",
            "text/html",
            "<p>a",
            "unusable",
        ),
        (
            "POST",
            "/v1/extract?learn=true&url=https://a.example/",
            "text/html",
            "<p>a",
            "unusable",
        ),
        ("GET", "/v1/clean", "", "", "no-method"),
        ("GET", "/v1/sites/none", "", "", "not-found"),
        ("DELETE", "/v1/sites/none", "", "", "not-found"),
        ("GET", "/v1/sites/%ff", "", "", "bad-request"),
        (
            "GET",
            "/v1/sites/..%2f..%2fetc%2fpasswd/template",
            "",
            "",
            "not-found",
        ),
        ("GET", "/../../etc/passwd", "", "", "not-found"),
        ("GET", "/lens/static/../../app.rs", "", "", "not-found"),
        ("GET", "/lens/page/0123", "", "", "not-found"),
        (
            "POST",
            "/lens/fetch?url=http://127.0.0.1/",
            "",
            "",
            "no-fetching",
        ),
    ] {
        let answer = service.ask(method, path, kind, body).await;
        assert_eq!(
            answer.problem(),
            problem,
            "{method} {path}: {}",
            answer.text()
        );
    }
}

#[tokio::test]
async fn other_hosts_origins_and_tokens_are_refused() {
    let service = service("");
    let request = |headers: &[(&str, &str)]| {
        let mut request = Request::builder().uri("/v1/sites");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(Body::empty()).unwrap()
    };
    assert_eq!(
        service
            .send(request(&[("host", "evil.example")]))
            .await
            .problem(),
        "wrong-host"
    );
    let foreign = [("host", "localhost"), ("origin", "https://evil.example")];
    assert_eq!(
        service.send(request(&foreign)).await.problem(),
        "foreign-origin"
    );
    let own = [
        ("host", "localhost"),
        ("origin", "http://localhost"),
        ("x-request-id", "mine-1"),
    ];
    let answer = service.send(request(&own)).await;
    assert_eq!(answer.headers["x-request-id"], "mine-1");
    assert!(answer.headers.get("access-control-allow-origin").is_none());

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    std::fs::write(&file, "a-token-of-this-test\n").unwrap();
    let service = super::harness::service(&format!("token-file = {file:?}"));
    for (path, is_public) in [
        ("/", true),
        ("/healthz", true),
        ("/readyz", true),
        ("/docs", true),
        ("/openapi.json", true),
        ("/lens/static/lens.js", true),
        ("/v1/sites", false),
        ("/metrics", false),
        ("/lens/sites", false),
        ("/mcp", false),
    ] {
        let answer = service.get(path).await;
        assert_eq!(answer.status != 401, is_public, "{path}");
    }
    let sent = [
        ("host", "localhost"),
        ("authorization", "Bearer a-token-of-this-test"),
    ];
    assert_eq!(service.send(request(&sent)).await.status, 200);
    let wrong = [
        ("host", "localhost"),
        ("authorization", "Bearer a-token-of-this-tesu"),
    ];
    let wrong = service.send(request(&wrong)).await;
    assert_eq!(
        (
            wrong.problem().as_str(),
            wrong.headers.contains_key("www-authenticate")
        ),
        ("no-token", true)
    );
}

#[tokio::test]
async fn the_service_describes_itself() {
    let service = service("");
    let api = service.get("/openapi.json").await.json();
    let paths: Vec<&String> = api["paths"].as_object().unwrap().keys().collect();
    let docs = service.get("/docs").await.text();
    assert_eq!(paths.len(), 13, "{paths:?}");
    for path in paths {
        assert!(
            docs.contains(&format!("<code>{} {path}</code>", docs_method(&api, path))),
            "{path}"
        );
    }
    for address in ["http://", "https://", "<script"] {
        assert!(
            !docs.contains(&format!("src={address}")) && !docs.contains("<script"),
            "{address}"
        );
    }
    service
        .post("/v1/clean", json!({ "url": url(1), "html": story(1) }))
        .await;
    let metrics = service.get("/metrics").await.text();
    assert!(
        metrics.contains("unframe_pages_learned_total 1\n"),
        "{metrics}"
    );
    assert!(metrics.contains(
        "unframe_requests_total{route=\"/v1/clean\",method=\"POST\",status=\"200\"} 1\n"
    ));
    assert!(
        service
            .app
            .engine
            .counts()
            .commits
            .load(std::sync::atomic::Ordering::Relaxed)
            >= 1
    );
}

fn docs_method(api: &serde_json::Value, path: &str) -> String {
    let methods = api["paths"][path].as_object().unwrap();
    methods.keys().next().unwrap().to_uppercase()
}
