//! Compression of output files, in blocks that can be read without the rest of the file.

use std::io::{self, Write};

use super::Out;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    None,
    Gzip,
    Zstd,
}

/// Uncompressed bytes of a gzip member or zstd frame. A killed run loses no more than one of them.
/// Only the pages decide where they end, so that equal pages give equal files.
const BLOCK_BYTES: usize = 1 << 20;

/// Compresses pages into whole members or frames.
pub struct Blocks {
    out: Out,
    compression: Compression,
    block: Vec<u8>,
    begun: bool,
}

impl Blocks {
    /// For a new file, or what follows in one that has blocks.
    pub fn new(out: Out, compression: Compression, continued: bool) -> Blocks {
        Blocks {
            out,
            compression,
            block: Vec::new(),
            begun: continued,
        }
    }

    /// Adds a page, which is never divided between blocks.
    pub fn add(&mut self, page: &[u8]) -> io::Result<()> {
        if self.compression == Compression::None {
            return self.out.write_all(page);
        }
        self.block.extend_from_slice(page);
        match self.block.len() >= BLOCK_BYTES {
            true => self.end_block(),
            false => Ok(()),
        }
    }

    pub fn finish(mut self) -> io::Result<()> {
        // Not even an empty compressed file has no bytes.
        if !self.block.is_empty() || (!self.begun && self.compression != Compression::None) {
            self.end_block()?;
        }
        self.out.flush()
    }

    fn end_block(&mut self) -> io::Result<()> {
        let bytes = compress(&self.block, self.compression)?;
        self.out.write_all(&bytes)?;
        self.block.clear();
        self.begun = true;
        Ok(())
    }
}

fn compress(block: &[u8], compression: Compression) -> io::Result<Vec<u8>> {
    match compression {
        Compression::None => Ok(block.to_vec()),
        Compression::Gzip => {
            let level = flate2::Compression::default();
            let mut member = flate2::write::GzEncoder::new(Vec::new(), level);
            member.write_all(block)?;
            member.finish()
        }
        Compression::Zstd => zstd::bulk::compress(block, zstd::DEFAULT_COMPRESSION_LEVEL),
    }
}
