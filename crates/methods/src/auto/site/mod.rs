//! What is remembered of a site, and how a page compares with it.
//!
//! The contributions of pages enter and are added to a memory. An outline and that memory enter; the
//! [`Evidence`](evidence::Evidence) for each text and element leaves.
//!
//! | file | subject |
//! |---|---|
//! | `contribution` | what one page adds to the memory, in integers |
//! | `memory` | sums over all contributions, and how they are stored |
//! | `rows` | a table of the memory that tracks which rows have changed |
//! | `evidence` | a page against the memory: repetition, slots, near duplicates, designs |
//! | `repetition_odds` | how strongly repetition speaks for frame, in log-odds |

pub(super) mod contribution;
pub(super) mod evidence;
pub(super) mod memory;
mod repetition_odds;
mod rows;
