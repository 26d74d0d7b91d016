//! The table of cases, which every face of the project runs: `cases/README.md`.

#[path = "../../../unframe/tests/library/case_table.rs"]
#[allow(dead_code, reason = "some of it is for other faces")]
mod case_table;

use std::fs;

use case_table::{Case, CasePage, asked_fields, differences};
use serde_json::{Value, json};

use crate::harness::{Service, service};

/// What the service has no setting for: it knows one method, and pages that come one by one. Pages without a URL
/// and a site belong to no site here.
fn is_for_services(case: &Case) -> bool {
    let settings = &case.settings;
    let asks_more = settings.owner_marks.is_some()
        || settings.markdown_links.is_some()
        || settings.markdown_images.is_some()
        || settings
            .method
            .as_deref()
            .is_some_and(|method| method != "auto");
    let is_whole = case.extract || case.pages.iter().all(|page| page.url.is_some());
    !asks_more && !case.reader && is_whole
}

#[tokio::test]
async fn the_service_answers_as_the_table_says() {
    let table = fs::read_to_string(case_table::path()).unwrap();
    let (mut wrong, mut run) = (Vec::new(), 0);
    for case in case_table::read(&table)
        .unwrap()
        .iter()
        .filter(|case| is_for_services(case))
    {
        run += 1;
        let records = records(case).await;
        // Where a page belongs is said by the request, and drift is always watched.
        let unknown: &[&str] = if case.extract {
            &["site", "state_pages", "flags"]
        } else {
            &[]
        };
        wrong.extend(differences(case, "serve", &records, unknown));
    }
    assert!(run > 30, "only {run} cases were run");
    assert!(
        wrong.is_empty(),
        "{} differences:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

async fn records(case: &Case) -> Vec<Value> {
    let site_from = case.settings.site_from.as_deref().unwrap_or("host");
    let service = service(&format!("site-from = {site_from:?}"));
    let mut records = Vec::new();
    if !case.extract && !case.arrival {
        for page in &case.pages {
            post(&service, case, "/v1/learn", page, "").await;
        }
    }
    for page in &case.pages {
        let (path, more) = match (case.extract, case.arrival) {
            (true, _) => ("/v1/extract", ""),
            (false, true) => ("/v1/clean", ""),
            (false, false) => ("/v1/clean", "&learn=false"),
        };
        records.push(post(&service, case, path, page, more).await);
    }
    records
}

/// Posts a page as a body of its own.
async fn post(service: &Service, case: &Case, path: &str, page: &CasePage, more: &str) -> Value {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    let settings = &case.settings;
    let asked = asked_fields(case);
    let forms = ["text", "markdown", "html"];
    let (formats, fields): (Vec<&str>, Vec<&str>) =
        asked.into_iter().partition(|field| forms.contains(field));
    query.append_pair("fields", &[fields, vec!["url"]].concat().join(","));
    if !formats.is_empty() {
        query.append_pair("formats", &formats.join(","));
    }
    for (name, value) in [
        ("url", &page.url),
        ("site", &settings.site),
        ("remove", &settings.remove),
        ("favor", &settings.favor),
        ("comments", &settings.comments),
    ] {
        if let Some(value) = value {
            query.append_pair(name, value);
        }
    }
    for (name, values) in [
        ("protect", &settings.protect),
        ("remove_selector", &settings.remove_selector),
    ] {
        for value in values {
            query.append_pair(name, value);
        }
    }
    if settings.body_only {
        query.append_pair("body_only", "true");
    }
    let kind = match (&page.charset, page.is_text) {
        (Some(charset), _) => format!("text/html; charset={charset}"),
        (None, true) => "text/html; charset=utf-8".into(),
        (None, false) => "text/html".into(),
    };
    let path = format!("{path}?{}{more}", query.finish());
    let answer = service.ask("POST", &path, &kind, page.body.clone()).await;
    match answer.status.as_u16() {
        200 => answer.json(),
        _ => json!({ "problem": answer.json(), "case": case.name }),
    }
}
