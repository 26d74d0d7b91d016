//! Output of cleaned pages: standard output, one file per page, or one file for all.
//!
//! ```text
//! page ─► layout ─► encoder ─► stream
//!      │                  └─► files: one file, or shards
//!      └─► folder: one file per page
//! ```

mod archive;
mod args;
mod compression;
mod destination;
mod encoder;
mod files;
mod folder;
mod layout;
mod names;
#[cfg_attr(not(feature = "parquet"), path = "no_parquet.rs")]
mod parquet;
mod resume;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use unframe::page::Fingerprint;
use unframe::read::RawPage;
use unframe_console::atomic_file::open_stream;
use unframe_console::exit::UsageError;
use unframe_console::terminal;

pub use args::{OutputArgs, parse_size};
use encoder::FileKind;
pub use folder::Folder;
pub use names::place;

use crate::format::Format;
use encoder::Encoder;
use files::Files;
use layout::{Between, Layout};
use unframe::record::Fields;

/// Where bytes are written to.
type Out = Box<dyn Write + Send + Sync>;

/// Receives rendered pages in order.
pub struct Output {
    to: To,
    layout: Layout,
    /// The name of a file that has room for one page only.
    single: Option<PathBuf>,
    pages: u64,
}

enum To {
    Stream(Option<Encoder>, String),
    Folder(Box<Folder>),
    Files(Box<Files>),
    /// No output, or an index only.
    Nowhere,
}

/// What is known of a page before it is rendered.
pub struct PageRef {
    /// Its name in messages.
    pub name: String,
    /// The path of its file, without the extension of the format.
    pub place: PathBuf,
    /// When it was fetched.
    pub date: Option<String>,
    /// By what it is recognised in the output of another run.
    pub key: Fingerprint,
}

impl PageRef {
    pub fn of(raw: &RawPage, format: Format, strip_extension: bool) -> PageRef {
        PageRef {
            name: raw.name.clone(),
            place: place(raw, strip_extension),
            date: raw.date.clone(),
            key: resume::page_key(raw, format),
        }
    }
}

/// What became of the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pages whose file could not be written.
    pub failures: u64,
    /// Pages that were renamed because another page has their file name.
    pub renamed: u64,
    /// Pages that a run before had written.
    pub already_written: u64,
}

impl Output {
    pub fn nowhere() -> Output {
        Output::new(To::Nowhere, Between::Nothing)
    }

    fn new(to: To, between: Between) -> Output {
        Output {
            to,
            layout: Layout::new(between),
            single: None,
            pages: 0,
        }
    }

    /// Standard output, a pipe or a device.
    fn stream(
        out: Option<&Path>,
        kind: FileKind,
        fields: &Fields,
        between: Between,
    ) -> anyhow::Result<Output> {
        let (out, name): (Out, String) = match out {
            None => (Box::new(terminal::data()), "standard output".into()),
            Some(path) => {
                let name = path.display().to_string();
                let out = open_stream(path).with_context(|| format!("cannot write {name}"))?;
                (Box::new(out), name)
            }
        };
        let file_name = Path::new(&name).file_name().unwrap_or_default();
        let encoder = Encoder::new(out, &file_name.to_string_lossy(), kind, fields, false);
        let encoder = encoder.with_context(|| format!("cannot write {name}"))?;
        Ok(Output::new(To::Stream(Some(encoder), name), between))
    }

    /// True if nothing is written, so that nothing needs to be rendered.
    pub fn is_nowhere(&self) -> bool {
        matches!(self.to, To::Nowhere)
    }

    /// Whether a page is possibly written already, so that it need not be rendered yet; may be called
    /// on any thread.
    pub fn may_have(&self, page: &PageRef) -> bool {
        match &self.to {
            To::Folder(folder) => folder.may_have(page),
            To::Files(files) => files.may_have(page),
            To::Stream(..) | To::Nowhere => false,
        }
    }

    /// Writes a page. Its content is rendered only if it has to be.
    pub fn write(
        &mut self,
        page: &PageRef,
        content: impl FnOnce() -> Vec<u8>,
    ) -> anyhow::Result<()> {
        self.pages += 1;
        if let (Some(file), 2) = (&self.single, self.pages) {
            let file = file.display();
            let message = format!(
                "{file} is for one page, but there are more; write -o DIR/ for one file per page"
            );
            return Err(UsageError(message).into());
        }
        let layout = &mut self.layout;
        let laid_out = || layout.add(&page.name, content());
        match &mut self.to {
            To::Stream(encoder, name) => {
                let encoder = encoder.as_mut().expect("not finished");
                let written = encoder.add(page.date.as_deref(), &laid_out());
                written.with_context(|| format!("cannot write to {name}"))
            }
            To::Folder(folder) => folder.write(page, laid_out),
            To::Files(files) => files.write(page, laid_out),
            To::Nowhere => Ok(()),
        }
    }

    /// Completes the output. If the run was interrupted, files keep their former content.
    pub fn finish(&mut self, is_interrupted: bool) -> anyhow::Result<()> {
        let rest = self.layout.finish();
        match &mut self.to {
            To::Stream(encoder, name) => {
                let mut encoder = encoder.take().expect("finished once");
                let written = match rest.is_empty() {
                    true => Ok(()),
                    false => encoder.add(None, &rest),
                };
                written
                    .and_then(|()| encoder.finish())
                    .with_context(|| format!("cannot write to {name}"))
            }
            To::Folder(_) | To::Files(_) if is_interrupted => {
                if let To::Files(files) = &mut self.to {
                    files.interrupt();
                }
                Ok(())
            }
            To::Folder(folder) => {
                folder.finish();
                Ok(())
            }
            To::Files(files) => {
                files.write_rest(&rest)?;
                files.finish(self.pages > 0)
            }
            To::Nowhere => Ok(()),
        }
    }

    /// Whether an interrupted run can be continued with `--resume`.
    pub fn is_resumable(&self) -> bool {
        match &self.to {
            To::Folder(_) => true,
            To::Files(files) => files.is_resumable(),
            To::Stream(..) | To::Nowhere => false,
        }
    }

    pub fn counts(&self) -> Counts {
        match &self.to {
            To::Folder(folder) => folder.counts,
            To::Files(files) => files.counts,
            To::Stream(..) | To::Nowhere => Counts::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn raw_page(name: &str) -> RawPage {
        RawPage {
            name: name.into(),
            url: None,
            path: None,
            site: "s".into(),
            charset: None,
            body: Default::default(),
            date: None,
            record_id: None,
            truncated: false,
            undecodable: false,
            wrong_digest: None,
            input: Default::default(),
        }
    }
}
