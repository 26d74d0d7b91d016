//! The pages of one site, for the template of one of them: local or live.

#[cfg(feature = "fetch")]
mod live_pages;
mod local_pages;

#[cfg(feature = "fetch")]
pub use live_pages::LivePages;
pub use local_pages::{LocalPages, is_asked_for, page_url};
