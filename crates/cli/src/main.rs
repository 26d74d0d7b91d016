//! The program `unframe`.

use std::process::ExitCode;

/// Pages are allocated and freed by the megabyte. This allocator reuses the memory for the next
/// pages; the system's returns it to the kernel, which clears it again.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    unframe_cli::main(std::env::args_os()).into()
}
