//! A service, and requests to it.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use serde_json::Value;
use tower::ServiceExt;
use unframe_server::Options;
use unframe_server::app::App;
use unframe_server::settings::Settings;

pub struct Service {
    pub app: App,
    router: Router,
}

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The kind of problem that it reports.
    pub fn problem(&self) -> String {
        assert_eq!(
            self.headers["content-type"],
            "application/problem+json",
            "{}",
            self.text()
        );
        let json = self.json();
        assert_eq!(json["status"], self.status.as_u16());
        assert!(!json["remedy"].as_str().unwrap().is_empty());
        json["type"]
            .as_str()
            .unwrap()
            .trim_start_matches("/docs#")
            .to_string()
    }
}

/// A service with settings as in a file.
pub fn service(settings: &str) -> Service {
    let settings: Settings = toml::from_str(settings).unwrap();
    let app = App::start(Options::try_from(settings).unwrap()).unwrap();
    let router = app.router();
    Service { app, router }
}

impl Service {
    pub async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let body = to_bytes(response.into_body(), usize::MAX)
            .await
            .unwrap()
            .to_vec();
        Answer {
            status,
            headers,
            body,
        }
    }

    pub async fn ask(&self, method: &str, path: &str, kind: &str, body: impl Into<Body>) -> Answer {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "localhost");
        let request = match kind {
            "" => request,
            kind => request.header("content-type", kind),
        };
        self.send(request.body(body.into()).unwrap()).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "", "").await
    }

    pub async fn post(&self, path: &str, json: Value) -> Answer {
        self.ask("POST", path, "application/json", json.to_string())
            .await
    }

    /// Pages of a site that are known.
    pub async fn pages(&self, site: &str) -> u64 {
        let sites = self.get("/v1/sites").await.json();
        let sites = sites["sites"].as_array().unwrap();
        let found = sites.iter().find(|one| one["site"] == site);
        found.map_or(0, |one| one["pages"].as_u64().unwrap())
    }
}

pub fn story(number: usize) -> String {
    format!(
        "<title>Story {number}</title><nav><a href=/>Home</a> <a href=/news>News</a></nav><main><h1>Story {number}</h1>\
         <p>The story of number {number} is told by the harbour wall, where lamps are lit. {}</p></main>\
         <footer>All rights reserved by the company of story tellers</footer>",
        "Nobody knows who lit the first of them. ".repeat(6)
    )
}

pub fn url(number: usize) -> String {
    format!("https://a.example/{number}")
}
