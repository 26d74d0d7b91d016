//! What is true of every request, before it is about pages: connections, limits, who may ask, logs.
//!
//! ```text
//! connection ─► listener ─► record ─► guard ─► in time? ─► handler
//!               how many?   id, log   host, origin, token
//! ```

mod body;
mod guard;
mod listener;
mod params;
mod record;
mod stall;
mod token;

pub use body::{BodyReader, Taken};
pub use guard::{Clients, Peer, guard, in_time};
pub use listener::{Limits, serve};
pub use params::{Json, Params, path};
pub use record::{Metrics, record};
pub use token::Token;
