//! Decompresses the members of a file one after the other, and finds the next one after damage.

use std::io::{self, Read};

use super::decoder::{Decoder, LONGEST_START, Packing, ZSTD_DICTIONARY};
use super::{Break, Place, Unpacked};

/// How much is decompressed per step.
const STEP: usize = 64 << 10;
/// Dictionaries have a few hundred KiB; a larger length must be wrong.
const MAX_DICTIONARY: u64 = 16 << 20;
/// How many member boundaries are remembered, to locate bytes that are put back.
const MAX_MARKS: usize = 4096;

impl Unpacked {
    pub(super) fn look_at_start(&mut self) -> io::Result<()> {
        self.packing = Packing::of(self.window.at_least(LONGEST_START)?);
        if self.packing == Packing::Plain {
            self.decoder = Some(Decoder::Plain);
        } else if self
            .window
            .at_least(LONGEST_START)?
            .starts_with(ZSTD_DICTIONARY)
        {
            self.read_dictionary()?;
        }
        Ok(())
    }

    /// A `.warc.zst` may begin with a skippable frame that holds the dictionary for all other
    /// frames, compressed or not.
    /// <https://iipc.github.io/warc-specifications/specifications/warc-zstd/>
    fn read_dictionary(&mut self) -> io::Result<()> {
        let head = self.window.at_least(8)?;
        let Some(length) = head.get(4..8) else {
            return Ok(());
        };
        let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]);
        if u64::from(length) > MAX_DICTIONARY {
            return Ok(());
        }
        self.window.consume(8);
        let mut frame = Vec::new();
        while frame.len() < length as usize {
            let bytes = self.window.at_least(1)?;
            let count = bytes.len().min(length as usize - frame.len());
            if count == 0 {
                break;
            }
            frame.extend_from_slice(&bytes[..count]);
            self.window.consume(count);
        }
        if Packing::of(&frame) == Packing::Zstd {
            let decoder = zstd::stream::read::Decoder::new(&frame[..])?;
            decoder
                .take(MAX_DICTIONARY)
                .read_to_end(&mut self.dictionary)?;
        } else {
            self.dictionary = frame;
        }
        Ok(())
    }

    /// How many bytes have been decompressed so far, consumed or not.
    fn decompressed(&self) -> u64 {
        self.out_start + self.out.len() as u64
    }

    /// Does one step of decompression.
    pub(super) fn decompress(&mut self) {
        self.out.drain(..self.next);
        self.out_start += self.next as u64;
        self.next = 0;
        let filled = self.out.len();
        let input = match self.window.at_least(1) {
            Ok(input) => input,
            Err(error) => return self.fail_reading(&error),
        };
        let Some(decoder) = &mut self.decoder else {
            return;
        };
        let at_end = input.is_empty();
        if self.packing == Packing::Plain {
            let read = input.len();
            self.out.extend_from_slice(input);
            self.window.consume(read);
            self.ended = at_end;
            return;
        }
        self.out.resize(filled + STEP, 0);
        let (step, problem) = decoder.step(input, &mut self.out[filled..]);
        self.out.truncate(filled + step.made);
        self.window.consume(step.eaten);
        if let Some(problem) = problem {
            self.fail(problem);
        } else if step.member_ended {
            self.decoder = None;
        } else if step.eaten == 0 && step.made == 0 {
            self.fail(if at_end {
                "the compressed data ends early".to_owned()
            } else {
                "the compressed data is invalid".to_owned()
            });
        }
    }

    /// Opens the next member; after a break, the next one that can be found.
    pub(super) fn open_member(&mut self) -> io::Result<()> {
        loop {
            if self.lost {
                let (_, member) = self.marks[self.marks.len() - 1];
                self.window.go_back_to(member + 1);
                // A decoder may have failed without taking a byte.
                if self.window.offset() == member {
                    self.window.consume(1);
                }
                let packing = self.packing;
                self.ended = !self
                    .window
                    .seek_start(LONGEST_START, |bytes| packing.find(bytes))?;
            } else {
                let head = self.window.at_least(LONGEST_START)?;
                if head.is_empty() {
                    self.ended = true;
                } else if !self.packing.begins(head) {
                    self.step_over_padding()?;
                    return Ok(());
                }
            }
            if self.ended {
                return Ok(());
            }
            self.mark_member();
            match Decoder::new(self.packing, &self.dictionary) {
                Ok(decoder) => self.decoder = Some(decoder),
                Err(problem) => {
                    self.fail(problem);
                    return Ok(());
                }
            }
            if !self.lost {
                return Ok(());
            }
            // The search may have found bytes that only look like a member. If it decompresses to
            // anything, it is a member; otherwise the search continues without another report.
            let before = self.decompressed();
            while self.decoder.is_some() && self.decompressed() == before && !self.ended {
                self.decompress();
            }
            if self.broken.is_none() {
                self.lost = false;
            }
            if self.decompressed() > before || self.broken.as_ref().is_none_or(|b| b.unreadable) {
                return Ok(());
            }
            self.broken = None;
        }
    }

    /// Zeros up to the end of the file are padding; anything else between members is a break.
    fn step_over_padding(&mut self) -> io::Result<()> {
        loop {
            let bytes = self.window.at_least(1)?;
            if bytes.is_empty() {
                self.ended = true;
                return Ok(());
            }
            let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
            let only_zeros = zeros == bytes.len();
            self.window.consume(zeros);
            if only_zeros {
                continue;
            }
            if self.packing.begins(self.window.at_least(LONGEST_START)?) {
                return Ok(());
            }
            // The search for the next member begins here and not inside the previous one.
            self.mark_member();
            self.fail("unknown data between compressed members".to_owned());
            return Ok(());
        }
    }

    fn mark_member(&mut self) {
        let position = self.decompressed();
        // An empty member has no byte to locate.
        if self
            .marks
            .back()
            .is_some_and(|&(start, _)| start == position)
        {
            self.marks.pop_back();
        }
        self.marks.push_back((position, self.window.offset()));
        if self.marks.len() > MAX_MARKS {
            self.marks.pop_front();
        }
    }

    fn fail(&mut self, problem: String) {
        let (start, member) = self.marks[self.marks.len() - 1];
        let within = self.decompressed().saturating_sub(start);
        let place = Place {
            packing: self.packing,
            member,
            within,
        };
        self.broken = Some(Break {
            place,
            problem,
            unreadable: false,
        });
        self.decoder = None;
        self.lost = true;
    }

    pub(super) fn fail_reading(&mut self, error: &io::Error) {
        self.fail(error.to_string());
        if let Some(broken) = &mut self.broken {
            broken.unreadable = true;
        }
        self.ended = true;
    }
}
