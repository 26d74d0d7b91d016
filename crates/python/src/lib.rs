//! The Python module `unframe._native`: conversions between Python and the library, nothing else. The
//! package `python/unframe` gives its names to users, and its docstrings are here.
//!
//! Rules for everything here:
//!
//! * The interpreter is detached around all work. While it is attached, no lock is waited for that detached work
//!   holds for long.
//! * Bytes of pages are not copied: a page refers to the Python object (`html.rs`).
//! * The user's iterators are advanced on the thread that asks for results (`exchange.rs`).
//! * An object that was copied by a fork refuses to work where that would do harm (`process.rs`).

mod at_exit;
mod clean_pages;
mod crawl;
mod error;
mod exchange;
mod explanation;
mod extract;
mod given;
mod html;
mod keywords;
mod learn_many;
mod page;
mod process;
mod read;
mod run;
mod run_args;
mod settings;
mod shared;
mod site;
mod table;
mod values;
mod work;

use pyo3::prelude::*;

/// Pages are allocated and freed by the megabyte. This allocator reuses the memory for the next
/// pages; the system's returns it to the kernel, which clears it again.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Learns the frame of web sites from their own pages, and removes it.
#[pymodule(gil_used = false)]
mod _native {
    use super::*;

    #[pymodule_export]
    use super::clean_pages::{CleanedPages, clean_pages};
    #[pymodule_export]
    use super::crawl::Crawl;
    #[pymodule_export]
    use super::explanation::Explanation;
    #[pymodule_export]
    use super::extract::extract;
    #[pymodule_export]
    use super::page::Page;
    #[pymodule_export]
    use super::read::{Reader, read};
    #[pymodule_export]
    use super::site::Site;
    #[pymodule_export]
    use super::table::{Table, clean_table};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        let commit = wrap_pyfunction!(super::at_exit::commit_all, module)?;
        let atexit = module.py().import("atexit")?;
        atexit.call_method1("register", (commit,)).map(|_| ())
    }

    /// Runs the command line with these arguments, the first of which is the program's name, and returns
    /// its exit code. Wrong arguments and ``--help`` end the process.
    #[pyfunction]
    #[pyo3(signature = (args, /))]
    fn main(py: Python<'_>, args: Vec<std::ffi::OsString>) -> PyResult<u8> {
        #[cfg(feature = "cli")]
        return Ok(py.detach(|| unframe_cli::main(args) as u8));
        #[cfg(not(feature = "cli"))]
        {
            let _ = (py, args);
            Err(error::new("Error", "this build has no command line"))
        }
    }
}
