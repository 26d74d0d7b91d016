//! The parameters of the paper.

use unframe_page::Separators;

use crate::out_of_range::OutOfRange;
use crate::params::{Param, Params, put, put_word};

/// The parameters of the paper.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StreamParams {
    /// Number of pages that must contain a segment for it to be a template segment (the *DF* of
    /// §2.3). At least 2; the paper's 5 is the default. Raising it removes less, and later.
    pub df: u32,
    /// Share of a block's length that template segments must exceed (*template ratio*, §2.3).
    /// Between 0 and 1, default 0.7. Raising it removes fewer blocks.
    pub ratio: f64,
    /// Lifetime, in pages, of a segment seen once (*Tb*, §2.4). At least 1. The paper does not say
    /// what it used; default 50. Raising it finds rarer frames and needs more memory.
    pub tb: f64,
    /// How many times longer a segment of high DF lives (*N*, §2.4: the upper bound is Tb·N). At
    /// least 1; with 1 all live equally long. Not given in the paper; default 20.
    pub n: f64,
    /// The tags between blocks (§2.1: "TABLE, DIV, etc."). Default `table` and `div`;
    /// [`Separators::modern`] suits modern pages.
    pub separators: Separators,
}

impl Default for StreamParams {
    fn default() -> Self {
        StreamParams {
            df: 5,
            ratio: 0.7,
            tb: 50.0,
            n: 20.0,
            separators: Separators::table_and_div(),
        }
    }
}

impl StreamParams {
    pub(super) fn check_ranges(&self) -> Result<(), OutOfRange> {
        let check = |name, value: f64, ok: bool, range| match ok {
            true => Ok(()),
            false => Err(OutOfRange {
                name,
                value: value.to_string(),
                range,
            }),
        };
        let StreamParams {
            df, ratio, tb, n, ..
        } = *self;
        check("df", df.into(), df >= 2, "at least 2")?;
        check(
            "ratio",
            ratio,
            ratio > 0.0 && ratio < 1.0,
            "between 0 and 1",
        )?;
        let bounded = |x: f64| (1.0..=1e9).contains(&x);
        check("tb", tb, bounded(tb), "at least 1 and at most 1e9")?;
        check("n", n, bounded(n), "at least 1 and at most 1e9")?;
        Ok(())
    }
}

impl Params for StreamParams {
    const METHOD: &'static str = "stream";
    const TABLE: &'static [Param<Self>] = &[
        Param::value(
            "df",
            "PAGES",
            "A text is frame if it is on this many pages or more",
            |params| Some(params.df.to_string()),
            |params, value| put(&mut params.df, "df", value),
        ),
        Param::value(
            "ratio",
            "SHARE",
            "A block is removed if frame texts make up more than this share of its length",
            |params| Some(params.ratio.to_string()),
            |params, value| put(&mut params.ratio, "ratio", value),
        ),
        Param::value(
            "tb",
            "PAGES",
            "Tb: a text seen once is remembered for this many pages",
            |params| Some(params.tb.to_string()),
            |params, value| put(&mut params.tb, "tb", value),
        ),
        Param::value(
            "n",
            "FACTOR",
            "N: a text seen often is remembered this many times longer",
            |params| Some(params.n.to_string()),
            |params, value| put(&mut params.n, "n", value),
        ),
        Param::value(
            "separators",
            "TAGS",
            "Tags between blocks: names separated by commas, or `modern`",
            |params| {
                Some(match params.separators == Separators::modern() {
                    true => "modern".into(),
                    false => params.separators.to_string(),
                })
            },
            |params, value| put_word(&mut params.separators, value),
        ),
    ];

    fn check(&self) -> Result<(), String> {
        self.check_ranges().map_err(|error| error.to_string())
    }
}
