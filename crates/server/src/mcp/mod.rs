//! Tools for language-model agents, by the Model Context Protocol: over standard input and output, and at
//! `/mcp`. Both eras of the protocol are served; no sessions are kept.

mod parts;
mod tools;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use rmcp::ServiceExt;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use crate::app::App;
use crate::http::BodyReader;
use crate::problem::Problem;
use tools::Tools;

/// The tools at `/mcp`.
pub fn routes(app: &App) -> Router<App> {
    let tools = Tools::new(app.clone());
    // Host and origin are checked for all addresses.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(app.options.max_page);
    let service = StreamableHttpService::new(
        move || Ok(tools.clone()),
        NeverSessionManager::default().into(),
        config,
    );
    let tools = Router::new().nest_service("/mcp", service);
    tools.layer(from_fn_with_state(app.clone(), taken))
}

/// Takes the whole message first, within the limits of all requests.
async fn taken(State(app): State<App>, request: Request, next: Next) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let reader = BodyReader::new(body, app.options.client_timeout);
    let taken = reader.all(app.options.max_page, &app.engine.slots).await?;
    let request = Request::from_parts(parts, Body::from(taken.bytes));
    Ok(next.run(request).await)
}

/// Serves one client on standard input and output, until it is gone.
pub async fn serve_stdio(app: App) -> Result<(), String> {
    let tools = Tools::new(app);
    let served = tools.serve(rmcp::transport::stdio()).await;
    let served = served.map_err(|error| error.to_string())?;
    served.waiting().await.map_err(|error| error.to_string())?;
    Ok(())
}
