//! Writes a report: Markdown and its charts.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use unframe_console::atomic_file;
use unframe_console::exit::{UsageError, say};
use unframe_report::plot::LineChart;

/// Where a report is written.
#[derive(clap::Args)]
pub struct Destination {
    /// Folder for report.md and its charts [default: print the text without charts]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Markdown with charts.
pub struct Report {
    /// The text so far.
    pub text: String,
    charts: Vec<(String, LineChart)>,
}

impl Report {
    /// A report that begins with this text.
    pub fn new(text: String) -> Self {
        Report {
            text,
            charts: Vec::new(),
        }
    }

    /// Puts a chart here, under a file name without ending.
    pub fn chart(&mut self, name: &str, chart: LineChart) {
        self.text += &format!("![{}]({name}.svg)\n\n", chart.title);
        self.charts.push((format!("{name}.svg"), chart));
    }

    /// Writes it to its destination.
    pub fn write(mut self, to: &Destination) -> anyhow::Result<()> {
        let Some(folder) = &to.out else {
            // Charts need files.
            let lines = self.text.lines().filter(|line| !line.starts_with("!["));
            self.text = lines.fold(String::new(), |text, line| text + line + "\n");
            return Ok(std::io::stdout().write_all(self.text.as_bytes())?);
        };
        let cannot = |path: &Path| format!("cannot write {}", path.display());
        fs::create_dir_all(folder).with_context(|| cannot(folder))?;
        let charts = self.charts.into_iter();
        let mut files: Vec<(String, String)> =
            charts.map(|(name, chart)| (name, chart.svg())).collect();
        files.push(("report.md".into(), self.text));
        for (name, text) in files {
            let path = folder.join(name);
            atomic_file::write_durably(&path, text).with_context(|| cannot(&path))?;
        }
        let report = folder.join("report.md");
        say(format_args!("{}\n", report.display()));
        Ok(())
    }
}

impl Destination {
    /// Refuses a file where a folder is needed, before the work is done.
    pub fn check(&self) -> Result<(), UsageError> {
        match &self.out {
            Some(out) if out.exists() && !out.is_dir() => Err(UsageError(format!(
                "{} is a file; -o needs a folder, for report.md and its charts",
                out.display()
            ))),
            _ => Ok(()),
        }
    }
}
