//! States in memory and on disk, for any method's memory.

mod damage;
mod sites;
mod sizes;
mod texts;
