//! Where rules are written to: standard output, one file, or a file for each site.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use unframe::rules::{Format, RuleSet};
use unframe_console::atomic_file::write_durably;
use unframe_console::exit::UsageError;
use unframe_console::report_file::ReportFile;
use unframe_console::terminal;

pub struct RulesOutput {
    to: To,
    format: Format,
}

enum To {
    Stream,
    File(ReportFile),
    Folder(PathBuf),
}

impl RulesOutput {
    /// Checks the path before the work begins.
    pub fn new(out: Option<&Path>, format: Option<Format>) -> Result<RulesOutput, UsageError> {
        let is_json = |path: &Path| path.extension().is_some_and(|ending| ending == "json");
        let usual = match out.is_some_and(is_json) {
            true => Format::Json,
            false => Format::Css,
        };
        let is_folder =
            |path: &Path| path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/");
        Ok(RulesOutput {
            format: format.unwrap_or(usual),
            to: match out {
                None => To::Stream,
                Some(path) if is_folder(path) => To::Folder(path.into()),
                Some(path) => To::File(ReportFile::new(path, "-o")?),
            },
        })
    }

    /// The file or folder, if it is not standard output.
    pub fn path(&self) -> Option<&Path> {
        match &self.to {
            To::Stream => None,
            To::File(file) => Some(file.path()),
            To::Folder(folder) => Some(folder),
        }
    }

    pub fn write(&self, rules: &RuleSet) -> anyhow::Result<()> {
        match &self.to {
            To::Stream => {
                let mut out = terminal::data();
                let written = out.write_all(self.format.write(rules).as_bytes());
                let written = written.and_then(|()| out.flush());
                written.context("cannot write to standard output")
            }
            To::File(file) => file.write(&self.format.write(rules)),
            To::Folder(folder) => self.write_files(folder, rules),
        }
    }

    fn write_files(&self, folder: &Path, rules: &RuleSet) -> anyhow::Result<()> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the folder {}", folder.display()))?;
        for section in &rules.sections {
            let name = file_name(section.site.as_deref().unwrap_or("site"));
            let path = folder.join(format!("{name}.{}", self.format.extension()));
            let section = RuleSet {
                sections: vec![section.clone()],
            };
            write_durably(&path, self.format.write(&section))
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

/// The name of a site as that of a file, which must not lead to another folder.
fn file_name(site: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    let name: String = (site.chars().take(120))
        .map(|c| if is_plain(c) { c } else { '_' })
        .collect();
    match name.trim_start_matches('.') {
        "" => "site".into(),
        name => name.into(),
    }
}
