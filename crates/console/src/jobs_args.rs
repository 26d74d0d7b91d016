//! How many threads a command works on.

/// The flag `--jobs`.
#[derive(clap::Args)]
pub struct JobsArgs {
    /// Threads; the output is the same for any number [default: one a core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl JobsArgs {
    /// As many as were asked for, or as many as are usual.
    pub fn or(&self, usual: usize) -> usize {
        self.jobs.map_or(usual, usize::from)
    }
}
