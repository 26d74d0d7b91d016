//! Which process an object belongs to. A forked child has copies of all objects, but none of the other
//! threads, and shares open files with its parent.

/// The process in which an object was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process(u32);

impl Process {
    /// This process.
    pub fn this() -> Process {
        Process(std::process::id())
    }

    /// False in a forked child of the process.
    pub fn is_this(self) -> bool {
        self == Process::this()
    }
}
