//! The whole service as a router, without a socket.

use std::ops::Deref;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::Semaphore;
use tower_http::catch_panic::CatchPanicLayer;
use unframe::fetch::{BadOptions, Fetcher};
use utoipa_axum::router::OpenApiRouter;

use crate::engine::{Engine, EngineOptions, StartError};
use crate::http::{Clients, Metrics, guard, in_time, record};
use crate::lens::Tickets;
use crate::options::Options;
use crate::problem::Problem;
use crate::{api, lens, mcp};

/// What all requests share.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// The parts of the service.
pub struct Parts {
    /// The settings.
    pub options: Options,
    /// The sites of the state.
    pub engine: Arc<Engine>,
    /// The sites that were dropped into the lens. They are never written to the state.
    pub dropped: Arc<Engine>,
    /// Fetches pages, if that is allowed.
    pub fetcher: Option<Arc<Fetcher>>,
    /// Requests of each client.
    pub clients: Clients,
    /// What is counted of requests.
    pub metrics: Metrics,
    /// Documents that the lens shows in a frame.
    pub tickets: Tickets,
    /// Held while the pages of a dropped file are in main memory: an archive may have far more bytes than the
    /// request had.
    pub unpacking: Semaphore,
    /// Places for pages that are being fetched.
    pub visits: Semaphore,
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// Why the service cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppError {
    /// The engine cannot start.
    #[error(transparent)]
    Engine(#[from] StartError),
    /// The options of fetching make no sense.
    #[error("{0}")]
    Fetch(#[from] BadOptions),
}

/// Main memory for the sites that were dropped into the lens.
const DROPPED_BYTES: usize = 64_000_000;
/// Pages that are fetched at a time; more are refused.
const MOST_VISITS: usize = 64;

impl App {
    /// Opens the state and starts the threads.
    pub fn start(options: Options) -> Result<App, AppError> {
        let engine = Engine::start(&options.engine)?;
        let dropped = Engine::start(&EngineOptions {
            state: None,
            memory: DROPPED_BYTES,
            recent_bytes: DROPPED_BYTES,
            ..options.engine.clone()
        })?;
        let fetcher = options.fetch.clone().map(Fetcher::new).transpose()?;
        Ok(App(Arc::new(Parts {
            engine: Arc::new(engine),
            dropped: Arc::new(dropped),
            fetcher: fetcher.map(Arc::new),
            clients: Clients::default(),
            metrics: Metrics::default(),
            tickets: Tickets::default(),
            unpacking: Semaphore::new(1),
            visits: Semaphore::new(MOST_VISITS),
            options,
        })))
    }

    /// All addresses of the service.
    pub fn router(&self) -> Router {
        // Batches and tools answer for as long as they have something to say.
        let (timed, description) = OpenApiRouter::with_openapi(api::description())
            .merge(api::pages())
            .merge(api::sites())
            .merge(api::about())
            .split_for_parts();
        let (endless, batch) = OpenApiRouter::<App>::new()
            .merge(api::streams())
            .split_for_parts();
        let mut description = description;
        description.merge(batch);
        let described = Arc::new(description);
        let docs = Arc::clone(&described);
        let timed = timed
            .merge(lens::routes())
            .route(
                "/openapi.json",
                get(move || async move { axum::Json(&*described).into_response() }),
            )
            .route("/docs", get(move || async move { api::docs_page(&docs) }))
            .layer(from_fn_with_state(self.clone(), in_time));
        timed
            .merge(endless)
            .merge(lens::uploads())
            .merge(mcp::routes(self))
            .fallback(no_such_address)
            .method_not_allowed_fallback(no_such_method)
            .layer(from_fn(own_words))
            .layer(CatchPanicLayer::custom(|_| {
                Problem::new("internal", "the request made the service fail").into_response()
            }))
            .layer(from_fn_with_state(self.clone(), guard))
            .layer(from_fn_with_state(self.clone(), record))
            .with_state(self.clone())
    }

    /// Finishes what was taken, and commits.
    pub fn stop(&self) {
        self.engine.stop();
        self.dropped.stop();
    }
}

async fn no_such_address(request: Request) -> Problem {
    Problem::new(
        "not-found",
        format!("there is nothing at {}", request.uri().path()),
    )
}

async fn no_such_method(request: Request) -> Problem {
    let message = format!(
        "{} cannot be used at {}",
        request.method(),
        request.uri().path()
    );
    Problem::new("no-method", message)
}

/// Errors of the libraries below, such as paths that are not UTF-8, in the words of the service.
async fn own_words(request: Request, next: axum::middleware::Next) -> Response {
    let is_tools = request.uri().path().starts_with("/mcp");
    let response = next.run(request).await;
    let status = response.status();
    let is_ours = response
        .headers()
        .get("content-type")
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/"));
    if status.is_client_error() && !is_ours && !is_tools {
        return Problem::new(
            "bad-request",
            format!("the request cannot be read ({status})"),
        )
        .into_response();
    }
    response
}
