//! All pages in one file, or in shards: files of limited size that are numbered.
//!
//! ```text
//! being written    .out-00000.jsonl.unframe-partial  .out-00001.jsonl.unframe-partial
//! complete         out-00000.jsonl  out-00001.jsonl
//! ```
//!
//! Nothing gets its final name before all pages are written; then the files are renamed in the order
//! of their numbers. So a partial file and all of higher numbers belong to a run that has not ended,
//! and the files of lower numbers are complete.

use std::fs;
use std::io::{self, Seek};
use std::path::{Path, PathBuf};

use anyhow::Context;
use unframe::read::InputFiles;
use unframe_console::atomic_file::{AtomicFile, PARTIAL, folder_of, partial_path};
use unframe_console::input_args::refuse_output_over;

use super::encoder::{Encoder, FileKind};
use super::folder::is_full;
use super::resume::{self, Contents, Done};
use super::{Counts, PageRef};
use unframe::record::Fields;

/// Writes pages to one file, or to shards.
pub struct Files {
    names: ShardNames,
    kind: FileKind,
    fields: Fields,
    /// A file with this many bytes of pages is followed by another.
    shard_bytes: Option<u64>,
    /// Input files, which are never overwritten.
    inputs: InputFiles,
    /// Numbers of the partial files of this run: from the first to before the end.
    first: usize,
    end: usize,
    open: Option<Open>,
    /// The complete file to be continued by the next page, with the bytes of its pages.
    last_complete: Option<(usize, u64)>,
    /// Locked while the run lasts. One lock is enough, and there may be more shards than a process
    /// may have open files.
    lock: Option<fs::File>,
    done: Done,
    pub counts: Counts,
}

/// The file that is being written.
struct Open {
    file: AtomicFile,
    encoder: Encoder,
    /// Bytes of its pages, before compression.
    bytes: u64,
}

/// The names of the files.
struct ShardNames {
    path: PathBuf,
    /// Where the number goes, if there are several files.
    number_at: Option<usize>,
}

impl ShardNames {
    fn file(&self, number: usize) -> PathBuf {
        let Some(at) = self.number_at else {
            return self.path.clone();
        };
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let (stem, endings) = name.split_at(at.min(name.len()));
        self.path
            .with_file_name(format!("{stem}-{number:05}{endings}"))
    }

