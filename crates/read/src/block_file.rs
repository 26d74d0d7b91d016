//! An unnamed temporary file of blocks that are compressed separately, so that every reader can have a
//! position of its own.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Large enough to compress well, small enough to hold two of them.
pub(crate) const BLOCK: usize = 1 << 20;
/// Fast, because the file exists only during the run.
const LEVEL: i32 = 1;

/// The blocks that were stored so far. The file is made for the first one.
#[derive(Default)]
pub(crate) struct BlockFile {
    file: Option<File>,
    blocks: Vec<Stored>,
}

#[derive(Clone, Copy)]
struct Stored {
    offset: u64,
    packed: usize,
    length: usize,
}

impl BlockFile {
    /// Stores a block after the others. The error says what to do.
    pub(crate) fn store(&mut self, bytes: &[u8]) -> io::Result<()> {
        let explain = |error: io::Error| {
            let folder = std::env::temp_dir();
            io::Error::other(format!(
                "no copy could be kept in {} for the second pass ({error}); \
                 set TMPDIR to a folder with more room",
                folder.display()
            ))
        };
        let packed = zstd::bulk::compress(bytes, LEVEL)?;
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile().map_err(explain)?);
        }
        if let Some(file) = &mut self.file {
            let offset = file.seek(SeekFrom::End(0)).map_err(explain)?;
            file.write_all(&packed).map_err(explain)?;
            self.blocks.push(Stored {
                offset,
                packed: packed.len(),
                length: bytes.len(),
            });
        }
        Ok(())
    }

    /// A block that was stored; `None` if there are fewer.
    pub(crate) fn load(&mut self, number: usize) -> Option<io::Result<Vec<u8>>> {
        let (stored, file) = (*self.blocks.get(number)?, self.file.as_mut()?);
        let mut read = || {
            let mut packed = vec![0; stored.packed];
            file.seek(SeekFrom::Start(stored.offset))?;
            file.read_exact(&mut packed)?;
            zstd::bulk::decompress(&packed, stored.length)
        };
        Some(read())
    }
}
