//! The pages of one site, for the template of one of them: local or live.

mod linked;
#[cfg(feature = "fetch")]
mod live_pages;
#[cfg(feature = "files")]
mod local_pages;

pub use linked::{linked_page, sort_fairly};
#[cfg(feature = "fetch")]
pub use live_pages::LivePages;
#[cfg(feature = "files")]
pub use local_pages::{LocalPages, is_asked_for, page_url};
