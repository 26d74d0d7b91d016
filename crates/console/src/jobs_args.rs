//! The number of threads of a command.

/// The flag `--jobs`.
#[derive(clap::Args)]
pub struct JobsArgs {
    /// Number of threads; it does not change the output [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl JobsArgs {
    /// The requested number, or the default.
    pub fn or(&self, usual: usize) -> usize {
        self.jobs.map_or(usual, usize::from)
    }
}
