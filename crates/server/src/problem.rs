//! What is wrong with a request, or with the service, as `application/problem+json` (RFC 9457).

use std::borrow::Cow;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use unframe::StoreError;
use utoipa::ToSchema;

/// The kinds of problems: name, status, title, and what to do. Documentation and answers are made of it.
pub const KINDS: &[Kind] = &[
    kind(
        "bad-request",
        400,
        "The request cannot be read",
        "Correct the request as `detail` says.",
    ),
    kind(
        "no-token",
        401,
        "A token is missing or wrong",
        "Send `Authorization: Bearer TOKEN`, with the token of the file that the service was started with.",
    ),
    kind(
        "foreign-origin",
        403,
        "The request comes from another web site",
        "Call the service from a program, or from its own pages.",
    ),
    kind(
        "no-fetching",
        403,
        "The service does not fetch pages",
        "Start it with `--allow-fetch`, or post the page itself.",
    ),
    kind(
        "not-found",
        404,
        "There is no such thing",
        "Check the spelling; `GET /v1/sites` lists the sites.",
    ),
    kind(
        "no-method",
        405,
        "This address does not take this method",
        "Use a method of the `Allow` header; /docs lists all of them.",
    ),
    kind(
        "too-slow",
        408,
        "The request did not arrive in time",
        "Send it again, faster or in smaller parts.",
    ),
    kind(
        "too-large",
        413,
        "The request is too large",
        "Send less, or start the service with a larger `--max-page`.",
    ),
    kind(
        "wrong-host",
        421,
        "The request was meant for another host",
        "Use the address that the service listens on, or name this host with `--allowed-host`.",
    ),
    kind(
        "unusable",
        422,
        "The values of the request do not fit",
        "Correct the value that `detail` names.",
    ),
    kind(
        "too-many",
        429,
        "Too many requests of one client at a time",
        "Wait as long as `Retry-After` says, and send fewer at a time.",
    ),
    kind(
        "internal",
        500,
        "The service has failed",
        "Report it, with the request id; other pages are not affected.",
    ),
    kind(
        "fetch-failed",
        502,
        "The page could not be fetched",
        "`detail` says why.",
    ),
    kind(
        "busy",
        503,
        "The service has as much to do as it can hold",
        "Wait as long as `Retry-After` says, then send the request again.",
    ),
    kind(
        "not-kept",
        503,
        "The page cannot be kept",
        "Nothing was acknowledged. Do what `detail` says, then send the request again.",
    ),
    kind(
        "stopping",
        503,
        "The service is being stopped",
        "Send the request again when it is back.",
    ),
    kind(
        "took-too-long",
        503,
        "The request took too long",
        "Send it again later.",
    ),
];

/// A kind of problem.
pub struct Kind {
    /// Its name, the end of the problem's `type`.
    pub name: &'static str,
    /// The status of the answer.
    pub status: u16,
    /// What it is.
    pub title: &'static str,
    /// What to do.
    pub remedy: &'static str,
}

const fn kind(name: &'static str, status: u16, title: &'static str, remedy: &'static str) -> Kind {
    Kind {
        name,
        status,
        title,
        remedy,
    }
}

/// A problem, and what to do.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Problem {
    /// Which kind of problem it is; /docs describes all of them.
    #[serde(rename = "type")]
    #[schema(example = "/docs#busy")]
    pub address: String,
    /// What it is, in few words.
    pub title: Cow<'static, str>,
    /// The status of the answer.
    pub status: u16,
    /// What is wrong with this request.
    pub detail: String,
    /// What to do.
    pub remedy: Cow<'static, str>,
    #[serde(skip)]
    retry_after: Option<u32>,
}

/// Seconds after which a busy service is worth another try.
const RETRY_AFTER: u32 = 1;

impl Problem {
    /// A problem of a kind in [`KINDS`].
    pub fn new(name: &str, detail: impl Into<String>) -> Problem {
        let kind = KINDS.iter().find(|kind| kind.name == name);
        let kind = kind.unwrap_or(&KINDS[11]);
        Problem {
            address: format!("/docs#{}", kind.name),
            title: kind.title.into(),
            status: kind.status,
            detail: detail.into(),
            remedy: kind.remedy.into(),
            retry_after: matches!(kind.status, 429 | 503).then_some(RETRY_AFTER),
        }
    }

    /// The name of its kind.
    pub fn name(&self) -> &str {
        self.address.trim_start_matches("/docs#")
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.title, self.detail)
    }
}

impl std::error::Error for Problem {}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        match &error {
            StoreError::TooLarge(_) | StoreError::Snapshot(_) | StoreError::OtherSnapshot(_) => {
                Problem::new("unusable", error.to_string())
            }
            _ => Problem::new("not-kept", error.to_string()),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let (retry_after, kind) = (self.retry_after, self.name().to_string());
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        let json = HeaderValue::from_static("application/problem+json");
        headers.insert(header::CONTENT_TYPE, json);
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer realm=\"unframe\"");
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        // For the log.
        response.extensions_mut().insert(ProblemKind(kind));
        response
    }
}

/// The kind of problem that an answer reports.
#[derive(Clone, Debug)]
pub struct ProblemKind(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn busy_services_say_when_to_come_back() {
        for kind in KINDS {
            let response = Problem::new(kind.name, "x").into_response();
            assert_eq!(response.status().as_u16(), kind.status, "{}", kind.name);
            let retry = response.headers().contains_key(header::RETRY_AFTER);
            assert_eq!(retry, matches!(kind.status, 429 | 503), "{}", kind.name);
        }
        assert_eq!(Problem::new("no such kind", "x").name(), "internal");
    }
}