    /// Removes partial files of this number and higher ones, wherever there are gaps between them:
    /// they belong to a run that will not be continued.
    fn remove_partials(&self, from: usize) {
        let Some(at) = self.number_at else {
            return;
        };
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let (stem, endings) = name.split_at(at.min(name.len()));
        let number = |file: &str| {
            let rest = file.strip_prefix('.')?.strip_prefix(stem)?;
            let rest = rest.strip_prefix('-')?.strip_suffix(PARTIAL)?;
            rest.strip_suffix(endings)?.parse::<usize>().ok()
        };
        for entry in fs::read_dir(folder_of(&self.path))
            .into_iter()
            .flatten()
            .flatten()
        {
            let file = entry.file_name();
            if file
                .to_str()
                .and_then(number)
                .is_some_and(|number| number >= from)
            {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Whether there can be a file of this number.
    fn has(&self, number: usize) -> bool {
        number == 0 || self.number_at.is_some()
    }
}

impl Files {
    /// Begins at `path`, or continues what another run has written there.
    pub fn open(
        path: &Path,
        kind: FileKind,
        fields: &Fields,
        shard_bytes: Option<u64>,
        inputs: InputFiles,
        resumes: bool,
    ) -> anyhow::Result<Files> {
        let folder = folder_of(path);
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create folder {}", folder.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut files = Files {
            names: ShardNames {
                path: path.into(),
                number_at: shard_bytes.map(|_| kind.stem_length(&name)),
            },
            kind,
            fields: fields.clone(),
            shard_bytes,
            inputs,
            first: 0,
            end: 0,
            open: None,
            last_complete: None,
            lock: None,
            done: Done::default(),
            counts: Counts::default(),
        };
        if resumes {
            files.resume()?;
        }
        // Before the work begins: may the file be written at all?
        if files.end == 0 {
            files.begin_next()?;
        }
        if !resumes {
            files.names.remove_partials(files.end);
        }
        Ok(files)
    }

    /// Whether a page is possibly written already; may be called on any thread.
    pub fn may_have(&self, page: &PageRef) -> bool {
        self.done.has(page.key)
    }

    pub fn write(
        &mut self,
        page: &PageRef,
        content: impl FnOnce() -> Vec<u8>,
    ) -> anyhow::Result<()> {
        if self.done.take(page.key) {
            self.counts.already_written += 1;
            return Ok(());
        }
        self.make_room()?;
        let open = self.open.as_mut().expect("made above");
        let bytes = content();
        open.bytes += bytes.len() as u64;
        let written = open.encoder.add(page.date.as_deref(), &bytes);
        let is_resumable = self.kind.is_resumable(self.shard_bytes.is_some());
        written.map_err(|error| {
            let hint = match is_full(&error) && is_resumable {
                true => "; free some space and add --resume",
                false => "",
            };
            let path = open.file.path().display();
            anyhow::Error::new(error).context(format!("cannot write {path}{hint}"))
        })
    }

    /// Adds bytes that belong to no page of their own.
    pub fn write_rest(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        match &mut self.open {
            Some(open) if !bytes.is_empty() => {
                let written = open.encoder.add(None, bytes);
                open.bytes += bytes.len() as u64;
                written.with_context(|| cannot_write(open.file.path()))
            }
            _ => Ok(()),
        }
    }

    /// Moves all files to their places. Without any page, former files are kept.
    pub fn finish(&mut self, has_pages: bool) -> anyhow::Result<()> {
        if !has_pages && self.names.file(0).exists() {
            self.discard();
            return Ok(());
        }
        self.end_file()?;
        for number in self.first..self.end {
            if number + 1 == self.end {
                self.remove_former_shards();
            }
            let path = self.names.file(number);
            AtomicFile::commit_partial(&path).with_context(|| cannot_write(&path))?;
        }
        self.lock = None;
        Ok(())
    }

    /// The run was interrupted: keeps what another run can continue.
    pub fn interrupt(&mut self) {
        if !self.is_resumable() {
            self.discard();
        }
    }

    /// Whether another run can continue what was written.
    pub fn is_resumable(&self) -> bool {
        self.kind.is_resumable(self.shard_bytes.is_some())
    }

    fn discard(&mut self) {
        self.open = None;
        for number in self.first..self.end {
            let _ = fs::remove_file(partial_path(&self.names.file(number)));
        }
    }

    /// Sees to it that a file is open that has room for a page.
    fn make_room(&mut self) -> anyhow::Result<()> {
        let is_full = |bytes: u64| self.shard_bytes.is_some_and(|most| bytes >= most);
        if let Some((number, bytes)) = self.last_complete.take() {
            match is_full(bytes) || !self.kind.is_appendable() {
                true => (self.first, self.end) = (number + 1, number + 1),
                false => return self.continue_complete(number, bytes),
            }
        }
        if self.open.as_ref().is_some_and(|open| is_full(open.bytes)) {
            self.end_file()?;
        }
        match self.open {
            Some(_) => Ok(()),
            None => self.begin_next(),
        }
    }

    fn begin_next(&mut self) -> anyhow::Result<()> {
        let path = self.names.file(self.end);
        refuse_output_over(&self.inputs, Some(&path), "-o")?;
        let file = AtomicFile::create(&path).with_context(|| cannot_write(&path))?;
        self.end += 1;
        self.set_open(file, 0, false)
    }

    fn set_open(&mut self, file: AtomicFile, bytes: u64, continued: bool) -> anyhow::Result<()> {
        let mut file = match self.is_resumable() {
            true => file.keep_partial(),
            false => file,
        };
        let path = file.path().to_path_buf();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let out = file.file().try_clone().with_context(|| cannot_write(&path));
        let encoder = Encoder::new(Box::new(out?), &name, self.kind, &self.fields, continued);
        self.open = Some(Open {
            file,
            encoder: encoder.with_context(|| cannot_write(&path))?,
            bytes,
        });
        Ok(())
    }

    /// Completes the open file, which keeps its partial name.
    fn end_file(&mut self) -> anyhow::Result<()> {
        let Some(open) = self.open.take() else {
            return Ok(());
        };
        let path = open.file.path().to_path_buf();
        let ended = open.encoder.finish().and_then(|()| open.file.end_partial());
        let lock = ended.with_context(|| cannot_write(&path))?;
        self.lock.get_or_insert(lock);
        Ok(())
    }

    /// Removes the shards of an earlier run that had more of them.
    fn remove_former_shards(&self) {
        self.names.remove_partials(self.end);
        let numbers = self.end..;
        for number in numbers.take_while(|number| self.names.has(*number)) {
            let path = self.names.file(number);
            if self.inputs.contains(&path) || fs::remove_file(&path).is_err() {
                break;
            }
        }
    }

    /// Reads which pages are written, and drops what a killed run has torn.
    fn resume(&mut self) -> anyhow::Result<()> {
        let mut number = 0;
        while self.names.has(number) {
            let path = self.names.file(number);
            if partial_path(&path).exists() || !path.exists() {
                break;
            }
            let file = fs::File::open(&path).with_context(|| cannot_read(&path))?;
            let contents = self.read(&path, file)?;
            self.last_complete = Some((number, contents.page_bytes));
            number += 1;
        }
        (self.first, self.end) = (number, number);
        while self.names.has(number) {
            let path = self.names.file(number);
            let found = AtomicFile::resume(&path).with_context(|| cannot_write(&path))?;
            let Some(mut file) = found else {
                break;
            };
            let copy = file
                .file()
                .try_clone()
                .with_context(|| cannot_read(&path))?;
            let contents = self.read(&path, copy)?;
            self.last_complete = None;
            let can_grow = self.kind.is_appendable();
            let is_last =
                !self.names.has(number + 1) || !partial_path(&self.names.file(number + 1)).exists();
            if contents.is_whole && !(can_grow && is_last) {
                self.lock.get_or_insert(file.end_partial()?);
                number += 1;
                self.end = number;
                continue;
            }
            // The last one, or a torn one: what follows is written anew.
            if can_grow {
                file.file().set_len(contents.end)?;
                file.file().seek(io::SeekFrom::Start(contents.end))?;
                self.end = number + 1;
                self.set_open(file, contents.page_bytes, contents.end > 0)?;
            }
            break;
        }
        Ok(())
    }

    fn read(&mut self, path: &Path, file: fs::File) -> anyhow::Result<Contents> {
        let contents = resume::read(file, self.kind, &mut self.done);
        contents.with_context(|| cannot_read(path))
    }

    /// Continues a complete file in a copy of it.
    fn continue_complete(&mut self, number: usize, bytes: u64) -> anyhow::Result<()> {
        let path = self.names.file(number);
        (self.first, self.end) = (number, number + 1);
        refuse_output_over(&self.inputs, Some(&path), "-o")?;
        let copied = AtomicFile::create(&path).and_then(|mut file| {
            io::copy(&mut fs::File::open(&path)?, file.file())?;
            Ok(file)
        });
        let file = copied.with_context(|| cannot_write(&path))?;
        self.set_open(file, bytes, true)
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

fn cannot_read(path: &Path) -> String {
    format!("cannot continue {}", path.display())
}
