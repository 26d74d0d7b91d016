//! The parameters, and presets with those of the two papers.

use std::fmt;
use std::str::FromStr;

use super::chunk::Delimiters;
use crate::out_of_range::OutOfRange;
use crate::params::{self, Param, Params, put, put_switch, put_word, switch};

/// The parameters of the papers. `Default` is [`Preset::Modern`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ChunkParams {
    /// The tags between chunks. More of them give smaller chunks, more of which repeat.
    pub delimiters: Delimiters,
    /// Number of pages that must contain a chunk for it to be template (*threshold* in §3.3 of the
    /// first paper, which uses 4). Raising it removes less.
    pub threshold: Threshold,
    /// When two chunks are equal. Default: if their text is.
    pub key: ChunkKey,
    /// Whether the `alt` text and the file name of an image are terms of its chunk (§5 of the first
    /// paper), unless they say nothing, such as `img9` or `spacer`. The images themselves are never
    /// removed.
    pub images: bool,
    /// Count the chunks of only this many pages per site, but clean all (§4.2 of the first paper: 9
    /// of 41 find everything in 27 % of the time). At least the threshold. Default: all pages.
    pub sample: Option<u32>,
    /// Selects the pages of the sample; the same seed gives the same sample, in whatever order
    /// pages arrive.
    pub seed: u64,
}

/// Named sets of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// Ma et al. 2003, *Extracting unstructured data from template generated web documents*:
    /// delimiter `table`, image texts are terms.
    Ma2003a,
    /// The same authors at CIKM 2003: delimiters `table` and `map`, no image texts.
    Ma2003b,
    /// For modern pages: block-level and sectioning elements, no image texts.
    Modern,
}

impl Preset {
    /// All presets, in the order of a table.
    pub const ALL: [Preset; 3] = [Preset::Ma2003a, Preset::Ma2003b, Preset::Modern];

    /// True if duplicates are removed before counting. This part of the preset is up to the caller,
    /// because the method itself sees one page at a time.
    pub fn leaves_duplicates_out(self) -> bool {
        self == Preset::Ma2003b
    }

    /// The parameters.
    pub fn params(self) -> ChunkParams {
        let (delimiters, images) = match self {
            Preset::Ma2003a => (Delimiters::table(), true),
            Preset::Ma2003b => (Delimiters::table_and_map(), false),
            Preset::Modern => (Delimiters::modern(), false),
        };
        ChunkParams {
            delimiters,
            threshold: Threshold::Pages(4),
            key: ChunkKey::Text,
            images,
            sample: None,
            seed: 0,
        }
    }
}

impl Default for ChunkParams {
    fn default() -> Self {
        Preset::Modern.params()
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Preset::Ma2003a => "ma-2003a",
            Preset::Ma2003b => "ma-2003b",
            Preset::Modern => "modern",
        })
    }
}

impl FromStr for Preset {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Preset::ALL.into_iter().find(|p| p.to_string() == text);
        found.ok_or_else(|| {
            format!("unknown preset `{text}`; available are ma-2003a, ma-2003b and modern")
        })
    }
}

/// How many pages must contain a chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// This many; at least 2.
    Pages(u32),
    /// This share of the counted pages, rounded up, and at least 2 of them. Above 0 and at most 1.
    Share(f64),
}

impl Threshold {
    /// The number of pages, given the number of counted pages.
    pub fn pages(self, counted: u64) -> u32 {
        match self {
            Threshold::Pages(pages) => pages,
            Threshold::Share(share) => {
                // 7 % of 100 pages are 7, although 0.07 · 100 is slightly more.
                let pages = (share * counted as f64 - 1e-9).ceil();
                (pages as u32).max(2)
            }
        }
    }

    /// The smallest number of pages it can ever mean.
    pub fn least(self) -> u32 {
        self.pages(0)
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Threshold::Pages(pages) => write!(f, "{pages}"),
            // As it was written: 7 %, not 7.000000000000001 %.
            Threshold::Share(share) => write!(f, "{}%", (share * 1e10).round() / 1e8),
        }
    }
}

/// `4`, or `30%`.
impl FromStr for Threshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = match text.strip_suffix('%') {
            None => text.parse().ok().map(Threshold::Pages),
            Some(percent) => {
                let percent = percent.trim_end().parse::<f64>().ok();
                percent.map(|percent| Threshold::Share(percent / 100.0))
            }
        };
        parsed.ok_or_else(|| {
            format!(
                "`{text}` is neither a number of pages nor a percentage; write for example 4 or 30%"
            )
        })
    }
}

/// When two chunks are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkKey {
    /// If their text is, wherever it occurs.
    Text,
    /// If their text is, and the tag path of its first term.
    Path,
}

impl fmt::Display for ChunkKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ChunkKey::Text => "text",
            ChunkKey::Path => "path",
        })
    }
}

impl FromStr for ChunkKey {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "text" => Ok(ChunkKey::Text),
            "path" => Ok(ChunkKey::Path),
            _ => Err(format!(
                "unknown chunk key `{text}`; use text, or path for text and tag path"
            )),
        }
    }
}

