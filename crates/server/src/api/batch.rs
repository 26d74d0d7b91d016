//! Many pages in one request: lines of JSON in, lines of JSON out, in the same order, as they come.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use unframe::read::MediaType;

use super::request::{CleanRequest, Reply};
use super::statuses::OfPages;
use crate::app::App;
use crate::engine::{Slot, Work};
use crate::http::{BodyReader, Taken};
use crate::problem::Problem;

/// Answers of one request that may wait for the client to take them, at most.
const UNTAKEN: usize = 4096;
/// Kilobytes of pages of one request that are in work, or whose answers wait.
const UNTAKEN_KB: usize = 32_000;

/// An answer that is being made. The room of its page is given up when the client has taken it.
struct Coming {
    line: oneshot::Receiver<Vec<u8>>,
    room: Option<OwnedSemaphorePermit>,
}

/// Clean many pages
///
/// Each line of the request is a page as for `/v1/clean`, and each line of the answer its record, in the same
/// order. A page that cannot be cleaned has a line with a `problem`. Lines are answered as they come, so read
/// the answer while you send, or send less than 32 MB of pages in one request.
#[utoipa::path(
    post, path = "/v1/clean/batch", tag = "pages", security(("token" = []), ()),
    request_body(content = String, content_type = "application/x-ndjson", description = "Lines of JSON"),
    responses(
        (status = 200, description = "Lines of JSON, in the same order", body = String, content_type = "application/x-ndjson"),
        OfPages
    )
)]
pub async fn batch(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let kind = request.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| MediaType::read(kind.to_str().ok()?));
    let known = [
        "application/x-ndjson",
        "application/jsonl",
        "application/json",
        "text/plain",
    ];
    if let Some(kind) = kind.filter(|kind| !known.contains(&&*kind.essence)) {
        let message = format!(
            "lines of JSON are application/x-ndjson, not {}",
            kind.essence
        );
        return Err(Problem::new("unusable", message));
    }
    let reader = BodyReader::new(request.into_body(), app.options.client_timeout);
    let (coming, answers) = mpsc::channel(UNTAKEN);
    tokio::spawn(take(app, reader, coming));
    let lines = stream::unfold(answers, |mut answers: mpsc::Receiver<Coming>| async move {
        let Coming { line, room } = answers.recv().await?;
        let line = line.await.unwrap_or_default();
        drop(room);
        Some((Ok::<_, Infallible>(Bytes::from(line)), answers))
    });
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    Ok((kind, Body::from_stream(lines)).into_response())
}

/// Takes pages as long as the client sends some and takes the answers.
async fn take(app: App, mut reader: BodyReader, coming: mpsc::Sender<Coming>) {
    let untaken = Arc::new(Semaphore::new(UNTAKEN_KB));
    loop {
        let taken = match reader.line(app.options.max_page, &app.engine.slots).await {
            Ok(None) => return,
            Ok(Some(taken)) if taken.bytes.trim_ascii().is_empty() => continue,
            Ok(Some(taken)) => taken,
            // What comes after it cannot be found.
            Err(problem) => {
                let (answer, line) = oneshot::channel();
                let _ = answer.send(problem_line(None, &problem));
                let _ = coming.send(Coming { line, room: None }).await;
                return;
            }
        };
        let Taken { bytes, mut slot } = taken;
        let size = (bytes.len() / 1000 + 1).min(UNTAKEN_KB) as u32;
        let room = Arc::clone(&untaken).acquire_many_owned(size).await.ok();
        app.engine.slots.page_in_turn(&mut slot).await;
        let (answer, line) = oneshot::channel();
        if coming.send(Coming { line, room }).await.is_err() {
            return;
        }
        let app = app.clone();
        tokio::spawn(async move {
            let _ = answer.send(answer_to(&app, bytes, slot).await);
        });
    }
}

async fn answer_to(app: &App, line: Bytes, slot: Slot) -> Vec<u8> {
    let mut url = None;
    let made = async {
        let asked = CleanRequest::parse(&line)?;
        // The page is a copy of it.
        drop(line);
        url.clone_from(&asked.url);
        let reply = asked.reply(&app.engine, true)?;
        let render = Some(Box::new(reply.render()) as _);
        let Reply {
            page, judge, learn, ..
        } = reply;
        let work = Work {
            page,
            judge,
            learn,
            patient: true,
            render,
            slot,
        };
        app.engine.work(work).await
    };
    match made.await {
        Ok(mut done) => {
            done.answer.push(b'\n');
            done.answer
        }
        Err(problem) => problem_line(url.as_deref(), &problem),
    }
}

/// `{"url": …, "problem": {…}}`.
fn problem_line(url: Option<&str>, problem: &Problem) -> Vec<u8> {
    let line = serde_json::json!({ "url": url, "problem": problem });
    let mut line = serde_json::to_vec(&line).expect("plain data");
    line.push(b'\n');
    line
}
