//! Takes values out of requests, and says what is wrong with them in our own words.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use percent_encoding::percent_decode_str;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::problem::Problem;

/// The values of the query.
pub struct Params<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        match query {
            Ok(Query(values)) => Ok(Params(values)),
            Err(error) => Err(Problem::new(
                "unusable",
                format!("the query: {}", error.body_text()),
            )),
        }
    }
}

/// The value of the last part of a path, `after` the part of that name: axum refuses what is not UTF-8 with
/// words of its own.
pub fn path(parts: &axum::http::Uri, after: &str) -> Result<String, Problem> {
    let rest = parts.path().split_once(after).map_or("", |(_, rest)| rest);
    let name = rest.split('/').next().unwrap_or_default();
    let name = percent_decode_str(name).decode_utf8();
    let name = name.map_err(|_| Problem::new("bad-request", "the path is not UTF-8"))?;
    match name.is_empty() || name.contains('\0') {
        true => Err(Problem::new("not-found", "the path names nothing")),
        false => Ok(name.into_owned()),
    }
}

/// A JSON answer.
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}