impl ChunkParams {
    pub(super) fn check_ranges(&self) -> Result<(), OutOfRange> {
        let wrong = |name, value: String, range| Err(OutOfRange { name, value, range });
        match self.threshold {
            Threshold::Pages(pages) if pages < 2 => {
                return wrong("threshold", pages.to_string(), "at least 2");
            }
            Threshold::Share(share) if !(share > 0.0 && share <= 1.0) => {
                let percent = format!("{}%", 100.0 * share);
                return wrong("threshold", percent, "above 0% and at most 100%");
            }
            _ => {}
        }
        match self.sample {
            Some(pages) if pages < self.threshold.least() => wrong(
                "sample",
                pages.to_string(),
                "at least the threshold, or no chunk could be on enough pages",
            ),
            _ => Ok(()),
        }
    }

    /// The parameters that affect counting, in command line syntax. Counts made with different ones
    /// must not be combined. The threshold is not included, because it can be applied to any
    /// counts.
    pub fn counting(&self) -> String {
        let images = if self.images {
            "--images"
        } else {
            "--no-images"
        };
        let (delimiters, key) = (&self.delimiters, self.key);
        let sample = self.sample.map_or(String::new(), |pages| {
            format!(" --sample {pages} --seed {}", self.seed)
        });
        format!("--delimiters {delimiters} --key {key} {images}{sample}")
    }
}

impl Params for ChunkParams {
    const METHOD: &'static str = "chunks";
    const TABLE: &'static [Param<Self>] = &[
        Param::value(
            "delimiters",
            "TAGS",
            "Tags between chunks: names separated by commas, or `modern` (block-level and \
             sectioning elements)",
            |params| {
                Some(match params.delimiters == Delimiters::modern() {
                    true => "modern".into(),
                    false => params.delimiters.to_string(),
                })
            },
            |params, value| put_word(&mut params.delimiters, value),
        ),
        Param::value(
            "threshold",
            "PAGES|SHARE%",
            "A chunk is removed if it is on this many pages or more: a number, or a share of the \
             pages",
            |params| Some(params.threshold.to_string()),
            |params, value| put_word(&mut params.threshold, value),
        ),
        Param::value(
            "key",
            "text|path",
            "What makes two chunks equal: their text, or text and tag path",
            |params| Some(params.key.to_string()),
            |params, value| put_word(&mut params.key, value),
        ),
        Param::value(
            "sample",
            "PAGES",
            "Count the chunks of this many pages of each site, and clean all pages",
            |params| params.sample.map(|pages| pages.to_string()),
            |params, value| put(params.sample.insert(0), "sample", value),
        ),
        Param::value(
            "seed",
            "NUMBER",
            "Which pages make up the sample",
            |params| Some(params.seed.to_string()),
            |params, value| put(&mut params.seed, "seed", value),
        ),
        Param::switch(
            "images",
            "Alt texts and file names of images are part of a chunk's text",
            |params| switch(params.images),
            |params, value| put_switch(&mut params.images, value),
        ),
    ];
    const PRESETS: &'static [params::Preset<Self>] = &[
        params::Preset {
            name: "modern",
            help: "block-level and sectioning elements, no image texts",
            params: || Preset::Modern.params(),
        },
        params::Preset {
            name: "ma-2003a",
            help: "the first paper: delimiter table, image texts",
            params: || Preset::Ma2003a.params(),
        },
        params::Preset {
            name: "ma-2003b",
            help: "CIKM 2003: delimiters table and map; duplicates are not learned from",
            params: || Preset::Ma2003b.params(),
        },
    ];

    /// A seed without a sample has no effect, so whoever sets one has forgotten the other.
    fn check(&self) -> Result<(), String> {
        if self.seed != 0 && self.sample.is_none() {
            return Err("--seed chooses the pages of a sample; add --sample PAGES".into());
        }
        self.check_ranges().map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_up_and_at_least_two() {
        for (share, pages, expected) in [
            (0.3, 10, 3),
            (0.3, 11, 4),
            (0.07, 100, 7),
            (0.001, 100, 2),
            (1.0, 7, 7),
            (0.5, 0, 2),
            (1.0, u64::MAX, u32::MAX),
        ] {
            let found = Threshold::Share(share).pages(pages);
            assert_eq!(found, expected, "{share} of {pages}");
        }
        assert_eq!(Threshold::Pages(4).pages(1000), 4);
    }

    #[test]
    fn values_are_spelled_as_they_are_read() {
        for text in ["4", "30%", "7%", "0.5%", "100%"] {
            assert_eq!(text.parse::<Threshold>().unwrap().to_string(), text);
        }
        for text in ["", "%", "four", "-1", "4.5", "0.3"] {
            assert!(text.parse::<Threshold>().is_err(), "{text}");
        }
        for preset in Preset::ALL {
            assert_eq!(preset.to_string().parse(), Ok(preset));
        }
        for key in [ChunkKey::Text, ChunkKey::Path] {
            assert_eq!(key.to_string().parse(), Ok(key));
        }
    }
}
