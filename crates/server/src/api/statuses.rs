//! The problems that answers can report, for the description of the interface.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

use crate::problem::KINDS;

/// Problems of every request.
pub struct Common;

/// Problems of requests that carry a page.
pub struct OfPages;

/// Problems of requests about one site.
pub struct OfSites;

impl IntoResponses for Common {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[400, 401, 403, 421, 422, 429, 500, 503])
    }
}

impl IntoResponses for OfPages {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[400, 401, 403, 408, 413, 421, 422, 429, 500, 503])
    }
}

impl IntoResponses for OfSites {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[400, 401, 403, 404, 408, 413, 421, 422, 429, 500, 503])
    }
}

fn problems(statuses: &[u16]) -> BTreeMap<String, RefOr<Response>> {
    let problem = |status: &u16| {
        let of_status = KINDS.iter().filter(|kind| kind.status == *status);
        let titles: Vec<&str> = of_status.map(|kind| kind.title).collect();
        let schema = Ref::from_schema_name("Problem");
        let content = ContentBuilder::new().schema(Some(schema)).build();
        let response = ResponseBuilder::new()
            .description(titles.join(". "))
            .content("application/problem+json", content);
        (status.to_string(), response.build().into())
    };
    statuses.iter().map(problem).collect()
}
