//! States in memory and on disk, for any method's memory.

mod crashes;
mod sites;
mod sizes;
mod texts;
