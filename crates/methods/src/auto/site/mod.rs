//! What is remembered of a site, and how a page compares with it.
//!
//! The contributions of pages enter and are added to a memory. An outline and that memory enter; the
//! [`Evidence`](evidence::Evidence) for each text and element leaves.
//!
//! | file | subject |
//! |---|---|
//! | `contribution` | what one page adds to the memory, in integers |
//! | `memory` | a sample of the contributions |
//! | `sums` | sums over the sample: pages that have a text, what a slot holds |
//! | `page_row`, `packing`, `columns` | contributions as bytes: one, and all of a site together |
//! | `evidence` | a page against the memory: repetition, slots, near duplicates, designs |
//! | `repetition_odds` | how strongly repetition speaks for frame, in log-odds |
//! | `names` | names of the places that many pages have |
//! | `compiled` | what is settled about slots, without asking the model |
//! | `settled_places` | the same, told with names |

mod columns;
pub(super) mod compiled;
pub(super) mod contribution;
pub(super) mod evidence;
pub(super) mod memory;
mod names;
mod packing;
mod page_row;
mod repetition_odds;
pub(super) mod settled_places;
pub(super) mod sums;
