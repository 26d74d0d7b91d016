//! What was acknowledged is kept.

use serde_json::json;
use unframe::Crawl;
use unframe::methods::MethodSpec;

use crate::harness::{service, story, url};

fn stored_pages(path: &std::path::Path) -> u64 {
    let mut crawl = Crawl::open_read_only(path, &MethodSpec::default(), usize::MAX).unwrap();
    crawl.pages("a.example").unwrap()
}

#[tokio::test]
async fn an_acknowledged_page_is_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (
        folder.path().join("a.unframe"),
        folder.path().join("copy.unframe"),
    );
    let settings = format!("state = {path:?}");
    let service = service(&settings);
    for number in 0..20 {
        let answer = service
            .post(
                "/v1/learn",
                json!({ "url": url(number), "html": story(number) }),
            )
            .await;
        assert_eq!(
            answer.json(),
            json!({ "site": "a.example", "learned": true })
        );
        // As after a crash at this moment.
        std::fs::copy(&path, &copy).unwrap();
        assert_eq!(stored_pages(&copy), number as u64 + 1);
    }
    let gone = service.ask("DELETE", "/v1/sites/a.example", "", "").await;
    assert_eq!((gone.status.as_u16(), gone.body.len()), (204, 0));
    std::fs::copy(&path, &copy).unwrap();
    assert_eq!(stored_pages(&copy), 0);
    assert_eq!(
        service.get("/v1/sites/a.example").await.problem(),
        "not-found"
    );
    service
        .post("/v1/learn", json!({ "url": url(1), "html": story(1) }))
        .await;
    service.app.stop();
    drop(service);
    assert_eq!(stored_pages(&path), 1);
    // What was stopped can be started again.
    assert_eq!(
        super::harness::service(&settings).pages("a.example").await,
        1
    );
}

#[tokio::test]
async fn a_state_that_was_removed_acknowledges_nothing_until_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let (path, moved) = (folder.path().join("a.unframe"), folder.path().join("moved"));
    let service = service(&format!("state = {path:?}"));
    let post = |number: usize| {
        service.post(
            "/v1/clean",
            json!({ "url": url(number), "html": story(number) }),
        )
    };
    assert_eq!(post(0).await.status, 200);
    std::fs::rename(&path, &moved).unwrap();
    let refused = post(1).await;
    assert_eq!(
        (refused.problem().as_str(), refused.status.as_u16()),
        ("not-kept", 503)
    );
    assert!(
        refused.text().contains("removed or replaced"),
        "{}",
        refused.text()
    );
    assert!(refused.headers.contains_key("retry-after"));
    assert_eq!(service.get("/readyz").await.problem(), "not-kept");
    assert_eq!(service.get("/healthz").await.status, 200);
    // What needs no state works.
    let alone = json!({ "html": story(1) });
    assert_eq!(service.post("/v1/extract", alone).await.status, 200);
    std::fs::rename(&moved, &path).unwrap();
    assert_eq!(service.get("/readyz").await.status, 200);
    let again = post(1).await;
    assert_eq!(again.status, 200);
    assert_eq!(service.pages("a.example").await, 2);
}

#[tokio::test]
async fn a_service_that_stops_refuses_and_keeps() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.unframe");
    let service = service(&format!("state = {path:?}"));
    let post = |number: usize| {
        service.post(
            "/v1/learn",
            json!({ "url": url(number), "html": story(number) }),
        )
    };
    assert_eq!(post(0).await.status, 200);
    service.app.stop();
    assert_eq!(post(1).await.problem(), "stopping");
    assert_eq!(service.get("/readyz").await.status, 503);
}
