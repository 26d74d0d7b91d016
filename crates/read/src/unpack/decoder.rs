//! One step of decompression for each format: none, gzip, zstd.
//!
//! The decoders work on one member (zstd: frame) at a time and stop at its end. Archives compress
//! every record separately, so member boundaries are where one can recover. This rules out
//! `flate2::read::MultiGzDecoder`, which cannot continue after one broken member.

use flate2::{Decompress, FlushDecompress, Status};
use zstd::stream::raw::{Decoder as ZstdDecoder, InBuffer, Operation, OutBuffer};

/// How the source is compressed, detected from its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    Plain,
    Gzip,
    Zstd,
}

pub(super) const GZIP: &[u8] = b"\x1f\x8b\x08";
pub(super) const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
/// The skippable frame that holds the dictionary of a `.warc.zst`.
pub(super) const ZSTD_DICTIONARY: &[u8] = b"\x5d\x2a\x4d\x18";
/// Bytes needed to recognise the beginning of a member.
pub(super) const LONGEST_START: usize = 4;

impl Packing {
    pub(super) fn of(head: &[u8]) -> Packing {
        if head.starts_with(GZIP) {
            Packing::Gzip
        } else if Packing::Zstd.begins(head) {
            Packing::Zstd
        } else {
            Packing::Plain
        }
    }

    /// Whether a member begins with these bytes.
    pub(super) fn begins(self, bytes: &[u8]) -> bool {
        match self {
            Packing::Plain => false,
            // The three highest flag bits are reserved and zero.
            Packing::Gzip => bytes.starts_with(GZIP) && bytes.get(3).is_some_and(|f| f & 0xe0 == 0),
            // Skippable frames have sixteen magic numbers.
            Packing::Zstd => {
                bytes.starts_with(ZSTD)
                    || (bytes.get(1..4) == Some(b"\x2a\x4d\x18") && bytes[0] & 0xf0 == 0x50)
            }
        }
    }

    /// Where in `bytes` the first member begins.
    pub(super) fn find(self, bytes: &[u8]) -> Option<usize> {
        let magic = if self == Packing::Gzip { GZIP } else { ZSTD };
        memchr::memmem::find_iter(bytes, magic).find(|&at| self.begins(&bytes[at..]))
    }
}

/// Decompresses one member.
pub(super) enum Decoder {
    Plain,
    Gzip(Decompress),
    Zstd(ZstdDecoder<'static>),
}

/// The result of one step.
pub(super) struct Step {
    pub(super) eaten: usize,
    pub(super) made: usize,
    pub(super) member_ended: bool,
}

impl Decoder {
    pub(super) fn new(packing: Packing, dictionary: &[u8]) -> Result<Decoder, String> {
        Ok(match packing {
            Packing::Plain => Decoder::Plain,
            Packing::Gzip => Decoder::Gzip(Decompress::new_gzip(15)),
            Packing::Zstd => Decoder::Zstd(
                ZstdDecoder::with_dictionary(dictionary)
                    .map_err(|error| format!("the zstd dictionary is damaged ({error})"))?,
            ),
        })
    }

    /// Decompresses some of `input` into `output`. If there is an error, the `made` bytes returned
    /// with it may still be good.
    pub(super) fn step(&mut self, input: &[u8], output: &mut [u8]) -> (Step, Option<String>) {
        match self {
            Decoder::Plain => {
                let count = input.len().min(output.len());
                output[..count].copy_from_slice(&input[..count]);
                (
                    Step {
                        eaten: count,
                        made: count,
                        member_ended: false,
                    },
                    None,
                )
            }
            Decoder::Gzip(inflate) => {
                let (eaten, made) = (inflate.total_in(), inflate.total_out());
                let result = inflate.decompress(input, output, FlushDecompress::None);
                let step = Step {
                    eaten: (inflate.total_in() - eaten) as usize,
                    made: (inflate.total_out() - made) as usize,
                    member_ended: matches!(result, Ok(Status::StreamEnd)),
                };
                (
                    step,
                    result.err().map(|_| "the gzip data is corrupt".to_owned()),
                )
            }
            Decoder::Zstd(decoder) => {
                let mut input = InBuffer::around(input);
                let mut output = OutBuffer::around(output);
                let result = decoder.run(&mut input, &mut output);
                let step = Step {
                    eaten: input.pos(),
                    made: output.pos(),
                    member_ended: matches!(result, Ok(0)),
                };
                let problem = result.err();
                (
                    step,
                    problem.map(|error| format!("the zstd data is corrupt ({error})")),
                )
            }
        }
    }
}
