//! Documents that the lens shows in a frame. A frame cannot send a token, so each document has an address that
//! cannot be guessed, and is gone after a while.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use data_encoding::HEXLOWER;

use crate::app::App;
use crate::problem::Problem;

/// Documents and bytes that are held.
const MOST_DOCUMENTS: usize = 200;
const MOST_BYTES: usize = 64 << 20;

/// No script runs and nothing is loaded, also if the document is opened by itself. `allow-same-origin` lets the
/// lens, and nobody else, look into it.
const POLICY: &str = "sandbox allow-same-origin; default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
                      font-src data:; media-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

/// The documents that are held, the newest last.
#[derive(Default)]
pub struct Tickets(Mutex<VecDeque<(String, Bytes)>>);

impl Tickets {
    /// Holds a document. Returns its address.
    pub fn put(&self, document: String) -> Result<String, Problem> {
        let mut random = [0; 16];
        getrandom::fill(&mut random)
            .map_err(|error| Problem::new("internal", format!("no random numbers: {error}")))?;
        let ticket = HEXLOWER.encode(&random);
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.push_back((ticket.clone(), document.into()));
        let mut bytes: usize = held.iter().map(|(_, document)| document.len()).sum();
        while held.len() > 1 && (held.len() > MOST_DOCUMENTS || bytes > MOST_BYTES) {
            bytes -= held.pop_front().map_or(0, |(_, document)| document.len());
        }
        Ok(format!("/lens/page/{ticket}"))
    }

    fn get(&self, ticket: &str) -> Option<Bytes> {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = held.iter().find(|(own, _)| own == ticket);
        found.map(|(_, document)| document.clone())
    }
}

/// Shows a document.
pub async fn page(State(app): State<App>, Path(ticket): Path<String>) -> Result<Response, Problem> {
    let document = app.tickets.get(&ticket);
    let document = document
        .ok_or_else(|| Problem::new("not-found", "this view is gone; choose the page again"))?;
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        ),
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(POLICY),
        ),
    ];
    Ok((headers, document).into_response())
}
