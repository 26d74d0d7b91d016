//! Makes a stream readable twice.
//!
//! Input: standard input, or a pipe such as `/dev/fd/63`. Output: any number of readers, each of
//! which reads the whole stream. If a second pass is announced, the stream is written to an unnamed
//! temporary file during the first one, block by block. A first pass that stops early costs nothing: the
//! next reader uses the existing blocks and then continues with the stream.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::block_file::{BLOCK, BlockFile};

/// Where the bytes of a stream come from.
#[derive(Debug, Clone)]
pub(crate) enum StreamSource {
    Stdin,
    /// A named pipe or device. It is opened on the first read, because opening a pipe waits for its
    /// writer.
    Path(PathBuf),
    #[cfg(test)]
    Bytes(Vec<u8>),
}

/// A stream and the stored part of it.
pub(crate) struct Spool {
    state: Mutex<State>,
}

struct State {
    source: StreamSource,
    live: Live,
    /// Whether blocks are stored for another pass.
    keep: bool,
    stored: BlockFile,
}

enum Live {
    NotOpened,
    Open(Box<dyn Read + Send>),
    /// Everything has been read; the text is the error that ended it early.
    Ended(Option<String>),
}

impl Spool {
    pub(crate) fn new(source: StreamSource) -> Self {
        Spool {
            state: Mutex::new(State {
                source,
                live: Live::NotOpened,
                keep: false,
                stored: BlockFile::default(),
            }),
        }
    }

    /// A reader of the whole stream, or `None` if it was read before without being stored.
    pub(crate) fn reader(self: &Arc<Self>, keep: bool) -> Option<SpoolReader> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(state.live, Live::NotOpened) {
            state.keep = keep;
            // From now on it counts as opened, even if no byte is ever read.
            state.live = Live::Open(Box::new(Opening(state.source.clone(), None)));
        } else if !state.keep {
            return None;
        }
        Some(SpoolReader {
            spool: Arc::clone(self),
            block: 0,
            bytes: Vec::new(),
            next: 0,
        })
    }
}

impl State {
    /// Puts block number `number` into `bytes`; no bytes mean the end.
    fn block(&mut self, number: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.clear();
        if let Some(stored) = self.stored.load(number) {
            *bytes = stored?;
            return Ok(());
        }
        let error = match &mut self.live {
            Live::Ended(None) | Live::NotOpened => return Ok(()),
            Live::Ended(Some(error)) => return Err(io::Error::other(error.clone())),
            Live::Open(reader) => reader.take(BLOCK as u64).read_to_end(bytes).err(),
        };
        // An error ends the stream for good, so that a second pass sees the same as the first: the
        // bytes before the error, and then the error. Bytes that cannot be stored count as not
        // read.
        if let Some(error) = &error {
            self.live = Live::Ended(Some(error.to_string()));
        }
        if bytes.is_empty() {
            match error {
                Some(error) => return Err(error),
                None => self.live = Live::Ended(None),
            }
        } else if self.keep
            && let Err(error) = self.stored.store(bytes)
        {
            bytes.clear();
            self.live = Live::Ended(Some(error.to_string()));
            return Err(error);
        }
        Ok(())
    }
}

/// Opens the source on the first read.
struct Opening(StreamSource, Option<Box<dyn Read + Send>>);

impl Read for Opening {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let reader = match &mut self.1 {
            Some(reader) => reader,
            none => none.insert(match &self.0 {
                StreamSource::Stdin => Box::new(io::stdin()),
                StreamSource::Path(path) => Box::new(File::open(path)?),
                #[cfg(test)]
                StreamSource::Bytes(bytes) => Box::new(io::Cursor::new(bytes.clone())),
            }),
        };
        reader.read(buffer)
    }
}

/// One pass over a [`Spool`].
pub(crate) struct SpoolReader {
    spool: Arc<Spool>,
    block: usize,
    bytes: Vec<u8>,
    next: usize,
}

impl Read for SpoolReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.next == self.bytes.len() {
            let mut state = self
                .spool
                .state
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            self.next = 0;
            state.block(self.block, &mut self.bytes)?;
            self.block += 1;
        }
        let count = (&self.bytes[self.next..]).read(buffer)?;
        self.next += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        (0..3 * BLOCK + 17).map(|n| ((n * n) >> 7) as u8).collect()
    }

    fn all(spool: &Arc<Spool>) -> Vec<u8> {
        let mut bytes = Vec::new();
        spool.reader(true).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn a_kept_stream_is_read_again() {
        let spool = Arc::new(Spool::new(StreamSource::Bytes(sample())));
        assert!(all(&spool) == sample());
        assert!(all(&spool) == sample());
    }

    #[test]
    fn a_first_pass_that_stops_early_costs_nothing() {
        let spool = Arc::new(Spool::new(StreamSource::Bytes(sample())));
        let mut some = [0; 100];
        spool.reader(true).unwrap().read_exact(&mut some).unwrap();
        assert!(all(&spool) == sample());
    }

    #[test]
    fn a_stream_that_was_not_kept_is_gone() {
        let spool = Arc::new(Spool::new(StreamSource::Bytes(sample())));
        assert!(spool.reader(false).is_some());
        assert!(spool.reader(true).is_none());
    }
}
