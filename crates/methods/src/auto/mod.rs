//! `auto`: boosted trees decide for each text whether it is frame, by evidence of its site and of its
//! page.
//!
//! ```text
//!          ┌───────────── page/ ──────────────┐    ┌──────── site/ ────────┐
//! page ──► outline ─► subtree_stats ──────────┼──► contribution ─► memory
//!            │            │                   │                      │
//!            ├────────────┴───────────────────┼──► evidence ◄────────┘
//!            └─► page_context (labels only)   │       │
//!          └──────────┬───────────────────────┘       │
//!          ┌──────────▼───── model/ ──────────────────▼────────────────────┐
//!          │ features ─► forests ─► probabilities ─► threshold             │
//!          └──────────┬────────────────────────────────┬───────────────────┘
//!          comments ◄─┘                                └─► cuts/ ─► guard ─► labels
//! ```
//!
//! * **Learning.** A page becomes an outline of elements, texts and blocks. Its contribution is
//!   added to the site's memory. All numbers in it are integers, so neither the order of pages nor
//!   merging two memories matters, and a page can be subtracted again.
//! * **Sampling.** The memory keeps the contributions of at most 256 pages: those whose identity, which is
//!   a hash, begins with the most zero bits. So it is a function of the set of pages, too. What gives way is
//!   the count: a text of a large site is known by the share of sampled pages that have it. A page outside of
//!   the sample is not even parsed to be learned.
//! * **Settled places.** What most places of a large site hold does not depend on the page. Some pages are
//!   judged by themselves when they are learned, and a small forest tells from that and from the sums over
//!   the sample what a place holds. If all texts of a page are in settled places, it is labelled without an
//!   outline; if only some are, the others are judged. See `site/compiled` and `settled`.
//! * **Labelling.** A page compared with the memory gives about 420 features for each text. Two forests
//!   turn them into log-odds: one for boilerplate, one for template. Only the forest that decides is
//!   evaluated; explanations and records ask for both. Small forests tell the kind of page, and, on
//!   request, readers' comments.
//! * **Shortcuts.** A text on nearly all of ten pages or more is frame without asking a forest. In a
//!   block of many texts, such as a sentence with marked words or a code listing, one text is classified
//!   for all of them, or two if some are linked. Both are faster, and better.
//! * **Near duplicates** of a page are not counted as other pages: what two copies of one article share
//!   is not frame.
//! * **Designs.** Repetition is counted among pages of the same design, if there are enough of them: the
//!   pages that have the containers of 80 % of the page's texts. So a site that is being redesigned
//!   counts as two. How often a container itself occurs is counted on all pages: a part that only some
//!   pages have, such as comments, is not a design.
//! * **Records.** Short values beside labels get a bonus, because a model that has seen no records takes
//!   them for frame.
//! * **Threshold.** Alone, a text would be kept if its probability to be content is at least half of the F1 that can be
//!   expected of the page; somewhat more on pages of prose, less on others. An article can do without
//!   its dates and bylines; a record consists of them.
//! * **Cuts.** What is removed is decided for units and regions of the page instead of single texts: see
//!   `cuts`. If nearly nothing would be left, the guard keeps the main container.
//! * **Posts.** On a thread, the texts of posts get a bonus; on an article the same structure is comments.
//! * **Speed.** Features are computed text by text, so that each looks its element up once, for 64 texts
//!   at a time, so that the table stays in the cache. The path of a text through a tree has the same
//!   length in every tree, so 16 trees are evaluated together without branches. After each 16 trees, texts
//!   whose score is beyond doubt, or hardly ever came back in training, [leave early](EarlyExits).
//!   What follows from a text alone is cached from page to page, because most texts occur on several.
//!
//! Tried and rejected: cheaper cuts around parts that only some pages of a site have (no effect beyond
//! .0003), trees that test one feature per level (worse, even with twice as many), leaving
//! out the third of the features with the least gain (no clear win), scaling sizes (trees only compare),
//! and leaving out of training what models fitted without the site find all but impossible (some sets
//! gained, some lost). How much class names and landmarks may decide is limited when fitting; `fit`
//! reports the scores without them.

mod comments;
mod cuts;
mod guard;
mod method;
mod model;
mod options;
mod page;
mod params;
mod settled;
mod site;
#[cfg(test)]
mod tests;

pub use method::Auto;
pub use model::features::{Feature, Group, features};
pub use model::forest::{
    Attribution, Attributor, EarlyExit, EarlyExits, Forest, Split, Table, Tree,
};
pub use model::{Decision, Model, PageKinds, Predictions};
pub use options::{Favor, Judge, Remove};
pub use page::view::AutoView;
pub use params::AutoParams;
pub use settled::PlaceRow;
pub use site::memory::AutoMemory;
pub use site::settled_places::SettledPlace;
