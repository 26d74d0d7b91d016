pub(super) mod contribution;
pub(super) mod evidence;
pub(super) mod memory;
mod repetition_odds;
mod rows;
