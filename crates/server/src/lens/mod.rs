//! The lens: a page to look at what was learned. Its files are embedded; it loads nothing from elsewhere.

mod clusters;
mod files;
mod space;
mod tickets;
mod view;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};

pub use tickets::Tickets;

use crate::app::App;

const PAGE: &str = include_str!("index.html");
const PROGRAM: &str = include_str!("lens.js");
const PLOTS: &str = include_str!("plots.js");
const STYLE: &str = include_str!("lens.css");
const ICON: &str = include_str!("icon.svg");

/// Nothing but the lens' own files runs or loads, and no other site can frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// Its addresses.
pub fn routes() -> Router<App> {
    let file =
        |kind: &'static str, text: &'static str| get(move || async move { embedded(kind, text) });
    Router::new()
        .route("/", file("text/html; charset=utf-8", PAGE))
        .route(
            "/lens/static/lens.js",
            file("text/javascript; charset=utf-8", PROGRAM),
        )
        .route(
            "/lens/static/plots.js",
            file("text/javascript; charset=utf-8", PLOTS),
        )
        .route(
            "/lens/static/lens.css",
            file("text/css; charset=utf-8", STYLE),
        )
        .route("/lens/static/icon.svg", file("image/svg+xml", ICON))
        .route(
            "/favicon.ico",
            get(|| async { Redirect::permanent("/lens/static/icon.svg") }),
        )
        .route("/lens/page/{ticket}", get(tickets::page))
        .route("/lens/sites", get(space::sites).delete(space::clear))
        .route("/lens/site", get(space::site))
        .route("/lens/marks", axum::routing::put(space::set_marks))
        .route("/lens/view", get(view::view))
        .route("/lens/template", get(view::template))
        .route("/lens/clusters", get(clusters::clusters))
}

/// What may take longer than other requests.
pub fn uploads() -> Router<App> {
    Router::new()
        .route("/lens/files", post(files::files))
        .route("/lens/fetch", post(files::fetch))
}

fn embedded(kind: &'static str, text: &'static str) -> Response {
    let headers: [(HeaderName, HeaderValue); 3] = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(POLICY),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (headers, text).into_response()
}
