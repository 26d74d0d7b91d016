//! The template of one page of a site, at hand or live.

#[cfg(feature = "fetch")]
mod live_pages;
mod pages_at_hand;

#[cfg(feature = "fetch")]
pub use live_pages::LivePages;
pub use pages_at_hand::{PagesAtHand, is_asked_for, page_url};
