//! The JSON interface, version 1.

mod about;
mod batch;
mod docs;
mod pages;
mod request;
mod sites;
mod statuses;

use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Description;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use docs::docs_page;
pub use sites::{
    MarkRecord, SiteDetail, SiteList, detail, held, judge, marks_of, set_marks_of, sites_of,
    template_of,
};

use crate::app::App;

/// Cleans web pages: removes the frame that a site repeats around its content.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "unframe",
        description = "Learns the frame of web sites from the pages that are posted, and removes it. A page that \
                       was acknowledged is durable, and one that is posted twice counts once. Errors are \
                       `application/problem+json` and say what to do.",
        license(name = "MIT OR Apache-2.0")
    ),
    tags(
        (name = "pages", description = "Clean and learn pages"),
        (name = "sites", description = "What was learned"),
        (name = "service", description = "The service itself")
    ),
    components(schemas(crate::problem::Problem)),
    modifiers(&Token)
)]
struct Interface;

/// The token, which is needed if the service was started with one.
struct Token;

impl utoipa::Modify for Token {
    fn modify(&self, openapi: &mut Description) {
        use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
        let components = openapi.components.get_or_insert_default();
        let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        components.add_security_scheme("token", bearer);
    }
}

/// What the interface is, without its addresses.
pub fn description() -> Description {
    Interface::openapi()
}

/// One page at a time.
pub fn pages() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(pages::clean))
        .routes(routes!(pages::learn))
        .routes(routes!(pages::why))
        .routes(routes!(pages::extract))
}

/// Many pages in one request.
pub fn streams() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(batch::batch))
}

/// What was learned.
pub fn sites() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(sites::list))
        .routes(routes!(sites::show, sites::remove))
        .routes(routes!(sites::template))
        .routes(routes!(sites::rules))
        .routes(routes!(sites::marks, sites::set_marks))
}

/// The service itself.
pub fn about() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(about::healthz))
        .routes(routes!(about::readyz))
        .routes(routes!(about::metrics))
}
