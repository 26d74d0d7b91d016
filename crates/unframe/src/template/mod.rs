//! The template of one page of a site at hand.

mod pages_at_hand;

pub use pages_at_hand::{PagesAtHand, page_url};
